// @ts-check
/** A list of what could not be used, already on the page; hidden while it is empty. */

import { el } from "../../widget/view/el.js";

/** @param {HTMLElement} node */
export function mountNotices(node) {
  return {
    /** @param {readonly string[]} notices */
    update(notices) {
      if (notices.length === 0 && node.hidden) return;
      node.replaceChildren(...notices.map((notice) => el("li", {}, notice)));
      node.hidden = notices.length === 0;
    },
  };
}
