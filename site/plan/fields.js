// @ts-check
/** The settings' fields: what was typed stays as it was typed, an empty one shows the default in force. */

import { filled } from "../../widget/sim/vllm/fix_words.js";
import { commas } from "../../widget/sim/vllm/rounding.js";
import { el, setText } from "../../widget/view/el.js";
import { config_hash } from "./address.js";
import { FIELDS } from "./form.js";
import { by_id, out } from "./paint.js";
import { WORDS } from "./words.js";

/** @import { State } from "./state.js" */

const SWITCHES = { on: WORDS.settings.default_on, off: WORDS.settings.default_off };

/**
 * @param {(name: string, text: string) => void} choose called with every move of the reader
 * @param {() => void} leave_index called when the index of weights is left out
 */
export function mount_fields(choose, leave_index) {
  const nodes = /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (document.querySelectorAll("[data-setting]"));
  const fields = [...nodes].map((input) => mount_field(input, choose));
  return {
    /** @param {State} state @param {Record<string, string>} defaults */
    update(state, defaults) {
      for (const field of fields) field.update(state, defaults);
      update_own(state, leave_index);
    },
  };
}

/** @param {HTMLInputElement | HTMLSelectElement} input @param {(name: string, text: string) => void} choose */
function mount_field(input, choose) {
  const name = input.dataset.setting ?? "";
  const box = /** @type {HTMLElement} */ (input.closest(".setting"));
  const error = by_id(`${name}-error`);
  // What the browser kept from an earlier visit is not what was asked for now.
  for (const event of ["input", "change"]) input.addEventListener(event, () => choose(name, input.value));
  if (input instanceof HTMLInputElement && input.list !== null) mount_select(input);
  mount_help(box);
  return {
    /** @param {State} state @param {Record<string, string>} defaults */
    update({ form, own, errors }, defaults) {
      const text = form[name] ?? (name === "model" && own.model !== null ? WORDS.settings.own_model : "");
      if (input.value !== text) put_value(input, text);
      put_default(input, FIELDS[name].kind, name === "model" ? WORDS.settings.choose : defaults[name]);
      box.classList.toggle("given", text !== "" && FIELDS[name].group !== "measured" && !["card", "model", "version"].includes(name));
      const message = errors[name] ?? "";
      box.classList.toggle("bad", message !== "");
      input.setAttribute("aria-invalid", String(message !== ""));
      error.hidden = message === "";
      setText(error, message);
      if (message !== "" && box.closest("details")) /** @type {HTMLDetailsElement} */ (box.closest("details")).open = true;
    },
  };
}

/** A click into a field with suggestions takes all of it, as Tab does; not at each focus, which WebKit's list gives back amid typing. @param {HTMLInputElement} input */
function mount_select(input) {
  let fresh = false;
  input.addEventListener("pointerdown", () => { fresh = document.activeElement !== input; });
  input.addEventListener("click", () => fresh && input.select());
}

/** Show a value; a list gets what it does not offer, so that nothing is changed in silence. @param {HTMLInputElement | HTMLSelectElement} input @param {string} text */
function put_value(input, text) {
  if (input instanceof HTMLSelectElement && ![...input.options].some(({ value }) => value === text)) {
    input.append(el("option", { value: text }, text));
  }
  input.value = text;
}

/** @param {HTMLInputElement | HTMLSelectElement} input @param {string} kind @param {string | undefined} value */
function put_default(input, kind, value) {
  if (value === undefined) return;
  if (input instanceof HTMLInputElement) {
    if (input.placeholder !== value) input.placeholder = value;
    return;
  }
  const [empty] = input.options;
  if (empty.value !== "") return;
  setText(empty, kind === "switch" ? SWITCHES[/** @type {"on" | "off"} */ (value)] : filled(WORDS.settings.default, { value }));
}

/** What was pasted in place of a name. @param {State} state @param {() => void} leave_index */
function update_own(state, leave_index) {
  const { own, at } = state;
  const node = out("own");
  const words = WORDS.settings;
  const { model } = at.settings;
  const lines = [];
  if (own.model !== null) {
    const named = filled(words.own_note, { architecture: model.architecture, parameters: commas(model.parameters) });
    lines.push(`${named} ${config_hash(own) ? words.own_left : words.own_long}`);
  }
  if (own.index !== null) lines.push(words.index_note);
  node.hidden = lines.length === 0;
  const button = el("button", { type: "button", class: "action" }, words.index_remove);
  button.addEventListener("click", leave_index);
  node.replaceChildren(lines.join(" "), ...(own.index === null ? [] : [button]));
}

/** A button opens the help, and Escape closes it. @param {HTMLElement} box */
function mount_help(box) {
  const button = /** @type {HTMLElement} */ (box.querySelector(".ask"));
  const help = /** @type {HTMLElement} */ (box.querySelector(".help"));
  /** @param {boolean} open */
  const show = (open) => {
    help.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => show(Boolean(help.hidden)));
  button.addEventListener("keydown", (event) => event.key === "Escape" && show(false));
}
