// @ts-check
/** What print shows in place of the controls: the settings in words, and the address of these settings. */

import { WORDS } from "../sim/facts.js";
import { say } from "../sim/words.js";
import { el, setText } from "./el.js";

/** @import { Settings } from "./settings.js" */

/** The name of the list of chats, as a sentence, where it is not the lesson's own. @param {Settings} settings */
export function listOf(settings) {
  const { name, swapped } = WORDS.controls.chats;
  return settings.chats === "swapped" ? [say(WORDS.status.chats, { name, value: swapped })] : [];
}

/** A paragraph that only print shows. */
export function mountPrint() {
  const words = el("span", {});
  const link = el("span", { class: "print-link" });
  return {
    node: el("p", { class: "print" }, words, " ", link),
    /** @param {Settings} settings @param {string} address */
    update(settings, address) {
      const { text, joiner } = WORDS;
      const { share, longest, cap } = settings;
      const sentences = [say(text.settings, { share, longest, cap })];
      if (settings.reserved) sentences.push(text.set_aside);
      setText(words, [...sentences, ...listOf(settings)].join(joiner));
      setText(link, address);
    },
  };
}
