// @ts-check
/** One control: a native slider with its track, a number field or a list beside it, its name, and its help. */

import { CHOICES } from "../sim/facts.js";
import { commas, say } from "../sim/words.js";
import { el, setAttribute } from "./el.js";
import { mountHelp } from "./help.js";
import { choicesOf } from "./settings.js";
import { mountTrack } from "./track.js";

/** @import { Words } from "../sim/facts.js" */

/** @typedef {"share" | "longest" | "cap"} RangeKey */

let count = 0;

/**
 * A control for one setting. A slider over uneven choices runs over their places, so that every stop is one.
 * @param {RangeKey} key
 * @param {(value: number) => void} choose called with every choice the reader makes
 * @param {(notice: string) => void} tell called when a typed value is no choice
 * @param {AbortSignal} signal
 * @param {Words} words
 */
export function mountRange(key, choose, tell, signal, words) {
  const choices = /** @type {readonly number[]} */ (choicesOf(key));
  const { name, help: text } = words.controls[key];
  count += 1;
  const id = `control-${key}-${count}`;
  const base = key === "share" ? choices[0] : 0; // shares are even: their own numbers serve as places
  const slider = el("input", { type: "range", class: "slider", id, min: base, max: base + choices.length - 1, step: 1 });
  const field =
    key === "share"
      ? mountField(name, choices, choose, tell, signal, words)
      : mountList(name, choices, choose, signal, words);
  const code = el("code", { class: "vllm" }, CHOICES[key].vllm);
  const { button, help } = mountHelp(name, text, signal, words);
  const track = mountTrack(marksOf(key, choices, words));
  const heard = () => choose(choices[slider.valueAsNumber - base]);
  // iOS VoiceOver fires only `change`; both are heard.
  slider.addEventListener("input", heard, { signal });
  slider.addEventListener("change", heard, { signal });
  const names = el("div", { class: "names" }, el("label", { for: id, class: "name" }, name), button, code);
  const node = el(
    "div",
    { class: "control", "data-key": key },
    names,
    field.node,
    el("div", { class: "rail" }, track.picture, slider, track.labels),
    help,
  );
  return {
    node,
    /**
     * @param {number} value
     * @param {string} valueText
     * @param {(choice: number) => boolean} starts whether the server starts at a choice
     */
    update(value, valueText, starts) {
      const place = base + choices.indexOf(value);
      if (slider.valueAsNumber !== place) slider.value = String(place);
      setAttribute(slider, "aria-valuetext", valueText);
      field.update(value);
      const [from, to] = dashes(choices, starts);
      track.update(value, from, to);
    },
  };
}

/** Where the track is dashed, in percent: from the last choice that starts to the end that does not. @param {readonly number[]} choices @param {(choice: number) => boolean} starts */
function dashes(choices, starts) {
  const last = choices.length - 1;
  const good = choices.map((choice) => starts(choice));
  if (good.every(Boolean)) return [0, 0];
  if (!good.some(Boolean)) return [0, 100];
  const first = good.indexOf(true);
  if (first > 0) return [0, (100 * first) / last];
  return [(100 * good.lastIndexOf(true)) / last, 100];
}

/**
 * @param {RangeKey} key
 * @param {readonly number[]} choices
 * @param {Words} words
 */
function marksOf(key, choices, words) {
  const last = choices.length - 1;
  /** @param {number} value */
  const text = (value) => (key === "share" ? say(words.view.mark_share, { share: value }, words) : commas(value, words));
  return choices
    .map((value, i) => ({ at: (100 * i) / last, value, text: text(value) }))
    .filter(({ value }, i) => key !== "share" || value % 10 === 0 || i === last);
}

/**
 * A number field: a choice takes effect while it is typed, anything else is refused when the field is left.
 * @param {string} name
 * @param {readonly number[]} choices
 * @param {(value: number) => void} choose
 * @param {(notice: string) => void} tell
 * @param {AbortSignal} signal
 * @param {Words} words
 */
function mountField(name, choices, choose, tell, signal, words) {
  const [least, most] = [choices[0], choices[choices.length - 1]];
  const label = say(words.view.field_share, { name }, words);
  const input = el("input", {
    type: "number", class: "field", min: least, max: most, step: 1, inputmode: "numeric", "aria-label": label,
  });
  let used = least;
  input.addEventListener("input", () => choices.includes(input.valueAsNumber) && choose(input.valueAsNumber), { signal });
  input.addEventListener(
    "change",
    () => {
      const typed = input.valueAsNumber;
      if (choices.includes(typed)) return choose(typed);
      const value = input.validity.badInput || input.value === "" ? words.shown.nothing : input.value;
      const allowed = say(words.view.range, { least, most }, words);
      input.value = String(used);
      return tell(say(words.notices.typed, { name, value, allowed, used }, words));
    },
    { signal },
  );
  return {
    node: el("span", { class: "box", "data-unit": words.view.percent }, input, el("span", { "aria-hidden": "true" }, words.view.percent)),
    /** @param {number} value */
    update(value) {
      used = value;
      if (input.valueAsNumber !== value) input.value = String(value);
    },
  };
}

/**
 * A list of the stepped choices.
 * @param {string} name
 * @param {readonly number[]} choices
 * @param {(value: number) => void} choose
 * @param {AbortSignal} signal
 * @param {Words} words
 */
function mountList(name, choices, choose, signal, words) {
  const options = choices.map((value) => el("option", { value }, commas(value, words)));
  const list = el("select", { class: "field", "aria-label": name }, ...options);
  const heard = () => choose(Number(list.value));
  list.addEventListener("input", heard, { signal });
  list.addEventListener("change", heard, { signal });
  return {
    node: el("span", { class: "box" }, list),
    /** @param {number} value */
    update(value) {
      if (list.value !== String(value)) list.value = String(value);
    },
  };
}
