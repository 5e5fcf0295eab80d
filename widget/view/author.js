// @ts-check
/** What a page's author asked of the widget's looks: parts left out, controls locked, a caption, a theme, less height. */

import { el, setAttribute, setText } from "./el.js";

/** @import { Options } from "./options.js" */
/** @import { Words } from "../sim/facts.js" */

let count = 0;

/** The caption, hidden while there is none. */
export function mountCaption() {
  return el("p", { class: "caption", hidden: true });
}

/**
 * Apply an author's options to a mounted widget; every call starts from the whole widget.
 * @param {HTMLElement} node the widget's section; its parts carry their names in `data-key` or `data-piece`
 * @param {HTMLElement} caption
 * @param {Options} options
 * @param {Words} words
 */
export function present(node, caption, options, words) {
  setText(caption, options.caption ?? "");
  caption.hidden = options.caption === null;
  setAttribute(node, "aria-label", options.caption ?? words.view.label);
  setAttribute(node, "data-theme", options.theme);
  node.classList.toggle("compact", options.compact);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll("[data-piece]"))) {
    part.hidden = options.hide.has(part.dataset.piece ?? "");
  }
  for (const control of controlsOf(node)) {
    const key = control.dataset.key ?? "";
    control.hidden = options.hide.has(key);
    lock(control, options.lock.has(key), words);
  }
}

/** @param {HTMLElement} node @returns {NodeListOf<HTMLElement>} */
function controlsOf(node) {
  return node.querySelectorAll(".controls [data-key]");
}

/**
 * A locked control stays readable, says who set it, and cannot be moved.
 * @param {HTMLElement} control
 * @param {boolean} locked
 * @param {Words} words
 */
function lock(control, locked, words) {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (control.querySelectorAll("input, select"))) {
    input.disabled = locked;
    setAttribute(input, "aria-describedby", locked ? noteOf(control, words).id : null);
  }
  const note = /** @type {HTMLElement | null} */ (control.querySelector(".locked"));
  if (note !== null) note.hidden = !locked;
}

/** @param {HTMLElement} control @param {Words} words */
function noteOf(control, words) {
  const there = control.querySelector(".locked");
  if (there !== null) return there;
  count += 1;
  const note = el("p", { class: "locked", id: `locked-${count}` }, words.view.locked);
  control.append(note);
  return note;
}
