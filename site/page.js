// What the pages do beyond being read: a “try this” link moves the widget in place.

/** @param {HTMLElement} widget */
function show(widget) {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  widget.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
  widget.focus({ preventScroll: true });
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

document.addEventListener('click', onClick);
