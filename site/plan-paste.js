// @ts-check
/** The reader of pasted text, and what is said of such a text by itself: a script of its own, which the plan page asks for when something is to be read. */

import { FRONT, reader, reading_of, STEP } from "./plan/paste/read.js";
import { has_started, other_answer, printed_answer, started_answer } from "./plan/printed.js";
import { spoken_cards, spoken_versions } from "./plan/prose.js";
import { newest_by_wording } from "./plan/wording.js";

const READER = { reader, reading_of, FRONT, STEP };
const ANSWERS = { has_started, other_answer, printed_answer, started_answer, spoken_cards, spoken_versions, newest_by_wording };
Object.assign(globalThis, { poolroom_paste: { ...READER, ...ANSWERS } });
