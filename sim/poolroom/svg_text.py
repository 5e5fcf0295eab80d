"""Text in an SVG: wrapped without a font, by the room that each character takes in a wide one."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

Piece = tuple[str, bool]
"""Text, and whether it is bold."""
Word = list[Piece]
"""Pieces with no space between them that may end a line."""
SPACE: Piece = (" ", False)

WIDTHS = {
    0.30: "'IJijl",
    0.36: " ,-./:;\\f|’·",
    0.42: "!()[]rt",
    0.53: "\"*?_`sz“”–",
    0.60: "FLPcvxyk",
    0.65: "$0123456789ESTYabdeghnopqu{}é",
    0.71: "ABCKRVXZ",
    0.80: "&DGHNOQU",
    0.88: "#+<=>M^w~×÷",
}
"""Room of a character in ems: that of DejaVu Sans, one of the widest fonts that readers have, rounded up."""
ROOM = {letter: width for width, letters in WIDTHS.items() for letter in letters}
WIDEST = 1.0
BOLD = 1.16
"""How much more room bold text takes."""
NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Type:
    """How a paragraph is set: sizes of plain and bold text and the height of a line in px, and the two colours."""

    size: int
    bold_size: int
    line: int
    fill: str
    bold_fill: str


def element(name: str, *inside: str, **attributes: object) -> str:
    """One element as text; an underscore in a name stands for a hyphen, and None leaves an attribute out."""
    given = "".join(
        f" {key.replace('_', '-')}={quoteattr(number(value) if isinstance(value, float) else str(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{''.join(inside)}</{name}>" if inside else f"<{name}{given}/>"


def number(x: float) -> str:
    """A length with at most seven decimals: fine enough for a byte of the card."""
    return f"{x:.7f}".rstrip("0").rstrip(".") or "0"


def characters(text: str) -> str:
    """Text as XML: what XML cannot hold becomes the sign for an unreadable character."""
    return escape(NOT_IN_XML.sub("\ufffd", text))


def room_of(pieces: Sequence[Piece], kind: Type) -> float:
    """The most room in px that text takes on one line."""
    room = 0.0
    for text, bold in pieces:
        ems = sum(ROOM.get(letter, WIDEST) for letter in text if not unicodedata.combining(letter))
        room += ems * (kind.bold_size * BOLD if bold else kind.size)
    return room


def pieces_of(sentence: str) -> list[Piece]:
    """A marked sentence as plain and bold pieces; outcomes stand between asterisks."""
    return [(text, i % 2 == 1) for i, text in enumerate(sentence.split("*")) if text]


def wrapped(sentences: Sequence[Sequence[Piece]], kind: Type, width: float) -> list[list[Piece]]:
    """The lines of a paragraph, none wider than `width` px; a word that is wider is cut.

    A sentence that does not fit on the rest of a line starts a new one.
    """
    lines: list[list[Piece]] = [[]]
    for sentence in sentences:
        if lines[-1] and room_of([*lines[-1], SPACE, *sentence], kind) > width:
            lines.append([])
        for word in _words(sentence, kind, width):
            if lines[-1] and room_of([*lines[-1], SPACE, *word], kind) > width:
                lines.append([])
            lines[-1] += [SPACE, *word] if lines[-1] else word
    return lines


def _words(pieces: Sequence[Piece], kind: Type, width: float) -> Iterator[Word]:
    word: Word = []
    for text, bold in pieces:
        # A number stays with its unit: 47.3 ms.
        parts = [text] if bold and re.search(r"\d", text) else text.split(" ")
        for i, part in enumerate(parts):
            if i and word:
                yield from _cut(word, kind, width)
                word = []
            word += [(part, bold)] if part else []
    if word:
        yield from _cut(word, kind, width)


def _cut(word: Word, kind: Type, width: float) -> Iterator[Word]:
    if room_of(word, kind) <= width:
        yield word
        return
    piece: Word = []
    for letter in [(letter, bold) for text, bold in word for letter in text]:
        if piece and room_of([*piece, letter], kind) > width:
            yield piece
            piece = []
        piece.append(letter)
    yield piece


def paragraph(lines: Sequence[Sequence[Piece]], kind: Type, x: float, top: float, **more: object) -> str:
    """Lines as one `<text>`, which is read, found and copied as one paragraph."""
    spans = []
    for i, line in enumerate(lines):
        inside = [_span(text, bold, kind) for text, bold in line]
        # Between lines stands the space at which they were parted.
        inside += [" "] if i < len(lines) - 1 else []
        spans.append(element("tspan", *inside, x=x, y=top + i * kind.line + kind.line * 0.7))
    return element("text", *spans, font_size=kind.size, fill=kind.fill, **more)


def _span(text: str, bold: bool, kind: Type) -> str:
    if not bold:
        return characters(text)
    size = kind.bold_size if kind.bold_size != kind.size else None
    return element("tspan", characters(text), font_weight="bold", font_size=size, fill=kind.bold_fill)
