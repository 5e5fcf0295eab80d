// @ts-check
/** The page on serving: each tool answers its controls; the address holds what differs from the opening. */

import { mountSpeaker } from "../widget/view/speaker.js";
import { mountAddress, readQuery } from "./serve/address.js";
import { mountCopy } from "./serve/copy.js";
import { mountNotices } from "./serve/notices.js";
import { mountTool } from "./serve/tool.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const speaker = mountSpeaker();
main.append(speaker.node);

const address = mountAddress(() => Object.fromEntries([...tools].map(([name, tool]) => [name, tool.settings()])));
const host = { moved: address.later, say: speaker.later, sayNow: speaker.now, link: address.link };
const nodes = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".tool"));
const tools = new Map([...nodes].map((node) => [node.dataset.tool ?? "", mountTool(node, node.dataset.tool ?? "", host)]));
const notices = mountNotices(/** @type {HTMLElement} */ (document.getElementById("notices")));

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".copy-code"))) {
  button.hidden = false;
  mountCopy(button, () => button.closest("details")?.querySelector("pre")?.textContent ?? "", speaker.now);
}

/** Show what the address says. */
function read() {
  const { settings, told } = readQuery(location.search);
  for (const [name, tool] of tools) tool.put(settings[name], told[name] ?? []);
  notices.update(told[""] ?? []);
}

/** Whether a click asks for this page here, and not for a new window. @param {MouseEvent} event */
function isPlain(event) {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** A link with settings sets the tool in place; the others stay as they are. @param {MouseEvent} event */
function onClick(event) {
  address.now(); // before the browser notes where it leaves from
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a.try[data-tool]"));
  const tool = tools.get(link?.dataset.tool ?? "");
  if (link === null || tool === undefined || !isPlain(event)) return;
  event.preventDefault();
  tool.follow(readQuery(link.search).settings[tool.name]);
  address.push(link.hash);
}

document.addEventListener("click", onClick);
document.addEventListener("keydown", speaker.hold);
addEventListener("popstate", read);
addEventListener("pagehide", address.now);
read();
