// @ts-check
/** The whole widget in a root: builds the parts, keeps one frozen state, and paints it in the event. */

import { chat_list } from "../sim/chats.js";
import { as_text, measure } from "../sim/describe.js";
import { CARD, MODEL } from "../sim/facts.js";
import { say } from "../sim/words.js";
import { mountActions } from "./actions.js";
import { mountCaption, present } from "./author.js";
import { mountBar } from "./bar.js";
import { mountControls } from "./controls.js";
import { el, setAttribute } from "./el.js";
import { mountFocus } from "./focus.js";
import { mountLegend } from "./legend.js";
import { mountLines, wordsOf } from "./lines.js";
import { mountNotices } from "./notices.js";
import { listOf, mountPrint } from "./print.js";
import { mountRefusal } from "./refusal.js";
import { mountSpeaker } from "./speaker.js";

/** @import { Measured } from "../sim/describe.js" */
/** @import { Request } from "../sim/chats.js" */
/** @import { Words } from "../sim/facts.js" */
/** @import { Options } from "./options.js" */
/** @import { Settings } from "./settings.js" */

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
 * @property {(changes: Partial<Settings>) => void} choose a reader's move
 * @property {() => void} reset
 * @property {() => string} link
 * @property {Words} words the catalogue of the language in which everything is said
 */

/**
 * Build the widget in a root; `unmount` takes everything away again. Another language is another mount.
 * @param {ShadowRoot} root
 * @param {Host} host
 */
export function mountWidget(root, host) {
  const listeners = new AbortController();
  const { signal } = listeners;
  const { words } = host;
  const speaker = mountSpeaker();
  const notices = mountNotices();
  const refusal = mountRefusal(host.choose, signal, words);
  const parts = {
    bar: mountBar(refusal.badge, words),
    legend: mountLegend(signal, words),
    lines: mountLines(words),
    controls: mountControls(host.choose, (notice) => tell([notice]), signal, words),
    refusal,
    print: mountPrint(words),
  };
  /** @type {Measured | null} */
  let now = null;
  /** @type {Settings | null} */
  let at = null;
  /** @type {ReadonlySet<string>} */
  let locked = new Set();
  const caption = mountCaption();
  const text = () => (now === null || at === null ? "" : [as_text(now, words), ...listOf(at, words), host.link()].filter(Boolean).join("\n"));
  const actions = mountActions({ reset: host.reset, link: host.link, text, speak: speaker.now }, signal, words);
  const about = el("a", { class: "about", hidden: true }, words.view.left_out);
  const node = layout(parts, caption, about, notices.node, actions.node, speaker.node, words);
  root.append(node);
  mountFocus(node, signal);
  node.addEventListener("keydown", speaker.hold, { signal });

  /** @param {readonly string[]} list */
  const tell = (list) => {
    notices.update(list);
    if (list.length > 0) speaker.now(list.join(words.joiner));
  };
  return {
    tell,
    speaker,
    /** Apply what the author asked of the looks. @param {Options} options */
    present(options) {
      locked = options.lock;
      setAttribute(about, "href", options.about);
      about.hidden = options.about === null;
      present(node, caption, options, words);
    },
    /**
     * Paint a setting; `before` is the setting that a move started from.
     * @param {Settings} settings
     * @param {Measured} answer
     * @param {Measured | null} before
     */
    paint(settings, answer, before) {
      const { shown, beside, fixes } = wordsOf(answer, before, words);
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
      const address = host.link();
      parts.print.update(settings, address);
      actions.update(address);
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
 * @param {Node} about
 * @param {Node} notices
 * @param {Node} actions
 * @param {Node} status
 * @param {Words} words
 */
function layout(parts, caption, about, notices, actions, status, words) {
  const { room, brief, short, run, extra, first_word, same: unchanged } = parts.lines.lines;
  const model = say(words.view.context, { card: CARD.name, model: MODEL.name }, words);
  const context = el("p", { class: "context", "data-piece": "context" }, model);
  const hero = el("div", { class: "hero" }, parts.bar.node, el("div", { class: "first" }, room.node, brief.node));
  const more = [run.node, extra.node, short.node, parts.refusal.fixes, first_word.node, unchanged.node];
  const aside = el("div", { class: "aside" }, context, parts.lines.caveat, about, actions);
  return el(
    "section",
    { class: "widget", "aria-label": words.view.label, lang: words.language, dir: words.direction },
    caption,
    notices,
    hero,
    parts.legend.node,
    parts.legend.helps,
    parts.controls.node,
    parts.print.node,
    el("div", { class: "lines", role: "group", "aria-label": words.view.answer }, ...more),
    aside,
    status,
  );
}
