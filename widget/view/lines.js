// @ts-check
/** The lines of words: the three of the reference, and those that keep them honest. */

import { describe_measured, fixes, page_words } from "../sim/describe.js";
import { WORDS } from "../sim/facts.js";
import {
  extra_sentences,
  first_word_sentences,
  marked,
  room_sentences,
  run_sentences,
  short_sentences,
  tenths,
  whole_number,
} from "../sim/words.js";
import { el, setText } from "./el.js";
import { mountSentences } from "./sentences.js";

/** @import { Described, Measured, PageWords } from "../sim/describe.js" */

/** The lines as nodes for the widget to place, filled together. */
export function mountLines() {
  const lines = {
    room: mountSentences("room"),
    brief: mountSentences("brief"),
    short: mountSentences("short"),
    run: mountSentences("run"),
    extra: mountSentences("extra"),
    first_word: mountSentences("first-word"),
    same: mountSentences("same"),
  };
  lines.brief.node.removeAttribute("data-line"); // no line of its own: the run line says it
  lines.brief.node.setAttribute("aria-hidden", "true");
  const caveat = el("p", { class: "caveat", "data-line": "caveat" });
  return {
    lines,
    caveat,
    /** @param {Measured} measured @param {PageWords} beside @param {boolean} mark */
    update(measured, beside, mark) {
      const { run, room, longest, cap, reserved } = measured;
      lines.room.update(room_sentences(room, longest, reserved), mark);
      lines.brief.update(brief(run), mark);
      lines.short.update(room.starts ? [] : short_sentences(room), mark);
      lines.run.update(run === null ? [] : run_sentences(run, cap, longest), mark);
      lines.extra.update(run === null ? WORDS.lines.extra_not_started : extra_sentences(run), mark);
      lines.first_word.update(run === null ? [] : first_word_sentences(run, measured.first_word_seconds), mark);
      lines.same.update(beside.same === "" ? [] : [beside.same], false);
      setText(caveat, beside.caveat);
    },
    unmount() {
      for (const line of Object.values(lines)) line.unmount();
    },
  };
}

/** The run line in one short row, for the strip that stays in view on a phone. @param {Measured["run"]} run */
function brief(run) {
  if (run === null || run.running === null || run.tokens_per_second === null || run.seconds_per_word === null) return [];
  return marked(WORDS.view.brief, {
    running: whole_number(run.running),
    rate: whole_number(run.tokens_per_second),
    wait: tenths(run.seconds_per_word * 1000),
  });
}

/** Everything the lines, bar and legend are filled from. @param {Measured} measured @param {Measured | null} before */
export function wordsOf(measured, before) {
  return { shown: describe_measured(measured), beside: page_words(measured, before), fixes: fixes(measured) };
}
