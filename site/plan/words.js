// @ts-check
/** The page's own words and fields: the build wrote those that scripts need into the page; outside of it the file has them. */

import PAGE from "../../sim/poolroom/facts/vllm/page.json" with { type: "json" };

const block = globalThis.document?.getElementById("plan-words");

/** @type {any} */
export const WORDS = block ? JSON.parse(block.textContent ?? "") : PAGE;
