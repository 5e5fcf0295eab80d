// @ts-check
/** What stands below the bar: lines of vLLM, levers, rooms, explained numbers. */

import { filled } from "../../widget/sim/vllm/fix_words.js";
import { el, setText } from "../../widget/view/el.js";
import { bold, out, put, put_items, put_list } from "./paint.js";
import { WORDS } from "./words.js";

/** What is known at once. @param {any} found the scene */
export function update_below(found) {
  put("lines", found.lines.join("\n"));
  put("lines_note", found.lines_note);
  out("rooms_lead").replaceChildren(...bold(found.rooms.lead));
  out("rooms_table").hidden = found.rooms.rows.length === 0;
  put_items("rooms", found.rooms.rows.map((/** @type {any} */ row) => el("tr", {}, el("td", {}, row.tokens), el("td", {}, el("b", {}, row.chats)))));
  put_list("rooms_notes", found.rooms.notes);
}

/** What trials found. @param {any} levers the scene @param {(changes: Record<string, any>, name: string) => void} use */
export function update_levers({ title, notes, fixes, ways, one_chat }, use) {
  put("levers_title", title);
  put_list("levers_notes", notes);
  put_items("fixes", fixes.map((/** @type {any} */ fix) => {
    const name = filled(WORDS.levers.use_name, { changes: fix.name });
    const button = el("button", { type: "button", class: "action", "aria-label": name }, WORDS.levers.use);
    button.addEventListener("click", () => use(fix.changes, fix.name));
    return el("li", { "data-fix": Object.keys(fix.changes).join(" ") }, el("p", {}, fix.text), button);
  }));
  out("reach_box").hidden = ways.length === 0;
  put_items("reach", ways.map((/** @type {any} */ way) =>
    el("tr", { "data-lever": way.setting },
      el("th", { scope: "row" }, way.lever, " ", el("code", {}, way.setting)),
      el("td", {}, el("b", {}, way.now)), el("td", {}, way.least), el("td", {}, way.most), el("td", { class: "way" }, way.stops))));
  put("one_chat", one_chat);
}

/** What would give most back. @param {readonly string[]} lines */
export function update_back(lines) {
  put_list("back", lines);
}

/** @param {string} text for a ticket */
export function update_ticket(text) {
  put("ticket", text);
}

/** How the numbers come about. @param {any} explain the scene */
export function update_explain({ holds, numbers }) {
  put_list("holds", holds);
  const nodes = out("numbers").children;
  numbers.forEach((/** @type {any} */ number, /** @type {number} */ i) => update_number(nodes[i], number));
}

/** @param {Element} node @param {any} number */
function update_number(node, { value, formula }) {
  setText(/** @type {Element} */ (node.querySelector("b")), value);
  setText(/** @type {Element} */ (node.querySelector(".formula")), formula);
}
