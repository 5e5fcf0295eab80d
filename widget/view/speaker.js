// @ts-check
/** The one polite status: silent while a control moves, one whole sentence after it stops. */

import { el } from "./el.js";

const QUIET_MS = 700;
const HAIR_SPACE = " ";

/** A status region and its timer. */
export function mountSpeaker() {
  const node = el("p", { class: "status", role: "status" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @param {string} sentence */
  const speak = (sentence) => {
    // Screen readers swallow a text that is there already; a hair space makes it new.
    node.textContent = node.textContent === sentence ? sentence + HAIR_SPACE : sentence;
  };
  return {
    node,
    /** Say what `sentence` returns once nothing has moved for a while. @param {() => string} sentence */
    later(sentence) {
      clearTimeout(timer);
      timer = setTimeout(() => speak(sentence()), QUIET_MS);
    },
    /** @param {string} sentence */
    now(sentence) {
      clearTimeout(timer);
      speak(sentence);
    },
    unmount() {
      clearTimeout(timer);
    },
  };
}
