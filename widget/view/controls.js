// @ts-check
/** The controls together: three sliders, the checkbox, the list of chats. */

import { smallest_share } from "../sim/budget.js";
import { cap_value, longest_value, share_value } from "../sim/words.js";
import { el } from "./el.js";
import { mountRange } from "./range.js";
import { mountChats, mountReserved } from "./switches.js";

/** @import { Measured } from "../sim/describe.js" */
/** @import { Words } from "../sim/facts.js" */
/** @import { Settings } from "./settings.js" */

/**
 * @param {(changes: Partial<Settings>) => void} choose
 * @param {(notice: string) => void} tell
 * @param {AbortSignal} signal
 * @param {Words} words
 */
export function mountControls(choose, tell, signal, words) {
  const share = mountRange("share", (value) => choose({ share: value }), tell, signal, words);
  const longest = mountRange("longest", (value) => choose({ longest: value }), tell, signal, words);
  const cap = mountRange("cap", (value) => choose({ cap: value }), tell, signal, words);
  const reserved = mountReserved((value) => choose({ reserved: value }), signal, words);
  const chats = mountChats((value) => choose({ chats: value }), signal, words);
  const switches = el("div", { class: "switches" }, chats.node, reserved.node);
  const sliders = [share.node, longest.node, cap.node];
  const node = el("div", { class: "controls", role: "group", "aria-label": words.view.settings }, ...sliders, switches);
  return {
    node,
    /** @param {Settings} settings @param {Measured} measured */
    update(settings, measured) {
      const here = measured.room;
      const least = smallest_share(settings.longest) ?? Infinity;
      share.update(settings.share, share_value(here, settings.share, words), (choice) => choice >= least);
      longest.update(settings.longest, longest_value(here, settings.longest, words), (choice) => choice <= here.pool_tokens);
      cap.update(settings.cap, cap_value(settings.cap, words), () => true);
      reserved.update(settings.reserved);
      chats.update(settings.chats);
    },
  };
}
