"""The memory bar as SVG: width is bytes, depth is use; the same patterns as the widget's."""

from collections.abc import Mapping

from .describe import Measured
from .facts import CARD
from .svg_text import element, number

PARTS = ("weights", "reserve", "pool", "unused")
SEAM = 1.5
MOST_LANES = 55  # as in the widget: more would read as noise
Colours = Mapping[str, str]


def patterns(name: str, colours: Colours) -> str:
    """The definitions of the textures; `name` keeps them apart from another picture's on the same page."""
    hatch = element(
        "pattern",
        element("path", d="M1.5 0V6", stroke=colours["reserve"], stroke_width=2.5),
        id=f"{name}-hatch", width=6, height=6, patternUnits="userSpaceOnUse", patternTransform="rotate(45)",
    )  # fmt: skip
    grids = [_grid(f"{name}-grid", colours["pool-grid"]), _grid(f"{name}-used", colours["pool-used-grid"])]
    return element("defs", hatch, *grids)


def _grid(name: str, colour: str) -> str:
    path = element("path", d="M7.5 0V8M0 7.5H8", fill="none", stroke=colour)
    return element("pattern", path, id=name, width=8, height=8, patternUnits="userSpaceOnUse")


def bar(m: Measured, name: str, colours: Colours, x: float, y: float, width: float, height: float) -> str:
    """The four parts from `x` on: each as wide as its bytes ÷ the card's."""
    drawn, left = [], x
    for part in PARTS:
        size = width * float(m.room[part]) / float(CARD.memory_bytes)  # type: ignore[literal-required]
        inside = [area(part, name, colours, left, y, size, height)]
        if part == "pool":
            inside += _depth(m, name, colours, left, y, size, height)
        last = part == "unused"
        stopped = part == "pool" and not m.room["starts"]
        inside += edge("stop" if stopped else part, colours, left, y, size - (0 if last else SEAM), height)
        seam = element("rect", x=left + size - SEAM, y=y, width=SEAM, height=height, fill=colours["paper"])
        inside += [] if last or size < SEAM else [seam]
        drawn.append(element("g", *inside, data_part=part))
        left += size
    return "".join(drawn)


def area(part: str, name: str, colours: Colours, x: float, y: float, width: float, height: float) -> str:
    """A part's ground and texture."""
    place = {"x": x, "y": y, "width": width, "height": height}
    ground = {"weights": "weights", "reserve": "reserve-room", "pool": "pool-room", "used": "pool-used"}
    drawn = element("rect", **place, fill=colours[ground.get(part, "paper")], data_area=part)
    texture = {"reserve": "hatch", "pool": "grid", "used": "used"}.get(part)
    return drawn + (element("rect", **place, fill=f"url(#{name}-{texture})") if texture else "")


def edge(part: str, colours: Colours, x: float, y: float, width: float, height: float) -> list[str]:
    """A part's border, inside its own area so that it takes nothing from the neighbours; none where it is too thin."""
    stroke = {"reserve": "reserve", "pool": "pool", "unused": "edge", "stop": "stop"}.get(part)
    if stroke is None or width <= 2 * SEAM:
        return []
    inset = {"x": x + SEAM / 2, "y": y + SEAM / 2, "width": width - SEAM, "height": height - SEAM}
    dashes = "4 4" if part == "unused" else None
    return [element("rect", **inset, fill="none", stroke=colours[stroke], stroke_width=SEAM, stroke_dasharray=dashes)]


def _depth(m: Measured, name: str, colours: Colours, x: float, y: float, width: float, height: float) -> list[str]:
    """What the pool's chats hold: filled to the level on average, a line at the fullest moment, or a cross."""
    right, bottom = x + width, y + height
    if not m.room["starts"]:
        stroke = {"stroke": colours["stop"], "stroke_width": 2, "data_cross": ""}
        return [element("line", x1=x, x2=right, y1=a, y2=b, **stroke) for a, b in ((y, bottom), (bottom, y))]
    if m.run is None or m.run["pool_used"] is None:
        return []
    blocks = float(m.room["blocks"])
    level = bottom - height * m.run["pool_used"]
    fullest = bottom - height * (blocks - float(m.run["lowest_free"])) / blocks
    drawn = [area("used", name, colours, x, level, width, bottom - level)]
    if m.reserved and 1 < m.room["at_longest"] <= MOST_LANES:
        drawn.append(_lanes(m, colours, x, level, width, bottom))
    return [*drawn, water(colours, x, level, right), peak(colours, x, fullest, right)]


def _lanes(m: Measured, colours: Colours, x: float, top: float, width: float, bottom: float) -> str:
    each = width * float(m.room["per_longest"]) / float(m.room["blocks"])
    lines = [f"M{number(x + i * each)} {number(top)}V{number(bottom)}" for i in range(1, m.room["at_longest"] + 1)]
    return element("path", d="".join(lines), stroke=colours["pool-room"], stroke_width=1.5, data_lanes="")


def water(colours: Colours, x: float, y: float, right: float) -> str:
    """The level on average."""
    return element("line", x1=x, x2=right, y1=y, y2=y, stroke=colours["pool"], stroke_width=2)


def peak(colours: Colours, x: float, y: float, right: float) -> str:
    """The fullest moment."""
    stroke = {"stroke": colours["ink"], "stroke_width": 1.5, "stroke_dasharray": "2 4"}
    return element("line", x1=x, x2=right, y1=y, y2=y, **stroke, data_peak="")
