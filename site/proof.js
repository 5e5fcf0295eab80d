// @ts-check
/** The proof page: what its table lists is loaded when a button is pressed, and not before. */

import { mountComparing } from "./proof/comparing.js";
import { mountTesting } from "./proof/testing.js";

/** @import { File } from "./proof/files.js" */

/** The files of the page's own table. @param {string} use "compare" or "tests" @returns {File[]} */
function listed(use) {
  const rows = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`tr[data-use="${use}"]`));
  return [...rows].map(({ dataset }) => ({
    name: dataset.name ?? "", bytes: Number(dataset.bytes), integrity: dataset.integrity ?? "",
  }));
}

/** Another series at each visit, which can be repeated by its number. */
function drawSeed() {
  const seed = /** @type {HTMLInputElement} */ (document.getElementById("seed"));
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  seed.value = String(number % (Number(seed.max) + 1));
  seed.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A page that was opened from disk may read no other file, so it cannot load Python. */
function refuse() {
  /** @type {HTMLElement} */ (document.getElementById("from-disk")).hidden = false;
  for (const button of document.querySelectorAll("button")) button.disabled = true;
}

if (location.protocol === "file:") {
  refuse();
} else {
  mountComparing(listed("compare"));
  mountTesting(listed("compare"), listed("tests"));
}
drawSeed();
document.getElementById("new-seed")?.addEventListener("click", drawSeed);
