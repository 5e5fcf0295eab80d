// @ts-check
/** The one-file page inside another one's frame: says its height in the hosts' dialects, passes events on, hears its parent alone. */

import { SimError } from "./sim/checks.js";
import { CONTRACT, WORDS } from "./sim/facts.js";
import { say } from "./sim/words.js";
import { framed } from "./view/asked.js";

/** @import { PoolRoom } from "./element.js" */

/**
 * Height messages, one for each kind of host; all are sent, because a host ignores what it does not know.
 * Sources: open-iframe-resizer `packages/core/src/child.ts`; Canvas, page “Window messages” of its developer
 * documentation (`lti.frameResize`); Embedly's `iframe.resize` as in Observable's example `iframe-resize`;
 * WordPress `src/js/_enqueues/wp/embed.js` (only with the secret that it put in the fragment).
 * @param {number} width in CSS pixels
 * @param {number} height in CSS pixels
 * @param {string | null} secret
 * @returns {unknown[]}
 */
export function heightMessages(width, height, secret) {
  const messages = [
    { type: "iframe-resized", width, height },
    { subject: "lti.frameResize", height },
    JSON.stringify({ src: location.href, context: "iframe.resize", height }),
  ];
  return secret === null ? messages : [...messages, { message: "height", value: height, secret }];
}

/** WordPress's secret, as it stands in the fragment. @param {string} fragment */
export function secretOf(fragment) {
  return /^#\?secret=([a-zA-Z0-9]+)$/.exec(fragment)?.[1] ?? null;
}

/**
 * Connect the page's widget with the window around it; nothing happens where there is none.
 * The address of the parent is not known, and nothing that is sent is secret: messages go to any origin.
 * @param {PoolRoom} widget
 */
export function mountFrame(widget) {
  if (!framed()) return;
  const { parent } = window;
  /** @param {unknown} message */
  const post = (message) => parent.postMessage(message, "*");
  const tellHeight = mountHeight(post);
  for (const type of Object.keys(CONTRACT.events)) {
    widget.addEventListener(type, (event) => post({ type, .../** @type {CustomEvent} */ (event).detail }));
  }
  window.addEventListener("message", (event) => {
    if (event.source !== parent) return;
    const asked = typeof event.data === "object" && event.data !== null ? event.data : {};
    if (asked.type === "iframe-child-init" || asked.message === "ready") tellHeight();
    if (asked.type === "poolroom-set") set(widget, asked.settings, post);
  });
}

/** @param {(message: unknown) => void} post @returns {() => void} says the height again */
function mountHeight(post) {
  const secret = secretOf(location.hash);
  const page = document.documentElement;
  let said = 0;
  const tell = () => {
    said = heightOf(page);
    for (const message of heightMessages(page.clientWidth, said, secret)) post(message);
  };
  new ResizeObserver(() => heightOf(page) !== said && tell()).observe(page);
  tell(); // at once: WordPress hides the frame until it hears a height, and nothing is observed in a hidden one
  return tell;
}

/** What the page needs, whatever the frame has. @param {Element} page */
function heightOf(page) {
  return Math.ceil(page.getBoundingClientRect().height);
}

/**
 * Settings from the parent; what cannot be used is answered, and changes nothing.
 * @param {PoolRoom} widget
 * @param {any} settings
 * @param {(message: unknown) => void} post
 */
function set(widget, settings, post) {
  try {
    widget.settings = settings;
  } catch (problem) {
    const reason = problem instanceof SimError ? problem.message : String(problem);
    const problems = [say(WORDS.notices.message, { reason })];
    post({ type: "poolroom-error", schema: CONTRACT.schema, settings: widget.settings, problems });
  }
}
