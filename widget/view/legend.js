// @ts-check
/** The legend: the four parts with their sizes, pattern and a line of help each. */

import { CARD, MODEL, WORDS } from "../sim/facts.js";
import { gb, marked, say } from "../sim/words.js";
import { el, setText, svgEl } from "./el.js";
import { mountHelp } from "./help.js";
import { markChanged } from "./sentences.js";
import { TEXTURES } from "./textures.js";

/** The parts of the bar, in their order on it. */
export const PARTS = /** @type {const} */ (["weights", "reserve", "pool", "unused"]);

/**
 * The list of parts, and the help texts that open under it.
 * @param {AbortSignal} signal
 */
export function mountLegend(signal) {
  const items = PARTS.map((part) => mountItem(part, signal));
  const node = el("ul", { class: "legend", "data-piece": "legend" }, ...items.map((item) => item.node));
  const helps = el("div", { class: "legend-helps", "data-piece": "legend" }, ...items.map((item) => item.help));
  return {
    node,
    helps,
    /** @param {readonly number[]} grow @param {boolean} mark */
    update(grow, mark) {
      items.forEach((item, i) => item.update(grow[i], mark));
    },
  };
}

/**
 * @param {typeof PARTS[number]} part
 * @param {AbortSignal} signal
 */
function mountItem(part, signal) {
  const { name, help: text } = WORDS.parts[part];
  const { button, help } = mountHelp(name, say(text, { kv_bytes_per_token: MODEL.kv_bytes_per_token }), signal);
  const [before, after] = [el("span", { class: "part-name" }), el("b", { class: "part-size" })];
  const label = el("span", { class: "part-text" }, before, " ", after);
  const node = el("li", { class: "part", "data-part": part }, swatch(part), label, button);
  return {
    node,
    help,
    /** @param {number} bytes @param {boolean} mark */
    update(bytes, mark) {
      const [words, size] = marked(WORDS.legend[part], { gb: gb(bytes) })[0].split("*");
      if (mark && after.textContent !== size) markChanged(after, signal);
      setText(before, words.trimEnd());
      setText(after, size);
      node.style.setProperty("--part-width", `${(100 * bytes) / CARD.memory_bytes}%`);
    },
  };
}

/** @param {typeof PARTS[number]} part */
function swatch(part) {
  const whole = { width: "100%", height: "100%" };
  return svgEl(
    "svg",
    { class: "swatch", width: 14, height: 14, "aria-hidden": "true", "data-part": part },
    svgEl("rect", { class: "area", ...whole }),
    svgEl("rect", { class: "texture", fill: TEXTURES[part], ...whole }),
    svgEl("rect", { class: "edge", ...whole }),
  );
}
