// @ts-check
/** The whole widget in a root: builds the parts, keeps one frozen state, and paints it in the event. */

import { chat_list } from "../sim/chats.js";
import { as_text, measure } from "../sim/describe.js";
import { CARD, MODEL, WORDS } from "../sim/facts.js";
import { say } from "../sim/words.js";
import { mountActions } from "./actions.js";
import { mountCaption, present } from "./author.js";
import { mountBar } from "./bar.js";
import { mountControls } from "./controls.js";
import { el } from "./el.js";
import { mountLegend } from "./legend.js";
import { mountLines, wordsOf } from "./lines.js";
import { mountNotices } from "./notices.js";
import { listOf, mountPrint } from "./print.js";
import { mountRefusal } from "./refusal.js";
import { mountSpeaker } from "./speaker.js";

/** @import { Measured } from "../sim/describe.js" */
/** @import { Request } from "../sim/chats.js" */
/** @import { Options } from "./options.js" */
/** @import { Settings, Words } from "./settings.js" */

/** @type {readonly Request[] | null} */
let swapped = null;

/**
 * The numbers of a setting, on the list of chats that it names.
 * @param {Settings} settings
 * @returns {Measured}
 */
export function measured(settings) {
  if (settings.chats === "swapped") swapped ??= chat_list("swapped");
  const requests = settings.chats === "swapped" ? swapped : null;
  return measure(settings.share, settings.longest, settings.cap, settings.reserved, requests);
}

/**
 * @typedef {object} Host what the widget asks of the element around it
 * @property {Words} words
 * @property {(changes: Partial<Settings>) => void} choose a reader's move
 * @property {() => void} reset
 * @property {() => string} link
 * @property {string | null} about where a reader finds what is left out
 */

/**
 * Build the widget in a root; `unmount` takes everything away again.
 * @param {ShadowRoot} root
 * @param {Host} host
 */
export function mountWidget(root, host) {
  const listeners = new AbortController();
  const { signal } = listeners;
  const speaker = mountSpeaker();
  const notices = mountNotices();
  const refusal = mountRefusal(host.choose, signal);
  const parts = {
    bar: mountBar(refusal.badge),
    legend: mountLegend(signal),
    lines: mountLines(),
    controls: mountControls(host.choose, (notice) => tell([notice]), signal),
    refusal,
    print: mountPrint(),
  };
  /** @type {Measured | null} */
  let now = null;
  /** @type {Settings | null} */
  let at = null;
  /** @type {ReadonlySet<string>} */
  let locked = new Set();
  const caption = mountCaption();
  const text = () => (now === null || at === null ? "" : [as_text(now), ...listOf(at), host.link()].join("\n"));
  const actions = mountActions({ reset: host.reset, link: host.link, text, say: speaker.now }, signal);
  const about = host.about === null ? null : el("a", { class: "about", href: host.about }, WORDS.view.left_out);
  const node = layout(parts, caption, about, notices.node, actions.node, speaker.node);
  root.append(node);

  /** @param {readonly string[]} list */
  const tell = (list) => {
    notices.update(list);
    if (list.length > 0) speaker.now(list.join(WORDS.joiner));
  };
  return {
    tell,
    speaker,
    /** Apply what the author asked of the looks. @param {Options} options */
    present(options) {
      locked = options.lock;
      present(node, caption, options, host.words);
    },
    /**
     * Paint a setting; `before` is the setting that a move started from.
     * @param {Settings} settings
     * @param {Measured} answer
     * @param {Measured | null} before
     */
    paint(settings, answer, before) {
      const { shown, beside, fixes } = wordsOf(answer, before);
      const mark = now !== null; // the first answer is no change
      now = answer;
      at = settings;
      node.classList.toggle("stopped", !answer.room.starts);
      parts.bar.update(answer, shown, beside);
      parts.legend.update(shown.grow, mark);
      parts.lines.update(answer, beside, mark);
      parts.controls.update(settings, answer);
      parts.refusal.update(answer.room.starts, {
        share: locked.has("share") ? null : fixes.share,
        longest: locked.has("longest") ? null : fixes.longest,
      });
      parts.print.update(settings, host.link());
    },
    unmount() {
      listeners.abort();
      speaker.unmount();
      parts.lines.unmount();
      node.remove();
    },
  };
}

/**
 * @param {{bar: any, legend: any, lines: ReturnType<typeof mountLines>, controls: any, refusal: any, print: any}} parts
 * @param {Node} caption
 * @param {Node | null} about
 * @param {Node} notices
 * @param {Node} actions
 * @param {Node} status
 */
function layout(parts, caption, about, notices, actions, status) {
  const { room, brief, short, run, extra, first_word, same: unchanged } = parts.lines.lines;
  const context = el("p", { class: "context", "data-piece": "context" }, say(WORDS.view.context, { card: CARD.name, model: MODEL.name }));
  const hero = el("div", { class: "hero" }, parts.bar.node, el("div", { class: "first" }, room.node, brief.node));
  const more = [run.node, extra.node, short.node, parts.refusal.fixes, first_word.node, unchanged.node];
  const aside = el("div", { class: "aside" }, context, parts.lines.caveat, about, actions);
  return el(
    "section",
    { class: "widget", "aria-label": WORDS.view.label, lang: WORDS.language, dir: WORDS.direction },
    caption,
    notices,
    hero,
    parts.legend.node,
    parts.legend.helps,
    parts.controls.node,
    parts.print.node,
    el("div", { class: "lines", role: "group", "aria-label": WORDS.view.answer }, ...more),
    aside,
    status,
  );
}
