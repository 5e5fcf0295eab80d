// @ts-check
/** What the page writes about settings, times and sizes; and the one line that is read out. */

import { WORDS } from "../../widget/sim/facts.js";
import { commas, tenths } from "../../widget/sim/words.js";

/** @import { Setting } from "./compare.js" */

const HAIR_SPACE = "\u200a";

/** @template {HTMLElement} T @param {string} id @returns {T} */
export function byId(id) {
  return /** @type {T} */ (document.getElementById(id));
}

/** Say one sentence to everybody; a hair space makes a repeated one new to screen readers. @param {string} id @param {string} sentence */
export function announce(id, sentence) {
  const node = byId(id);
  node.textContent = sentence !== "" && node.textContent === sentence ? sentence + HAIR_SPACE : sentence;
}

/** @param {Setting} setting */
export function settingText([share, longest, cap, reserved, chats]) {
  const held = reserved ? ", full length set aside" : "";
  const asked = chats === "lesson" ? WORDS.controls.chats.lesson : WORDS.controls.chats.swapped;
  return `share ${share}%, longest ${commas(longest)}, at once ${commas(cap)}${held}, ${asked}`;
}

/** The command that shows the reference's answer again. @param {Setting} setting */
export function commandFor([share, longest, cap, reserved, chats]) {
  const more = `${reserved ? " --reserved" : ""}${chats === "lesson" ? "" : ` --chats ${chats}`}`;
  return `poolroom describe --share ${share} --longest ${longest} --cap ${cap}${more} --json`;
}

/** A time in the unit that reads best. @param {number} ms */
export function duration(ms) {
  return ms < 1000 ? `${tenths(ms)} ms` : `${tenths(ms / 1000)} s`;
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${tenths(bytes / 1e6)} MB`;
}

/** @param {number} count @param {string} one @param {string} other */
export function counted(count, one, other) {
  return `${commas(count)} ${count === 1 ? one : other}`;
}

/** A value as it is, every digit of it. @param {unknown} value */
export function whole(value) {
  return value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);
}
