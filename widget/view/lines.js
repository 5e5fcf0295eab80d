// @ts-check
/** The lines of words: the three of the reference, and those that keep them honest. */

import { describe_measured, fixes, page_words } from "../sim/describe.js";
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
/** @import { Words } from "../sim/facts.js" */

/** The lines as nodes for the widget to place, filled together. @param {Words} words */
export function mountLines(words) {
  const lines = {
    room: mountSentences("room", words),
    brief: mountSentences("brief", words),
    short: mountSentences("short", words),
    run: mountSentences("run", words),
    extra: mountSentences("extra", words),
    first_word: mountSentences("first-word", words),
    same: mountSentences("same", words),
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
      lines.room.update(room_sentences(room, longest, reserved, words), mark);
      lines.brief.update(brief(run, words), mark);
      lines.short.update(room.starts ? [] : short_sentences(room, words), mark);
      lines.run.update(run === null ? [] : run_sentences(run, cap, longest, words), mark);
      lines.extra.update(run === null ? marked(words.lines.extra_not_started, {}, words) : extra_sentences(run, words), mark);
      const first = run === null ? [] : first_word_sentences(run, measured.first_word_seconds, words);
      lines.first_word.update(first, mark);
      lines.same.update(beside.same === "" ? [] : [beside.same], false);
      setText(caveat, beside.caveat);
    },
    unmount() {
      for (const line of Object.values(lines)) line.unmount();
    },
  };
}

/** The run line in one short row, for the strip that stays in view on a phone. @param {Measured["run"]} run @param {Words} words */
function brief(run, words) {
  if (run === null || run.running === null || run.tokens_per_second === null || run.seconds_per_word === null) return [];
  const terms = {
    running: whole_number(run.running),
    rate: whole_number(run.tokens_per_second),
    wait: tenths(run.seconds_per_word * 1000, words),
  };
  return marked(words.view.brief, terms, words);
}

/**
 * Everything the lines, bar and legend are filled from.
 * @param {Measured} measured
 * @param {Measured | null} before
 * @param {Words} words
 */
export function wordsOf(measured, before, words) {
  const [shown, beside] = [describe_measured(measured, words), page_words(measured, before, words)];
  return { shown, beside, fixes: fixes(measured) };
}
