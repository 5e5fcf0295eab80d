// @ts-check
/** Cards and versions that a text speaks of outside of vLLM's own lines: a name in a sentence, in a list of packages, in the name of a file. */

import { card } from "../../widget/sim/vllm/cards.js";
import { or_nothing } from "./refused.js";

/** @typedef {{name: string, count: number}} Spoken */

const MOST_WORDS = 6;
/** Names this short are also other things: something must say that a card is meant. */
const SHORT = 3;
/** What makes another card of it. */
const OTHER = /^[ -]?(?:Ti|SUPER|Super|Laptop|Mobile|Max-Q|D|Ada|PCIe|PCIE|SXM[0-9]?|NVL|MIG|vGPU|GRID|Blackwell)(?![A-Za-z0-9])/;
const SIZE = /^[\s(（,:|-]{0,3}([0-9]{1,4}) ?(?:GB|GiB|G|gb)(?![A-Za-z])/;
const IS_CARD = /(?:NVIDIA|Tesla|GPUs?:?|card:?|显卡(?:是|：|:)?|\bon (?:an?|one|my)|[0-9] ?[x×*]|[0-9]) ?$/i;
const IS_CARD_AFTER = /^ ?(?:GPUs?|cards?|显卡|[(（]?[0-9]{2,3} ?G)/i;
const COUNT = /(?:(?:^|[^0-9.])([0-9]{1,2})(?: ?[x×*] ?| +)|\b(two|three|four|eight|dual) +)(?:NVIDIA )?(?:GeForce )?$/i;
const COUNTS = { two: 2, dual: 2, three: 3, four: 4, eight: 8 };

/** A card at the beginning of a text. @param {string} text @param {string} before @returns {Spoken | null} */
function card_at(text, before) {
  // Where it follows a letter it is a part of another name; "2xH100" is not.
  if (/[A-Za-z0-9_./-]$/.test(before) && !/[0-9][xX]$/.test(before)) return null;
  const words = [...text.matchAll(/[A-Za-z0-9-]+/g)].slice(0, MOST_WORDS);
  for (let many = words.length; many > 0; many -= 1) {
    const last = words[many - 1];
    const end = last.index + last[0].length;
    const written = text.slice(0, end);
    if (!/^[A-Za-z0-9 -]*$/.test(written)) continue;
    const found = or_nothing(() => card(written));
    if (found === null) continue;
    const rest = text.slice(end);
    if (OTHER.test(rest)) return null;
    const told = COUNT.exec(before);
    const count = told === null ? 1 : told[1] ? Number(told[1]) : COUNTS[/** @type {keyof typeof COUNTS} */ (told[2].toLowerCase())];
    const size = SIZE.exec(rest);
    if (size !== null && Number(size[1]) < 1000 && ![1, count].some((each) => Number(size[1]) === each * found.memory_gb)) return null;
    if (written.length <= SHORT && !IS_CARD.test(before) && !IS_CARD_AFTER.test(rest)) return null;
    return { name: found.name, count: Math.max(1, count) };
  }
  return null;
}

/** The cards that a text speaks of, each once. @param {any} reading @returns {Spoken[]} */
export function spoken_cards({ prose }) {
  /** @type {Map<string, Spoken>} */
  const all = new Map();
  for (const { kind, text, before } of prose ?? []) {
    const found = kind === "card" ? card_at(text, before) : kind === "device" ? device(text) : null;
    if (found !== null && (all.get(found.name)?.count ?? 0) < found.count) all.set(found.name, found);
  }
  return [...all.values()];
}

/** A card in the name of a file of vLLM's. @param {string} text @returns {Spoken | null} */
function device(text) {
  const name = /^device_name=([A-Za-z0-9_-]{2,60})/.exec(text)?.[1].replace(/_/g, " ");
  const found = name === undefined ? null : or_nothing(() => card(name));
  return found === null ? null : { name: found.name, count: 1 };
}

const VERSION = /^vllm(?:-openai)?(?:[\s:=@|-]{1,40}|[\s:]{0,40}version[\s:=]{1,10}(?:is )?)[`"'(*]{0,2}(v?)(0\.[0-9]{1,2}(?:\.[0-9]{1,2}){0,2}(?:\.?(?:post|rc|dev)[0-9]{1,4})?)(?![0-9.]*[0-9])/i;
const NOT_ITS_OWN = /(?:since|before|until|requires?|needs?|upgrad(?:e|ing) to|at least|older than|newer than) $/i;

/** The versions of vLLM that a text speaks of, each once. @param {any} reading @returns {string[]} */
export function spoken_versions({ prose }) {
  /** @type {Set<string>} */
  const all = new Set();
  for (const { kind, text, before } of prose ?? []) {
    if (kind !== "version" || /[A-Za-z0-9_-]$/.test(before) || NOT_ITS_OWN.test(before)) continue;
    const found = VERSION.exec(text);
    if (found === null) continue;
    const rest = text.slice(found[0].length);
    // Two numbers alone may be a share.
    if (/^(?:\+(?![a-z0-9])| or (?:newer|later|above|higher)| ?%)/i.test(rest) || (found[2].split(".").length < 3 && found[1] === "" && !/version/i.test(found[0]))) continue;
    all.add(found[2]);
  }
  return [...all];
}
