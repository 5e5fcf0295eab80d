// Make a bundled script smaller once more, from standard input to standard output: esbuild neither puts a function in
// the place of its only call nor a value in that of its name.

import { readFileSync } from "node:fs";
import { minify } from "@swc/core";

const done = await minify(readFileSync(0, "utf8"), {
  toplevel: true,
  // No more passes than change something; nothing that is not safe.
  compress: { passes: 0, toplevel: true },
  mangle: { topLevel: true },
});
process.stdout.write(done.code);
