// @ts-check
/** Facts as `site/make/plan_bundle.py` packs them for the page: each entry as what is otherwise in it than in one before. */

/**
 * The table that was packed.
 * @param {{names: string, back: readonly number[], otherwise: readonly Record<string, any>[]}} packed lines of an entry's name and its other names; how far back the entry stands from which it differs, 0 for none; and what it has otherwise
 * @returns {Record<string, any>} Entries by name, in order.
 */
export function unpacked({ names, back, otherwise }) {
  /** @type {Record<string, any>[]} */
  const all = [];
  return Object.fromEntries(names.split("\n").map((line, at) => {
    const [name, ...aliases] = line.split(" ");
    all.push(changed(all[at - back[at]], otherwise[at]));
    return [name, { ...all[at], aliases }];
  }));
}

/** @param {any} table what is none counts as an empty one @param {Record<string, any>} changes what is null goes @returns {Record<string, any>} */
function changed(table, changes) {
  const next = is_table(table) ? { ...table } : {};
  for (const [key, part] of Object.entries(changes)) {
    if (part === null) delete next[key];
    else next[key] = is_table(part) ? changed(next[key], part) : part;
  }
  return next;
}

/** @param {any} part */
function is_table(part) {
  return typeof part === "object" && !Array.isArray(part);
}
