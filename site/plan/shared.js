// @ts-check
/** What the page hands over to the reader of pastes, a script of its own: the build (`plan_split.py`) writes it in this place. */

export {};
