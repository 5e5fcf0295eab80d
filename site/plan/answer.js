// @ts-check
/** Verdict, sentence and the one command, in three forms; where it does not start, the smallest change with its command. */

import { filled } from "../../widget/sim/vllm/fix_words.js";
import { fixed, gib } from "../../widget/sim/vllm/rounding.js";
import { el, setAttribute } from "../../widget/view/el.js";
import { mountCopy } from "../serve/copy.js";
import { named } from "./form.js";
import { startup_budget, write_command } from "./paste/write.js";
import { by_id, mount_mark, out, plain, put, put_items, put_list, put_or_hide } from "./paint.js";
import { WORDS } from "./words.js";

/** @import { State } from "./state.js" */

const MINUTE = 60;
/** So many ways stand above the command, which has to be in view; the others follow it. */
const ABOVE = 2;

/**
 * @param {(changes: Record<string, any>, name: string) => void} use what a fix's button does
 * @param {(sentence: string) => void} say
 * @param {(model: string) => void} choose what a listed model's button does
 */
export function mount_answer(use, say, choose) {
  const section = by_id("answer");
  const badge = out("verdict");
  const sentence = mount_mark(out("sentence"));
  const forms = /** @type {NodeListOf<HTMLButtonElement>} */ (section.querySelectorAll("[data-form]"));
  let form = "serve";
  let shown = { command: "", around: {} };
  let old = false;
  const copy = /** @type {HTMLButtonElement} */ (section.querySelector("[data-copy=command]"));
  let said = "";

  for (const button of forms) {
    button.addEventListener("click", () => {
      form = button.dataset.form ?? "serve";
      update_command();
    });
  }
  mountCopy(copy, () => out("command").textContent ?? "", say);

  function update_command() {
    for (const button of forms) setAttribute(button, "aria-pressed", String(button.dataset.form === form));
    if (shown.command === "") {
      out("command").replaceChildren();
      put_or_hide("probe", "");
    } else write();
    /** @type {HTMLElement} */ (section.querySelector(".command")).hidden = shown.command === "";
    update_copy();
  }

  /** Only what may be used can be copied. */
  function update_copy() {
    copy.disabled = old || shown.command === "";
    for (const button of out("first").querySelectorAll("button")) button.disabled = old;
  }

  function write() {
    out("command").replaceChildren(...words_of(form === "serve" ? shown.command : write_command(shown.command, shown.around, /** @type {"docker" | "kubernetes"} */ (form))));
    put_or_hide("probe", form === "kubernetes" ? probe(shown.around) : "");
  }

  return {
    /** @param {any} answer the scene @param {State} state @param {boolean} mark whether what changes is marked */
    update(answer, state, mark) {
      section.dataset.outcome = answer.outcome;
      badge.dataset.outcome = answer.outcome;
      put("verdict", answer.badge);
      sentence.update(answer.sentence, said, mark && said !== "");
      said = answer.sentence;
      put("about", answer.about);
      put_list("notes", answer.notes);
      out("first").hidden = true;
      out("more_ways").hidden = true;
      put("command_caption", answer.caption);
      shown = { command: named(answer.command, state.form, state.own), around: around_of(state) };
      put("bar_verdict", answer.badge);
      update_command();
    },
    /** What came out of the trials. @param {any} levers the scene @param {State} state */
    update_levers(levers, state) {
      const { first, fixes } = levers;
      const node = out("first");
      node.hidden = first === null;
      if (first === null) return;
      const button = el("button", { type: "button", class: "action", "aria-label": filled(WORDS.levers.use_name, { changes: fixes[0].name }) }, WORDS.levers.use);
      button.addEventListener("click", () => use(fixes[0].changes, fixes[0].name));
      node.replaceChildren(el("p", {}, `${WORDS.answer.fix_first} ${fixes[0].text}`), button);
      put("command_caption", first.caption);
      shown = { ...shown, command: named(first.command, state.form, state.own) };
      update_command();
    },
    /** An answer of a pasted text alone, or why there is none. @param {any} alone @param {string} model what is reckoned with below */
    update_alone({ outcome, badge: name, sentence: text, ways, command, caption, corrected, of_text, near = [] }, model) {
      const words = WORDS.alone;
      section.dataset.outcome = outcome;
      badge.dataset.outcome = outcome;
      put("verdict", name);
      put("bar_verdict", name);
      sentence.update(corrected ? `${text} ${filled(words.flags_then, { then: said })}` : text, said, false);
      said = text;
      if (corrected) {
        put("command_caption", words.flags_caption);
        return;
      }
      put("about", filled(words[outcome === "none" && !of_text ? "own_plan" : "note"], { model }));
      put_list("notes", []);
      out("first").hidden = ways.length + near.length === 0;
      const items = ways.map((/** @type {any} */ way) => el("li", {}, way.text, ...(way.flags ? [" ", el("code", {}, way.flags)] : [])));
      const list = ways.length === 0 ? [] : [el("ul", { class: "ways" }, ...items.slice(0, ABOVE))];
      const buttons = near.map((/** @type {string} */ each) => {
        const button = el("button", { type: "button", class: "action", "aria-label": filled(words.near_name, { model: each }) }, each);
        button.addEventListener("click", () => choose(each));
        return el("li", {}, button);
      });
      out("first").replaceChildren(...list, ...(buttons.length === 0 ? [] : [el("p", {}, words.near), el("ul", { class: "ways near" }, ...buttons)]));
      put_items("more_ways", items.slice(ABOVE));
      out("more_ways").hidden = items.length <= ABOVE;
      put("command_caption", caption);
      shown = { ...shown, command };
      update_command();
    },
    /** The form in which the command stands. */
    form: () => form,
    /** @param {string} next */
    choose_form(next) {
      form = next;
      update_command();
    },
    /** Whether what stands here is of settings that have moved on since, and why; empty if not. @param {string} why */
    stale(why) {
      old = why !== "";
      section.classList.toggle("old", old);
      put_or_hide("stale", why);
      update_copy();
    },
    /** The answer as one sentence. @param {any} answer */
    sentence: (answer) => filled(WORDS.answer.said, { badge: answer.badge, sentence: plain(answer.sentence) }),
  };
}

/** A command's words, none of which breaks at a hyphen. @param {string} text */
function words_of(text) {
  return text.split(" ").flatMap((word, i) => [i === 0 ? "" : " ", /[a-z-]/.test(word) ? el("span", { class: "word" }, word) : word]);
}

/** What the forms need beside the server's own words. @param {State} state */
function around_of({ plan, at }) {
  const { settings } = at;
  const bytes = plan.budget.stages.reduce((/** @type {number} */ sum, /** @type {any} */ stage) => sum + stage.parts[0].bytes, 0) * settings.tp;
  return {
    version: plan.about.version,
    tensor_parallel_size: settings.tp,
    pipeline_parallel_size: settings.pp,
    maker: settings.card.maker,
    weights_gib: gib(bytes),
  };
}

/** How long Kubernetes waits, and why. @param {any} around */
function probe(around) {
  const { seconds, gib_per_second, warm_seconds, known } = startup_budget(around);
  const minutes = fixed(seconds / MINUTE, 0);
  if (!known) return filled(WORDS.answer.probe_unknown, { minutes });
  return filled(WORDS.answer.probe, {
    minutes, gib: fixed(around.weights_gib, 2), pace: String(gib_per_second), warm: fixed(warm_seconds / MINUTE, 0),
  });
}
