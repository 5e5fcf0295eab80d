// @ts-check
/** Small strokes: the page's outputs by name, sentences with their outcomes bold, lists. */

import { el, setText } from "../../widget/view/el.js";

const MARK_MS = 1200;

/** An output of the page by its name. @param {string} name @returns {HTMLElement} */
export function out(name) {
  return /** @type {HTMLElement} */ (document.querySelector(`[data-out="${name}"]`));
}

/** @param {string} id @returns {HTMLElement} */
export function by_id(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @param {string} name @param {string} text */
export function put(name, text) {
  setText(out(name), text);
}

/** A text that is hidden while it is empty. @param {string} name @param {string} text */
export function put_or_hide(name, text) {
  put(name, text);
  out(name).hidden = text === "";
}

/** A sentence's texts, with the outcomes between asterisks bold. @param {string} sentence @returns {(string | HTMLElement)[]} */
export function bold(sentence) {
  return sentence.split("*").map((piece, i) => (i % 2 === 0 ? piece : el("b", {}, piece))).filter((piece) => piece !== "");
}

/** A sentence without asterisks. @param {string} sentence */
export function plain(sentence) {
  return sentence.replaceAll("*", "");
}

/** @param {string} name @param {readonly string[]} lines */
export function put_list(name, lines) {
  put_items(name, lines.map((line) => el("li", {}, line)));
}

/** @param {string} name @param {readonly Node[]} items */
export function put_items(name, items) {
  out(name).replaceChildren(...items);
}

/**
 * Marks, for a moment, what a move has changed.
 * @param {HTMLElement} node
 */
export function mount_mark(node) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return {
    /** The bold pieces of a sentence, marked where they say something else than before. @param {string} sentence @param {string} before @param {boolean} mark */
    update(sentence, before, mark) {
      const old = before.split("*");
      node.replaceChildren(...sentence.split("*").map((piece, i) =>
        i % 2 === 0 ? piece : el("b", { class: mark && old[i] !== piece && "changed" }, piece)).filter((piece) => piece !== ""));
      clearTimeout(timer);
      if (mark) timer = setTimeout(() => node.querySelectorAll(".changed").forEach((each) => each.classList.remove("changed")), MARK_MS);
    },
  };
}
