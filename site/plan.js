// @ts-check
/** The plan page: what is typed or pasted becomes a plan, and everything on the page follows from it at once. */

import { filled } from "../widget/sim/vllm/fix_words.js";
import { plan } from "../widget/sim/vllm/plan.js";
import { changed } from "../widget/sim/vllm/trial.js";
import { mountSpeaker } from "../widget/view/speaker.js";
import { mount_address, read_address } from "./plan/address.js";
import { mount_answer } from "./plan/answer.js";
import { mount_bar, update_table } from "./plan/bar.js";
import { update_back, update_below, update_explain, update_levers, update_ticket } from "./plan/below.js";
import { mount_compare } from "./plan/compare.js";
import { back_lines, explain_scene, ticket_of } from "./plan/explain.js";
import { mount_fields } from "./plan/fields.js";
import { form_of, opening_form, without } from "./plan/form.js";
import { by_id, out } from "./plan/paint.js";
import { levers_scene, scene } from "./plan/scene.js";
import { mount_paste } from "./plan/paste_box.js";
import { make_state } from "./plan/state.js";
import { watch_link } from "./plan/watch_link.js";
import { WORDS } from "./plan/words.js";
import { mountCopy } from "./serve/copy.js";
import { mountNotices } from "./serve/notices.js";

/** @import { State } from "./plan/state.js" */

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const speaker = mountSpeaker();
main.append(speaker.node);

const state = make_state();
const address = mount_address(() => state.now);
const notices = mountNotices(by_id("notices"));
const answer = mount_answer(use, speaker.now);
const bar = mount_bar((share) => choose("gpu_memory_utilization", share));
const fields = mount_fields(choose, () => move({ own: { ...state.now.own, index: null } }));
const compare = mount_compare((chosen, said) => {
  const { form, own } = state.now;
  move({ compare: chosen === null || chosen.version ? chosen : { form, own } });
  if (said !== "") speaker.now(said);
});
/** @type {ReturnType<typeof setTimeout> | undefined} what still has to be tried out */
let trying;
let painted = scene(state.now.plan, state.now.at);

/** Paint what the state is; what takes trials follows in the next task. @param {State} now @param {State} before */
function paint(now, before) {
  const fresh = now.plan !== before.plan;
  const stale = Object.keys(now.errors).length > 0;
  answer.stale(stale);
  if (fresh) painted = scene(now.plan, now.at);
  if (fresh || now.alone !== before.alone) {
    answer.update(painted.answer, now, true);
    if (now.alone !== null) answer.update_alone(now.alone, model_of(now));
  }
  if (fresh) {
    bar.update(painted.bar, painted.answer.outcome, now.at.settings.share);
    update_table(painted.table);
    update_below(painted);
    /** @type {HTMLAnchorElement} */ (out("watch")).href = watch_link(now.at);
    try_out(now);
  }
  if (!fresh && now.compare !== before.compare) compare.update(now);
  fields.update(now, painted.defaults);
}

/** The name of the model that is reckoned with. @param {State} now */
function model_of(now) {
  return now.own.model === null ? now.plan.about.model : WORDS.settings.own_model;
}

/** Fixes, reaches, and what gives most back: one task each, so that the page answers in between. @param {State} now */
function try_out(now) {
  const steps = [() => try_levers(now), () => update_explain(explain_scene(now.plan, now.at)), () => update_back(back_lines(now.at)), () => compare.update(now)];
  clearTimeout(trying);
  main.dataset.tried = "no";
  const next = () => {
    const step = steps.shift();
    if (step === undefined) {
      main.dataset.tried = "yes";
      return;
    }
    step();
    trying = setTimeout(next);
  };
  trying = setTimeout(next);
}

/** @param {State} now */
function try_levers(now) {
  const whole = plan(now.asked);
  const levers = levers_scene(whole, now.at);
  if (now.alone === null) answer.update_levers(levers);
  update_levers(levers, use);
  update_ticket(ticket_of(whole));
}

/** A move of the reader. @param {Parameters<typeof state.set>[0]} changes */
function move(changes) {
  notices.update([]);
  state.set({ alone: null, ...changes });
  address.later();
  speaker.later(sentence);
}

/** What a move has come to, in one sentence. */
function sentence() {
  const [error] = Object.values(state.now.errors);
  if (error !== undefined) return error;
  return answer.sentence(state.now.alone === null ? painted.answer : { badge: WORDS.badge.refuses, sentence: state.now.alone.sentence });
}

/** @param {string} name @param {string} text */
function choose(name, text) {
  const { form, own } = state.now;
  if ((form[name] ?? "") === text && !(name === "model" && own.model !== null)) return;
  const others = without(form, name);
  if (name === "model") move({ form: text === "" ? others : { ...others, model: text }, own: { model: null, index: null } });
  else move({ form: text === "" ? others : { ...others, [name]: text } });
}

/** Take a fix over: what it changes, and what was measured with it. @param {Record<string, any>} changes @param {string} name */
function use(changes, name) {
  const { form, own } = form_of(changed(state.now.at, changes));
  const { require_chats: chats } = state.now.form;
  move({ form: chats === undefined ? form : { ...form, require_chats: chats }, own });
  speaker.now(filled(WORDS.levers.use_said, { changes: name, sentence: sentence() }));
  by_id("answer").scrollIntoView({ block: "nearest" });
}

const reset = /** @type {HTMLElement} */ (document.querySelector("[data-action=reset]"));
reset.addEventListener("click", () => {
  move({ form: opening_form(), own: { model: null, index: null }, compare: null });
  speaker.now(reset.dataset.said ?? "");
});
mountCopy(/** @type {HTMLElement} */ (document.querySelector("[data-copy=link]")), address.link, speaker.now);
mountCopy(/** @type {HTMLElement} */ (document.querySelector("[data-copy=ticket]")),
  () => `${out("ticket").textContent}\n${filled(WORDS.explain.ticket_link, { link: address.link() })}\n`, speaker.now);

/** Show what the address says. */
function read() {
  const { form, own, compare, told } = read_address(location.search, location.hash);
  state.set({ form, own, compare, alone: null });
  const errors = Object.values(state.now.errors);
  notices.update([...told, ...errors.map((why) => filled(WORDS.settings.refused, { why }))]);
}

/** Whether a click asks for this page here, and not for a new window. @param {MouseEvent} event */
function is_plain(event) {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** A preset sets everything in place. @param {MouseEvent} event */
function on_click(event) {
  address.now(); // before the browser notes where it leaves from
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a.preset"));
  if (link === null || !is_plain(event)) return;
  event.preventDefault();
  const { form, own, compare } = read_address(link.search, "");
  move({ form, own, compare });
  address.push();
  by_id("answer").scrollIntoView({ block: "start" });
}

mount_paste(() => state.now, ({ form, own, alone }) => move({ form, own, alone, compare: null }), speaker.now);
state.subscribe(paint);
document.addEventListener("click", on_click);
document.addEventListener("keydown", speaker.hold);
addEventListener("popstate", read);
addEventListener("pagehide", address.now);
read();
main.dataset.tried ??= "yes";
main.dataset.ready = "yes";
