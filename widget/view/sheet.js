// @ts-check
/** The widget's style as a constructed sheet, which a strict policy allows where a style element is refused. */

/** A constructed sheet belongs to one document. @type {WeakMap<Document, CSSStyleSheet>} */
const sheets = new WeakMap();

/**
 * The document's sheet, made once.
 * @param {Document} page
 * @param {string} css
 */
export function sheetOf(page, css) {
  const known = sheets.get(page);
  if (known !== undefined) return known;
  const view = /** @type {typeof globalThis} */ (page.defaultView ?? globalThis);
  const made = new view.CSSStyleSheet();
  made.replaceSync(css);
  sheets.set(page, made);
  return made;
}
