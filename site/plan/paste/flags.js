// @ts-check
/**
 * vLLM's own names for settings: which are counted, which cost memory uncounted, which cost none, and which are unknown.
 * @module
 */

import { VERSIONS } from "../../../widget/sim/vllm/plan_facts.js";

/** @typedef {import("./reading.js").Said} Said */

/** @type {Record<string, {flag: string, unit: string}>} */
const COUNTED = Object.fromEntries(VERSIONS.settings.map((/** @type {any} */ each) => [each.name, each]));
/** @type {string[]} */
const UNCOUNTED = VERSIONS.uncounted.names;
/** Those that do not cost memory of the card, by what they do. */
const SORTS = ["saves", "host"];
const TRUTHS = ["enforce_eager", "enable_chunked_prefill", "async_scheduling", "enable_prefix_caching", "use_llm_class"];
const TEXTS = ["model", "dtype", "quantization", "kv_cache_dtype", "version", "engine"];
/** Other names for the same, among them those that the engine's own line of settings uses. */
const ALIASES = {
  tp: "tensor_parallel_size", pp: "pipeline_parallel_size", dcp: "decode_context_parallel_size", q: "quantization",
  sc: "speculative_config", cc: "compilation_config", O: "compilation_config", dp: "data_parallel_size",
  pcp: "prefill_context_parallel_size", ep: "enable_expert_parallel", device_memory_utilization: "gpu_memory_utilization",
  model_tag: "model", model_path: "model", max_seq_len: "max_model_len", kv_cache_memory: "kv_cache_memory_bytes",
  chunked_prefill_enabled: "enable_chunked_prefill", cache_dtype: "kv_cache_dtype", optimization_level: "compilation_config",
};

/** @type {Map<string, number>} values that a flag takes: 0, 1 or 2 for several */
const ARITY = new Map();
["alone", "one", "several"].forEach((many, arity) => {
  for (const name of VERSIONS.quiet[many].split(" ")) ARITY.set(name, arity);
});
for (const name of [...Object.keys(COUNTED), ...UNCOUNTED, ...Object.keys(ALIASES)]) {
  const own = ALIASES[/** @type {keyof typeof ALIASES} */ (name)] ?? name;
  ARITY.set(name.replace(/_/g, "-"), TRUTHS.includes(own) || /^enable_/.test(own) ? 0 : 1);
}
const NAMES = [...ARITY.keys()];

/** How long a value or a name may be that is handed on. */
const LONG = 300;
/** More unknown flags than this say nothing more. */
const MANY = 32;

/**
 * What is known of a flag as it was written.
 * @param {string} written with its dashes, without value
 * @returns {{name: string, arity: number | undefined, on: boolean}} the name in vLLM's spelling for settings
 */
export function known(written) {
  let name = written.replace(/^-+/, "").split(".")[0].replace(/_/g, "-");
  let on = true;
  if (!ARITY.has(name) && name.startsWith("no-") && ARITY.has(name.slice(3))) [name, on] = [name.slice(3), false];
  if (!ARITY.has(name) && /^O[0-9]$/.test(name)) return { name: "compilation_config", arity: 0, on };
  if (!ARITY.has(name) && name.length > 5) {
    // Python's reader of flags takes the beginning of a name where only one flag begins so.
    const whole = NAMES.filter((each) => each.startsWith(name));
    if (whole.length === 1) name = whole[0];
  }
  const arity = ARITY.get(name);
  const plain = name.replace(/-/g, "_");
  return { name: ALIASES[/** @type {keyof typeof ALIASES} */ (plain)] ?? plain, arity, on };
}

/** Letters to change from one name to another. @param {string} a @param {string} b */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + Number(a[i - 1] !== b[j - 1])));
    }
    row = next;
  }
  return row[b.length];
}

/** The known flag that is nearest to an unknown one; empty if none is near. @param {string} flag */
export function nearest(flag) {
  const short = flag.replace(/^-+/, "").split(/[.=]/)[0].replace(/_/g, "-").slice(0, 40);
  let best = { name: "", far: Math.max(2, short.length / 3) + 1 };
  for (const each of NAMES) {
    if (each.length < 3 || Math.abs(each.length - short.length) >= best.far) continue;
    const far = distance(short, each);
    if (far < best.far) best = { name: each, far };
  }
  return best.name && `--${best.name}`;
}

/** A flag that nobody knows. @param {Said} said @param {string} flag */
export function unknown(said, flag) {
  const short = flag.slice(0, 100);
  if (said.unknown.length >= MANY || said.unknown.some((each) => each.flag === short)) return;
  said.unknown.push({ flag: short, nearest: "" });
}

/** @param {Said} said @param {string} key @param {Record<string, any>} values */
export function problem(said, key, values) {
  if (said.problems.length >= MANY) return;
  const written = JSON.stringify(values);
  if (!said.problems.some((each) => each.key === key && JSON.stringify(each.values) === written)) said.problems.push({ key, values });
}

/** A whole number as vLLM reads it: 4k is 4,000 and 4K is 4,096. @param {string} text */
export function whole(text) {
  const found = /^(-?[0-9]{1,15})((?:\.[0-9]{1,6})?)([kKmMgGtT]?)$/.exec(text.trim().replace(/_/g, ""));
  if (!found || (found[2] && !/[kmgt]/.test(found[3]))) return null;
  const step = "KMGT".includes(found[3]) ? 1024 : 1000;
  let value = Number(found[1] + found[2]);
  for (let i = found[3] ? "kmgt".indexOf(found[3].toLowerCase()) : -1; i >= 0; i -= 1) value *= step;
  return Number.isSafeInteger(Math.floor(value)) ? Math.floor(value) : null;
}

/** @param {string} name @param {unknown} value @returns {unknown} the setting's value, or null where it is none */
function worth(name, value) {
  if (TRUTHS.includes(name)) {
    if (typeof value === "boolean") return value;
    const text = String(value).toLowerCase();
    return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : null;
  }
  const text = String(value);
  if (TEXTS.includes(name)) return text === "" || text.length > LONG ? null : text.replace(/^torch\./, "");
  if (name === "gpu_memory_utilization") return /^[0-9]{0,3}\.?[0-9]{1,20}$/.test(text) ? Number(text) : null;
  const number = whole(text);
  if (name === "max_model_len" && (number === -1 || text.toLowerCase() === "auto")) return "auto";
  return number;
}

/**
 * Take what an engine prints of all its settings, its defaults among them.
 * @param {Said} said @param {import("./literals.js").Pair[]} pairs
 */
export function settle_printed(said, pairs) {
  for (const { name, value } of pairs) {
    if (value === "auto" || (UNCOUNTED.includes(name) && typeof value === "number")) continue;
    if (name === "max_seq_len" && said.asked.max_model_len === "auto") continue;
    settle(said, name, value);
  }
}

/**
 * Take a setting by its name in vLLM.
 * @param {Said} said @param {string} name @param {unknown} value @param {string} [flag] as written, where unknown names matter
 */
export function settle(said, name, value, flag) {
  if (value === null || value === undefined) return;
  const own = Object.hasOwn(ALIASES, name) ? ALIASES[/** @type {keyof typeof ALIASES} */ (name)] : name;
  if (UNCOUNTED.includes(own)) {
    if (value === false || value === 0 || value === "") return;
    said.asked[own] = typeof value === "string" ? value.replace(/\s*\n\s*/g, " ").slice(0, LONG) : value;
    const sort = SORTS.find((each) => VERSIONS.uncounted[each].includes(own));
    problem(said, sort ? `not_counted_${sort}` : "not_counted", { name: own });
  } else if (Object.hasOwn(COUNTED, own) && (COUNTED[own].flag || own === "model")) {
    const taken = typeof value === "string" && /\$[{(A-Za-z]/.test(value) ? undefined : worth(own, value);
    if (taken === undefined) problem(said, "variable", { name: own, value: String(value).slice(0, LONG) });
    else if (taken === null) problem(said, "bad_value", { name: own, value: String(value).slice(0, LONG) });
    else said.asked[own] = taken;
  } else if (flag && !ARITY.has(own.replace(/_/g, "-"))) unknown(said, flag);
}
