// @ts-check
/** The widget in notebooks: a front-end module as anywidget defines it, around `<pool-room>`. */

import "./element.js";
import { CONTRACT } from "./sim/facts.js";
import { NAMES } from "./view/options.js";
import { KEYS, format, isKey } from "./view/settings.js";

/** @import { Key, Settings } from "./view/settings.js" */

/**
 * What the host keeps: the same names and values in the page and in Python.
 * @typedef {object} Model
 * @property {(name: string) => unknown} get
 * @property {(name: string, value: unknown) => void} set
 * @property {(event: string, heard: () => void) => void} on
 * @property {(event: string, heard: () => void) => void} [off] not every host has it
 * @property {() => void} [save_changes] a page without Python has nobody to save for
 */

/** The contract's options that a notebook may set, but for the settings. */
const OTHERS = NAMES.filter((name) => !isKey(name) && !("trait" in CONTRACT.options[name]));

/** Lumino, JupyterLab's frame, would take arrow keys for the notebook's own. */
const OWN_KEYS = "data-lm-suppress-shortcuts";

/**
 * Show one widget in a host's node; the host calls what this returns when it takes the widget away.
 * @param {{model: Model, el: HTMLElement}} host
 * @returns {() => void}
 */
function render({ model, el }) {
  const room = document.createElement("pool-room");
  room.setAttribute(OWN_KEYS, "");
  for (const name of [...KEYS, ...OTHERS]) write(room, name, model.get(name));
  const saver = mountSaver(model, room);
  const deaf = follow(model, room);
  el.append(room);
  return () => {
    deaf();
    saver.unmount();
    room.remove();
  };
}

/**
 * The page follows the model: a setting as a program sets it, so that no event comes back; the rest as attributes.
 * @param {Model} model
 * @param {import("./element.js").PoolRoom} room
 * @returns {() => void} ends it
 */
function follow(model, room) {
  /** @type {[string, () => void][]} */
  const heard = [
    ...KEYS.map((key) => pair(key, () => put(room, key, model.get(key)))),
    ...OTHERS.map((name) => pair(name, () => write(room, name, model.get(name)))),
  ];
  for (const [event, react] of heard) model.on(event, react);
  return () => heard.forEach(([event, react]) => model.off?.(event, react));
}

/** @param {string} name @param {() => void} react @returns {[string, () => void]} */
function pair(name, react) {
  return [`change:${name}`, react];
}

/** @param {import("./element.js").PoolRoom} room @param {Key} key @param {unknown} value */
function put(room, key, value) {
  if (room.settings[key] !== value) room.settings = /** @type {Settings} */ ({ [key]: value });
}

/** @param {Element} room @param {string} name @param {unknown} value */
function write(room, name, value) {
  const text = textOf(name, value);
  if (text === null) room.removeAttribute(name);
  else room.setAttribute(name, text);
}

/** How an attribute writes a value; null for an attribute that is not there. @param {string} name @param {unknown} value */
function textOf(name, value) {
  if (value === undefined || value === null) return null;
  if (isKey(name)) return format(/** @type {number | string | boolean} */ (value));
  if (typeof value === "boolean") return value ? "" : null;
  const text = String(value); // a list's items stand between commas
  return text === "" ? null : text;
}

/**
 * The model follows the reader: all that one frame brings is saved at its end, at once.
 * @param {Model} model
 * @param {import("./element.js").PoolRoom} room
 */
function mountSaver(model, room) {
  let frame = 0;
  const save = () => {
    frame = 0;
    for (const key of KEYS) if (model.get(key) !== room.settings[key]) model.set(key, room.settings[key]);
    model.save_changes?.();
  };
  const later = () => {
    frame ||= requestAnimationFrame(save);
  };
  room.addEventListener("poolroom-change", later);
  room.addEventListener("poolroom-reset", later);
  return {
    unmount() {
      if (frame === 0) return;
      cancelAnimationFrame(frame);
      save(); // a move just before the widget is taken away is not lost
    },
  };
}

export default { render };
