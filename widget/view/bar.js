// @ts-check
/**
 * The memory bar: width is bytes, depth is use.
 *
 * Every length is a percentage, so that resizing and printing need no script. A part is a nested
 * SVG, whose edge clips its strokes: borders never change a part's width.
 */

import { BLOCK_BYTES, CARD } from "../sim/facts.js";
import { say } from "../sim/words.js";
import { el, setAttribute, setText, svgEl } from "./el.js";
import { PARTS } from "./legend.js";
import { TEXTURES, defineTextures } from "./textures.js";

/** @import { Described, Measured, PageWords } from "../sim/describe.js" */
/** @import { Words } from "../sim/facts.js" */

const WHOLE = { width: "100%", height: "100%" };
// More lanes than this would be thinner than 4 px on a phone, and read as noise.
const MOST_LANES = 55;
// About how wide the bracket's label is, in percent of the bar.
const LABEL = 24;
// Two levels closer than this, in percent of the depth, have their labels at one height.
const CLOSE = 25;

/**
 * The bar with its water level, its fullest moment and the bracket of one longest chat.
 * @param {Node} badge stands on the bar of a server that does not start
 * @param {Words} words
 */
export function mountBar(badge, words) {
  const textures = defineTextures();
  const parts = PARTS.map((part) => mountPart(part));
  const depth = mountDepth();
  parts[2].node.insertBefore(depth.node, parts[2].edge);
  const picture = svgEl("svg", { class: "picture", ...WHOLE, role: "img" }, textures.node, ...parts.map((part) => part.node));
  const levels = mountLevels(words);
  const bracket = mountBracket(words);
  const drop = el("span", { class: "drop", "aria-hidden": "true" });
  const node = el("div", { class: "bar" }, el("div", { class: "frame" }, picture, levels.node, badge), drop, bracket.node);
  return {
    node,
    /** @param {Measured} measured @param {Described} shown @param {PageWords} beside */
    update(measured, shown, beside) {
      const lefts = placeParts(parts, shown.grow);
      setAttribute(node, "data-stopped", !measured.room.starts);
      const lanes = measured.reserved && measured.room.at_longest <= MOST_LANES ? measured.room.at_longest : 0;
      if (lanes > 0) textures.setLanes(lanes);
      depth.update(measured, lanes > 0);
      levels.update(measured, lefts[2], share(shown.grow[2]), shown.fill, beside.peak);
      bracket.update(measured, lefts[2]);
      drop.style.left = `${measured.share}%`;
      setAttribute(picture, "aria-label", label(measured, shown, beside, words));
    },
  };
}

/** Bytes as a percentage of the card. @param {number} bytes */
function share(bytes) {
  return (100 * bytes) / CARD.memory_bytes;
}

/**
 * @param {ReturnType<typeof mountPart>[]} parts
 * @param {readonly number[]} grow
 */
function placeParts(parts, grow) {
  let left = 0;
  return parts.map((part, i) => {
    const start = left;
    setAttribute(part.node, "x", `${share(start)}%`);
    setAttribute(part.node, "width", `${share(grow[i])}%`);
    left += grow[i];
    return share(start);
  });
}

/** @param {typeof PARTS[number]} part */
function mountPart(part) {
  const gap = part === "unused" ? null : svgEl("line", { class: "gap", x1: "100%", x2: "100%", y1: 0, y2: "100%" });
  const edge = svgEl("g", {}, svgEl("rect", { class: "edge", ...WHOLE }), gap);
  const node = svgEl(
    "svg",
    { class: "part", "data-part": part, height: "100%" },
    svgEl("rect", { class: "area", ...WHOLE }),
    svgEl("rect", { class: "texture", fill: TEXTURES[part], ...WHOLE }),
    edge,
  );
  return { node, edge };
}

/** What the pool's chats hold: the level on average, a tick at the fullest moment, a cross when nothing runs. */
function mountDepth() {
  const used = svgEl("rect", { class: "used", width: "100%" });
  const texture = svgEl("rect", { class: "used-texture", width: "100%" });
  const water = svgEl("line", { class: "water", x1: 0, x2: "100%" });
  const tick = svgEl("line", { class: "peak", x1: "0%", x2: "100%" });
  const cross = svgEl(
    "g",
    { class: "cross" },
    svgEl("line", { x1: 0, y1: 0, x2: "100%", y2: "100%" }),
    svgEl("line", { x1: 0, y1: "100%", x2: "100%", y2: 0 }),
  );
  return {
    node: svgEl("g", {}, used, texture, water, tick, cross),
    /** @param {Measured} measured @param {boolean} lanes */
    update({ run, room }, lanes) {
      const level = run?.pool_used ?? 0;
      const fullest = run === null ? 0 : (room.blocks - run.lowest_free) / room.blocks;
      for (const rect of [used, texture]) {
        setAttribute(rect, "y", `${100 * (1 - level)}%`);
        setAttribute(rect, "height", `${100 * level}%`);
      }
      setAttribute(texture, "fill", lanes ? TEXTURES.lanes : TEXTURES.used);
      for (const end of ["y1", "y2"]) {
        setAttribute(water, end, `${100 * (1 - level)}%`);
        setAttribute(tick, end, `${100 * (1 - fullest)}%`);
      }
      setAttribute(water, "visibility", level > 0 ? "visible" : "hidden");
      setAttribute(tick, "visibility", fullest > 0 ? "visible" : "hidden");
      setAttribute(cross, "visibility", room.starts ? "hidden" : "visible");
    },
  };
}

/** The words on the pool: how much is held, and the fullest moment; shorter, or none, where the pool is thin. @param {Words} words */
function mountLevels(words) {
  const long = el("span", { class: "long" });
  const short = el("span", { class: "short" });
  const held = el("span", { class: "level" }, long, short);
  const peak = el("span", { class: "peak-label" });
  const node = el("div", { class: "levels", "aria-hidden": "true" }, held, peak);
  return {
    node,
    /**
     * @param {Measured} measured
     * @param {number} left
     * @param {number} width
     * @param {number} fill
     * @param {number} fullest
     */
    update({ run }, left, width, fill, fullest) {
      node.style.left = `${left}%`;
      node.style.width = `${width}%`;
      node.hidden = run === null;
      setText(long, say(words.view.level, { held: fill }, words));
      setText(short, say(words.view.level_short, { held: fill }, words));
      setText(peak, say(words.view.peak, { peak: fullest }, words));
      const level = fullest - fill < CLOSE ? fullest : fill;
      stand(held, level, level > 66);
      stand(peak, fullest, fullest > 66);
    },
  };
}

/**
 * Stand a label on its line, or hang it below where there is no room above.
 * @param {HTMLElement} node
 * @param {number} level
 * @param {boolean} below
 */
function stand(node, level, below) {
  setAttribute(node, "data-below", below);
  node.style.bottom = below ? "auto" : `${level}%`;
  node.style.top = below ? `${100 - level}%` : "auto";
}

/** One longest chat, to the bar's scale, from the pool's left edge. @param {Words} words */
function mountBracket(words) {
  const span = svgEl("line", { class: "span", y1: 6, y2: 6 });
  const beyond = svgEl("line", { class: "beyond", y1: 6, y2: 6 });
  const ends = [svgEl("line", { y1: 2, y2: 10 }), svgEl("line", { y1: 2, y2: 10 })];
  const long = el("span", { class: "long" });
  const short = el("span", { class: "short" });
  const text = el("span", { class: "bracket-label" }, long, short);
  const picture = svgEl("svg", { width: "100%", height: 12, "aria-hidden": "true" }, span, beyond, ...ends);
  return {
    node: el("div", { class: "bracket" }, picture, text),
    /** @param {Measured} measured @param {number} left */
    update(measured, left) {
      const { room, longest, reserved } = measured;
      const end = left + share(room.per_longest * BLOCK_BYTES);
      const pool_end = Math.min(end, left + share(room.pool));
      setLine(span, left, end);
      setLine(beyond, pool_end, end);
      setAttribute(beyond, "visibility", room.starts ? "hidden" : "visible");
      setLine(ends[0], left, left);
      setLine(ends[1], end, end);
      // Clear of the line that drops to the share's thumb.
      const crossed = measured.share > end && measured.share < end + LABEL;
      text.style.marginLeft = `calc(${crossed ? measured.share : end}% + 8px)`; // a margin, so that it wraps where little is left
      const { bracket, bracket_set_aside, bracket_stopped } = words.view;
      const template = room.starts ? (reserved ? bracket_set_aside : bracket) : bracket_stopped;
      setText(long, say(template, { longest }, words));
      setText(short, say(words.view.bracket_short, { longest }, words));
    },
  };
}

/**
 * @param {SVGLineElement} line
 * @param {number} from
 * @param {number} to
 */
function setLine(line, from, to) {
  setAttribute(line, "x1", `${from}%`);
  setAttribute(line, "x2", `${to}%`);
}

/**
 * The whole bar in words, for those who do not see it.
 * @param {Measured} measured
 * @param {Described} shown
 * @param {PageWords} beside
 * @param {Words} words
 */
function label(measured, shown, beside, words) {
  const what = say(words.view.bar, { card: CARD.name, legend: shown.legend.join(words.text.legend_joiner) }, words);
  const levels = { held: shown.fill, peak: beside.peak };
  const state = measured.run === null ? words.view.bar_stopped : say(words.view.bar_pool, levels, words);
  return [what, state].join(words.joiner);
}
