// Run the reference's tests in Pyodide from the files that the site serves; one JSON object a line says how they go.
// usage: node tests/pyodide/suite.mjs DIST/pyodide SUITE.py

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, suite] = process.argv.slice(2).map((path) => resolve(path));
const CHECKOUT = '/home/pyodide/checkout';
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

try {
  const { loadPyodide } = await import(pathToFileURL(join(folder, 'pyodide.mjs')).href);
  const python = await loadPyodide({ indexURL: folder, packageBaseUrl: folder });
  await python.loadPackage(['poolroom', 'pytest', 'hypothesis'], { messageCallback() {} });
  python.FS.mkdirTree(CHECKOUT);
  python.unpackArchive(new Uint8Array(readFileSync(join(folder, 'reference-tests.zip'))), 'zip', { extractDir: CHECKOUT });
  const decoder = new TextDecoder();
  python.setStdout({ write: (bytes) => {
    say({ printed: decoder.decode(bytes, { stream: true }) });
    return bytes.length;
  } });
  python.runPython(readFileSync(suite, 'utf8'));
  const code = python.globals.get('run_suite')(CHECKOUT, (text) => say(JSON.parse(text)));
  say({ code, python: python.runPython('import platform; platform.python_version()') });
} catch (error) {
  say({ code: 1, printed: error.message.slice(-1500) }); // an uncaught error of Pyodide prints a megabyte of its own source
}
