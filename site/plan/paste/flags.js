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
const TRUTHS = ["enforce_eager", "enable_chunked_prefill", "async_scheduling", "enable_prefix_caching", "use_llm_class"];
const TEXTS = ["model", "dtype", "quantization", "kv_cache_dtype", "version", "engine"];
/** Other names for the same, among them those that the engine's own line of settings uses. */
const ALIASES = {
  tp: "tensor_parallel_size", pp: "pipeline_parallel_size", dcp: "decode_context_parallel_size", q: "quantization",
  sc: "speculative_config", cc: "compilation_config", O: "compilation_config", dp: "data_parallel_size",
  model_tag: "model", model_path: "model", max_seq_len: "max_model_len", kv_cache_memory: "kv_cache_memory_bytes",
  chunked_prefill_enabled: "enable_chunked_prefill", cache_dtype: "kv_cache_dtype", optimization_level: "compilation_config",
};

/** Truths that cost no memory here; they take no value. */
const QUIET_TRUTHS = `trust-remote-code enable-auto-tool-choice enable-reasoning disable-log-requests disable-log-stats
 disable-custom-all-reduce enable-log-requests enable-log-outputs enable-prompt-embeds enable-sleep-mode
 disable-sliding-window disable-cascade-attn skip-tokenizer-init enable-return-routed-experts use-tqdm-on-load
 enable-dbo enable-eplb enable-elastic-ep calculate-kv-scales kv-sharing-fast-prefill enable-tower-connector-lora
 fully-sharded-loras enable-mm-embeds interleave-mm-strings skip-mm-profiling mm-encoder-only language-model-only
 disable-hybrid-kv-cache-manager disable-chunked-mm-input scheduler-reserve-full-isl enable-flashinfer-autotune
 enable-server-load-tracking enable-force-include-usage enable-prompt-tokens-details enable-tokenizer-info-endpoint
 enable-request-id-headers return-tokens-as-token-ids disable-frontend-multiprocessing disable-fastapi-docs
 disable-uvicorn-access-log allow-credentials enable-ssl-refresh headless data-parallel-hybrid-lb
 data-parallel-external-lb enable-layerwise-nvtx-tracing enable-mfu-metrics enable-logging-iteration-details
 cudagraph-metrics kv-cache-metrics aggregate-engine-logging log-error-stack use-v2-block-manager worker-use-ray
 engine-use-ray enable-chunked-mm-input multi-step-stream-outputs exclude-tools-when-tool-choice-none
 ray-workers-use-nsight allow-deprecated-quantization disable-mm-preprocessor-cache disable-async-output-proc
 trust-request-chat-template enable-ep-weight-filter specialize-active-lora help`;
/** What costs no memory here and takes a value; with a plus: several. */
const QUIET = `host port api-key+ served-model-name+ chat-template chat-template-content-format tool-call-parser
 tool-parser-plugin reasoning-parser reasoning-parser-plugin response-role uds root-path middleware+ allowed-origins
 allowed-methods allowed-headers ssl-keyfile ssl-certfile ssl-ca-certs ssl-cert-reqs uvicorn-log-level max-log-len
 config api-server-count lora-modules+ prompt-adapters+ task runner convert tokenizer tokenizer-mode seed
 hf-config-path allowed-local-media-path allowed-media-domains+ revision code-revision tokenizer-revision
 rope-scaling rope-theta hf-overrides hf-token max-logprobs logprobs-mode config-format pooler-config
 override-pooler-config generation-config override-generation-config override-neuron-config model-impl
 override-attention-dtype logits-processors+ logits-processor-pattern io-processor-plugin renderer-num-workers
 load-format download-dir safetensors-load-strategy model-loader-extra-config ignore-patterns+ pt-load-map-location
 attention-backend attention-config ac distributed-executor-backend master-addr master-port nnodes n node-rank r
 distributed-timeout-seconds dcp-comm-backend dcp-kv-cache-interleave-size cp-kv-cache-interleave-size
 data-parallel-rank data-parallel-start-rank data-parallel-size-local data-parallel-address data-parallel-rpc-port
 data-parallel-backend all2all-backend ubatch-size dbo-decode-token-threshold dbo-prefill-token-threshold eplb-config
 expert-placement-strategy max-parallel-loading-workers worker-cls worker-extension-cls prefix-caching-hash-algo
 kv-cache-dtype-skip-layers+ mamba-cache-dtype mamba-ssm-cache-dtype mamba-block-size mamba-cache-mode
 kv-offloading-size kv-offloading-backend offload-backend cpu-offload-params+ offload-group-size offload-num-in-group
 offload-prefetch-step offload-params+ media-io-kwargs mm-processor-cache-type mm-shm-cache-max-object-size-mb
 mm-encoder-tp-mode mm-encoder-attn-backend video-pruning-rate mm-tensor-ipc lora-dtype lora-extra-vocab-size
 lora-target-modules+ default-mm-loras long-lora-scaling-factors max-prompt-adapters max-prompt-adapter-token
 show-hidden-metrics-for-version otlp-traces-endpoint collect-detailed-traces kv-cache-metrics-sample
 max-num-partial-prefills max-long-partial-prefills long-prefill-token-threshold scheduling-policy scheduler-cls
 scheduler-delay-factor stream-interval num-scheduler-steps num-lookahead-slots preemption-mode
 cudagraph-capture-sizes+ max-cudagraph-capture-size max-seq-len-to-capture max-context-len-to-capture moe-backend
 kv-events-config ec-transfer-config reasoning-config kernel-config additional-config structured-outputs-config
 profiler-config weight-transfer-config shutdown-timeout gdn-prefill-backend guided-decoding-backend device
 quantization-param-path image-input-type max-num-queued-reqs watermark disable-log-stats`;

/** @type {Map<string, number>} values that a flag takes: 0, 1 or 2 for several */
const ARITY = new Map();
for (const name of QUIET.split(/\s+/)) ARITY.set(name.replace("+", ""), name.endsWith("+") ? 2 : 1);
for (const name of QUIET_TRUTHS.split(/\s+/)) ARITY.set(name, 0);
for (const name of [...Object.keys(COUNTED), ...UNCOUNTED, ...Object.keys(ALIASES)]) {
  ARITY.set(name.replace(/_/g, "-"), TRUTHS.includes(name) || /^enable_/.test(name) ? 0 : 1);
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
  const same = said.problems.some((each) => each.key === key && JSON.stringify(each.values) === JSON.stringify(values));
  if (!same && said.problems.length < MANY) said.problems.push({ key, values });
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
    said.asked[own] = typeof value === "string" ? value.slice(0, LONG) : value;
    problem(said, "not_counted", { name: own });
  } else if (Object.hasOwn(COUNTED, own) && (COUNTED[own].flag || own === "model")) {
    const taken = typeof value === "string" && /\$[{(A-Za-z]/.test(value) ? undefined : worth(own, value);
    if (taken === undefined) problem(said, "variable", { name: own, value: String(value).slice(0, LONG) });
    else if (taken === null) problem(said, "bad_value", { name: own, value: String(value).slice(0, LONG) });
    else said.asked[own] = taken;
  } else if (flag && !ARITY.has(own.replace(/_/g, "-"))) unknown(said, flag);
}
