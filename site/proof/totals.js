// @ts-check
/** What has been compared so far: how many, how many differ, how long each program took. */

import { commas } from "../../widget/sim/words.js";
import { byId, counted, duration } from "./say.js";

/** @import { Compared } from "./compare.js" */

/** Counters, and the fields of the page in which they stand. */
export function mountTotals() {
  const zero = { compared: 0, mismatches: 0, values: 0, python: 0, javascript: 0 };
  let sums = { ...zero };
  /** @type {number | null} */
  let clicked = null;
  let first = "";

  function write() {
    const { compared, mismatches, values, python, javascript } = sums;
    byId("n-compared").textContent = commas(compared);
    byId("n-mismatches").textContent = commas(mismatches);
    byId("n-values").textContent = commas(values);
    for (const [id, ms] of /** @type {const} */ ([["t-python", python], ["t-javascript", javascript]])) {
      byId(id).textContent = compared < 2 ? duration(ms) : `${duration(ms)}, ${duration(ms / compared)} each`;
    }
    byId("t-first").textContent = first;
    byId("totals").hidden = false;
    byId("totals").classList.toggle("bad", mismatches > 0);
  }

  return {
    /** The reader asks; until there is a first answer the time runs. */
    click() {
      if (first === "") clicked ??= performance.now();
    },
    /** @param {Compared} compared */
    add({ python, javascript, values, differences }) {
      sums = {
        compared: sums.compared + 1,
        mismatches: sums.mismatches + (differences.length > 0 ? 1 : 0),
        values: sums.values + values,
        python: sums.python + python.ms,
        javascript: sums.javascript + javascript.ms,
      };
      if (clicked !== null && first === "") first = duration(performance.now() - clicked);
      write();
    },
    clear() {
      sums = { ...zero };
      if (first !== "") write();
    },
    /** After a fault the next click is the first. */
    forget() {
      clicked = null;
    },
    /** The outcome in one sentence. */
    verdict() {
      const { compared, mismatches } = sums;
      const differ = mismatches === 0 ? "no mismatch" : counted(mismatches, "mismatch", "mismatches");
      return `${counted(compared, "setting", "settings")} compared, ${differ}.`;
    },
  };
}
