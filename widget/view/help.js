// @ts-check
/** A small button that opens a line of help under what it explains; Escape closes it. */

import { say } from "../sim/words.js";
import { el } from "./el.js";

/** @import { Words } from "../sim/facts.js" */

let count = 0;

/**
 * The button and the help text, closed; the caller places both. `signal` ends the listeners.
 * @param {string} name
 * @param {string} text
 * @param {AbortSignal} signal
 * @param {Words} words
 */
export function mountHelp(name, text, signal, words) {
  count += 1;
  const help = el("p", { class: "help", id: `help-${count}`, hidden: true }, text);
  const button = el(
    "button",
    {
      type: "button",
      class: "ask",
      "aria-label": say(words.view.help, { name }, words),
      "aria-expanded": "false",
      "aria-controls": help.id,
    },
    "?",
  );
  /** @param {boolean} open */
  const show = (open) => {
    help.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => show(Boolean(help.hidden)), { signal });
  button.addEventListener("keydown", (event) => event.key === "Escape" && show(false), { signal });
  return { button, help };
}
