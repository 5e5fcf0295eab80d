// @ts-check
/** A button that copies a link; where copying is refused, a field with the link selected stands below it. */

import { el, setText } from "../../widget/view/el.js";

const COPIED_MS = 2000;

/**
 * @param {HTMLElement} button which bears the words for what happens
 * @param {() => string} link
 * @param {(sentence: string) => void} say
 */
export function mountCopy(button, link, say) {
  const { done = "", said = "", blocked = "", field: label } = button.dataset;
  const name = button.textContent ?? "";
  const field = el("textarea", { class: "copy-field", readonly: true, rows: 3, "aria-label": label });
  const fallback = el("div", { class: "copy-fallback", hidden: true }, el("p", {}, blocked), field);
  button.parentElement?.after(fallback);
  const copied = () => {
    fallback.hidden = true;
    setText(button, done);
    say(said);
    setTimeout(() => setText(button, name), COPIED_MS);
  };
  const refused = () => {
    field.value = link();
    fallback.hidden = false;
    field.focus();
    field.select();
  };
  button.addEventListener("click", () => copy(link()).then(copied, refused));
}

/** Throws where there is no clipboard, or this page may not use it. @param {string} text */
async function copy(text) {
  await navigator.clipboard.writeText(text);
}
