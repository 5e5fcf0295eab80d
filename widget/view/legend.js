// @ts-check
/** The legend: the four parts with their sizes, pattern and a line of help each. */

import { CARD, MODEL } from "../sim/facts.js";
import { gb, marked, say } from "../sim/words.js";
import { el, setText, svgEl } from "./el.js";
import { mountHelp } from "./help.js";
import { markChanged } from "./sentences.js";
import { TEXTURES } from "./textures.js";

/** @import { Words } from "../sim/facts.js" */

/** The parts of the bar, in their order on it. */
export const PARTS = /** @type {const} */ (["weights", "reserve", "pool", "unused"]);

/**
 * The list of parts, and the help texts that open under it.
 * @param {AbortSignal} signal
 * @param {Words} words
 */
export function mountLegend(signal, words) {
  const items = PARTS.map((part) => mountItem(part, signal, words));
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
 * @param {Words} words
 */
function mountItem(part, signal, words) {
  const { name, help: template } = words.parts[part];
  const explained = say(template, { kv_bytes_per_token: MODEL.kv_bytes_per_token }, words);
  const { button, help } = mountHelp(name, explained, signal, words);
  const size = el("b", { class: "part-size" });
  const [before, after] = [el("span", { class: "part-name" }), el("span", { class: "part-name" })];
  const label = el("span", { class: "part-text" }, before, size, after);
  const node = el("li", { class: "part", "data-part": part }, swatch(part), label, button);
  return {
    node,
    help,
    /** @param {number} bytes @param {boolean} mark */
    update(bytes, mark) {
      // A language may set the size first, last, or in the middle.
      const text = marked(words.legend[part], { gb: gb(bytes, words) }, words).join(words.joiner);
      const [head, outcome = "", ...rest] = text.split("*");
      if (mark && size.textContent !== outcome) markChanged(size, signal);
      setText(before, head);
      setText(size, outcome);
      setText(after, rest.join(""));
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
