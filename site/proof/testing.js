// @ts-check
/** The reference's own tests, run in the page by pytest. */

import { commas } from "../../widget/sim/words.js";
import { el } from "../../widget/view/el.js";
import { bar } from "./bar.js";
import { Python, Stopped } from "./python.js";
import { announce, byId, counted, megabytes } from "./say.js";

/** @import { File } from "./files.js" */

const SAID = "tests-said";
const LABELS = { idle: "Run the tests", going: "Stop" };
const SHOWN = 20; // failures

/** @param {readonly File[]} core @param {readonly File[]} more what only the tests need */
export function mountTesting(core, more) {
  const button = byId("tests-button");
  /** @type {Python | null} */
  let program = null;

  button.addEventListener("click", async () => {
    if (program !== null) {
      program.stop();
      return;
    }
    const report = mountReport([...core, ...more]);
    button.textContent = LABELS.going;
    byId("tests-problem").textContent = "";
    announce(SAID, "");
    try {
      program = new Python(report.hear);
      await program.start(core);
      const code = await program.ask("test", { files: more });
      announce(SAID, report.end(code));
    } catch (error) {
      if (error instanceof Stopped) announce(SAID, "Stopped.");
      else byId("tests-problem").textContent = /** @type {Error} */ (error).message;
    }
    program?.stop();
    program = null;
    button.textContent = LABELS.idle;
  });
}

/** What the tests come to, as far as they are. @param {readonly File[]} files */
function mountReport(files) {
  const progress = bar("tests-bar");
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const output = byId("tests-output");
  const failures = byId("tests-failures");
  const counts = /** @type {Record<string, number>} */ ({ passed: 0, failed: 0, skipped: 0 });
  let [loaded, tests] = [0, 0];
  output.textContent = "";
  failures.replaceChildren();
  byId("tests-figures").hidden = true;
  progress.show(`Loading Python and pytest: ${megabytes(0)} of ${megabytes(all)}`, 0, all);

  /** @param {Record<string, any>} event */
  function follow(event) {
    if ("tests" in event) {
      tests = event.tests;
      byId("tests-figures").hidden = false;
      byId("tests-left-out").replaceChildren(...leftOut(event.left_out));
    } else {
      counts[event.outcome] += 1;
      if (event.outcome === "failed" && failures.childElementCount < SHOWN) failures.append(failure(event.test, event.why));
    }
    for (const [outcome, count] of Object.entries(counts)) byId(`tests-${outcome}`).textContent = commas(count);
    const done = counts.passed + counts.failed + counts.skipped;
    progress.show(`Run: ${commas(done)} of ${commas(tests)}`, done, tests);
  }

  return {
    /** @param {import("./python.js").News} news */
    hear({ bytes, printed, event }) {
      if (bytes !== undefined) {
        loaded += bytes;
        progress.show(`Loading Python and pytest: ${megabytes(loaded)} of ${megabytes(all)}`, loaded, all);
      } else if (printed !== undefined) output.append(printed);
      else if (event !== undefined) follow(event);
    },
    /** The last word: pytest's own summary. @param {number} code of pytest: 0 where all is well */
    end(code) {
      byId("tests-figures").classList.toggle("bad", code !== 0);
      const summary = (output.textContent ?? "").trim().split("\n").at(-1)?.replaceAll("=", "").trim();
      return code === 0 ? `All is well: ${summary}.` : `Not all is well: ${summary}.`;
    },
  };
}

/** @param {Record<string, number>} reasons */
function leftOut(reasons) {
  const entries = Object.entries(reasons);
  return entries.map(([why, count]) => el("p", {}, `${counted(count, "test", "tests")}: ${why}.`));
}

/** @param {string} test @param {string} why */
function failure(test, why) {
  return el("li", {}, el("p", {}, el("code", {}, test)), el("pre", { tabindex: "0", "aria-label": `Why ${test} failed` }, why));
}
