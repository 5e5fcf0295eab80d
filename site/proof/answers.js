// @ts-check
/** Both answers side by side, and the list of what differs. */

import { commas } from "../../widget/sim/words.js";
import { el } from "../../widget/view/el.js";
import { byId, commandFor, counted, duration, settingText, whole } from "./say.js";

/** @import { Child } from "../../widget/view/el.js" */
/** @import { Compared, Difference } from "./compare.js" */

const MOST_PLACES = 8; // of one setting
const MOST_SETTINGS = 20; // that are listed
const PROGRAMS = /** @type {const} */ (["python", "javascript"]);
const LONG = 10; // more is not written out
const GROUPS = { describe: "What describe says", page: "What the page says beside it", "numbers.run": "Numbers of the run" };
const NAMES = { python: "Python", javascript: "JavaScript" };

/** Show what both say to a setting. @param {Compared} compared */
export function showAnswers(compared) {
  byId("answers").hidden = false;
  byId("answers-before").hidden = true;
  byId("answers-setting").textContent = `${settingText(compared.setting)}.`;
  byId("answers-values").textContent = `${commas(compared.values)} values on each side.`;
  for (const by of PROGRAMS) byId(`ms-${by}`).textContent = `in ${duration(compared[by].ms)}`;
  const table = /** @type {HTMLTableElement} */ (byId("answers").querySelector("table"));
  for (const body of [...table.tBodies]) body.remove();
  table.append(...Object.entries(GROUPS).flatMap(([path, title]) => group(title, path, compared)));
}

/**
 * The rows of one part of the answers.
 * @param {string} title
 * @param {string} path
 * @param {Compared} compared
 */
function group(title, path, { python, javascript, differences }) {
  const columns = [python, javascript].map(({ answer }) => textsAt(answer, path));
  const keys = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const rows = keys.filter((key) => columns.some((column) => column.get(key) !== "")).map((key) => {
    const differs = differences.some((each) => `${each.path}.`.startsWith(`${path}.${key}.`));
    const name = el("th", { scope: "row" }, el("code", {}, key), differs ? el("b", { class: "differs" }, " differs") : null);
    const cells = columns.map((column, i) => el("td", { "data-by": NAMES[PROGRAMS[i]] }, column.get(key) ?? "nothing"));
    return el("tr", { class: differs ? "apart" : null }, name, ...cells);
  });
  return rows.length === 0 ? [] : el("tbody", {}, el("tr", {}, el("th", { scope: "rowgroup", colspan: 3 }, title)), ...rows);
}

/** What is shown of a part, by key; of a list as long as the queue, how many numbers, and the last. @param {any} answer @param {string} path */
function textsAt(answer, path) {
  const part = path.split(".").reduce((at, key) => at?.[key], answer) ?? {};
  return new Map(Object.entries(part).map(([key, value]) => [key, text(value)]));
}

/** @param {unknown} value */
function text(value) {
  if (!Array.isArray(value)) return whole(value);
  if (value.length <= LONG) return value.map(whole).join("; ");
  const numbers = value.filter((each) => each !== null);
  return `${counted(numbers.length, "instant", "instants")}, the last ${whole(numbers.at(-1))}`;
}

/** Empty the list of what differs. */
export function clearMismatches() {
  byId("differing").hidden = true;
  byId("mismatches").replaceChildren();
}

/** Add a setting to which the two say different things. @param {Compared} compared */
export function addMismatch({ setting, differences }) {
  const list = byId("mismatches");
  if (list.childElementCount >= MOST_SETTINGS) return;
  byId("differing").hidden = false;
  list.append(el("li", {},
    el("p", {}, el("b", {}, settingText(setting))),
    el("p", {}, "Ask the reference again: ", el("code", {}, commandFor(setting))),
    el("dl", {}, ...differences.slice(0, MOST_PLACES).flatMap(place)),
    differences.length > MOST_PLACES ? el("p", {}, `… and ${counted(differences.length - MOST_PLACES, "more place", "more places")}.`) : null));
}

/** @param {Difference} difference @returns {Child[]} */
function place(difference) {
  const said = PROGRAMS.map((by) => el("dd", {}, `${NAMES[by]}: `, el("code", {}, whole(difference[by]))));
  return [el("dt", {}, el("code", {}, difference.path)), ...said];
}
