// @ts-check
/** What the reader of pastes, a script of its own, takes over from the page's: `plan_bundle.py` puts this in place of its own. */

import { assignments, filled, shell_words } from "./paste/shell.js";

Object.assign(globalThis, { poolroom_plan: { assignments, filled, shell_words } });
