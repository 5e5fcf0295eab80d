"""Where a text holds our elements and links: Markdown, HTML, reStructuredText, notebooks as they lie on disk.

Examples are left out: comments and scripts everywhere, fences and backticks in Markdown and notebooks, literals
and code directives in reStructuredText. What is left out is blanked, so that every place in the text stays where it is.
No pattern reads on to the end of the text again and again, however the text is written: the time grows with its length.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import PurePath

KINDS = {".html": "html", ".htm": "html", ".xhtml": "html", ".ipynb": "notebook", ".rst": "rest"}
TAG = re.compile(r"""<(pool-room(?:-value)?)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^<>"'])*+)>""", re.I)
ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?""")
QUERY = re.compile(r"""poolroom(?:-\d[\w.+-]{0,40}?)?\.html\?([^\s"'<>()\[\]{}#\\`]*)""", re.I)
ESCAPED = re.compile(r"(?:%[0-9a-f]{2})+", re.I)
END = re.compile(r"</pool-room-value\s*>|<pool-room-value(?=[\s/>])", re.I)
OPENS = re.compile(r"(<!--)|<(script|style)\b|(?<![`\\])(`+)", re.I)
CLOSES = {
    "comment": re.compile("-->"),
    "script": re.compile(r"</script\s*>", re.I),
    "style": re.compile(r"</style\s*>", re.I),
}
TICKS = re.compile("`+")
PARAGRAPH_END = re.compile(r"\n(?=[ \t\r]*\n)")
FENCE = re.compile(r"[ \t>]*+(?:(?:[-*+]|\d++[.)])[ \t]++)?(`{3,}+|~{3,}+)([^`\r\n]*+)\s*+")
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

    `inside` is where the text of a value starts, without space around it, and that text as it is written, examples
    and comments too; None where the value is not closed.
    """

    name: str
    start: int
    texts: dict[str, str]
    inside: tuple[int, str] | None = None


def kind_of(path: str) -> str:
    """How a file is read, by the end of its name; what has no other rule is read as Markdown."""
    return KINDS.get(PurePath(path).suffix.lower(), "markdown")


def _readable(text: str, kind: str) -> str:
    if kind in ("markdown", "notebook"):
        text = "".join(_without_fences(text, kind == "notebook"))
    if kind == "rest":
        text = LITERAL.sub(_blank, DIRECTIVE.sub(_blank, text))
    return hidden(text, kind in ("markdown", "notebook"))


def hidden(text: str, code: bool, fill: str = " ") -> str:
    """The text with `fill` for every character of comments, scripts, styles and, where `code`, code between backticks.

    Line ends stay. What starts first counts; what is never closed hides nothing.
    """
    pieces, done = [], 0
    for start, end in _hidden_places(text, code):
        pieces += [text[done:start], re.sub(r"[^\r\n]", fill, text[start:end])]
        done = end
    return "".join(pieces) + text[done:]


def _hidden_places(text: str, code: bool) -> Iterator[tuple[int, int]]:
    spans = _Spans(text) if code else None
    unclosed: set[str] = set()  # no end of these follows any more
    at = 0
    while found := OPENS.search(text, at):
        at = found.end()
        if found[3]:
            end = spans.end(at, len(found[3])) if spans else None
        else:
            name = "comment" if found[1] else found[2].lower()
            closed = None if name in unclosed else CLOSES[name].search(text, at)
            end = closed and closed.end()
            if closed is None:
                unclosed.add(name)
        if end is not None:
            yield found.start(), end
            at = end


class _Spans:
    """Where code ends: at as many backticks as it starts with, in the same paragraph. Asked from left to right."""

    def __init__(self, text: str) -> None:
        self.ticks: dict[int, deque[int]] = {}
        for found in TICKS.finditer(text):
            self.ticks.setdefault(len(found[0]), deque()).append(found.start())
        self.paragraphs = deque(found.start() for found in PARAGRAPH_END.finditer(text))

    def end(self, start: int, ticks: int) -> int | None:
        """The end of the code that starts here after so many backticks; None where they are only backticks."""
        places = self.ticks[ticks]
        for queue in (places, self.paragraphs):
            while queue and queue[0] < start:
                queue.popleft()
        if not places or (self.paragraphs and self.paragraphs[0] < places[0]):
            return None
        return places[0] + ticks


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


def marks(text: str, kind: str) -> Iterator[Mark]:
    """Our elements and links in a text of this kind, but for those in examples."""
    if kind == "notebook":
        text = JSON_QUOTES.sub(r'\1 "\2" ', JSON_MARKS.sub(_blank, text))
    readable = _readable(text, kind)
    for found in TAG.finditer(readable):
        name = found[1].lower()
        inside = _inside(text, readable, found.end()) if name != "pool-room" else None
        yield Mark(name, found.start(), _texts(found[2]), inside)
    for found in QUERY.finditer(readable):
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


def _inside(text: str, readable: str, start: int) -> tuple[int, str] | None:
    found = END.search(readable, start)
    if found is None or not found[0].startswith("</"):
        return None
    inner = text[start : found.start()]
    return start + len(inner) - len(inner.lstrip()), inner.strip()
