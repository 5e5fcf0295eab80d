// @ts-check
/** This plan beside another one, or beside another version: two bars, and what differs, part by part. */

import { filled, shown_value, size } from "../../widget/sim/vllm/fix_words.js";
import { plan } from "../../widget/sim/vllm/plan.js";
import { WORDS } from "../../widget/sim/vllm/plan_facts.js";
import { PlanError } from "../../widget/sim/vllm/refuse.js";
import { commas, fixed } from "../../widget/sim/vllm/rounding.js";
import { compare } from "../../widget/sim/vllm/upgrade.js";
import { el, svgEl } from "../../widget/view/el.js";
import { textures } from "./bar.js";
import { asked_of } from "./form.js";
import { in_version } from "./measured.js";
import { by_id, out } from "./paint.js";
import { bar_scene, tightest_stage } from "./scene.js";
import { WORDS as PAGE } from "./words.js";

/** @import { Plan } from "./scene.js" */
/** @import { Compare, State } from "./state.js" */

const SAYS = PAGE.compare;
const NONE = { rules: /** @type {Record<string, string>} */ ({}) };

/**
 * @param {(compare: Compare | null, said: string) => void} choose
 */
export function mount_compare(choose) {
  const list = /** @type {HTMLSelectElement} */ (by_id("compare-version"));
  /** @param {string} name */
  const button = (name) => /** @type {HTMLElement} */ (document.querySelector(`[data-action=${name}]`));
  const pin = button("pin");
  const unpin = button("unpin");
  pin.addEventListener("click", () => choose({}, pin.dataset.said ?? ""));
  unpin.addEventListener("click", () => {
    choose(null, unpin.dataset.said ?? "");
    pin.focus();
  });
  list.addEventListener("change", () => choose(list.value === "" ? null : { version: list.value }, ""));
  return {
    /** @param {State} state */
    update(state) {
      const version = state.compare?.version ?? "";
      if (version !== "" && ![...list.options].some(({ value }) => value === version)) list.append(el("option", { value: version }, version));
      list.value = version;
      unpin.hidden = state.compare === null;
      out("compare").replaceChildren(...(state.compare === null ? [] : beside(state, state.compare)));
    },
  };
}

/** What stands beside this plan. @param {State} state @param {Compare} asked */
function beside({ asked, at, plan: now }, { version, form, own }) {
  try {
    if (version !== undefined) {
      const other = plan(in_version(asked, at, version), false);
      const upgrade = compare(asked, now.about.version, version);
      const rules = Object.fromEntries([...upgrade.parts, ...upgrade.settings].map(({ name, rule }) => [name, rule]));
      return [...bars([[now.about.version, now], [version, other]]), table(now, other, [now.about.version, version], { rules })];
    }
    const kept = plan(asked_of(form ?? {}, own ?? { model: null, index: null }), false);
    return [...bars([[SAYS.pinned, kept], [SAYS.now, now]]), table(kept, now, [SAYS.pinned, SAYS.now], NONE)];
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return [el("p", { class: "note" }, filled(SAYS.refused, { version: version ?? SAYS.pinned, why: error.message }))];
  }
}

/** @param {[string, Plan][]} plans */
function bars(plans) {
  return plans.map(([name, each]) => {
    const { pieces } = bar_scene(each);
    const picture = svgEl("svg", { class: "card-bar", width: "100%", height: 28, "aria-hidden": "true" },
      ...pieces.map((piece) => svgEl("svg", { x: piece.x, width: piece.width, height: "100%" }, ...textures(piece.name))));
    return el("figure", { class: "small-bar" }, el("figcaption", {}, `${name}: ${PAGE.badge[each.verdict.outcome]}`), picture);
  });
}

/** @param {Plan} one @param {Plan} other @param {string[]} names @param {{rules: Record<string, string>}} known */
function table(one, other, names, { rules }) {
  const rows = [
    ...part_rows(one, other, rules),
    ...count_rows(one, other),
    ...setting_rows(one, other, rules),
  ];
  if (rows.length === 0) return el("p", {}, SAYS.same);
  const heads = SAYS.head.map((/** @type {string} */ head, /** @type {number} */ i) => el("th", { scope: "col", class: i === 4 && "way" }, filled(head, { before: names[0], after: names[1] })));
  const body = rows.map(([name, ...cells]) => el("tr", {}, el("th", { scope: "row" }, name), ...cells.map((cell, i) => el("td", { class: i === 3 && "way from" }, cell))));
  return el("section", { class: "scroll", tabindex: 0, "aria-label": SAYS.table },
    el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...body)));
}

/** @param {string} text @param {boolean} more */
function signed(text, more) {
  return `${more ? "+" : "−"}${text.replace("-", "")}`;
}

/** @param {string | undefined} rule */
function why(rule) {
  return rule ? WORDS.rule[rule] ?? rule : "";
}

/** @param {Plan} one @param {Plan} other @param {Record<string, string>} rules @returns {string[][]} */
function part_rows(one, other, rules) {
  const before = bytes_of(one);
  const after = bytes_of(other);
  return Object.keys(before).filter((name) => before[name] !== after[name]).map((name) => {
    const more = after[name] - before[name];
    const label = name === "requested" ? SAYS.requested : PAGE.parts[name];
    return [label, size(before[name]), size(after[name]), signed(size(more), more > 0), why(rules[name])];
  });
}

/** @param {Plan} plan @returns {Record<string, number>} */
function bytes_of({ budget }) {
  const stage = tightest_stage({ budget });
  const parts = Object.fromEntries(stage.parts.map((/** @type {any} */ part) => [part.name, part.bytes]));
  return { requested: budget.requested_bytes, ...parts, kv: stage.kv_bytes, held: budget.in_use_bytes };
}

/** @param {Plan} one @param {Plan} other @returns {string[][]} */
function count_rows(one, other) {
  const [before, after] = [one, other].map(({ budget }) => budget.capacity);
  const rows = [];
  if (before.tokens !== after.tokens) {
    const more = after.tokens - before.tokens;
    rows.push([SAYS.tokens, commas(before.tokens), commas(after.tokens), signed(commas(Math.abs(more)), more > 0), ""]);
  }
  if (before.concurrency !== after.concurrency) {
    const more = after.concurrency - before.concurrency;
    rows.push([SAYS.concurrency, `${fixed(before.concurrency, 2)}x`, `${fixed(after.concurrency, 2)}x`, signed(`${fixed(more, 2)}x`, more > 0), ""]);
  }
  return rows;
}

/** Names of settings in the comparison of versions. @type {Record<string, string>} */
const CHOSEN = {
  gpu_memory_utilization: "share", max_num_seqs: "seats", max_num_batched_tokens: "batched_tokens", enable_chunked_prefill: "chunked",
  async_scheduling: "asynchronous", enable_prefix_caching: "prefix_caching", dtype: "dtype", estimate_cudagraphs: "graphs_counted",
};

/** @param {Plan} one @param {Plan} other @param {Record<string, string>} rules @returns {string[][]} */
function setting_rows(one, other, rules) {
  const before = Object.fromEntries(one.settings.map((/** @type {any} */ shown) => [shown.name, shown.value]));
  const after = Object.fromEntries(other.settings.map((/** @type {any} */ shown) => [shown.name, shown.value]));
  const about = ["card_title", "model", "version"].filter((name) => one.about[name] !== other.about[name])
    .map((name) => [SAYS.about[name], one.about[name], other.about[name], "", ""]);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
  /** @param {any} value */
  const text = (value) => (value === undefined ? "" : shown_value(value));
  return [...about, ...names.map((name) => [name, text(before[name]), text(after[name]), "", why(rules[CHOSEN[name]])])];
}
