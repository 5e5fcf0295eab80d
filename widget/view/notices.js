// @ts-check
/** What the reader is told above the bar: values that could not be used. Nothing is changed silently. */

import { el } from "./el.js";

/** A list of notices; hidden while empty. */
export function mountNotices() {
  const node = el("ul", { class: "notices", hidden: true });
  return {
    node,
    /** @param {readonly string[]} notices */
    update(notices) {
      if (notices.length === 0 && node.hidden) return;
      node.replaceChildren(...notices.map((notice) => el("li", {}, notice)));
      node.hidden = notices.length === 0;
    },
  };
}
