// @ts-check
/** The port's own: which running chat ends next. A binary heap, since a list would be walked at every end. */

/** The running chats by the number of the step in which each ends; chats are ids below `most`. */
export class Ends {
  /** @param {number} most */
  constructor(most) {
    this.ids = new Int32Array(most); // the heap: a parent ends no later than its children
    this.place = new Int32Array(most); // where in the heap an id stands
    this.end = new Float64Array(most); // of each id
    this.count = 0;
  }

  /** The step in which the next chat ends; Infinity when nobody runs. */
  next() {
    return this.count > 0 ? this.end[this.ids[0]] : Infinity;
  }

  /** The chat that ends next. */
  first() {
    return this.ids[0];
  }

  /** @param {number} id @param {number} end */
  add(id, end) {
    this.end[id] = end;
    this.count += 1;
    this.rise(id, this.count - 1);
  }

  /** @param {number} id */
  remove(id) {
    this.count -= 1;
    const moved = this.ids[this.count];
    if (moved === id) return;
    const place = this.place[id];
    this.sink(moved, place);
    this.rise(moved, this.place[moved]);
  }

  /** @param {number} id @param {number} from */
  rise(id, from) {
    const { ids, place, end } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (end[ids[parent]] <= end[id]) break;
      ids[at] = ids[parent];
      place[ids[at]] = at;
      at = parent;
    }
    ids[at] = id;
    place[id] = at;
  }

  /** @param {number} id @param {number} from */
  sink(id, from) {
    const { ids, place, end, count } = this;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= count) break;
      if (child + 1 < count && end[ids[child + 1]] < end[ids[child]]) child += 1;
      if (end[id] <= end[ids[child]]) break;
      ids[at] = ids[child];
      place[ids[at]] = at;
      at = child;
    }
    ids[at] = id;
    place[id] = at;
  }
}
