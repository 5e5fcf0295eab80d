"""The words file against the sources that read it: no key missing, none unused."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from poolroom.facts import WORDS
from tests.sim.tools import ROOT

PYTHON = sorted((ROOT / "sim").rglob("*.py"))
SCRIPTS = sorted((ROOT / "widget").rglob("*.js"))
READERS = [
    *PYTHON,
    *SCRIPTS,
    ROOT / "build.py",
    *sorted((ROOT / "site").rglob("*.jinja")),
    *sorted((ROOT / "site").rglob("*.py")),
]
PAGE_ONLY = ("view", "notices", "parts", "controls", "status", "language", "direction", "copied")
"""Keys that the widget and the build read; looked for only where both are there."""


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Paths of every template: text, a list of sentences, or plural forms."""
    if isinstance(value, dict) and "by" not in value:
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    else:
        yield path


def texts(value: Any) -> Iterator[str]:
    """Every string inside a template."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from texts(part) if key != "by" else ()
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)


def has(path: tuple[str, ...]) -> bool:
    """Whether the words file has this path."""
    here: Any = WORDS
    for key in path:
        if not isinstance(here, dict) or key not in here:
            return False
        here = here[key]
    return True


def chain(node: ast.expr) -> tuple[str, ...] | None:
    """The keys of WORDS["a"]["b"], as far as they are constants."""
    if isinstance(node, ast.Name) and node.id == "WORDS":
        return ()
    if isinstance(node, ast.Subscript):
        before = chain(node.value)
        if before is not None and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return (*before, node.slice.value)
    return None


def python_paths() -> set[tuple[str, ...]]:
    """Every path of constants that the reference reads."""
    nodes = (node for path in PYTHON for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return {found for node in nodes if isinstance(node, ast.Subscript) and (found := chain(node))}


def script_paths() -> set[tuple[str, ...]]:
    """Every path WORDS.a.b that the twin and the widget read, array and string members left out."""
    pattern = re.compile(r"\bWORDS((?:\.\w+|\[['\"]\w+['\"]\])+)")
    found = set()
    for path in SCRIPTS:
        for match in pattern.finditer(path.read_text(encoding="utf-8")):
            keys = tuple(re.findall(r"\w+", match[1]))
            while keys and keys[-1] in ("map", "find", "join", "length", "replace", "some", "slice"):
                keys = keys[:-1]
            found.add(keys)
    return found - {()}


def sources() -> str:
    """Everything that may name a key."""
    return "\n".join(path.read_text(encoding="utf-8") for path in READERS if path.is_file())


def everything_is_there() -> bool:
    """Whether widget and build, which read most of the words, are in this copy."""
    return (ROOT / "widget" / "element.js").is_file() and (ROOT / "build.py").is_file()


@pytest.mark.parametrize("path", sorted(python_paths() | script_paths()), ids=".".join)
def test_every_key_that_is_read_is_there(path: tuple[str, ...]) -> None:
    """Rule: no source reads a key that the words file lacks."""
    assert has(path), f"facts/words/en.json lacks {'.'.join(path)}"


def test_sources_are_found() -> None:
    """Rule: this file's scans see both languages."""
    assert ("refused_value",) in python_paths()
    assert len(python_paths()) > 25
    assert not SCRIPTS or ("refused_value",) in script_paths()


def test_every_key_is_used() -> None:
    """Rule: no sentence lies unused; every key's name occurs in a source, in quotes, after a dot, or in braces."""
    text = sources()
    names = set(re.findall(r"[\"'`.]\??\[?(\w+)", text)) | set(re.findall(r"\b(\w+)\s*[,}:]", text))
    pages = () if everything_is_there() else PAGE_ONLY
    unused = [".".join(path) for path in leaves(WORDS) if path[0] not in pages and path[-1] not in names]
    assert unused == []


def test_every_rule_for_an_allowed_value_is_used() -> None:
    """Rule: each key of `allowed` stands in quotes in a source."""
    text = sources()
    pages = set() if everything_is_there() else {"choice"}
    unused = [key for key in WORDS["allowed"] if f'"{key}"' not in text and f"'{key}'" not in text]
    unused = [key for key in unused if key not in pages]
    assert unused == []


def test_templates_are_well_formed() -> None:
    """Rule: braces hold one name each, marks come in pairs, nothing starts or ends with a space."""
    for path in leaves(WORDS):
        here: Any = WORDS
        for key in path:
            here = here[key]
        for text in texts(here):
            if path in {("joiner",), ("text", "legend_joiner")} or path[-1] == "requests":
                continue
            bare = re.sub(r"\{\w+\}", "", text)
            assert not re.search(r"[{}]", bare), (path, text)
            assert text.count("*") % 2 == 0, (path, text)
            assert text == text.strip(), (path, text)


def test_every_form_of_a_template_fills_the_same_names() -> None:
    """Rule: plural templates have "other", and no form names what another lacks but the number itself."""
    for path in leaves(WORDS):
        here: Any = WORDS
        for key in path:
            here = here[key]
        if isinstance(here, dict):
            known = {"by", "other", *(rule["form"] for rule in WORDS["plurals"])}
            assert "other" in here and set(here) <= known, path
            names = set(re.findall(r"\{(\w+)\}", " ".join(texts(here["other"]))))
            for form in set(here) - {"by", "other"}:
                assert set(re.findall(r"\{(\w+)\}", " ".join(texts(here[form])))) <= names, (path, form)


def test_readers_exist_once_everything_is_built() -> None:
    """Rule: the scan of the sources reads files that are there."""
    assert all(isinstance(path, Path) for path in READERS)
    assert [path for path in PYTHON if path.name == "words.py"]
