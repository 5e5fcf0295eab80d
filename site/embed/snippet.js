// @ts-check
/** The text that an author pastes: plain attributes, explicit closing tags, only what differs from the defaults. */

import { isFlag } from "./offer.js";

/** @import { Texts } from "./offer.js" */

const TITLE = "What a model server’s settings change";
const ESCAPES = new Map([["&", "&amp;"], ["<", "&lt;"], [">", "&gt;"], ['"', "&quot;"]]);

/** A text fit to stand between double quotes. @param {string} text */
export function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => ESCAPES.get(sign) ?? sign);
}

/**
 * The element, and the script that makes it work.
 * @param {Texts} texts
 * @param {string} folder where poolroom.js lies, with a slash at its end, or nothing for beside the page
 */
export function elementSnippet(texts, folder) {
  const attributes = [...texts].map(([name, text]) => (isFlag(name) && text === "1" ? ` ${name}` : ` ${name}="${escaped(text)}"`));
  return `<script src="${escaped(folder)}poolroom.js" defer></script>\n<pool-room${attributes.join("")}></pool-room>`;
}

/**
 * The frame around the one-file page.
 * @param {Texts} texts
 * @param {string} folder where poolroom.html lies
 * @param {number} height in CSS pixels
 */
export function frameSnippet(texts, folder, height) {
  const address = escaped(`${folder}poolroom.html${queryOf(texts)}`);
  const title = escaped(texts.get("caption") ?? TITLE);
  return `<iframe src="${address}" width="100%" height="${height}" title="${title}" loading="lazy"></iframe>`;
}

/** @param {Texts} texts */
function queryOf(texts) {
  const pairs = [...texts].map(([name, text]) => `${name}=${encodeURIComponent(text).replaceAll("%20", "+")}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
