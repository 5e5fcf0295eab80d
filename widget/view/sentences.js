// @ts-check
/** Marked sentences on the page: each in a span of its own, outcomes bold, what just changed marked for a moment. */

import { el } from "./el.js";

/** @import { Words } from "../sim/facts.js" */

const MARK_MS = 1200;

/**
 * A paragraph that shows marked sentences; `update` marks the outcomes that differ from before.
 * @param {string} name
 * @param {Words} words
 */
export function mountSentences(name, words) {
  const node = el("p", { class: `line ${name}`, "data-line": name, hidden: true });
  /** @type {readonly string[]} */
  let shown = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return {
    node,
    /** @param {readonly string[]} sentences @param {boolean} mark */
    update(sentences, mark) {
      if (sentences.length === shown.length && sentences.every((text, i) => text === shown[i])) return;
      const before = outcomes(shown);
      node.replaceChildren(...nodesOf(sentences, mark ? before : null, words));
      node.hidden = sentences.length === 0;
      shown = [...sentences];
      clearTimeout(timer);
      if (mark) timer = setTimeout(() => unmark(node), MARK_MS);
    },
    unmount() {
      clearTimeout(timer);
    },
  };
}

/** @param {readonly string[]} sentences */
function outcomes(sentences) {
  return sentences.flatMap((sentence) => sentence.split("*").filter((_, i) => i % 2 === 1));
}

/**
 * @param {readonly string[]} sentences
 * @param {readonly string[] | null} before
 * @param {Words} words
 */
function nodesOf(sentences, before, words) {
  let outcome = 0;
  return sentences.flatMap((sentence, i) => {
    const pieces = sentence.split("*").map((text, k) => {
      if (k % 2 === 0) return text;
      const changed = before !== null && before[outcome] !== text;
      outcome += 1;
      return el("b", { class: changed && "changed" }, text);
    });
    const span = el("span", { class: "sentence" }, ...pieces);
    return i === 0 ? [span] : [words.joiner, span];
  });
}

/**
 * Mark one node as just changed, for a moment.
 * @param {Element} node
 * @param {AbortSignal} signal
 */
export function markChanged(node, signal) {
  node.classList.add("changed");
  const timer = setTimeout(() => node.classList.remove("changed"), MARK_MS);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}

/** @param {Element} node */
function unmark(node) {
  for (const changed of node.querySelectorAll(".changed")) changed.classList.remove("changed");
}
