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
import { asked_of, form_of, is_listed, opening_form, OWN_CARD, without } from "./plan/form.js";
import { carried_by, measured_left, still_carried } from "./plan/measured.js";
import { by_id, out, put_or_hide } from "./plan/paint.js";
import { asking, left_by, settled, taken_again, within_estimate, without_card } from "./plan/reading.js";
import { levers_scene, scene } from "./plan/scene.js";
import "./plan/shared.js";
import { mount_paste } from "./plan/paste_box.js";
import { make_state } from "./plan/state.js";
import { draw_stretches, mark_now, SCALES, stretches } from "./plan/stretches.js";
import { watch_link } from "./plan/watch_link.js";
import { WORDS } from "./plan/words.js";
import { mountCopy } from "./serve/copy.js";
import { mountNotices } from "./serve/notices.js";

/** @import { Form } from "./plan/form.js" */
/** @import { State } from "./plan/state.js" */

/** Settings that make another plan of it: each choice of one is a step of the reader's history. */
const WHOLE = ["card", "model", "version"];
/** So long a trial may take before others have their turn. */
const TURN_MS = 8;

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const speaker = mountSpeaker();
main.append(speaker.node);

const verdict = out("verdict");
const state = make_state();
const address = mount_address(() => state.now, picture);
const notices = mountNotices(by_id("notices"));
const answer = mount_answer(use, speaker.now, (model) => choose("model", model));
const bar = mount_bar((share) => choose("gpu_memory_utilization", share));
const fields = mount_fields(choose, () => step(() => move({ own: { ...state.now.own, index: null } })));
const compare = mount_compare((chosen, said) => {
  const { form, own } = state.now;
  const { asked } = state.now;
  move({ compare: chosen === null || chosen.version ? chosen : { form: own.model === null ? { ...form, model: form.model ?? asked.model } : form, own } });
  if (said !== "") speaker.now(said);
});
/** @type {ReturnType<typeof setTimeout> | undefined} what still has to be tried out */
let trying;
/** Whether the reader's own settings, and not only the page's, have had an answer. */
let answered = true;
/** What stood there before anything was pasted; each paste starts from it. @type {Pick<State, "form" | "own"> | null} */
let before_paste = null;
let focus_next = false;
/** The field whose typing goes on in the last step of the reader's history. */
let stepped = "";
/** Whether all that has come into the box since it was last read was typed letter by letter. @type {boolean | null} */
let letters = null;
let painted = scene_of(state.now);

/** What there is to paint. @param {State} now */
function scene_of({ plan: found, at, carried, form }) {
  return scene(found, at, still_carried(carried, form));
}

/** Paint what the state is; what takes trials follows in the next task. @param {State} now @param {State} before */
function paint(now, before) {
  const fresh = now.plan !== before.plan;
  if (fresh) painted = scene_of(now);
  if (fresh || now.alone !== before.alone) {
    answer.update(painted.answer, now, true);
    if (now.alone !== null) answer.update_alone(now.alone, model_of(now));
    put_or_hide("link_note", now.alone === null || now.alone.asks ? "" : WORDS.settings.link_lacks);
  }
  if (fresh) {
    bar.update(painted.bar, painted.answer.outcome, now.at.settings.share);
    update_table(painted.table);
    update_below(painted);
    mark_now(now.at);
    /** @type {HTMLAnchorElement} */ (out("watch")).href = watch_link(now.at);
    try_out(now);
  }
  if (!fresh && now.compare !== before.compare) compare.update(now);
  mark_stale(now);
  fields.update(now, painted.defaults);
}

/** What stands there though a field cannot be used is marked, and nothing of it can be taken. @param {State} now */
function mark_stale(now) {
  const stale = Object.keys(now.errors).length > 0;
  const why = !stale || now.alone !== null ? "" : answered ? WORDS.answer.stale : filled(WORDS.answer.stale_own, { model: model_of(now) });
  answer.stale(why);
  for (const button of out("fixes").querySelectorAll("button")) button.disabled = stale;
  if (!stale) answered = true;
}

/** The name of the model that is reckoned with. @param {State} now */
function model_of(now) {
  return now.own.model === null ? now.plan.about.model : WORDS.settings.own_model;
}

/** Fixes, reaches, and what gives most back: one task each, so that the page answers in between. @param {State} now */
function try_out(now) {
  const steps = [try_levers, () => update_explain(explain_scene(now.plan, now.at)), () => update_back(back_lines(now.at)), () => compare.update(now)];
  const drawn = Object.keys(SCALES).map((name) => ({ name, search: stretches(now.at, name) }));
  clearTimeout(trying);
  main.dataset.tried = "no";
  const next = () => {
    const step = steps.shift();
    if (step !== undefined) step();
    else if (drawn.length > 0) draw_some(drawn);
    else {
      main.dataset.tried = "yes";
      return;
    }
    trying = setTimeout(next);
  };
  trying = setTimeout(next);
}

/** Look on for where the first of these would not start, for a part of a frame; what is found whole is drawn. @param {{name: string, search: ReturnType<typeof stretches>}[]} drawn */
function draw_some(drawn) {
  const [{ name, search }] = drawn;
  const end = performance.now() + TURN_MS;
  while (performance.now() < end) {
    const { done, value } = search.next();
    if (!done) continue;
    draw_stretches(name, value);
    drawn.shift();
    return;
  }
}

/** What the trials found, beside what else has come about meanwhile. */
function try_levers() {
  const { now } = state;
  const whole = within_estimate(plan(now.asked), now);
  const levers = levers_scene(whole, now.at);
  if (now.alone === null || now.alone.corrected) answer.update_levers(levers, now);
  update_levers(levers, use);
  mark_stale(now);
  if (focus_next && document.activeElement === verdict) /** @type {HTMLElement | null} */ (document.querySelector("#answer .first:not([hidden]) button"))?.focus();
  focus_next = false;
  update_ticket(ticket_of(whole));
}

/** A move of the reader. @param {Parameters<typeof state.set>[0]} changes */
function move(changes) {
  notices.update([]);
  state.set({ alone: null, ...changes });
  const { alone, read, form, own } = state.now;
  // What a text says of a model that nobody has named is no verdict on another one.
  if (alone === null && read !== null && form.model === undefined && own.model === null) {
    state.set({ alone: asking(state.now.plan.command, form, own) });
  }
  address.later();
  speaker.later(sentence);
}

/** What a move has come to, in one sentence. */
function sentence() {
  const [error] = Object.values(state.now.errors);
  if (error !== undefined) return error;
  return answer.sentence(state.now.alone ?? painted.answer);
}

/** Whether one letter more or less makes one text of the other: somebody types. @param {string} one @param {string} other */
function one_letter(one, other) {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return long.length === short.length + 1 && long.slice(same + 1) === short.slice(same);
}

/** What the page shows of the reader's doing, to be brought back. */
function picture() {
  return { now: state.now, box: box.picture(), before_paste, answered, form: answer.form() };
}

/** A change of the whole plan is one step of the reader's history; who types goes on with it. @param {() => void} change @param {string} [typing] what is typed into, and whether it goes on */
function step(change, typing = "") {
  if (typing === "" || typing !== stepped) address.leave();
  change();
  if (typing === "" || typing !== stepped) address.push();
  stepped = typing;
}

/** @param {string} name @param {string} text */
function choose(name, text) {
  const { form: present, own } = state.now;
  const shown = name === "model" && own.model !== null ? present.model ?? WORDS.settings.own_model : present[name] ?? "";
  if (shown === text) return;
  const again = taken_again(state.now.read, present, name, text);
  if (again !== null) {
    if (!one_letter(shown, text)) stepped = "";
    return step(() => retake(again), name);
  }
  const form = name === "card" && text !== OWN_CARD ? without_card(state.now.read, present) : present;
  const others = without(form, name);
  // A name for what a config says leaves the config, even while it is empty.
  const names = name === "model" && own.model !== null && !is_listed(text.trim());
  const chosen = text === "" && !names ? others : { ...others, [name]: text };
  const { form: next, told } = measured_left(form, name, state.now.asked, chosen, own);
  const left = left_by(state.now.read, name);
  const change = () => move(name !== "model" || names ? { form: next, ...left } : { form: next, own: { model: null, index: null }, ...left });
  if (!WHOLE.includes(name)) {
    stepped = "";
    change();
  } else {
    if (!one_letter(shown, text)) stepped = "";
    step(change, name);
  }
  notices.update(told);
}

/** What was pasted, with what the reader has chosen for what it does not name. @param {NonNullable<ReturnType<typeof taken_again>>} again */
function retake({ taken, moved }) {
  let { form } = taken;
  for (const name of moved) {
    const text = state.now.form[name];
    const next = text === undefined ? without(form, name) : { ...form, [name]: text };
    form = measured_left(form, name, asked_of(form, taken.own), next, taken.own).form;
  }
  settle_taken({ ...taken, form, alone: moved.length > 0 ? null : taken.alone }, moved.length > 0);
  box.tell(taken);
}

/** @param {import("./plan/reading.js").Taken} taken @param {boolean} [others] whether other settings have moved since it was pasted */
function settle_taken(taken, others = false) {
  move({ form: taken.form, own: taken.own, alone: taken.alone, read: taken.read });
  const alone = others ? state.now.alone : settled(taken, state.now);
  if (alone !== state.now.alone) state.set({ alone });
}

/** Take a fix over: what it changes, and what was measured with it. @param {Record<string, any>} changes @param {string} name */
function use(changes, name) {
  const { form } = form_of(changed(state.now.at, changes));
  // The model stays as it was written: a path, or a variant's name.
  const { require_chats: chats, model } = state.now.form;
  const kept = { ...(chats === undefined ? {} : { require_chats: chats }), ...(model === undefined ? {} : { model }) };
  const carried = carried_by(state.now.carried, state.now.form, form);
  step(() => move({ form: { ...form, ...kept }, own: state.now.own, carried }));
  speaker.now(filled(WORDS.levers.use_said, { changes: name, sentence: sentence() }));
  // The button that was pressed is gone: on to the next one, once it is there, or stay at the verdict.
  verdict.focus({ preventScroll: true });
  focus_next = true;
  by_id("answer").scrollIntoView({ block: "nearest" });
}

/**
 * What was pasted; nothing where the box was emptied.
 * @param {any} taken @param {"serve" | "docker" | "kubernetes"} form
 */
function pasted(taken, form) {
  if (letters !== true) stepped = "";
  letters = null;
  step(() => settle_paste(taken, form), "paste");
}

/** @param {any} taken @param {"serve" | "docker" | "kubernetes"} form */
function settle_paste(taken, form) {
  answer.choose_form(form);
  if (taken === null) {
    if (before_paste !== null) move({ ...before_paste, compare: null, read: null });
    before_paste = null;
    return;
  }
  const config = taken.completes && taken.own.model !== null ? taken_again(state.now.read, state.now.form, "model", taken.own.model) : null;
  if (config !== null) return retake(config);
  const start = before_paste ?? { form: state.now.form, own: state.now.own };
  const again = before_paste !== null && !taken.completes;
  before_paste = start;
  // No plan of an earlier paste may be left where this one cannot be reckoned.
  if (!taken.completes) state.set({ ...start, alone: null, compare: null, read: null });
  answered = false;
  if (taken.completes) move({ form: taken.form, own: taken.own, compare: null, ...(taken.taken.includes("model") ? left_by(state.now.read, "model") : {}) });
  else settle_taken(taken);
  if (again) notices.update([WORDS.paste.set_back]);
}

const reset = /** @type {HTMLElement} */ (document.querySelector("[data-action=reset]"));
reset.addEventListener("click", () => {
  step(() => {
    before_paste = null;
    move({ form: opening_form(), own: { model: null, index: null }, compare: null, read: null });
  });
  speaker.now(reset.dataset.said ?? "");
});
mountCopy(/** @type {HTMLElement} */ (document.querySelector("[data-copy=link]")), address.link, speaker.now);
mountCopy(/** @type {HTMLElement} */ (document.querySelector("[data-copy=ticket]")),
  () => `${out("ticket").textContent}\n${filled(WORDS.explain.ticket_link, { link: address.link() })}\n`, speaker.now);

/** Show what the address says. */
function read() {
  const { form, own, compare, told } = read_address(location.search, location.hash);
  before_paste = null;
  state.set({ form, own, compare, alone: null, read: null });
  const errors = Object.values(state.now.errors);
  if (errors.length > 0) {
    // No answer to anything else may stand there as if it were the link's.
    state.set({ form: opening_form(), own: { model: null, index: null } });
    answered = false;
    state.set({ form, own });
  }
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
  step(() => {
    before_paste = null;
    move({ form, own, compare, read: null });
  });
  by_id("answer").scrollIntoView({ block: "start" });
}

/** Show what stood there before the reader went back or forward. @param {PopStateEvent} event */
function on_gone({ state: entry }) {
  const then = address.gone_to(entry);
  stepped = "";
  if (then === undefined) {
    box.restore({ text: "", status: "", nodes: [] });
    read();
    return;
  }
  notices.update([]);
  ({ before_paste, answered } = then);
  answer.choose_form(then.form);
  box.restore(then.box);
  state.restore(then.now);
  address.later();
  speaker.later(sentence);
}

const area = /** @type {HTMLTextAreaElement} */ (by_id("paste"));
let before_input = "";
area.addEventListener("beforeinput", () => { before_input = area.value; });
area.addEventListener("input", () => { letters = (letters ?? true) && one_letter(before_input, area.value); });

const box = mount_paste((completes) => (completes || before_paste === null ? state.now : before_paste), pasted, speaker.now);
state.subscribe(paint);
document.addEventListener("click", on_click);
document.addEventListener("keydown", speaker.hold);
addEventListener("popstate", on_gone);
addEventListener("pagehide", address.now);
read();
main.dataset.tried ??= "yes";
main.dataset.ready = "yes";
