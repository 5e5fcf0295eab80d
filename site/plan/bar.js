// @ts-check
/** The card's memory as one bar to scale, with its legend, its share, and one longest chat beside the pool. */

import { el, setAttribute, setText, svgEl } from "../../widget/view/el.js";
import { by_id, out, put } from "./paint.js";

const WHOLE = { width: "100%", height: "100%" };

/** The pattern of a part, as partials/plan.html.jinja draws it. @param {string} name */
export function textures(name) {
  /** @param {string} kind */
  const rect = (kind) => svgEl("rect", { class: kind, ...WHOLE });
  /** @param {string} pattern */
  const drawn = (pattern) => svgEl("rect", { fill: `url(#${pattern})`, ...WHOLE });
  if (name === "weights") return [rect("weights")];
  if (name === "kv") return [rect("pool-room"), drawn("grid"), rect("pool-edge")];
  if (name === "unused") return [rect("unused-edge")];
  if (name === "held" || name === "others") return [rect("held-room"), drawn("dots"), rect("held-edge")];
  return [rect("reserve-room"), drawn(name), rect("reserve-edge")];
}

/** @param {string} name @param {number} side */
export function swatch(name, side) {
  return svgEl("svg", { class: "swatch", width: side, height: side, "aria-hidden": "true" }, ...textures(name));
}

/** The bar that the build wrote, brought to life. @param {(share: string) => void} choose */
export function mount_bar(choose) {
  const section = by_id("bar");
  const picture = out("picture");
  const slider = /** @type {HTMLInputElement} */ (by_id("share-slider"));
  for (const event of ["input", "change"]) slider.addEventListener(event, () => choose(slider.value));

  /** @param {any} piece */
  function update_piece({ name, kind, x, width, text, there }) {
    const node = /** @type {Element} */ (picture.querySelector(`[data-part="${name}"]`));
    setAttribute(node, "data-kind", kind);
    setAttribute(node, "x", x);
    setAttribute(node, "width", width);
    const item = /** @type {HTMLElement} */ (out("legend").querySelector(`[data-part="${name}"]`));
    item.hidden = !there;
    setText(/** @type {Element} */ (item.querySelector("b")), text);
  }

  /** @param {string} selector @param {any} at */
  function place(selector, at) {
    const node = /** @type {Element} */ (picture.querySelector(selector));
    for (const name of ["x", "width"]) setAttribute(node, name, at?.[name] ?? "0.0000%");
  }

  /** @param {any} need */
  function update_need(need) {
    const node = out("need");
    node.hidden = need === null;
    if (need === null) return;
    node.classList.toggle("short", need.short);
    const line = (/** @type {Record<string, string | number>} */ at, /** @type {string} */ kind) => svgEl("line", { class: kind, y1: 5, y2: 5, ...at });
    const bracket = svgEl("svg", { x: need.x, width: need.width, height: 10 },
      line({ x1: 0, x2: "100%" }, "reach"), line({ x1: 0.5, x2: 0.5, y1: 0, y2: 10 }, "stop"), line({ x1: "100%", x2: "100%", y1: 0, y2: 10 }, "stop"));
    /** @type {Element} */ (node.querySelector(".bracket")).replaceChildren(bracket);
    setText(/** @type {Element} */ (node.querySelector("p")), need.text);
  }

  return {
    /** @param {any} bar @param {string} outcome @param {number} share */
    update(bar, outcome, share) {
      section.dataset.outcome = outcome;
      bar.pieces.forEach(update_piece);
      place(".band", bar.band);
      place(".cross", bar.cross);
      const edge = /** @type {Element} */ (picture.querySelector(".edge"));
      for (const name of ["x1", "x2"]) setAttribute(edge, name, bar.share);
      update_need(bar.need);
      put("bar_caption", bar.caption);
      put("share_text", bar.share_text);
      put("bar_end", bar.end);
      out("band_note").hidden = bar.band === null;
      if (Number(slider.value) !== share) slider.value = String(share);
      setAttribute(slider, "aria-valuetext", bar.share_text);
    },
  };
}

/** The table below: each part with its spread and how it is known. @param {readonly any[]} rows */
export function update_table(rows) {
  out("table").replaceChildren(...rows.map((row) =>
    el("tr", { "data-part": row.name },
      el("th", { scope: "row" }, swatch(row.name, 12), row.label),
      el("td", {}, el("b", {}, row.text)),
      el("td", {}, row.spread),
      el("td", { class: "way" }, el("span", { class: "kind" }, row.kind)),
      el("td", { class: "way from" }, row.source))));
}

