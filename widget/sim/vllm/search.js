// @ts-check
/**
 * Boundaries: the last whole number that still does, found in few looks from a good guess.
 * @module
 */

/**
 * The largest n from least to most with does(n), where what does ends once and never begins again.
 *
 * A guess that is right costs two looks.
 * @param {(n: number) => boolean} does whether a number, of any unit, does
 * @param {number} least where to begin, a number of the same unit
 * @param {number} most where to end, a number of the same unit
 * @param {number} guess about where the end may be, a number of the same unit
 * @returns {number | null} A number of the same unit, or null when not even the least does.
 */
export function last_that_does(does, least, most, guess) {
  if (most < least) return null;
  const at = Math.max(least, Math.min(most, guess));
  let [good, bad] = does(at) ? upward(does, at, most) : downward(does, at, least);
  if (good < least) return null;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (does(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/**
 * Steps of 1, 8, 64 … until one does not; most + 1 never does.
 * @param {(n: number) => boolean} does
 * @param {number} good
 * @param {number} most
 * @returns {[number, number]}
 */
function upward(does, good, most) {
  let step = 1;
  while (good < most) {
    const at = Math.min(most, good + step);
    if (!does(at)) return [good, at];
    good = at;
    step = step * 8;
  }
  return [good, most + 1];
}

/**
 * The same downward; what is below the least counts as doing, and is told by its place.
 * @param {(n: number) => boolean} does
 * @param {number} bad
 * @param {number} least
 * @returns {[number, number]}
 */
function downward(does, bad, least) {
  let step = 1;
  while (bad > least) {
    const at = Math.max(least, bad - step);
    if (does(at)) return [at, bad];
    bad = at;
    step = step * 8;
  }
  return [least - 1, least];
}

/**
 * The smallest n from least to most with does(n), where what does begins once and never ends again.
 * @param {(n: number) => boolean} does whether a number, of any unit, does
 * @param {number} least where to begin, a number of the same unit
 * @param {number} most where to end, a number of the same unit
 * @param {number} guess about where it may begin, a number of the same unit
 * @returns {number | null} A number of the same unit, or null when not even the most does.
 */
export function first_that_does(does, least, most, guess) {
  const found = last_that_does((n) => does(0 - n), -most, -least, -guess);
  return found === null ? null : 0 - found;
}

/**
 * The first of some numbers that does: for levers where nothing is monotone.
 * @param {(n: number) => boolean} does whether a number, of any unit, does
 * @param {readonly number[]} values numbers of the same unit, the nearest first
 * @returns {number | null} A number of the same unit, or null when none does.
 */
export function nearest_that_does(does, values) {
  for (const value of values) {
    if (does(value)) return value;
  }
  return null;
}
