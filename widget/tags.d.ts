/** What a page's types know once the elements are imported: their tags, and what their events carry. */

import type { PoolRoom } from "./element.js";
import type { PoolRoomValue } from "./value.js";
import type { Settings } from "./view/settings.js";

/** `detail` of an event that follows an answer. */
export interface Answered {
  schema: number;
  settings: Settings;
  result: PoolRoom["result"];
}

/** `detail` of `poolroom-error`. */
export interface Refused {
  schema: number;
  settings: Settings;
  problems: readonly string[];
}

declare global {
  interface HTMLElementTagNameMap {
    "pool-room": PoolRoom;
    "pool-room-value": PoolRoomValue;
  }
  interface HTMLElementEventMap {
    "poolroom-ready": CustomEvent<Answered>;
    "poolroom-change": CustomEvent<Answered>;
    "poolroom-reset": CustomEvent<Answered>;
    "poolroom-error": CustomEvent<Refused>;
  }
}
