// @ts-check
/** The page on which a plan runs: the lesson's widget with the plan's figures, and what of the plan it does not hold. */

import "../widget/element.js";
import { el } from "../widget/view/el.js";
import { FIGURES } from "./watch/facts_here.js";
import { commas, filled, gigabytes, trillions } from "./watch/figures.js";
import WORDS from "./watch/words.json" with { type: "json" };

/** Fill a list that is hidden while it is empty, and what stands around it. @param {string} id @param {readonly string[]} texts */
function list(id, texts) {
  const node = /** @type {HTMLElement} */ (document.getElementById(id));
  node.replaceChildren(...texts.map((text) => el("li", {}, text)));
  const around = /** @type {HTMLElement} */ (node.closest("[hidden]") ?? node);
  around.hidden = texts.length === 0;
}

const { card, model, cards, given, notices, notes, reserve_bytes } = FIGURES;
const plan = /** @type {HTMLElement} */ (document.getElementById("plan"));
const terms = {
  card: card.name,
  model: model.name,
  cards: commas(cards),
  memory: gigabytes(card.memory_bytes),
  weights: gigabytes(model.weights_bytes),
  reserve: gigabytes(reserve_bytes),
  kv: commas(model.kv_bytes_per_token),
  bandwidth: gigabytes(card.bandwidth_bytes_per_second),
  peak: trillions(card.peak_flops_per_second),
};
plan.textContent = given ? filled(cards > 1 ? WORDS.plan_cards : WORDS.plan, terms) : WORDS.lesson;
list("notices", notices);
list("notes", notes);
/** @type {HTMLElement} */ (document.querySelector("main")).dataset.ready = "yes";
