// @ts-check
/** The reader of pasted text: a script of its own, which the plan page asks for when something is to be read. */

import { FRONT, reader, reading_of, STEP } from "./plan/paste/read.js";

Object.assign(globalThis, { poolroom_paste: { reader, reading_of, FRONT, STEP } });
