// @ts-check
/** The page's own words and fields, as the build read them too. */

import PAGE from "../../sim/poolroom/facts/vllm/page.json" with { type: "json" };

/** @type {any} */
export const WORDS = PAGE;
