// What the pages do beyond being read: a “try this” link moves the widget in place; a sheet's link prints it.

/**
 * Bring the widget into view, with its first slider ready for the arrow keys.
 * @param {HTMLElement} widget
 */
function show(widget) {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  widget.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
  const slider = /** @type {HTMLElement | null | undefined} */ (widget.shadowRoot?.querySelector('input[type="range"]'));
  slider?.focus({ preventScroll: true });
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {Element} */ (event.target);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest('a.try'));
  const widget = /** @type {(HTMLElement & { follow?: (query: string) => void }) | null} */ (document.getElementById('poolroom'));
  if (!link || !widget || typeof widget.follow !== 'function') return;
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  widget.follow(link.search);
  show(widget);
}

/** Without this, the link goes to the sheet, and the browser's own Print prints it alone. @param {MouseEvent} event */
function onPrint(event) {
  const link = /** @type {Element} */ (event.target).closest('a.print');
  if (link) setTimeout(() => window.print()); // once the address names the sheet
}

document.addEventListener('click', onClick);
document.addEventListener('click', onPrint);
