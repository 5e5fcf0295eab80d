// @ts-check
/** What the keyboard reaches is wholly in view. */

/**
 * Bring what has the focus into view; Firefox by itself leaves it where only a part of it shows.
 * @param {HTMLElement} node
 * @param {AbortSignal} signal
 */
export function mountFocus(node, signal) {
  const reveal = (/** @type {FocusEvent} */ event) => {
    const at = /** @type {Element} */ (event.target);
    if (at.matches(":focus-visible")) at.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  node.addEventListener("focusin", reveal, { signal });
}
