/** Compile an MDX page as Docusaurus does: once for the server's HTML, once for the browser that takes it over. */

import { compile } from "@mdx-js/mdx";
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, modules] = process.argv.slice(2);
const at = (/** @type {string} */ name) => join(folder, name);

const page = String(await compile(await readFile(at("docs/page.mdx"), "utf-8")));
await writeFile(at("page.js"), page);
await writeFile(
  at("client.js"),
  `import "./src/poolroom.js";
import { createElement } from "react";
import { hydrateRoot } from "react-dom/client";
import Page from "./page.js";
hydrateRoot(document.getElementById("root"), createElement(Page), { onRecoverableError: (error) => console.error(error) });
`,
);
const shared = { bundle: true, nodePaths: [modules], logLevel: /** @type {const} */ ("warning") };
await build({ ...shared, entryPoints: [at("client.js")], outfile: at("static/client.js"), format: "iife", define: { "process.env.NODE_ENV": '"development"' } });
await build({ ...shared, entryPoints: [at("page.js")], outfile: at("server.mjs"), format: "esm", platform: "node", external: ["react", "react/*"] });

const { default: Page } = await import(pathToFileURL(at("server.mjs")).href);
const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>MDX</title></head>
<body><div id="root">${renderToString(createElement(Page))}</div><script src="client.js"></script></body>
</html>
`;
await writeFile(at("static/index.html"), html);
