// @ts-check
/** One control: a slider over the places of its choices with a list beside it, a list alone, or a box. */

import { TOOLS } from "../../widget/sim/serving_facts.js";
import { choice_text } from "../../widget/sim/tools.js";
import { setAttribute } from "../../widget/view/el.js";

/**
 * Bring a control that the build wrote to life.
 * @param {HTMLElement} node
 * @param {string} tool
 * @param {string} key
 * @param {(value: any) => void} choose called with every choice the reader makes
 */
export function mountControl(node, tool, key, choose) {
  const { values } = TOOLS[tool].controls[key];
  const slider = /** @type {HTMLInputElement | null} */ (node.querySelector(".slider"));
  const list = /** @type {HTMLSelectElement | null} */ (node.querySelector(".field"));
  const check = /** @type {HTMLInputElement | null} */ (node.querySelector(".check"));
  // iOS VoiceOver fires only `change`; both are heard.
  for (const event of ["input", "change"]) {
    slider?.addEventListener(event, () => choose(values[slider.valueAsNumber]));
    list?.addEventListener(event, () => choose(values[list.selectedIndex]));
    check?.addEventListener(event, () => choose(check.checked));
  }
  mountHelp(node);
  return {
    key,
    focus() {
      /** @type {HTMLElement} */ (slider ?? list ?? check).focus({ preventScroll: true });
    },
    /** @param {any} value */
    update(value) {
      const place = values.indexOf(value);
      if (check !== null) check.checked = value;
      if (list !== null && list.selectedIndex !== place) list.selectedIndex = place;
      if (slider === null) return;
      if (slider.valueAsNumber !== place) slider.value = String(place);
      setAttribute(slider, "aria-valuetext", choice_text(tool, key, value));
    },
  };
}

/** A button opens the help, and Escape closes it. @param {HTMLElement} node */
function mountHelp(node) {
  const button = /** @type {HTMLElement} */ (node.querySelector(".ask"));
  const help = /** @type {HTMLElement} */ (node.querySelector(".help"));
  /** @param {boolean} open */
  const show = (open) => {
    help.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => show(Boolean(help.hidden)));
  button.addEventListener("keydown", (event) => event.key === "Escape" && show(false));
}
