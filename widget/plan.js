// @ts-check
/**
 * Will it start? The plan's public names, without DOM: vLLM's own arithmetic for any card and any model, by version.
 * @module
 */

export { plan } from "./sim/vllm/plan.js";
export { answer, as_json, as_text, upgrade_text } from "./sim/vllm/plan_words.js";
export { PlanError } from "./sim/vllm/refuse.js";
export { compare } from "./sim/vllm/upgrade.js";

/** @typedef {import("./sim/vllm/plan.js").Plan} Plan */
/** @typedef {import("./sim/vllm/upgrade.js").Upgrade} Upgrade */
