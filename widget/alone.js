// @ts-check
/** The one-file page: the widget that owns its page, and its life in a frame. */

import "./element.js";
import { mountFrame } from "./frame.js";
import { textsOf } from "./view/address.js";
import { readOptions } from "./view/options.js";

const widget = /** @type {import("./element.js").PoolRoom | null} */ (document.querySelector("pool-room[address]"));
const { theme } = readOptions(textsOf(location.search)).options;
if (theme !== null) document.documentElement.dataset.theme = theme;
if (widget !== null) mountFrame(widget);
