// @ts-check
/** Which stretch of a setting would not start with everything else as it is: the dashed part of the line under its field. */

import { tried } from "../../widget/sim/vllm/trial.js";
import { setAttribute, svgEl } from "../../widget/view/el.js";
import { percent } from "./scene.js";

/** @typedef {import("./scene.js").Trial} Trial */
/** @typedef {[number, number]} Stretch the first and the last step that would not start */

/** Steps of a line to the double of a value. */
const FINE = 16;
/** So many steps are leapt over; between two that differ the border is looked for. */
const LEAP = 4;

/**
 * A line from one power of two to another.
 * @param {string} key of the resolved setting @param {number} low @param {number} high powers
 */
function doubling(key, low, high) {
  return {
    key, steps: (high - low) * FINE,
    value: (/** @type {number} */ step) => Math.floor(2 ** (low + step / FINE)),
    step: (/** @type {number} */ value) => (Math.log2(Math.max(1, value)) - low) * FINE,
  };
}

/** A line's scale: its steps, and the value at each; the share's is the slider's own. @type {Record<string, ReturnType<typeof doubling>>} */
export const SCALES = {
  gpu_memory_utilization: { key: "share", steps: 99, value: (step) => (step + 1) / 100, step: (value) => value * 100 - 1 },
  max_model_len: doubling("longest", 7, 21),
  max_num_seqs: doubling("seats", 0, 14),
  max_num_batched_tokens: doubling("batched_tokens", 5, 19),
};

/**
 * The stretches of a setting that would not start; it gives way after each leap.
 * @param {Trial} at the plan's trial @param {string} name of the setting
 * @returns {Generator<undefined, Stretch[]>}
 */
export function* stretches(at, name) {
  const { steps, value } = SCALES[name];
  const starts = (/** @type {number} */ step) => {
    const other = tried(at, { [name]: value(step) });
    return other !== null && other.verdict.outcome !== "refuses";
  };
  /** @type {Stretch[]} */
  const found = [];
  let before = starts(0);
  let from = 0;
  for (let step = 0; step < steps;) {
    const next = Math.min(steps, step + LEAP);
    const now = starts(next);
    if (now !== before) {
      let [low, high] = [step, next];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (starts(middle) === before) low = middle;
        else high = middle;
      }
      // A border belongs to what starts.
      if (now) found.push([from, high]);
      else from = low;
      before = now;
    }
    step = next;
    yield;
  }
  if (!before) found.push([from, steps]);
  return found;
}

/** Draw what was found. @param {string} name @param {readonly Stretch[]} refused */
export function draw_stretches(name, refused) {
  const { steps } = SCALES[name];
  const ends = [0, ...refused.flat(), steps];
  const lines = ends.slice(1).map((to, i) => ({ class: i % 2 === 0 ? "starts" : "refused", x1: percent(ends[i], steps), x2: percent(to, steps), y1: "50%", y2: "50%" }));
  for (const node of document.querySelectorAll(`[data-stretch="${name}"] g`)) {
    node.replaceChildren(...lines.filter(({ x1, x2 }) => x1 !== x2).map((each) => svgEl("line", each)));
  }
}

/** Mark what each is set to. @param {Trial} at */
export function mark_now({ settings }) {
  for (const [name, { key, steps, step }] of Object.entries(SCALES)) {
    const x = percent(Math.max(0, Math.min(steps, step(/** @type {any} */ (settings)[key]))), steps);
    for (const node of document.querySelectorAll(`[data-stretch="${name}"] .now`)) {
      for (const end of ["x1", "x2"]) setAttribute(node, end, x);
    }
  }
}
