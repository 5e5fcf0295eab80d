// @ts-check
/** The two answers to one setting, and every place where they part. */

import { chat_list } from "../../widget/sim/chats.js";
import { describe_measured, measure, page_words } from "../../widget/sim/describe.js";

/** @import { Python } from "./python.js" */

/** Values in the order share, longest, cap, reserved, chats. @typedef {[number, number, number, boolean, string]} Setting */
/** What one program says, and how long it took. @typedef {{ms: number, answer: Record<string, any>}} Answer */
/** A place where the answers part. @typedef {{path: string, python: unknown, javascript: unknown}} Difference */
/**
 * One setting, compared.
 * @typedef {{setting: Setting, python: Answer, javascript: Answer, values: number, differences: Difference[]}} Compared
 */

/**
 * What the port says; the twin of `answer` in answer.py.
 * @param {Setting} setting
 * @returns {Answer}
 */
export function answerOf([share, longest, cap, reserved, chats]) {
  const started = performance.now();
  const measured = measure(share, longest, cap, reserved, chats === "lesson" ? null : chat_list(chats));
  const said = { describe: describe_measured(measured), page: page_words(measured) };
  return { ms: performance.now() - started, answer: { ...said, numbers: measured } };
}

/**
 * Ask both, and compare all that they say.
 * @param {Python} program
 * @param {Setting} setting
 * @returns {Promise<Compared>}
 */
export async function compare(program, setting) {
  const python = JSON.parse(await program.ask("answer", { setting }));
  const javascript = answerOf(setting);
  const differences = partings(python.answer, javascript.answer);
  return { setting, python, javascript, values: leaves(python.answer), differences };
}

/**
 * Every place where two values part. JSON keeps every bit of a double, and `Object.is` tells 0 from -0.
 * @param {any} python
 * @param {any} javascript
 * @param {string} path
 * @returns {Difference[]}
 */
export function partings(python, javascript, path = "") {
  if (!isRecord(python) || !isRecord(javascript) || Array.isArray(python) !== Array.isArray(javascript)) {
    return Object.is(python, javascript) ? [] : [{ path, python, javascript }];
  }
  return [...new Set([...Object.keys(python), ...Object.keys(javascript)])].flatMap((key) => {
    const place = path === "" ? key : `${path}.${key}`;
    if (Object.hasOwn(python, key) && Object.hasOwn(javascript, key)) return partings(python[key], javascript[key], place);
    return [{ path: place, python: python[key], javascript: javascript[key] }];
  });
}

/** How many values there are. @param {unknown} value @returns {number} */
function leaves(value) {
  if (!isRecord(value)) return 1;
  let count = 0;
  for (const part of Object.values(value)) count += leaves(part);
  return count;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isRecord(value) {
  return typeof value === "object" && value !== null;
}
