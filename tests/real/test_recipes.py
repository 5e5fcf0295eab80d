"""The recipes themselves: complete, within the contract, safe to paste, and honest about what runs here."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from poolroom.facts import CHOICES, CONTRACT
from poolroom.options import check
from tests.node import ROOT
from tests.real.recipes import RECIPES, draw, index

RECIPE_KEYS = sorted(index())
CANVAS = {"src", "width", "height", "name", "scrolling", "sandbox", "allowfullscreen", "title"}
"""What Canvas leaves of a frame, beside aria and style; from gems/canvas_sanitize of instructure/canvas-lms."""
PAGES = {".html", ".md", ".mdx", ".qmd"}
VOID = {"img", "link", "meta"}


class Tags(HTMLParser):
    """Every tag of a page with its attributes; raw blocks of Markdown pass as text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.self_closed: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.self_closed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            self.open.remove(tag)

    def named(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of each tag of that name."""
        return [attributes for tag, attributes in self.tags if tag == name]


def pages(key: str) -> Iterator[Tags]:
    """The pages of a recipe, as tags."""
    for name in index()[key]["files"]:
        if Path(name).suffix in PAGES:
            yield Tags((RECIPES / key / name).read_text(encoding="utf-8"))


def value_of(name: str, text: str | None) -> Any:
    """The value that an author's text stands for, as Python has it."""
    kind = CONTRACT["options"][name]["kind"]
    if kind == "list":
        return re.split(r"[\s,]+", text or "")
    if kind == "flag" or name == "reserved":
        return text in (None, "", "1", "true", name)
    numbers = kind == "setting" and isinstance(CHOICES[name]["values"][0], int)
    return int(text or "") if numbers else text


@pytest.mark.parametrize("key", RECIPE_KEYS)
def test_a_recipe_shows_the_files_that_it_has(key: str) -> None:
    """Every file is listed once and every listed file is there, so the page shows what the test builds from."""
    listed = index()[key]["files"]
    there = {str(path.relative_to(RECIPES / key)) for path in (RECIPES / key).rglob("*") if path.is_file()}
    assert len(listed) == len(set(listed)) and set(listed) == there


def test_every_folder_is_a_recipe() -> None:
    """Nothing lies there unnamed."""
    assert {path.name for path in RECIPES.iterdir() if path.is_dir()} == set(RECIPE_KEYS)


@pytest.mark.parametrize("key", RECIPE_KEYS)
def test_a_recipe_names_the_test_that_runs_it(key: str) -> None:
    """The test exists; “not run here” is null, and those recipes are few and known."""
    test = index()[key]["test"]
    if test is None:
        assert key in {"jupyter-book-1", "jupyter-book-2", "quarto", "moodle"}
        return
    path, name = test.split("::")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("key", RECIPE_KEYS)
def test_a_recipe_is_short_and_its_traps_have_sources(key: str) -> None:
    """At most two sentences say what to do, beside what a parenthesis adds; a trap names an issue, a file or a test."""
    recipe = index()[key]
    bare = re.sub(r"\([^)]*\)|\"[^\"]*\"|\b[\w-]+\.(?:html|js|ipynb|yml|share|parent)\b", "", recipe["does"])
    assert recipe["does"].endswith(".") and len(re.findall(r"\.(?:\s|$)", bare)) <= 2
    for trap in recipe["traps"]:
        assert trap["says"].endswith((".", "…"))
        assert re.fullmatch(r"[\w.-]+/[\w.-]+ (#\d+|[\w./-]+)|tests/\S+|README\.md, .+", trap["source"]), trap["source"]


@pytest.mark.parametrize("key", RECIPE_KEYS)
def test_frames_can_be_pasted_anywhere(key: str) -> None:
    """Plain attributes with a title and a closing tag; no style, no handler, nothing self-closed."""
    for page in pages(key):
        for tag, attributes in page.tags:
            assert "style" not in attributes and not any(name.startswith("on") for name in attributes), tag
        for frame in page.named("iframe"):
            assert frame["title"] and frame["width"] and frame["height"]
            assert frame.get("loading") == "lazy" or key in {"reveal", "score"}
        assert not {"iframe", "pool-room"} & {*page.open, *page.self_closed}


@pytest.mark.parametrize("key", RECIPE_KEYS)
def test_options_are_the_contracts(key: str) -> None:
    """Every attribute of the element and every key of a frame's address is an option with an allowed value."""
    given = [
        *((name, text) for page in pages(key) for tag in page.named("pool-room") for name, text in tag.items()),
        *(
            pair
            for page in pages(key)
            for frame in page.named("iframe")
            for pair in parse_qsl(urlsplit(frame["src"] or "").query, keep_blank_values=True)
            if "{{" not in (frame["src"] or "")
        ),
    ]
    for name, text in given:
        check(name, value_of(name, text))
    doors = {"element": "pool-room", "iframe": "iframe"}
    if key not in {"jupyter-book-2", "hugo"}:  # their pages have a directive or a shortcode
        tags = {tag for page in pages(key) for tag, _ in page.tags}
        assert {doors[door] for door in index()[key]["door"] if door in doors} == tags & {*doors.values()}


@pytest.mark.parametrize("key", [key for key in RECIPE_KEYS if index()[key]["fallback"]])
def test_the_picture_can_be_drawn(key: str, tmp_path: Path) -> None:
    """The command makes the file that the recipe speaks of, and the picture is of the page's own settings."""
    fallback = index()[key]["fallback"]
    (tmp_path / fallback["file"]).parent.mkdir(exist_ok=True)
    draw(fallback["command"], tmp_path)
    picture = (tmp_path / fallback["file"]).read_text(encoding="utf-8")
    assert picture.startswith("<svg") and "Room for 77 chats" in re.sub(r"<[^>]*>", "", picture)


def test_canvas_keeps_what_the_recipe_needs() -> None:
    """After Canvas has taken away all but its list, the frame still has what it needs; only lazy loading is lost."""
    (page,) = pages("canvas")
    (frame,) = page.named("iframe")
    assert frame.keys() - CANVAS == {"loading"}
    assert frame.keys() & CANVAS == {"src", "width", "height", "title"}
    assert {tag for tag, _ in page.tags} == {"p", "iframe", "a"}
