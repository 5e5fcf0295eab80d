// @ts-check
/** A progress bar with its words above it; hidden until there is something to show. */

import { byId } from "./say.js";

/** @param {string} id of the bar; its words have the same id with -text behind it */
export function bar(id) {
  const progress = /** @type {HTMLProgressElement} */ (byId(id));
  const text = byId(`${id}-text`);
  const box = /** @type {HTMLElement} */ (progress.parentElement);
  return {
    /** @param {string} words @param {number} done @param {number} all */
    show(words, done, all) {
      box.hidden = false;
      text.textContent = words;
      progress.max = all;
      progress.value = done;
    },
    hide() {
      box.hidden = true;
    },
  };
}
