// @ts-check
/**
 * The port's own: which running chat ends next. A binary heap, since a list would be walked at every end.
 * @module
 */

/**
 * The running chats by the number of the step in which each ends; chats are ids below `most`.
 * @property {Int32Array} ids the heap of ids: a parent ends no later than its children
 * @property {Int32Array} place place of each id in the heap
 * @property {Float64Array} end number of the step in which each id ends
 * @property {number} count chats in the heap
 */
export class Ends {
  /**
   * @param {number} most how many chats there can be
   */
  constructor(most) {
    this.ids = new Int32Array(most); // the heap: a parent ends no later than its children
    this.place = new Int32Array(most); // where in the heap an id stands
    this.end = new Float64Array(most); // of each id
    this.count = 0;
  }

  /**
   * The step in which the next chat ends; Infinity when nobody runs.
   * @returns {number} Number of the step.
   */
  next() {
    return this.count > 0 ? this.end[this.ids[0]] : Infinity;
  }

  /**
   * The chat that ends next; somebody must run.
   * @returns {number} Its id.
   */
  first() {
    return this.ids[0];
  }

  /**
   * A chat starts to run.
   * @param {number} id id of the chat
   * @param {number} end number of the step in which it ends
   */
  add(id, end) {
    this.end[id] = end;
    this.count += 1;
    this.rise(id, this.count - 1);
  }

  /**
   * A chat stops running.
   * @param {number} id id of the chat
   */
  remove(id) {
    this.count -= 1;
    const moved = this.ids[this.count];
    if (moved === id) return;
    const place = this.place[id];
    this.sink(moved, place);
    this.rise(moved, this.place[moved]);
  }

  /**
   * Move an id up the heap to where it belongs.
   * @param {number} id id of the chat
   * @param {number} from place to start from
   */
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

  /**
   * Move an id down the heap to where it belongs.
   * @param {number} id id of the chat
   * @param {number} from place to start from
   */
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
