// @ts-check
/** A tool's sentences, outcomes bold; what a move changed is marked for a moment. */

import { el } from "../../widget/view/el.js";

const MARK_MS = 1200;

/** @param {HTMLElement} box in which the lines stand, one paragraph each */
export function mountLines(box) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Record<string, string> | null} */
  let shown = null;
  return {
    /** @param {Record<string, string>} lines @param {boolean} mark */
    update(lines, mark) {
      const before = shown ?? read(box);
      box.replaceChildren(...Object.entries(lines).map(([key, text]) =>
        el("p", { class: "tool-line", "data-line": key }, ...pieces(text, mark ? before[key] ?? "" : null))));
      shown = lines;
      clearTimeout(timer);
      if (mark) timer = setTimeout(() => unmark(box), MARK_MS);
    },
  };
}

/** The lines that the build wrote. @param {HTMLElement} box @returns {Record<string, string>} */
function read(box) {
  const nodes = /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("[data-line]"));
  return Object.fromEntries([...nodes].map((node) => [node.dataset.line, marked(node)]));
}

/** @param {HTMLElement} node */
function marked(node) {
  return [...node.childNodes].map((piece) => (piece instanceof Element ? `*${piece.textContent}*` : piece.textContent)).join("");
}

/**
 * A line's texts and outcomes; an outcome that stood elsewhere or not at all before is marked.
 * @param {string} text @param {string | null} before
 */
function pieces(text, before) {
  const old = before?.split("*");
  return text.split("*").map((piece, i) =>
    i % 2 === 0 ? piece : el("b", { class: old !== undefined && old[i] !== piece && "changed" }, piece));
}

/** @param {HTMLElement} box */
function unmark(box) {
  for (const changed of box.querySelectorAll(".changed")) changed.classList.remove("changed");
}
