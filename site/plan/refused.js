// @ts-check
/** What is asked of the engine and may be refused. */

import { PlanError } from "../../widget/sim/vllm/refuse.js";

/** A function's answer, or nothing where it refuses. @template T @param {() => T} ask @returns {T | null} */
export function or_nothing(ask) {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return null;
  }
}
