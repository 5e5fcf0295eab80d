// @ts-check
/** One tool on the page: its controls, which the build wrote, and its answer, painted in the event that moves one. */

import { SimError } from "../../widget/sim/checks.js";
import { TOOLS, opening } from "../../widget/sim/serving_facts.js";
import { answer, choice_text } from "../../widget/sim/tools.js";
import { plain } from "../../widget/sim/words.js";
import { el } from "../../widget/view/el.js";
import { mountControl } from "./control.js";
import { mountCopy } from "./copy.js";
import { mountLines } from "./lines.js";
import { mountNotices } from "./notices.js";
import { pictures } from "./picture.js";

/** @import { Answer } from "../../widget/sim/tool.js" */
/** @import { Settings } from "./address.js" */

/**
 * What a tool tells its page.
 * @typedef {object} Host
 * @property {() => void} moved settings have moved, so the address lags
 * @property {(sentence: () => string) => void} say something to say once the move has ended
 * @property {(sentence: string) => void} sayNow something to say at once
 * @property {(tool: string) => string} link the address of all settings, at this tool
 */

const SAME = "The answer stays the same.";

/**
 * The answer, or the refusal in its place: values that the page offers one by one need not go together.
 * @param {string} name @param {Settings} settings @returns {Answer}
 */
function answerOf(name, settings) {
  try {
    return answer(name, settings);
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    return { lines: { refused: error.message }, rows: [], lanes: [] };
  }
}

/**
 * @param {HTMLElement} node
 * @param {string} name
 * @param {Host} host
 */
export function mountTool(node, name, host) {
  /** @param {string} selector @returns {HTMLElement} */
  const find = (selector) => /** @type {HTMLElement} */ (node.querySelector(selector));
  const lines = mountLines(find(".tool-lines"));
  const notices = mountNotices(find(".notices"));
  let settings = opening(name);
  let said = answerOf(name, settings);

  const controls = Object.keys(settings).map((key) =>
    mountControl(find(`[data-key="${key}"]`), name, key, (value) => choose(key, value)));

  /** The settings in words, for paper. */
  const inWords = () => Object.entries(settings).flatMap(([key, value]) =>
    [el("span", {}, `${nameOf(key)}: ${choice_text(name, key, value)}.`), " "]);
  /** @param {string} key */
  const nameOf = (key) => TOOLS[name].words.controls[key].name;

  /** @param {Settings} next @param {boolean} mark whether what changes is marked for a moment */
  function paint(next, mark) {
    settings = next;
    const before = said;
    said = answerOf(name, settings);
    controls.forEach((control) => control.update(settings[control.key]));
    lines.update(said.lines, mark);
    find(".pictures").replaceChildren(...pictures(said, TOOLS[name].words));
    find(".set").replaceChildren(...inWords());
    return before;
  }

  /** The first line that is another than before. @param {Answer} before */
  const news = (before) => {
    const [line] = Object.entries(said.lines).filter(([key, text]) => before.lines[key] !== text);
    return line === undefined ? SAME : plain([line[1]]);
  };

  /** @type {Answer | null} what stood here before the move that has not ended */
  let old = null;
  /** @param {string} key @param {any} value */
  function choose(key, value) {
    if (settings[key] === value) return;
    notices.update([]);
    old ??= said;
    paint({ ...settings, [key]: value }, true);
    host.moved();
    host.say(() => {
      const sentence = `${nameOf(key)}: ${choice_text(name, key, value)}. ${news(old ?? said)}`;
      old = null;
      return sentence;
    });
  }

  /** @param {Settings} next */
  function follow(next) {
    const moved = controls.find(({ key }) => next[key] !== opening(name)[key]) ?? controls[0];
    notices.update([]);
    const before = paint(next, true);
    node.scrollIntoView({ block: "start" });
    moved.focus();
    host.say(() => news(before));
  }

  const reset = find("[data-action=reset]");
  reset.addEventListener("click", () => {
    notices.update([]);
    paint(opening(name), true);
    old = null;
    host.moved();
    host.sayNow(reset.dataset.said ?? "");
  });
  mountCopy(find("[data-action=copy]"), () => host.link(name), host.sayNow);
  /** @type {HTMLFieldSetElement} */ (find(".controls")).disabled = false;

  return {
    name,
    settings: () => settings,
    /** Show settings without a word, with what could not be used of them. @param {Settings} next @param {readonly string[]} told */
    put(next, told) {
      if (Object.keys(next).some((key) => next[key] !== settings[key])) paint(next, false);
      notices.update(told);
    },
    follow,
  };
}
