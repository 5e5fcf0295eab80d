// @ts-check
/** What print shows in place of the controls: the settings in words, and the address of these settings. */

import { say } from "../sim/words.js";
import { el, setText } from "./el.js";

/** @import { Words } from "../sim/facts.js" */
/** @import { Settings } from "./settings.js" */

/** The name of the list of chats, as a sentence, where it is not the lesson's own. @param {Settings} settings @param {Words} words */
export function listOf(settings, words) {
  const { name, swapped } = words.controls.chats;
  return settings.chats === "swapped" ? [say(words.status.chats, { name, value: swapped }, words)] : [];
}

/** A paragraph that only print shows. @param {Words} words */
export function mountPrint(words) {
  const said = el("span", {});
  const link = el("span", { class: "print-link" });
  return {
    node: el("p", { class: "print" }, said, words.joiner, link),
    /** @param {Settings} settings @param {string} address */
    update(settings, address) {
      const { share, longest, cap } = settings;
      const sentences = [say(words.text.settings, { share, longest, cap }, words)];
      if (settings.reserved) sentences.push(words.text.set_aside);
      setText(said, [...sentences, ...listOf(settings, words)].join(words.joiner));
      setText(link, address);
    },
  };
}
