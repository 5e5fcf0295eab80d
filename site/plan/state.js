// @ts-check
/** The page's one state: what was typed, the last plan that it gave, and what is compared; everything renders from it. */

import { plan } from "../../widget/sim/vllm/plan.js";
import { PlanError } from "../../widget/sim/vllm/refuse.js";
import { trial } from "../../widget/sim/vllm/trial.js";
import { asked_of, FIELDS, opening_form, without } from "./form.js";
import { taken_as } from "./listed.js";
import { WORDS } from "./words.js";

/** @import { Form, Own } from "./form.js" */
/** @import { Plan, Trial } from "./scene.js" */

/**
 * @typedef {object} Compare
 * @property {string} [version] another version of vLLM
 * @property {Form} [form] another plan's fields
 * @property {Own} [own] and what was pasted for it
 */
/**
 * @typedef {object} State
 * @property {Form} form what stands in the fields
 * @property {Own} own what was pasted in place of names
 * @property {Record<string, any>} asked the last settings that could be used
 * @property {Plan} plan of those, without fixes
 * @property {Trial} at of those
 * @property {Record<string, string>} errors why a field cannot be used, by its setting
 * @property {Compare | null} compare
 * @property {Form} carried figures of a log that the rules have moved, as they then stood in the fields
 * @property {any} alone the answer of a pasted text itself, or nothing
 * @property {import("./reading.js").Read | null} read what was pasted: it holds for what the reader chooses afterwards too
 */
/** @typedef {Partial<Pick<State, "form" | "own" | "compare" | "carried" | "alone" | "read">>} Changes */

const MOST_ERRORS = 6;

/** A plan, and the trial it is of: the page's own questions are none of vLLM's settings. @param {Record<string, any>} asked */
function answer(asked) {
  return { asked, plan: plan(asked, false), at: trial(without(asked, "require_chats")) };
}

/** A plan that tells by which name its model goes, where that is a guess. @param {Plan} found @param {Form} form @param {Own} own @returns {Plan} */
function told(found, form, own) {
  const model = own.model === null ? taken_as(form.model, WORDS.settings.variant) : null;
  return model === null ? found : { ...found, about: { ...found.about, model } };
}

/** Where a refusal of a setting is shown. @param {string} setting @param {Own} own @param {Record<string, any>} asked */
function field_of(setting, own, asked) {
  const name = setting.split(".")[0];
  if (setting === "card.total_gib" || (name === "card" && typeof asked.card === "object")) return "total_gib";
  if (Object.hasOwn(FIELDS, name)) return name;
  return own.index !== null && name === "index" ? "model" : "model";
}

/** The page's state. */
export function make_state() {
  const form = opening_form();
  /** @type {Own} */
  const own = { model: null, index: null };
  /** @type {State} */
  let now = { form, own, ...answer(asked_of(form, own)), errors: {}, compare: null, carried: {}, alone: null, read: null };
  /** @type {((state: State, before: State) => void)[]} */
  const listeners = [];

  /** The plan of what stands in the fields, or why there is none. @param {Form} next @param {Own} pasted @param {State["read"]} read */
  function settle(next, pasted, read) {
    const asked = asked_of(next, pasted);
    // A text that names no model leaves its field empty: another one stands in until the reader has chosen.
    if (read !== null && asked.model === undefined) asked.model = WORDS.opening.model;
    /** @type {Record<string, string>} */
    const errors = {};
    for (let tries = 0; tries < MOST_ERRORS; tries += 1) {
      try {
        const found = answer(asked);
        return Object.keys(errors).length > 0 ? { errors } : { ...found, plan: told(found.plan, next, pasted), errors };
      } catch (error) {
        if (!(error instanceof PlanError)) throw error;
        const field = field_of(error.setting, pasted, asked);
        if (Object.hasOwn(errors, field)) return { errors };
        errors[field] = error.message;
        if (!leave_out(asked, field, now.asked)) return { errors };
      }
    }
    return { errors };
  }

  return {
    /** @returns {State} */
    get now() {
      return now;
    },
    /** Change something; whoever listens paints it. @param {Changes} changes */
    set(changes) {
      const before = now;
      const next = { ...now, ...changes };
      const moved = changes.form !== undefined || changes.own !== undefined;
      now = moved ? { ...next, ...settle(next.form, next.own, next.read) } : next;
      for (const listener of listeners) listener(now, before);
    },
    /** Bring back what stood there. @param {State} then */
    restore(then) {
      const before = now;
      now = then;
      for (const listener of listeners) listener(now, before);
    },
    /** @param {(state: State, before: State) => void} listener */
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}

/** Look whether the others can be used: a bad field counts as in the last plan. @param {Record<string, any>} asked @param {string} field @param {Record<string, any>} last */
function leave_out(asked, field, last) {
  const name = field === "total_gib" && typeof asked.card === "object" ? "card" : field;
  if (asked[name] === last[name]) return false;
  if (last[name] === undefined) delete asked[name];
  else asked[name] = last[name];
  return true;
}
