// @ts-check
/** The patterns that tell the parts apart without colour; one definition a widget, used by bar and legend. */

import { svgEl } from "./el.js";

/** The paint of each part's texture, as an SVG attribute. */
export const TEXTURES = Object.freeze({
  weights: "none",
  reserve: "url(#pr-hatch)",
  pool: "url(#pr-grid)",
  used: "url(#pr-grid-used)",
  lanes: "url(#pr-lanes)",
  unused: "none",
});

/** The definitions; `lanes` is a line a longest chat, its width set by `setLanes`. */
export function defineTextures() {
  const lane = svgEl("pattern", { id: "pr-lanes", width: 1, height: 1 }, svgEl("path", { class: "lane", d: "M0 0V400" }));
  const node = svgEl(
    "defs",
    {},
    svgEl(
      "pattern",
      { id: "pr-hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svgEl("path", { class: "hatch", d: "M1.5 0V6" }),
    ),
    grid("pr-grid", "grid"),
    grid("pr-grid-used", "grid-used"),
    lane,
  );
  return {
    node,
    /** @param {number} lanes chats of the longest length that the pool holds */
    setLanes(lanes) {
      lane.setAttribute("width", String(1 / lanes));
    },
  };
}

/** @param {string} id @param {string} name */
function grid(id, name) {
  const size = { width: 8, height: 8, patternUnits: "userSpaceOnUse" };
  return svgEl("pattern", { id, ...size }, svgEl("path", { class: name, d: "M7.5 0V8M0 7.5H8" }));
}
