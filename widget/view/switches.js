// @ts-check
/** The checkbox that sets aside the full length, and the choice between the two lists of chats. */

import { CHOICES } from "../sim/facts.js";
import { el } from "./el.js";
import { mountHelp } from "./help.js";

/** @import { Words } from "../sim/facts.js" */

let count = 0;

/**
 * @param {(reserved: boolean) => void} choose
 * @param {AbortSignal} signal
 * @param {Words} words
 */
export function mountReserved(choose, signal, words) {
  const { name, help: text } = words.controls.reserved;
  const box = el("input", { type: "checkbox", class: "check" });
  box.addEventListener("change", () => choose(box.checked), { signal });
  const { button, help } = mountHelp(name, text, signal, words);
  return {
    node: el("div", { class: "switch", "data-key": "reserved" }, el("label", { class: "name" }, box, el("span", {}, name)), button, help),
    /** @param {boolean} reserved */
    update(reserved) {
      box.checked = reserved;
    },
  };
}

/**
 * @param {(chats: string) => void} choose
 * @param {AbortSignal} signal
 * @param {Words} words
 */
export function mountChats(choose, signal, words) {
  const { name, lesson, swapped } = words.controls.chats;
  const names = { lesson, swapped };
  count += 1;
  const id = `chats-${count}`;
  const options = CHOICES.chats.values.map((value) => el("option", { value }, names[/** @type {"lesson" | "swapped"} */ (value)]));
  const list = el("select", { class: "field", id }, ...options);
  const heard = () => choose(list.value);
  list.addEventListener("input", heard, { signal });
  list.addEventListener("change", heard, { signal });
  return {
    node: el("div", { class: "switch", "data-key": "chats" }, el("label", { for: id, class: "name" }, name), list),
    /** @param {string} chats */
    update(chats) {
      list.value = chats;
    },
  };
}
