// @ts-check
/** The newest release that prints a text's lines: wordings change, and some are an older engine's alone. */

import { LINES, VERSIONS } from "../../widget/sim/vllm/plan_facts.js";
import { at_least, read_version } from "../../widget/sim/vllm/versions.js";

/** @typedef {{engine: string, words: string, until: string}} Wording until: the release that no longer prints it; empty where all do */

const MOST_FINDINGS = 100;
const OF_PYTORCH = 8;
const NUMBER = /-?[0-9][0-9,]*(?:\.[0-9]+)?/g;

/** A line without its numbers. @param {string} text */
function bones(text) {
  return text.replace(NUMBER, "#").replace(/\s+/g, " ").trim();
}

/** @returns {Wording[]} */
function wordings() {
  // The end of a card's memory is told in PyTorch's words, whatever the release.
  const rows = [...Object.values(LINES.start), ...Object.values(LINES.refusals)].filter(({ number }) => number !== OF_PYTORCH);
  return rows.flatMap((row) => ["V0", "V1", "V2"].flatMap((engine) => (row[engine] ?? []).map((/** @type {[string, string | null]} */ [, template], /** @type {number} */ i) => {
    const next = row[engine][i + 1]?.[0] ?? (engine === "V0" ? VERSIONS.engines.v0_gone : "");
    const words = bones((template ?? "").replace("{device}", "cuda:0").replace(/[[\]]/g, "").replace(/\{[a-z_]+(?:\|[a-z0-9]+)?\}|…/g, "0"));
    return { engine, words, until: next };
  })));
}

/** @type {Wording[] | null} */
let all = null;

/** Whether one release comes before another; none comes last. @param {string} one @param {string} other */
function earlier(one, other) {
  return one !== "" && (other === "" || !at_least(read_version(one).order, other));
}

/**
 * The newest release that prints all of a text's lines, and its engine; nothing where the newest of all does.
 * @param {any} reading
 * @returns {{version: string, engine: string, until: string} | null}
 */
export function newest_by_wording({ findings, asked }) {
  all ??= wordings().filter(({ words, until, engine }) => words !== "" && (engine === "V0" || until === "" || !at_least(read_version(VERSIONS.engines.v1_possible).order, until)));
  /** @type {Record<string, string>} by engine until when */
  const engines = { V0: VERSIONS.engines.v0_gone, V1: "", V2: "" };
  if (asked.engine === "V0") {
    delete engines.V1;
    delete engines.V2;
  }
  if (asked.engine === "V1") delete engines.V0;
  for (const { text } of findings.slice(0, MOST_FINDINGS)) {
    const line = bones(text);
    const fits = line.includes("#") || line.length > 20 ? all.filter(({ words }) => words.includes(line)) : [];
    if (fits.length === 0) continue;
    for (const engine of Object.keys(engines)) {
      const own = fits.filter((each) => each.engine === engine).map(({ until }) => until).reduce((last, until) => (last === null || earlier(last, until) ? until : last), /** @type {string | null} */ (null));
      if (own === null) delete engines[engine];
      else if (earlier(own, engines[engine])) engines[engine] = own;
    }
  }
  // Before it was the default, V1 had to be asked for.
  for (const engine of ["V1", "V2"]) if (engines.V0 !== undefined && !earlier(VERSIONS.engines.v1_default, engines[engine] ?? "")) delete engines[engine];
  const [best] = Object.entries(engines).sort(([, one], [, other]) => (earlier(one, other) ? 1 : earlier(other, one) ? -1 : 0));
  if (best === undefined || best[1] === "") return null;
  const version = VERSIONS.releases.filter((/** @type {string} */ release) => earlier(release, best[1])).at(-1);
  return version === undefined ? null : { version, engine: best[0] === "V0" ? "V0" : "V1", until: best[1] };
}
