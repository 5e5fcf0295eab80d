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
  /** @param {"share" | "longest"} key @param {MouseEvent} event */
  const press = (key, event) => {
    const value = offered[key];
    if (value === null) return;
    apply({ [key]: value });
    if (fixes.hidden) handOn(fixes, key, event.detail > 0);
  };
  share.addEventListener("click", (event) => press("share", event), { signal });
  longest.addEventListener("click", (event) => press("longest", event), { signal });
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

/**
 * The button that had the focus is gone: the focus goes to the control it moved, or to the next one that is there.
 * @param {Element} from
 * @param {string} key
 * @param {boolean} preventScroll for a pointer, whose reader looks at the answer
 */
function handOn(from, key, preventScroll) {
  const root = /** @type {ShadowRoot} */ (from.getRootNode());
  const places = [`[data-key="${key}"] .slider`, ".slider", ".action", ".ask"].flatMap((name) => [...root.querySelectorAll(name)]);
  const next = /** @type {HTMLElement | undefined} */ (places.find((node) => node.checkVisibility() && !node.matches(":disabled")));
  next?.focus({ preventScroll });
}
