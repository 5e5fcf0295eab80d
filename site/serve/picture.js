// @ts-check
/** A tool's pictures: bars of one scale a group, and lanes over time; each says in text what it draws. */

import { tenths } from "../../widget/sim/words.js";
import { el, svgEl } from "../../widget/view/el.js";

/** @import { Answer, Lane, Row, Span } from "../../widget/sim/tool.js" */

/** Patterns of the page, by kind: bars and stretches differ by more than their colour. @type {Record<string, string>} */
const TEXTURES = { good: "url(#grid-used)", cost: "url(#hatch)", collects: "url(#air)", held: "url(#hatch)" };

/**
 * All pictures of an answer.
 * @param {Answer} said
 * @param {any} words the tool's
 * @returns {HTMLElement[]}
 */
export function pictures({ rows, lanes }, words) {
  const bars = [...grouped(rows)].map(([name, group]) => barsOf(name, group));
  const end = Math.max(...lanes.flatMap(({ spans }) => spans.map((span) => span.end))) || 1; // one scale for all
  return [...bars, ...[...grouped(lanes)].map(([name, group]) => lanesOf(name, group, end, words.lanes.kinds))];
}

/** @template {{group: string}} T @param {readonly T[]} items @returns {Map<string, T[]>} */
function grouped(items) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  return groups;
}

/** @param {string} name @param {readonly Row[]} rows */
function barsOf(name, rows) {
  const longest = Math.max(...rows.map(({ amount }) => amount)) || 1;
  const list = rows.map(({ name: text, amount, text: size, kind }) =>
    el("li", { class: "row", "data-kind": kind },
      el("span", { class: "row-name" }, text), " ",
      svgEl("svg", { class: "meter", width: "100%", height: 20, "aria-hidden": "true" }, filled(kind, 0, amount / longest)), " ",
      el("b", { class: "row-text" }, size)));
  return el("figure", { class: "bars" }, el("figcaption", {}, name), el("ul", { class: "rows" }, ...list));
}

/** A stretch with the texture and the edge of its kind. @param {string} kind @param {number} from share of the width @param {number} share */
function filled(kind, from, share) {
  const whole = { width: "100%", height: "100%" };
  return svgEl("svg", { class: "amount", "data-kind": kind, x: `${100 * from}%`, width: `${100 * share}%`, height: "100%" },
    svgEl("rect", { class: "amount-room", ...whole }),
    svgEl("rect", { fill: TEXTURES[kind] ?? "none", ...whole }),
    svgEl("rect", { class: "amount-edge", ...whole }));
}

/** @param {string} name @param {readonly Lane[]} lanes @param {number} end @param {Record<string, string>} kinds */
function lanesOf(name, lanes, end, kinds) {
  const there = [...new Set(lanes.flatMap(({ spans }) => spans.map(({ kind }) => kind)))];
  const key = there.map((kind) => el("li", {},
    svgEl("svg", { class: "swatch", width: 20, height: 14, "aria-hidden": "true" }, filled(kind, 0, 1)), el("span", {}, kinds[kind])));
  return el("figure", { class: "lanes" },
    el("figcaption", {}, name),
    el("ul", { class: "key" }, ...key),
    el("ul", { class: "rows" }, ...lanes.map((lane) => laneOf(lane, end)), endsOf(end)),
    tableOf(name, lanes, kinds));
}

/** Where the axis begins and ends. @param {number} end */
function endsOf(end) {
  const [first, last] = ["0", `${tenths(end)} s`].map((text) => el("span", { class: "end" }, text));
  return el("li", { class: "ends", "aria-hidden": "true" }, first, last);
}

/** @param {Lane} lane @param {number} end */
function laneOf({ name, spans }, end) {
  return el("li", { class: "row" }, el("span", { class: "row-name" }, name), " ",
    svgEl("svg", { class: "meter", width: "100%", height: 14, "aria-hidden": "true" },
      ...spans.map((span) => filled(span.kind, span.start / end, (span.end - span.start) / end))));
}

/** The lanes as text. @param {string} name @param {readonly Lane[]} lanes @param {Record<string, string>} kinds */
function tableOf(name, lanes, kinds) {
  /** @param {Span} span */
  const text = ({ start, end, kind }) => `${kinds[kind]} ${ms(start)} to ${ms(end)}`;
  const rows = lanes.map((lane) => el("tr", {}, el("th", { scope: "row" }, lane.name), el("td", {}, lane.spans.map(text).join(", "))));
  return el("details", {}, el("summary", {}, "The same in words"),
    el("table", { class: "prose", "aria-label": name }, el("tbody", {}, ...rows)));
}

/** @param {number} seconds */
function ms(seconds) {
  return `${tenths(1000 * seconds)} ms`;
}
