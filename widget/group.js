// @ts-check
/** Widgets of one page that move together: who is in which group. */

/** @type {Map<string, Set<any>>} */
const groups = new Map();

/**
 * Join a group, until `signal` ends it.
 * @template {Node} T
 * @param {string} name
 * @param {T} member
 * @param {AbortSignal} signal
 */
export function join(name, member, signal) {
  const members = groups.get(name) ?? new Set();
  groups.set(name, members.add(member));
  signal.addEventListener("abort", () => {
    members.delete(member);
    if (members.size === 0) groups.delete(name);
  });
}

/**
 * The other members of a group in the same document, as they are now.
 * @template {Node} T
 * @param {string | null} name
 * @param {T} member
 * @returns {T[]}
 */
export function others(name, member) {
  const members = name === null ? undefined : groups.get(name);
  return [...(members ?? [])].filter((other) => other !== member && other.ownerDocument === member.ownerDocument);
}
