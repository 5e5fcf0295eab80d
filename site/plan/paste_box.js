// @ts-check
/** The one box: what is pasted, typed, dropped or opened is read in slices, and nothing of it leaves the page. */

import { filled } from "../../widget/sim/vllm/fix_words.js";
import { plan } from "../../widget/sim/vllm/plan.js";
import { commas, fixed } from "../../widget/sim/vllm/rounding.js";
import { el, setText } from "../../widget/view/el.js";
import { asked_of } from "./form.js";
import { by_id, out, put } from "./paint.js";
import { beside, corrected, flags_answer, no_answer, or_nothing, problem_lines, reveal_lines, take, taken_names } from "./reading.js";
import { visible } from "./visible.js";
import { WORDS } from "./words.js";

/** @import { Form, Own } from "./form.js" */

const WORDS_OF = WORDS.paste;
const MEGABYTE = 1000000;
/** Of a longer text the box shows only its beginning; all of it is read. */
const SHOWN = 20000;
const FILE_SLICE = 262144;
const TURN_MS = 8;

/** A text with more of these is none; fewer are left out. */
const NULLS = 50;
const FEW_NULLS = 8;
const MANY_NULLS = 100000;
/** So much is read between two looks at the clock. */
const STEP = 8192;

/** A text once more, with its flags corrected; as it was read where that cannot be. @param {any} reader @param {string} text @param {any} reading */
function read_again(reader, text, reading) {
  const again = reader();
  again.feed(text);
  const better = again.end();
  return better.kind === "command" ? better : reading;
}

/** The form in which a text gives its command. @param {string} text @returns {"serve" | "docker" | "kubernetes"} */
function form_of_text(text) {
  if (/^ *"?(apiVersion|kind|containers|initContainers)"? *:/m.test(text)) return "kubernetes";
  return /(^|[\s/])(docker|podman|nerdctl)\s+run\s|^FROM .*vllm|^ *image *:/m.test(text) ? "docker" : "serve";
}

/** Let others have their turn. */
const turn_of_others = () => new Promise((resolve) => setTimeout(resolve));

/** The reader, which comes by a script of its own. @returns {Promise<{reader: typeof import("./paste/read.js").reader, SLICE: number}>} */
async function reader_there() {
  const page = /** @type {any} */ (globalThis);
  if (page.poolroom_paste === undefined) await new Promise((resolve) => addEventListener("poolroom-paste", resolve, { once: true }));
  return page.poolroom_paste;
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

  /** Read pieces as they come. @param {AsyncIterable<string> | Iterable<string>} pieces @param {number} whole */
  async function read(pieces, whole) {
    round += 1;
    const mine = round;
    const { reader, SLICE } = await reader_there();
    const all = reader();
    let [done, head, nulls] = [0, "", 0];
    let turn = performance.now();
    for await (const piece of pieces) {
      nulls += piece.split("\0", MANY_NULLS).length - 1;
      if (done === 0 && nulls > FEW_NULLS && nulls > piece.length / NULLS) return unread(WORDS_OF.binary);
      if (head.length < SLICE) head += piece.slice(0, SLICE);
      for (let at = 0; at < piece.length; at += STEP) {
        all.feed(piece.slice(at, at + STEP));
        done += Math.min(STEP, piece.length - at);
        if (performance.now() - turn < TURN_MS) continue;
        tell(done, Math.max(whole, done));
        await turn_of_others();
        if (mine !== round) return undefined;
        turn = performance.now();
      }
    }
    await turn_of_others();
    if (mine !== round) return undefined;
    try {
      return await settle(all.end(), head, nulls > 0 ? [WORDS_OF.nulls] : [], () => mine === round);
    } catch {
      // Whatever went wrong: no answer of before may stand there as if it were of this.
      return mine === round ? unread(WORDS.alone.unread) : undefined;
    }
  }

  /** Nothing was understood: the page's own plan, marked as such. @param {string} sentence @param {string} [status] */
  function unread(sentence, status = sentence) {
    const badge = WORDS.alone[sentence === WORDS.alone.nothing ? "badge_none" : "badge_unread"];
    found({ ...present(false), notes: [], taken: [], alone: no_answer(badge, sentence), itself: () => null, differs: () => false, completes: false }, "serve");
    end(status);
  }

  /** @param {string} sentence */
  function end(sentence) {
    progress.hidden = true;
    put("paste_status", sentence);
    show([], []);
    say(sentence);
  }

  /** @param {any} reading @param {string} head the text's beginning @param {readonly string[]} notes @param {() => boolean} wanted whether nothing else was given meanwhile */
  async function settle(reading, head, notes, wanted) {
    progress.hidden = true;
    const flags = flags_answer(reading);
    if (reading.kind === "nothing" && flags === null) return unread(WORDS.alone.nothing, [WORDS_OF.nothing, ...notes, ...problem_lines(reading)].join(" "));
    const { form, own } = present(reading.kind === "config" || reading.kind === "index");
    const { reader } = await reader_there();
    const taken = take(flags === null ? reading : read_again(reader, corrected(head, reading), reading), form, own);
    if (flags !== null && taken.alone === null) taken.alone = reading.kind === "nothing" ? flags : { ...flags, corrected: true };
    const count = reading.findings.length;
    const key = count === 1 ? "read_one" : count > 1 ? "read" : "read_whole";
    put("paste_status", [filled(WORDS_OF[key], { kind: WORDS_OF.kinds[reading.kind], lines: commas(count) }), ...notes].join(" "));
    await turn_of_others();
    if (!wanted()) return undefined;
    found(taken, form_of_text(head));
    await turn_of_others();
    if (!wanted()) return undefined;
    const names = taken_names(taken.taken);
    const reveals = taken.alone === null ? reveal_lines(reading) : [];
    show([...reveals, ...taken.notes, ...problem_lines(reading)],
      [findings_of(reading, names ? filled(WORDS_OF.set, { names }) : ""), printed_of(reading, taken)].filter((node) => node !== null));
    return undefined;
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
    if (text.trim() === "") {
      clear();
      return;
    }
    read([text], text.length);
  }

  /** @param {File} given */
  async function file_given(given) {
    area.value = "";
    try {
      await read(slices(given, (text) => { if (area.value === "") area.value = text.slice(0, SHOWN); }), given.size);
    } catch {
      unread(WORDS_OF.failed);
    }
  }

  area.addEventListener("input", () => text_given(area.value));
  area.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length <= SHOWN) return;
    event.preventDefault();
    area.value = text.slice(0, SHOWN);
    text_given(text);
  });
  file.addEventListener("change", () => file.files?.[0] && file_given(file.files[0]));
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
    if (given === undefined) return;
    event.preventDefault();
    file_given(given);
  });

  return {
    /** What stands in the box and below it, of the last text that was read. */
    picture: () => shown,
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

/** A file's text, a megabyte at a time; letters that a cut goes through stay whole. @param {File} file @param {(text: string) => void} first */
async function* slices(file, first) {
  const decoder = new TextDecoder(await encoding_of(file));
  for (let at = 0; at < file.size; at += FILE_SLICE) {
    const bytes = await file.slice(at, at + FILE_SLICE).arrayBuffer();
    const text = decoder.decode(bytes, { stream: at + FILE_SLICE < file.size });
    first(text);
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

