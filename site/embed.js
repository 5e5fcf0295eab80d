// @ts-check
/** The configurator: the fields, a live widget that follows them, and the text to paste. */

import { WORDS } from "../widget/sim/facts.js";
import { say } from "../widget/sim/words.js";
import { readOptions, urlOf } from "../widget/view/options.js";
import { KEYS, format, quoted } from "../widget/view/settings.js";
import { fieldsOf, put, putPreset, textsOf } from "./embed/form.js";
import { checked, isFlag, namesAt } from "./embed/offer.js";
import { elementSnippet, frameSnippet } from "./embed/snippet.js";

/** @import { Settings } from "../widget/view/settings.js" */
/** @import { Door, Texts } from "./embed/offer.js" */
/** @typedef {HTMLElement & {settings: Partial<Settings>}} Preview */

const MARGINS = 33; // of the one-file page, above and below its widget, px
const SIDES = 48; // left and right of it
const ROUND = 20; // heights go up to the next multiple: room for a line that breaks earlier elsewhere

/** @template {HTMLElement} T @param {string} id @returns {T} */
function byId(id) {
  return /** @type {T} */ (document.getElementById(id));
}

/** Connect the page's form, its widget and the field to copy from. */
function mount() {
  const form = /** @type {HTMLFormElement} */ (byId("configurator"));
  const preview = /** @type {Preview} */ (byId("preview"));
  const base = /** @type {HTMLInputElement} */ (byId("base"));
  if (location.protocol.startsWith("http")) base.defaultValue = new URL(".", document.baseURI).href;
  const follow = () => {
    const { used, problems } = read(form, base);
    applyTo(preview, used);
    tell(problems);
    write(form, preview, used, base);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    copy();
  });
  form.addEventListener("input", (event) => {
    const { name, value } = /** @type {HTMLSelectElement} */ (event.target);
    if (name === "preset") putPreset(form, value, KEYS);
    follow();
  });
  form.addEventListener("reset", () => setTimeout(follow));
  for (const type of ["poolroom-change", "poolroom-reset"]) {
    preview.addEventListener(type, (event) => {
      const { settings } = /** @type {CustomEvent} */ (event).detail;
      for (const key of KEYS) put(form, key, format(settings[key]));
      write(form, preview, read(form, base).used, base);
    });
  }
  new ResizeObserver(() => write(form, preview, read(form, base).used, base)).observe(preview);
  follow();
}

/** @param {HTMLFormElement} form @returns {Door} */
function doorOf(form) {
  return /** @type {Door} */ (/** @type {RadioNodeList} */ (form.elements.namedItem("door")).value);
}

/** @param {HTMLFormElement} form @param {HTMLInputElement} base */
function read(form, base) {
  const names = namesAt(doorOf(form));
  for (const name of namesAt("element")) {
    for (const field of fieldsOf(form, name)) field.disabled = !names.includes(name);
  }
  const { used, problems } = checked(textsOf(form, names));
  return { used, problems: folderOf(base) === null ? [...problems, refusedFolder(base)] : problems };
}

/** @param {HTMLInputElement} base @returns {string | null} null where it is no web address */
function folderOf({ value }) {
  const text = value.trim();
  if (text === "") return "";
  const url = urlOf(text);
  const named = !/^[a-z][a-z0-9+.-]*:/i.test(text) || /^(https?|file):\/\//i.test(text);
  if (url === null || !named || !["http:", "https:", "file:"].includes(url.protocol)) return null;
  if (/[?#]/.test(text) || /\.(js|html)$/i.test(url.pathname)) return null; // a file or a query is no folder
  return text.endsWith("/") ? text : `${text}/`;
}

/** @param {HTMLInputElement} base */
function refusedFolder({ value }) {
  return say(WORDS.notices.target, { key: "folder", value: quoted(value) });
}

/**
 * Give the widget these attributes and no others of the contract, and the settings that they start from: a reader may have moved it.
 * @param {Preview} widget
 * @param {Texts} texts
 */
function applyTo(widget, texts) {
  for (const name of namesAt("element")) {
    const text = texts.get(name);
    const value = text === "1" && isFlag(name) ? "" : text;
    if (value === undefined) widget.removeAttribute(name);
    else if (widget.getAttribute(name) !== value) widget.setAttribute(name, value);
  }
  widget.settings = readOptions(texts).options.start;
}

/** Say what cannot be used and is therefore not in the snippet. @param {readonly string[]} problems */
function tell(problems) {
  const lines = problems.map((problem) => {
    const line = document.createElement("p");
    line.textContent = problem;
    return line;
  });
  byId("problems").replaceChildren(...lines);
}

/** @param {HTMLFormElement} form @param {HTMLElement} preview @param {Texts} texts @param {HTMLInputElement} base */
function write(form, preview, texts, base) {
  const { width, height } = preview.getBoundingClientRect();
  const fitting = ROUND * Math.ceil((height + MARGINS) / ROUND);
  const door = doorOf(form);
  const folder = folderOf(base) ?? "";
  const text = door === "element" ? elementSnippet(texts, folder) : frameSnippet(texts, folder, fitting);
  const field = /** @type {HTMLTextAreaElement} */ (byId("snippet"));
  if (field.value !== text) field.value = text;
  byId("fits").textContent = door === "element" ? "" : `Fits where the frame is at least ${Math.ceil(width) + SIDES} px wide.`;
}

/** Copy the snippet; where that is refused, select it and say so. */
async function copy() {
  const field = /** @type {HTMLTextAreaElement} */ (byId("snippet"));
  const status = byId("copied");
  status.textContent = "";
  try {
    await navigator.clipboard.writeText(field.value);
    status.textContent = WORDS.status.copied_text;
  } catch {
    field.focus();
    field.select();
    status.textContent = WORDS.notices.copy_text;
  }
}

mount();
