"""A sheet on which the parts of a picture are drawn one below the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .describe import Measured, describe_measured, page_words
from .facts import Words
from .svg_bar import PARTS, area, bar, edge, patterns, peak, water
from .svg_text import Piece, Type, element, paragraph, pieces_of, room_of, wrapped
from .words import gb, marked, say

PAD, BAR, SWATCH, ROW = 16, 64, 14, 24
"""Margin, heights of the bar, of a swatch and of a row of the legend, in px."""
MOST_COLUMNS = 3


@dataclass(slots=True)
class Sheet:
    """What is drawn so far, and where from the top, in px, the next thing goes."""

    width: float
    colours: Mapping[str, str]
    name: str
    words: Words
    top: float = PAD
    drawn: list[str] = field(default_factory=list)

    @property
    def inner(self) -> float:
        """The width between the margins, px."""
        return self.width - 2 * PAD

    def patterns(self) -> str:
        """The definitions of the textures."""
        return patterns(self.name, self.colours)

    def text(self, sentences: Sequence[str], kind: Type, line: str) -> None:
        """One paragraph of marked sentences; nothing where there are none."""
        if sentences:
            lines = wrapped([pieces_of(sentence) for sentence in sentences], kind, self.inner)
            self.drawn.append(paragraph(lines, kind, float(PAD), self.top, data_line=line))
            self.top += len(lines) * kind.line + 8

    def bar(self, m: Measured) -> None:
        """The memory bar; across it, where the server does not start, the words for that."""
        self.drawn.append(bar(m, self.name, self.colours, float(PAD), self.top, self.inner, float(BAR)))
        if not m.room["starts"]:
            self.drawn.append(self._badge(str(self.words["view"]["badge"])))
        self.top += BAR + 12

    def _badge(self, word: str) -> str:
        kind = Type(14, 14, 28, self.colours["stop"], self.colours["stop"])
        width = room_of([(word, True)], kind) + 20
        left, top = self.width - 2 * PAD - width, self.top + BAR / 2 - 14
        frame = {"fill": self.colours["paper"], "stroke": self.colours["stop"], "stroke_width": 2}
        box = element("rect", x=left, y=top, width=width, height=28, **frame)
        middle = {"text_anchor": "middle", "data_line": "badge"}
        return box + paragraph([[(word, True)]], kind, left + width / 2, top, **middle)

    def legend(self, m: Measured, kind: Type) -> None:
        """Swatches with their words, in as many columns as have room."""
        items = _legend_items(m, self.words)
        widest = max(room_of(pieces, kind) for _, pieces in items) + SWATCH + 8
        columns = max(1, min(MOST_COLUMNS, int((self.inner + PAD) // (widest + PAD))))
        for i, (part, pieces) in enumerate(items):
            left, top = PAD + (i % columns) * self.inner / columns, self.top + i // columns * ROW
            words = paragraph([pieces], kind, left + SWATCH + 8, top, data_line=f"legend-{part}")
            self.drawn += [self._swatch(part, left, top + 3), words]
        self.top += (len(items) + columns - 1) // columns * ROW + 12

    def _swatch(self, part: str, x: float, y: float) -> str:
        side = float(SWATCH)
        if part == "peak":
            return peak(self.colours, x, y + side / 2, x + side)
        place = (self.colours, x, y, side, side)
        over = [water(self.colours, x, y + 1, x + side)] if part == "used" else edge(part, *place)
        return area(part, self.name, *place) + "".join(over)


def _legend_items(m: Measured, words: Words) -> list[tuple[str, list[Piece]]]:
    sizes: list[tuple[str, int]] = [(part, m.room[part]) for part in PARTS]  # type: ignore[literal-required]
    said = [(part, marked(words["legend"][part], {"gb": gb(size, words)}, words)) for part, size in sizes]
    items = [(part, pieces_of(sentences[0])) for part, sentences in said]
    if m.run is not None and m.run["pool_used"] is not None:
        held, fullest = describe_measured(m)["fill"], page_words(m)["peak"]
        items.append(("used", [(say(words["view"]["level"], words, held=held), False)]))
        items.append(("peak", [(say(words["view"]["peak"], words, peak=fullest), False)]))
    return items
