// @ts-check
/** Python, loaded when it is first needed, and anew after a fault. */

import { Python } from "./python.js";

/** @import { File } from "./files.js" */
/** @import { News } from "./python.js" */

/**
 * @param {readonly File[]} files
 * @param {(loaded: number, all: number) => void} tell called with bytes while it loads
 */
export function onDemand(files, tell) {
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  /** @type {Promise<Python> | null} */
  let ready = null;
  /** @type {Python | null} */
  let loading = null;

  async function load() {
    let loaded = 0;
    tell(loaded, all);
    loading = new Python(({ bytes = 0 }) => {
      loaded += bytes;
      tell(loaded, all);
    });
    await loading.start(files);
    const program = loading;
    loading = null;
    return program;
  }

  return {
    get() {
      ready ??= load();
      return ready;
    },
    /** Give up loading; what is loaded stays. */
    stop() {
      loading?.stop();
    },
    /** After a fault: the next one is loaded anew. */
    drop() {
      loading?.stop();
      loading = null;
      ready?.then((program) => program.stop(), () => {});
      ready = null;
    },
  };
}
