// @ts-check
/** The buttons under the lines: start again, copy a link, copy the answer as text. */

import { el, setText } from "./el.js";

/** @import { Words } from "../sim/facts.js" */

const COPIED_MS = 2000;

/**
 * @param {{reset: () => void, link: () => string, text: () => string, speak: (sentence: string) => void}} on
 * @param {AbortSignal} signal
 * @param {Words} words
 */
export function mountActions(on, signal, words) {
  const reset = el("button", { type: "button", class: "action", "data-action": "reset" }, words.view.reset);
  reset.addEventListener("click", on.reset, { signal });
  const link = mountCopy("link", on.link, on.speak, signal, words);
  const text = mountCopy("text", on.text, on.speak, signal, words);
  const buttons = el("p", { class: "buttons" }, reset, link.button, text.button);
  return {
    node: el("div", { class: "actions", "data-piece": "buttons" }, buttons, link.fallback, text.fallback),
    /** @param {string} address empty where no page shows these settings: there is nothing to copy then */
    update(address) {
      link.button.hidden = address === "";
    },
  };
}

/**
 * A button that copies; where copying is refused, a field with the text selected takes its place.
 * @param {"link" | "text"} what
 * @param {() => string} content
 * @param {(sentence: string) => void} speak
 * @param {AbortSignal} signal
 * @param {Words} words
 */
function mountCopy(what, content, speak, signal, words) {
  const name = what === "link" ? words.view.copy_link : words.view.copy_text;
  const button = el("button", { type: "button", class: "action", "data-action": `copy-${what}` }, name);
  const label = what === "link" ? words.view.link_field : words.view.text_field;
  const field = el("textarea", { class: "copy-field", readonly: true, rows: what === "link" ? 2 : 8, "aria-label": label });
  const blocked = what === "link" ? words.notices.copy : words.notices.copy_text;
  const fallback = el("div", { class: "copy-fallback", hidden: true }, el("p", {}, blocked), field);
  const copied = () => {
    fallback.hidden = true;
    setText(button, words.view.copied);
    speak(what === "link" ? words.status.copied_link : words.status.copied_text);
    const timer = setTimeout(() => setText(button, name), COPIED_MS);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  };
  const refused = () => {
    field.value = content();
    fallback.hidden = false;
    field.focus();
    field.select();
  };
  button.addEventListener("click", () => copy(content).then(copied, refused), { signal });
  return { button, fallback };
}

/** @param {() => string} content */
async function copy(content) {
  // Asking where a frame's policy forbids it would print an error on the reader's console.
  const policy = /** @type {any} */ (document).featurePolicy;
  if (policy !== undefined && !policy.allowsFeature("clipboard-write")) throw new Error("forbidden here");
  await navigator.clipboard.writeText(content()); // throws where there is no clipboard, or a frame may not use it
}
