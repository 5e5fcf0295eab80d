// @ts-check
/** The badge of a server that does not start, and the two smallest changes that would start it, as buttons. */

import { say } from "../sim/words.js";
import { el, setText } from "./el.js";

/** @import { Fixes } from "../sim/describe.js" */
/** @import { Words } from "../sim/facts.js" */
/** @import { Settings } from "./settings.js" */

/**
 * @param {(changes: Partial<Settings>) => void} apply
 * @param {AbortSignal} signal
 * @param {Words} words
 */
export function mountRefusal(apply, signal, words) {
  /** @type {Fixes} */
  let offered = { share: null, longest: null };
  const share = el("button", { type: "button", class: "fix", "data-fix": "share" });
  const longest = el("button", { type: "button", class: "fix", "data-fix": "longest" });
  share.addEventListener("click", () => offered.share !== null && apply({ share: offered.share }), { signal });
  longest.addEventListener("click", () => offered.longest !== null && apply({ longest: offered.longest }), { signal });
  const badge = el("p", { class: "badge" }, words.view.badge);
  const fixes = el("p", { class: "fixes" }, share, longest);
  return {
    badge,
    fixes,
    /** @param {boolean} starts @param {Fixes} next */
    update(starts, next) {
      offered = next;
      badge.hidden = fixes.hidden = starts;
      share.hidden = next.share === null;
      longest.hidden = next.longest === null;
      setText(share, say(words.view.use_share, { share: next.share ?? 0 }, words));
      setText(longest, say(words.view.use_longest, { longest: next.longest ?? 0 }, words));
    },
  };
}
