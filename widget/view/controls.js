// @ts-check
/** The controls together: three sliders, the checkbox, the list of chats. */

import { smallest_share } from "../sim/budget.js";
import { WORDS } from "../sim/facts.js";
import { cap_value, longest_value, share_value } from "../sim/words.js";
import { el } from "./el.js";
import { mountRange } from "./range.js";
import { mountChats, mountReserved } from "./switches.js";

/** @import { Measured } from "../sim/describe.js" */
/** @import { Settings } from "./settings.js" */

/**
 * @param {(changes: Partial<Settings>) => void} choose
 * @param {(notice: string) => void} tell
 * @param {AbortSignal} signal
 */
export function mountControls(choose, tell, signal) {
  const share = mountRange("share", (value) => choose({ share: value }), tell, signal);
  const longest = mountRange("longest", (value) => choose({ longest: value }), tell, signal);
  const cap = mountRange("cap", (value) => choose({ cap: value }), tell, signal);
  const reserved = mountReserved((value) => choose({ reserved: value }), signal);
  const chats = mountChats((value) => choose({ chats: value }), signal);
  const switches = el("div", { class: "switches" }, chats.node, reserved.node);
  const node = el("div", { class: "controls", role: "group", "aria-label": WORDS.view.settings }, share.node, longest.node, cap.node, switches);
  return {
    node,
    /** @param {Settings} settings @param {Measured} measured */
    update(settings, measured) {
      const here = measured.room;
      const least = smallest_share(settings.longest) ?? Infinity;
      share.update(settings.share, share_value(here, settings.share), (choice) => choice >= least);
      longest.update(settings.longest, longest_value(here, settings.longest), (choice) => choice <= here.pool_tokens);
      cap.update(settings.cap, cap_value(settings.cap), () => true);
      reserved.update(settings.reserved);
      chats.update(settings.chats);
    },
  };
}
