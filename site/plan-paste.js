// @ts-check
/** The reader of pasted text: a script of its own, so that the plan page is alive before it is there. */

import { reader, SLICE } from "./plan/paste/read.js";

Object.assign(globalThis, { poolroom_paste: { reader, SLICE } });
dispatchEvent(new Event("poolroom-paste"));
