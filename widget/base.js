// @ts-check
/** What both elements grow from; a program without a page, such as a server that writes one, may import them all the same. */

/** The page's own class of elements; where there is no page, one that does nothing. */
export const Base = typeof HTMLElement === "undefined" ? /** @type {typeof HTMLElement} */ (class {}) : HTMLElement;

/**
 * Name an element, unless another script of the page has done so, or there is no page.
 * @param {string} name
 * @param {CustomElementConstructor} kind
 */
export function define(name, kind) {
  if (typeof customElements !== "undefined" && !customElements.get(name)) customElements.define(name, kind);
}
