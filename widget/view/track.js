// @ts-check
/** A slider's track: a line with a tick a choice, dashed where the server would not start, and labels below. */

import { el, setAttribute, svgEl } from "./el.js";

/**
 * @typedef {object} Mark
 * @property {number} at percent of the track
 * @property {string} text label, or "" for a tick without one
 * @property {number | string} value
 */

/**
 * @param {readonly Mark[]} marks
 */
export function mountTrack(marks) {
  const solid = svgEl("line", { class: "solid", y1: 12, y2: 12 });
  const dashed = svgEl("line", { class: "dashed", y1: 12, y2: 12 });
  const ticks = marks.map(({ at }) => svgEl("line", { class: "tick", x1: `${at}%`, x2: `${at}%`, y1: 12, y2: 18 }));
  const picture = svgEl("svg", { class: "track", width: "100%", height: 24, "aria-hidden": "true" }, solid, dashed, ...ticks);
  const labels = marks.map(({ at, text }) => {
    const label = el("span", {}, text);
    label.style.left = `${at}%`;
    return label;
  });
  return {
    picture,
    labels: el("div", { class: "marks", "aria-hidden": "true" }, ...labels),
    /**
     * @param {number | string} value the value in force
     * @param {number} from percent where the dashes start
     * @param {number} to percent where they end
     */
    update(value, from, to) {
      const dashes = to > from;
      setEnds(dashed, from, to);
      setAttribute(dashed, "visibility", dashes ? "visible" : "hidden");
      setEnds(solid, dashes && from <= 0 ? to : 0, dashes && to >= 100 ? from : 100);
      labels.forEach((label, i) => setAttribute(label, "class", marks[i].value === value && "here"));
    },
  };
}

/**
 * @param {SVGLineElement} line
 * @param {number} from
 * @param {number} to
 */
function setEnds(line, from, to) {
  setAttribute(line, "x1", `${from}%`);
  setAttribute(line, "x2", `${to}%`);
}
