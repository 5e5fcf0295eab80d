"""Read built pages as HTML, without a browser."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass
class Node:
    """One element with its attributes, its text and its children in order."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Node | str"] = field(default_factory=list)

    def all(self) -> list["Node"]:
        """This element and all inside it."""
        inner = [node for child in self.children if isinstance(child, Node) for node in child.all()]
        return [self, *inner]

    def find(self, tag: str, name: str = "") -> list["Node"]:
        """The elements of a tag, and of a class where one is named."""
        named = [node for node in self.all() if not name or name in node.attributes.get("class", "").split()]
        return [node for node in named if node.tag == tag]

    @property
    def text(self) -> str:
        """All text inside, as it is written."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)


class Reader(HTMLParser):
    """Build a tree of nodes."""

    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("document")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that closes itself."""
        self.open[-1].children.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element of this tag, and those left open in it (`<li>`, `<p>`)."""
        for i in range(len(self.open) - 1, 0, -1):
            if self.open[i].tag == tag:
                del self.open[i:]
                return

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self.open[-1].children.append(data)


def read(path: Path) -> Node:
    """Give the tree of a file."""
    reader = Reader()
    reader.feed(path.read_text("utf-8"))
    reader.close()
    return reader.open[0]
