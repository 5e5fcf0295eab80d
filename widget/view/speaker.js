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
  /** @type {(() => string) | null} what waits to be said */
  let waiting = null;
  /** @param {string} sentence */
  const speak = (sentence) => {
    waiting = null;
    // Screen readers swallow a text that is there already; a hair space makes it new.
    node.textContent = node.textContent === sentence ? sentence + HAIR_SPACE : sentence;
  };
  /** Say what `sentence` returns once nothing has moved for a while. @param {() => string} sentence */
  const later = (sentence) => {
    clearTimeout(timer);
    waiting = sentence;
    timer = setTimeout(() => speak(sentence()), QUIET_MS);
  };
  return {
    node,
    later,
    /** A key is pressed or held: what waits to be said waits on. */
    hold() {
      if (waiting !== null) later(waiting);
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
