// @ts-check
/** Python in a worker: start it, ask it, end it. */

/** @import { File } from "./files.js" */

/** What a worker sends beside answers. @typedef {{bytes?: number, printed?: string, event?: Record<string, any>}} News */
/** A question that waits for its answer. @typedef {{resolve: (result: any) => void, reject: (error: Error) => void}} Waiting */

const WORKER = new URL("proof-worker.js", document.baseURI).href;
const FOLDER = "pyodide/";

/** The reader ended it; nothing went wrong. */
export class Stopped extends Error {}

/** @type {{createScriptURL: (url: string) => any} | undefined} */
let policy;

/** The worker's address, in the one shape in which this page's policy lets a worker be made. */
function workerUrl() {
  policy ??= makePolicy();
  return policy ? policy.createScriptURL(WORKER) : WORKER;
}

function makePolicy() {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  try {
    return trustedTypes?.createPolicy("poolroom-proof", {
      createScriptURL(/** @type {string} */ url) {
        if (url !== WORKER) throw new TypeError(`${url} is not the worker of this page.`);
        return url;
      },
    });
  } catch {
    throw new Error("Python needs a worker, and the policy of the server that sent this page allows none.");
  }
}

/** A Python that runs. */
export class Python {
  #worker;
  #news;
  #asked = 0;
  #waiting = /** @type {Map<number, Waiting>} */ (new Map());

  /** @param {(news: News) => void} news */
  constructor(news) {
    this.#news = news;
    this.#worker = new Worker(workerUrl(), { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => this.#hear(data));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#end(new Error(`proof-worker.js cannot run: ${event.message || "it is missing, or the server’s policy refuses it"}.`));
    });
  }

  /** Load Python and the reference. @param {readonly File[]} files */
  start(files) {
    return this.ask("start", { files, folder: FOLDER });
  }

  /** @param {string} call @param {Record<string, unknown>} words @returns {Promise<any>} */
  ask(call, words) {
    this.#asked += 1;
    this.#worker.postMessage({ id: this.#asked, call, words });
    return new Promise((resolve, reject) => this.#waiting.set(this.#asked, { resolve, reject }));
  }

  /** End it, whatever it does. */
  stop() {
    this.#end(new Stopped());
  }

  /** @param {{id?: number, result?: unknown, problem?: string} & News} data */
  #hear({ id, result, problem, ...news }) {
    if (id === undefined) {
      this.#news(news);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (problem === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(problem));
  }

  /** @param {Error} why */
  #end(why) {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
  }
}
