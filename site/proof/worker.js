// @ts-check
/** The worker in which Python runs: it loads what the page lists, checks it, and does what the page asks. */

import answerer from "./answer.py";
import suite from "./suite.py";
import { check } from "./files.js";

const REFERENCE = "poolroom";
const TESTERS = ["pytest", "hypothesis"];
const CHECKOUT = "/home/pyodide/checkout";

/** Pyodide, once it is there. @type {any} */
let python;
/** The folder of the files. @type {URL} */
let base;
/** Functions of answer.py. @type {Record<string, (...words: any) => string>} */
let functions;

/** What the page may ask for, by name. @type {Record<string, (words: any) => Promise<unknown>>} */
const CALLS = {
  async start({ files, folder }) {
    base = new URL(folder, self.location.href);
    await check(files, base, tell);
    const { loadPyodide } = await import(new URL("pyodide.mjs", base).href);
    python = await loadPyodide({ indexURL: base.href, packageBaseUrl: base.href });
    await load([REFERENCE]);
    python.runPython(answerer);
    functions = { answer: python.globals.get("answer"), draw: python.globals.get("draw") };
  },

  async answer({ setting }) {
    return functions.answer(...setting);
  },

  async draw({ seed, count, chats }) {
    return functions.draw(seed, count, chats);
  },

  async test({ files }) {
    await check(files, base, tell);
    await load(TESTERS);
    const packed = await (await fetch(new URL("reference-tests.zip", base))).arrayBuffer();
    python.FS.mkdirTree(CHECKOUT);
    python.unpackArchive(packed, "zip", { extractDir: CHECKOUT });
    const decoder = new TextDecoder();
    python.setStdout({ write(/** @type {Uint8Array} */ bytes) {
      postMessage({ printed: decoder.decode(bytes, { stream: true }) });
      return bytes.length;
    } });
    python.runPython(suite);
    return python.globals.get("run_suite")(CHECKOUT, (/** @type {string} */ text) => postMessage({ event: JSON.parse(text) }));
  },
};

/** @param {number} bytes */
function tell(bytes) {
  postMessage({ bytes });
}

/**
 * Load packages of the lock file by name. Pyodide only logs what it refuses, so each is imported.
 * @param {readonly string[]} names
 */
async function load(names) {
  /** @type {string[]} */
  const said = [];
  await python.loadPackage(names, { messageCallback: () => {}, errorCallback: (/** @type {string} */ text) => said.push(text) });
  for (const name of names) {
    try {
      python.pyimport(name).destroy();
    } catch {
      const { file_name: file } = python.lockfile.packages[name];
      throw new Error(`${file} was refused, so ${name} cannot be imported. ${said.join(" ")}`.trim());
    }
  }
}

self.addEventListener("message", async ({ data: { id, call, words } }) => {
  try {
    postMessage({ id, result: await CALLS[call](words) });
  } catch (error) {
    postMessage({ id, problem: sentence(error) });
  }
});

/** The last line of what went wrong: of Python's traces that is the one that says it. @param {unknown} error */
function sentence(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split("\n").at(-1) ?? text;
}
