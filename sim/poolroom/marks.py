"""Where a text holds our elements and links: Markdown, HTML, reStructuredText, notebooks as they lie on disk.

Examples are left out: comments and scripts everywhere, fences and backticks in Markdown and notebooks, literals
and code directives in reStructuredText. What is left out is blanked, so that every place in the text stays where it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import PurePath

KINDS = {".html": "html", ".htm": "html", ".xhtml": "html", ".ipynb": "notebook", ".rst": "rest"}
TAG = re.compile(r"""<(pool-room(?:-value)?)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^>"'])*+)>""", re.I)
ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?""")
QUERY = re.compile(r"""poolroom\.html\?([^\s"'<>()\[\]{}#\\`]*)""", re.I)
ESCAPED = re.compile(r"(?:%[0-9a-f]{2})+", re.I)
END = re.compile(r"</pool-room-value\s*>|<pool-room-value(?=[\s/>])", re.I)
NEVER_SHOWN = r"<!--.*?-->|<(script|style)\b.*?</\1\s*>"
HIDDEN = re.compile(NEVER_SHOWN, re.S | re.I)
FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(`{3,}|~{3,})([^`\r\n]*)\s*")
# A code span ends with as many backticks as it starts with, in the same paragraph; what starts first counts.
HIDDEN_OR_CODE = re.compile(
    NEVER_SHOWN + r"|(?<![`\\])(`+)(?!`)(?:(?!\n[ \t\r]*\n).)*?(?<!`)\2(?!`)",
    re.S | re.I,
)
LITERAL = re.compile(r"``(?:(?!\n[ \t\r]*\n).)+?``", re.S)
DIRECTIVE = re.compile(
    r"^([ \t]*)\.\.[ \t]+(?:code|code-block|sourcecode|parsed-literal)::[^\n]*\n"
    r"(?:[ \t\r]*\n|\1[ \t]+[^\n]*(?:\n|\Z))*",
    re.M,
)
JSON_MARKS = re.compile(r'^[ \t]*"|(?:\\n)?",?[ \t\r]*$|\\n', re.M)

JSON_QUOTES = re.compile(r'(=\s*)\\"([^"\\]*)\\"')


@dataclass(frozen=True, slots=True)
class Mark:
    """One of our elements or links: its name, its attributes or parameters, and where it starts.

    `inside` is where the text of a value starts and ends, without space around it; None where it is not closed.
    """

    name: str
    start: int
    texts: dict[str, str]
    inside: tuple[int, int] | None = None


def kind_of(path: str) -> str:
    """How a file is read, by the end of its name; what has no other rule is read as Markdown."""
    return KINDS.get(PurePath(path).suffix.lower(), "markdown")


def readable(text: str, kind: str) -> str:
    """The text with everything blanked that is no element of the page; every place stays where it is."""
    if kind == "notebook":
        text = JSON_QUOTES.sub(r'\1 "\2" ', JSON_MARKS.sub(_blank, text))
    if kind in ("markdown", "notebook"):
        text = "".join(_without_fences(text, kind == "notebook"))
    if kind == "rest":
        text = LITERAL.sub(_blank, DIRECTIVE.sub(_blank, text))
    return (HIDDEN_OR_CODE if kind in ("markdown", "notebook") else HIDDEN).sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\r\n]", " ", found[0])


def _without_fences(text: str, notebook: bool) -> Iterator[str]:
    fence = ""
    for line in text.splitlines(keepends=True):
        found = FENCE.fullmatch(line)
        if fence:
            closes = found and found[1].startswith(fence) and not found[2].strip()
            # In a notebook a cell ends with its list of lines.
            fence = "" if closes or (notebook and line.strip(" \t\r\n,") == "]") else fence
        elif found:
            fence = found[1]
        else:
            yield line
            continue
        yield re.sub(r"[^\r\n]", " ", line)


def marks(text: str) -> Iterator[Mark]:
    """Our elements and links in a readable text."""
    for found in TAG.finditer(text):
        name = found[1].lower()
        yield Mark(name, found.start(), _texts(found[2]), _inside(text, found.end()) if name != "pool-room" else None)
    for found in QUERY.finditer(text):
        # A sentence may end with the address.
        yield Mark("poolroom.html", found.start(), _parameters(unescape(found[1].rstrip(".,;:!*"))))


def _texts(attributes: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name, *values in ATTRIBUTE.findall(attributes):
        texts.setdefault(name.lower(), unescape("".join(values)))  # the first one counts, as in HTML
    return texts


def _parameters(query: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name, _, value in (pair.partition("=") for pair in query.split("&") if pair):
        texts.setdefault(_decoded(name), _decoded(value))
    return texts


def _decoded(text: str) -> str:
    return ESCAPED.sub(_character, text.replace("+", " "))


def _character(escapes: re.Match[str]) -> str:
    return bytes.fromhex(escapes[0].replace("%", "")).decode("utf-8", "replace")


def _inside(text: str, start: int) -> tuple[int, int] | None:
    found = END.search(text, start)
    if found is None or not found[0].startswith("</"):
        return None
    inner = text[start : found.start()]
    left = start + len(inner) - len(inner.lstrip())
    return left, left + len(inner.strip())
