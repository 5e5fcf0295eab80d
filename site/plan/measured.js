// @ts-check
/** What a log measured holds for its own settings: what of it is let go when one of them moves. */

import { changed, trial } from "../../widget/sim/vllm/trial.js";
import { asked_of } from "./form.js";
import { or_nothing } from "./refused.js";
import { WORDS } from "./words.js";

/** @import { Form, Own } from "./form.js" */

/** Settings with which nothing that a log measured holds, whatever calculation says of it. */
const NEW_START = ["card", "total_gib", "model", "version", "quantization", "dtype", "tensor_parallel_size", "pipeline_parallel_size"];
/** The page's own questions, and what is measured itself. */
const NO_SETTING = /^(measured_|require_chats$)/;

/** The sizes that calculation comes to by itself, each by the field that a log fills. @param {Record<string, any>} asked @returns {Record<string, number>} bytes */
function calculated(asked) {
  const { budget } = trial(Object.fromEntries(Object.entries(asked).filter(([name]) => !NO_SETTING.test(name))), null, false);
  const { parts, others_bytes: others, kv_bytes: kv } = budget.stages[budget.stage];
  const sizes = Object.fromEntries(parts.map(({ name, bytes }) => [`measured_${name}_gib`, bytes]));
  // What is printed as beside PyTorch holds what others hold, where the version counts them.
  return { ...sizes, measured_non_torch_gib: sizes.measured_non_torch_gib + others, measured_kv_gib: kv };
}

/**
 * What of a log does not hold any more: of another start nothing, and else each figure whose calculated twin moves.
 * A longest chat that makes no other step, for one, leaves the pool as it was.
 * @param {Form} form with the log's figures @param {string} name of the setting that moves
 * @param {Record<string, any>} before the last settings that could be used @param {Form} next the fields then @param {Own} own
 * @returns {string[]} fields
 */
function gone_of(form, name, before, next, own) {
  const figures = Object.keys(form).filter((key) => key.startsWith("measured_"));
  if (figures.length === 0 || NO_SETTING.test(name)) return [];
  if (NEW_START.includes(name)) return figures;
  return or_nothing(() => {
    const [was, is] = [calculated(before), calculated(asked_of(next, own))];
    return figures.filter((key) => was[key] !== is[key]);
  }) ?? []; // what cannot be used moves nothing yet
}

/**
 * Fields without what of a log does not hold any more, and what is said of it.
 * @param {Form} form with the log's figures @param {string} name of the setting that moves
 * @param {Record<string, any>} before the last settings that could be used @param {Form} next the fields then @param {Own} own
 * @returns {{form: Form, told: string[]}}
 */
export function measured_left(form, name, before, next, own) {
  const gone = gone_of(form, name, before, next, own);
  if (gone.length === 0) return { form: next, told: [] };
  const left = Object.fromEntries(Object.entries(next).filter(([key]) => !gone.includes(key)));
  return { form: left, told: [WORDS.settings[gone.length === 1 && gone[0] === "measured_kv_gib" ? "pool_dropped" : "log_dropped"]] };
}

/**
 * Figures of a log that the rules have moved, as they stand in the fields: nobody measured these.
 * @param {Form} carried those until now @param {Form} form the fields before @param {Form} next the fields of the change
 * @returns {Form}
 */
export function carried_by(carried, form, next) {
  const moved = Object.entries(next).filter(([key, text]) => key.startsWith("measured_") && form[key] !== undefined && Number(form[key]) !== Number(text));
  return { ...carried, ...Object.fromEntries(moved) };
}

/** The fields whose figures are still those that the rules have moved. @param {Form} carried @param {Form} form */
export function still_carried(carried, form) {
  return Object.keys(carried).filter((key) => form[key] === carried[key]);
}

/** The same settings under another version: what a log measured under this one is moved by the rules. @param {Record<string, any>} asked @param {import("./scene.js").Trial} at the trial of these @param {string} version */
export function in_version(asked, at, version) {
  const { require_chats: chats } = asked;
  return { ...changed(at, { version }), ...(chats === undefined ? {} : { require_chats: chats }) };
}
