// @ts-check
/** A button that copies a link; where copying is refused, a field with the link selected stands below it. */

import { WORDS } from "../../widget/sim/facts.js";
import { el, setText } from "../../widget/view/el.js";

const COPIED_MS = 2000;

/**
 * @param {HTMLElement} button
 * @param {() => string} link
 * @param {(sentence: string) => void} say
 */
export function mountCopy(button, link, say) {
  const field = el("textarea", { class: "copy-field", readonly: true, rows: 3, "aria-label": WORDS.view.link_field });
  const fallback = el("div", { class: "copy-fallback", hidden: true }, el("p", {}, WORDS.notices.copy), field);
  button.parentElement?.after(fallback);
  const copied = () => {
    fallback.hidden = true;
    setText(button, WORDS.view.copied);
    say(WORDS.status.copied_link);
    setTimeout(() => setText(button, WORDS.view.copy_link), COPIED_MS);
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
