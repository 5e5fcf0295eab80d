// @ts-check
/** The bench on which both programs answer: one setting that the reader picks, or many that are drawn. */

import { commas } from "../../widget/sim/words.js";
import { addMismatch, clearMismatches, showAnswers } from "./answers.js";
import { bar } from "./bar.js";
import { compare } from "./compare.js";
import { onDemand } from "./loading.js";
import { Stopped } from "./python.js";
import { announce, byId, megabytes } from "./say.js";
import { mountTotals } from "./totals.js";

/** @import { Setting } from "./compare.js" */
/** @import { File } from "./files.js" */

/** Drawn settings, and how many of them are done. @typedef {{settings: Setting[], done: number}} Series */

const SAID = "compare-said";
const LABELS = { idle: "Compare", going: "Stop", paused: "Go on" };

/** @param {readonly File[]} files */
export function mountComparing(files) {
  const one = /** @type {HTMLFormElement} */ (byId("one"));
  const many = /** @type {HTMLFormElement} */ (byId("many"));
  const progress = bar("compare-bar");
  const totals = mountTotals();
  const python = onDemand(files, (loaded, all) => {
    progress.show(`Loading Python: ${megabytes(loaded)} of ${megabytes(all)}`, loaded, all);
  });
  /** @type {keyof typeof LABELS} */
  let state = "idle";
  /** @type {Series | null} */
  let series = null;

  /** @param {keyof typeof LABELS} next */
  function become(next) {
    state = next;
    byId("many-button").textContent = LABELS[next];
  }

  /** @param {Setting} setting */
  async function compareOne(setting) {
    const program = await python.get();
    if (series === null) progress.hide();
    const compared = await compare(program, setting);
    totals.add(compared);
    showAnswers(compared);
    if (compared.differences.length > 0) addMismatch(compared);
  }

  async function draw() {
    totals.clear();
    clearMismatches();
    const { seed, count, chats } = Object.fromEntries(new FormData(many));
    const program = await python.get();
    const settings = JSON.parse(await program.ask("draw", { seed: Number(seed), count: Number(count), chats }));
    series = { settings, done: 0 };
  }

  /** Compare what is left of the series, until the reader stops it. */
  async function goOn() {
    if (series === null) return;
    const { settings } = series;
    while (state === "going" && series.done < settings.length) {
      await compareOne(settings[series.done]);
      series.done += 1;
      progress.show(`Compared ${commas(series.done)} of ${commas(settings.length)}`, series.done, settings.length);
    }
    if (series.done < settings.length) {
      become("paused");
      announce(SAID, `Stopped after ${commas(series.done)} of ${commas(settings.length)}.`);
      return;
    }
    series = null;
    become("idle");
    announce(SAID, totals.verdict());
  }

  /** On a narrow screen what is said stands below the fields. */
  function reveal() {
    byId("compare-live").scrollIntoView({ block: "nearest" });
  }

  /** Do what the reader asked for; what goes wrong is said where it is seen. @param {() => Promise<void>} work */
  async function attempt(work) {
    totals.click();
    byId("compare-problem").textContent = "";
    announce(SAID, "");
    try {
      const under_way = work();
      reveal();
      await under_way;
    } catch (error) {
      series = null;
      become("idle");
      progress.hide();
      totals.forget();
      python.drop();
      if (error instanceof Stopped) announce(SAID, "Stopped.");
      else byId("compare-problem").textContent = /** @type {Error} */ (error).message;
      reveal();
    }
  }

  one.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state === "going") become("paused");
    attempt(async () => {
      await compareOne(picked(one));
      announce(SAID, totals.verdict());
    });
  });
  many.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state === "going") {
      become(series === null ? "idle" : "paused");
      python.stop();
      return;
    }
    become("going");
    attempt(async () => {
      if (series === null) await draw();
      await goOn();
    });
  });
  many.addEventListener("input", () => {
    if (state !== "paused") return;
    series = null; // other fields make another series
    become("idle");
  });
}

/** The setting in the fields. @param {HTMLFormElement} form @returns {Setting} */
function picked(form) {
  const { share, longest, cap, reserved, chats } = Object.fromEntries(new FormData(form));
  return [Number(share), Number(longest), Number(cap), reserved === "1", String(chats)];
}
