// @ts-check
/** The one box: what is pasted, typed, dropped or opened is read in slices, and nothing of it leaves the page. */

import { filled } from "../../widget/sim/vllm/fix_words.js";
import { plan } from "../../widget/sim/vllm/plan.js";
import { commas, fixed } from "../../widget/sim/vllm/rounding.js";
import { el, setText } from "../../widget/view/el.js";
import { asked_of } from "./form.js";
import { by_id, out, put } from "./paint.js";
import { other_answer } from "./printed.js";
import { beside, corrected, flags_answer, no_answer, problem_lines, reveal_lines, take, taken_names } from "./reading.js";
import { or_nothing } from "./refused.js";
import { visible } from "./visible.js";
import { WORDS } from "./words.js";

/** @import { Form, Own } from "./form.js" */

const WORDS_OF = WORDS.paste;
const MEGABYTE = 1000000;
/** Of a longer text the box shows only its beginning; all of it is read. */
const SHOWN = 10000;
const FILE_SLICE = 262144;
/** So long the page reads before others have their turn. */
const TURN_MS = 8;
/** After so long a wait for the reader the page says that it waits. */
const PATIENCE_MS = 300;

/** So much of a text's beginning tells whether it is one; with more NULs it is none, fewer are left out. */
const LOOKED = 8192;
const NULLS = 50;
const FEW_NULLS = 8;
/** Nor is it where every so-manyth letter at least cannot be read. */
const UNREADABLE = 4;
// eslint-disable-next-line no-control-regex
const NO_LETTER = /[\x00-\x08\x0e-\x1a\ufffd]/g;

/** How many NULs a piece has. @param {string} piece */
function nulls_of(piece) {
  let count = 0;
  for (let at = piece.indexOf("\0"); at >= 0; at = piece.indexOf("\0", at + 1)) count += 1;
  return count;
}

/** Whether a text's beginning shows that it is none. @param {string} text */
function is_binary(text) {
  const head = text.slice(0, LOOKED);
  const nulls = nulls_of(head);
  return (nulls > FEW_NULLS && nulls > head.length / NULLS) || (head.match(NO_LETTER)?.length ?? 0) > head.length / UNREADABLE;
}

/** The form in which a text gives its command. @param {string} text @returns {"serve" | "docker" | "kubernetes"} */
function form_of_text(text) {
  if (/^ *"?(apiVersion|kind|containers|initContainers)"? *:/m.test(text)) return "kubernetes";
  return /(^|[\s/])(docker|podman|nerdctl)\s+run\s|^FROM .*vllm|^ *image *:/m.test(text) ? "docker" : "serve";
}

/** Let others have their turn. */
const turn_of_others = () => new Promise((resolve) => setTimeout(resolve));

/**
 * What is called between two steps of long work: others have their turn when the page has had its own.
 * @param {() => boolean} wanted whether the work still is
 * @param {() => void} [tell] how far it is
 * @returns {() => Promise<boolean>} whether to go on
 */
function pauses(wanted, tell = () => {}) {
  let turn = performance.now();
  return async () => {
    if (performance.now() - turn < TURN_MS) return wanted();
    tell();
    await turn_of_others();
    turn = performance.now();
    return wanted();
  };
}

/** All steps, one turn after the other; nothing where the work is no longer wanted. @template T @param {Generator<undefined, T>} steps @param {() => Promise<boolean>} pause @returns {Promise<T | undefined>} */
async function done_in_turns(steps, pause) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (!(await pause())) return undefined;
  }
}

/** @typedef {Pick<typeof import("./paste/read.js"), "reader" | "reading_of" | "FRONT" | "STEP">} There */

/** @type {Promise<There> | null} the reader on its way */
let coming = null;

/** The reader, which comes by a script of its own when it is first needed; a way that failed is gone anew. @returns {Promise<There>} */
function reader_there() {
  const page = /** @type {any} */ (globalThis);
  if (page.poolroom_paste !== undefined) return Promise.resolve(page.poolroom_paste);
  coming ??= new Promise((resolve, reject) => {
    // From where the page has it: some policies let no script write an address into another.
    const kept = /** @type {HTMLTemplateElement} */ (by_id("paste-script"));
    const script = /** @type {HTMLScriptElement} */ (document.importNode(kept.content, true).firstElementChild);
    script.addEventListener("load", () => (page.poolroom_paste === undefined ? reject(new Error("no reader")) : resolve(page.poolroom_paste)));
    script.addEventListener("error", () => reject(new Error("not loaded")));
    document.head.append(script);
  });
  coming.catch(() => { coming = null; });
  return coming;
}

/**
 * @param {(completes: boolean) => {form: Form, own: Own}} present what a paste starts from: what stood there before any, or, where it completes that, what stands there now
 * @param {(taken: ReturnType<typeof take> | null, form: "serve" | "docker" | "kubernetes") => void} found called with what was read, and nothing where the box was emptied
 * @param {(sentence: string) => void} say
 */
export function mount_paste(present, found, say) {
  const box = by_id("box");
  const area = /** @type {HTMLTextAreaElement} */ (by_id("paste"));
  const file = /** @type {HTMLInputElement} */ (by_id("paste-file"));
  const progress = /** @type {HTMLProgressElement} */ (by_id("paste-progress"));
  let round = 0; // of what is being read; a newer one ends the older
  /** What stands in the box and below it. @type {{text: string, status: string, nodes: readonly Node[]}} */
  let shown = { text: "", status: "", nodes: [] };

  /** @param {number} done @param {number} whole bytes or letters */
  function tell(done, whole) {
    progress.hidden = whole <= MEGABYTE;
    const percent = Math.floor((100 * done) / whole);
    progress.value = percent;
    if (whole > MEGABYTE) put("paste_status", filled(WORDS_OF.reading, { done: fixed(done / MEGABYTE, 1), whole: fixed(whole / MEGABYTE, 1), percent: String(percent) }));
  }

  /**
   * Read pieces as they come.
   * @param {() => AsyncIterable<string> | Iterable<string>} pieces @param {number} whole bytes or letters
   * @param {() => void} again does all of it once more @param {string} [failing] what is said where a piece does not come
   */
  async function read(pieces, whole, again, failing = WORDS.alone.unread) {
    round += 1;
    const mine = round;
    const wanted = () => mine === round;
    const waits = setTimeout(() => { if (wanted()) put("paste_status", WORDS_OF.coming); }, PATIENCE_MS);
    let there;
    try {
      there = await reader_there();
    } catch {
      return wanted() ? not_loaded(again) : undefined;
    } finally {
      clearTimeout(waits);
    }
    try {
      return wanted() ? await read_with(there, pieces(), whole, wanted) : undefined;
    } catch {
      // Whatever went wrong: no answer of before may stand there as if it were of this.
      return wanted() ? unread(failing) : undefined;
    }
  }

  /** @param {There} there @param {AsyncIterable<string> | Iterable<string>} pieces @param {number} whole @param {() => boolean} wanted */
  async function read_with(there, pieces, whole, wanted) {
    const { STEP, FRONT } = there;
    const all = there.reader();
    let [done, head, nulls] = [0, "", 0];
    const pause = pauses(wanted, () => tell(done, Math.max(whole, done)));
    for await (const piece of pieces) {
      if (done === 0 && is_binary(piece)) return unread(WORDS_OF.binary);
      if (head.length < FRONT) head += piece.slice(0, FRONT);
      for (let at = 0; at < piece.length; at += STEP) {
        const part = piece.slice(at, at + STEP);
        nulls += nulls_of(part);
        all.feed(part);
        done += part.length;
        if (!(await pause())) return undefined;
      }
    }
    await turn_of_others();
    const reading = wanted() ? await done_in_turns(all.ending(), pauses(wanted)) : undefined;
    if (reading === undefined) return undefined;
    const notes = [...(nulls > 0 ? [WORDS_OF.nulls] : []), ...(done > SHOWN ? [WORDS_OF.shown] : [])];
    return settle(reading, head, notes, wanted, there);
  }

  /** The reader did not come: that is said, and can be tried again. @param {() => void} again */
  function not_loaded(again) {
    unread(WORDS_OF.not_loaded);
    const button = el("button", { type: "button", class: "action" }, WORDS_OF.again);
    button.addEventListener("click", () => {
      area.focus();
      again();
    });
    show([], [el("p", {}, button)]);
  }

  /** Nothing was understood: the page's own plan, marked as such. @param {string} sentence @param {string} [status] */
  function unread(sentence, status = sentence) {
    const badge = WORDS.alone[sentence === WORDS.alone.nothing ? "badge_none" : "badge_unread"];
    not_of_a_start(no_answer(badge, sentence), status);
  }

  /** What is no matter of a plan: the page's own plan stands below it. @param {any} alone @param {string} status */
  function not_of_a_start(alone, status) {
    found({ ...present(false), notes: [], taken: [], alone, itself: () => null, differs: () => false, completes: false, read: null, reading: null }, "serve");
    end(status);
  }

  /** @param {string} sentence */
  function end(sentence) {
    progress.hidden = true;
    put("paste_status", sentence);
    show([], []);
    say(sentence);
  }

  /** @param {any} reading @param {string} head the text's beginning @param {readonly string[]} notes @param {() => boolean} wanted whether nothing else was given meanwhile @param {There} there */
  async function settle(reading, head, notes, wanted, there) {
    progress.hidden = true;
    const flags = flags_answer(reading);
    const other = reading.kind === "nothing" && flags === null ? other_answer(reading) : null;
    if (other !== null) return not_of_a_start(other, [other.sentence, ...notes].join(" "));
    if (reading.kind === "nothing" && flags === null) return unread(WORDS.alone.nothing, [WORDS_OF.nothing, ...notes, ...problem_lines(reading)].join(" "));
    const { form, own } = present(reading.kind === "config" || reading.kind === "index");
    const better = flags === null ? reading : await done_in_turns(there.reading_of(corrected(head, reading)), pauses(wanted));
    if (better === undefined) return undefined;
    await turn_of_others();
    const taken = take(better.kind === "command" ? better : reading, form, own);
    if (flags !== null && taken.alone === null) taken.alone = reading.kind === "nothing" ? flags : { ...flags, corrected: true };
    const count = reading.findings.length;
    const key = count === 1 ? "read_one" : count > 1 ? "read" : "read_whole";
    put("paste_status", [filled(WORDS_OF[key], { kind: WORDS_OF.kinds[reading.kind], lines: commas(count) }), ...notes].join(" "));
    await turn_of_others();
    if (!wanted()) return undefined;
    found(taken, form_of_text(head));
    await turn_of_others();
    if (!wanted()) return undefined;
    tell_of(taken.completes ? reading : { ...reading, asked: taken.reading.asked }, taken);
    return undefined;
  }

  /** What a reading says beside its answer. @param {any} reading @param {ReturnType<typeof take>} taken */
  function tell_of(reading, taken) {
    const names = taken_names(taken.taken);
    const reveals = taken.alone === null ? reveal_lines(reading) : [];
    show([...reveals, ...taken.notes, ...problem_lines(reading)],
      [findings_of(reading, names ? filled(WORDS_OF.set, { names }) : ""), printed_of(reading, taken)].filter((node) => node !== null));
  }

  /** @param {readonly string[]} lines @param {readonly Node[]} details */
  function show(lines, details) {
    const node = by_id("reading");
    box.classList.toggle("read", lines.length + details.length > 0);
    node.hidden = lines.length + details.length === 0;
    node.replaceChildren(...(lines.length === 0 ? [] : [el("p", {}, lines.join(" "))]), ...details);
    shown = { text: area.value, status: out("paste_status").textContent ?? "", nodes: [...node.childNodes] };
  }

  function clear() {
    round += 1;
    area.value = "";
    file.value = "";
    found(null, "serve");
    end(WORDS_OF.empty);
  }

  /** @param {string} text */
  function text_given(text) {
    if (text.trim() === "") clear();
    else read(() => [text], text.length, () => text_given(text));
  }

  /** A text of which the box shows the beginning. @param {string} text */
  function long_given(text) {
    area.value = is_binary(text) ? "" : text.slice(0, SHOWN);
    text_given(text);
  }

  /** @param {File} given */
  function file_given(given) {
    area.value = "";
    const first = (/** @type {string} */ text) => { if (area.value === "" && !is_binary(text)) area.value = text.slice(0, SHOWN); };
    read(() => slices(given, first), given.size, () => file_given(given), WORDS_OF.failed);
  }

  const needed = () => { reader_there().catch(() => {}); }; // said where something is to be read
  for (const event of ["focusin", "pointerenter", "dragenter"]) box.addEventListener(event, needed);
  area.addEventListener("input", () => (area.value.length > SHOWN ? long_given : text_given)(area.value));
  area.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length <= SHOWN) return;
    event.preventDefault();
    long_given(text);
  });
  if (area.value !== "") text_given(area.value); // given before this page was alive
  file.addEventListener("change", () => {
    if (file.files?.[0]) file_given(file.files[0]);
  });
  by_id("paste-clear").addEventListener("click", () => {
    clear();
    area.focus();
  });
  for (const event of ["dragenter", "dragover"]) {
    box.addEventListener(event, (/** @type {any} */ drag) => {
      drag.preventDefault();
      box.classList.add("over");
    });
  }
  for (const event of ["dragleave", "drop"]) box.addEventListener(event, () => box.classList.remove("over"));
  box.addEventListener("drop", (event) => {
    const [given] = event.dataTransfer?.files ?? [];
    const text = given === undefined ? event.dataTransfer?.getData("text/plain") ?? "" : "";
    if (given === undefined && text.length <= SHOWN) return;
    event.preventDefault();
    if (given === undefined) long_given(text);
    else file_given(given);
  });

  return {
    /** What stands in the box and below it, of the last text that was read. */
    picture: () => shown,
    /** What is said below it, once the reader has chosen what the text does not name. @param {ReturnType<typeof take>} taken */
    tell: (taken) => tell_of(taken.reading, taken),
    /** Bring it back; what is being read is let go. @param {typeof shown} then */
    restore(then) {
      round += 1;
      progress.hidden = true;
      area.value = then.text;
      file.value = "";
      put("paste_status", then.status);
      by_id("reading").replaceChildren(...then.nodes);
      by_id("reading").hidden = then.nodes.length === 0;
      box.classList.toggle("read", then.nodes.length > 0);
      shown = then;
    },
  };
}

/** A file's text, a piece at a time; letters that a cut goes through stay whole. @param {File} file @param {(text: string) => void} first */
async function* slices(file, first) {
  const decoder = new TextDecoder(await encoding_of(file));
  for (let at = 0; at < file.size; at += FILE_SLICE) {
    const bytes = await file.slice(at, at + FILE_SLICE).arrayBuffer();
    const text = decoder.decode(bytes, { stream: at + FILE_SLICE < file.size });
    if (at === 0) first(text);
    yield text;
  }
}

/** PowerShell writes UTF-16. @param {File} file */
async function encoding_of(file) {
  const [one, two] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (one === 0xff && two === 0xfe) return "utf-16le";
  return one === 0xfe && two === 0xff ? "utf-16be" : "utf-8";
}

/** The lines that said something. @param {any} reading @param {string} taken what of it stands in the settings now */
function findings_of({ findings }, taken) {
  if (findings.length === 0) return null;
  const items = findings.map((/** @type {any} */ { line, text }) =>
    el("li", {}, el("span", {}, filled(WORDS_OF.line, { line: commas(line) })), el("code", {}, text.split("\n").map(visible).join("\n"))));
  return el("details", {}, el("summary", {}, `${WORDS_OF.found} (${commas(findings.length)})`), el("ol", { class: "findings scroll", tabindex: 0, "aria-label": WORDS_OF.found }, ...items), el("p", {}, taken));
}

/** What was printed beside what is calculated. @param {any} reading @param {ReturnType<typeof take>} taken */
function printed_of(reading, { form, own }) {
  if (reading.asked.model === undefined || Object.keys(reading.printed).length === 0) return null;
  const bare = Object.fromEntries(Object.entries(form).filter(([name]) => !name.startsWith("measured_")));
  const found = or_nothing(() => plan(asked_of(bare, own), false));
  if (found === null) return null;
  const rows = beside(reading, found);
  if (rows.length === 0) return null;
  const heads = WORDS_OF.printed_head.map((/** @type {string} */ head) => el("th", { scope: "col" }, head));
  const body = rows.map(([name, ...cells]) => el("tr", {}, el("th", { scope: "row" }, name), ...cells.map((cell) => el("td", {}, cell))));
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...body));
  const node = el("details", { "data-out": "printed" }, el("summary", {}, WORDS_OF.printed), el("p", {}, WORDS_OF.used), el("div", { class: "scroll" }, table));
  setText(/** @type {Element} */ (node.querySelector("th")), WORDS.bar.table[0]);
  return node;
}

