"""Texts and signatures as HTML; everything that is not our own markup is escaped."""

import re

from markupsafe import Markup, escape

from .model import PYTHON, Doc, Item

WIDTH = 44
"""Characters of code that fit beside the other language."""


class Writer:
    """Writes texts with links to the names that the page explains."""

    def __init__(self, anchors: dict[str, str]) -> None:
        self.anchors = anchors

    def text(self, text: str) -> Markup:
        """Write one run of text: code between backticks, names as links, quotes as a page has them."""
        pieces = re.split(r"`+([^`]+)`+", text)
        return Markup("").join(self.code(piece) if i % 2 else plain(piece) for i, piece in enumerate(pieces))

    def code(self, text: str) -> Markup:
        """Write a piece of code, as a link where it is a name that the page explains."""
        code = Markup("<code>{}</code>").format(text)
        return Markup('<a href="{}">{}</a>').format(self.anchors[text], code) if text in self.anchors else code

    def blocks(self, text: str) -> Markup:
        """Write paragraphs and numbered lists."""
        return Markup("\n").join(self.block(part) for part in text.split("\n\n") if part.strip())

    def block(self, text: str) -> Markup:
        """Write one paragraph, or one numbered list."""
        items = re.split(r"^\d+\. ", text, flags=re.M)
        if len(items) == 1 or items[0].strip():
            return Markup("<p>{}</p>").format(self.text(" ".join(text.split())))
        rows = (Markup("<li>{}</li>").format(self.text(" ".join(item.split()))) for item in items[1:])
        return Markup("<ol>{}</ol>").format(Markup("").join(rows))

    def signature(self, doc: Doc, broken: bool = False) -> Markup:
        """Write how a name stands in code: types as links, and a line for each parameter where it is `broken`."""
        lines = (Markup("<span>{}</span>").format(self.typed(line, doc.name)) for line in signature(doc, broken))
        return Markup("\n").join(lines)

    def typed(self, line: str, own: str = "") -> Markup:
        """Write a line of code with the types that the page explains as links, but for its own name."""
        pieces = re.split(r"(?<![\w.\"'])([A-Z]\w+)(?![\w.\"'(])", line)
        return Markup("").join(self.link(piece, own) if i % 2 else escape(piece) for i, piece in enumerate(pieces))

    def link(self, name: str, own: str) -> Markup:
        """Link a type that the page explains."""
        known = None if name == own else self.anchors.get(name)
        return Markup('<a href="{}">{}</a>').format(known, name) if known else escape(name)


def plain(text: str) -> Markup:
    """Write text between code, with the quotes, apostrophes and powers of the other pages."""
    text = re.sub(r"(?<=\w)'", "’", text)
    text = re.sub(r'"([^"]*)"', r"“\1”", text)
    pieces = re.split(r"\b(None)\b|\^(\w+)", text)
    return Markup("").join(piece(*pieces[i : i + 3]) for i in range(0, len(pieces), 3))


def piece(text: str, none: str | None = None, power: str | None = None) -> Markup:
    """Write a piece of text, and the `None` or the power that follows it."""
    after = Markup("<code>{}</code>").format(none) if none else Markup("<sup>{}</sup>").format(power) if power else ""
    return escape(text) + after


def signature(doc: Doc, broken: bool) -> list[str]:
    """Give a name as code: on one line, or with a line for each parameter."""
    if doc.kind in ("constant", "property"):
        put = [f"{doc.name} = {parameter(item)}" for item in doc.parameters]
        return [f"{doc.name}: {doc.type}" if doc.type else doc.name, *put]
    if doc.kind == "type":
        return [f"{doc.name} = {doc.type}" if doc.language == PYTHON else f"type {doc.name} = {doc.type}"]
    head = f"class {doc.name}" if doc.kind == "class" else doc.name
    items, end = [parameter(item) for item in taken(doc)], ending(doc)
    if broken:
        return [f"{head}(", *(f"  {item}," for item in items), f"){end}"]
    return [f"{head}({', '.join(items)}){end}"]


def fits(doc: Doc) -> bool:
    """Say whether a name as code fits on one line, beside the other language."""
    return len(signature(doc, False)[0]) <= WIDTH or not taken(doc)


def taken(doc: Doc) -> tuple[Item, ...]:
    """Give what is handed over: parameters, or the fields of a record that is made by its name."""
    return doc.fields if doc.kind == "record" else doc.parameters


def ending(doc: Doc) -> str:
    """Give what stands behind the parameters: the type of the result."""
    if doc.kind in ("class", "record"):
        return ""
    kind = doc.returns.type if doc.returns else ""
    return f" -> {kind or 'None'}" if doc.language == PYTHON else f": {kind or 'void'}"


def parameter(item: Item) -> str:
    """Give a parameter as code."""
    typed = f"{item.name}: {item.type}" if item.type else item.name
    return f"{typed} = {item.default}" if item.default and item.default != "..." else typed
