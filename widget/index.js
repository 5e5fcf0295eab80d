// @ts-check
/**
 * The twins' public names, with the shared facts bound. Importable by Node from a checkout, without a build.
 * @module
 */

export { blocks_for } from "./sim/blocks.js";
export { largest_longest, memory_parts, room, smallest_share } from "./sim/budget.js";
export { Request, backlog, chat_list, swapped } from "./sim/chats.js";
export { SimError } from "./sim/checks.js";
export {
  as_text,
  describe,
  describe_measured,
  fixes,
  measure,
  page_words,
  same_line,
  status_line,
} from "./sim/describe.js";
export { CAPS, CATALOGUES, CHATS, COST, LONGEST, OPENING, SHARES } from "./sim/facts.js";
export { QUOTES, quote } from "./sim/quote.js";
export { serve } from "./sim/server.js";
export { Clock, step_seconds } from "./sim/steptime.js";
export { stops_paying, sweep } from "./sim/sweep.js";
export { catalogue, extra_line, room_line, run_line } from "./sim/words.js";

/** @typedef {import("./sim/budget.js").Room} Room */
/** @typedef {import("./sim/describe.js").Described} Described */
/** @typedef {import("./sim/describe.js").Measured} Measured */
/** @typedef {import("./sim/facts.js").Cost} Cost */
/** @typedef {import("./sim/facts.js").Words} Words */
/** @typedef {import("./sim/server.js").Run} Run */
/** @typedef {import("./sim/server.js").Step} Step */
/** @typedef {import("./sim/sweep.js").Row} Row */
