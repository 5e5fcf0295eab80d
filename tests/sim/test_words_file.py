"""The words file against the sources that read it: no key missing, none unused."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from poolroom.facts import CATALOGUES, PRESETS, WORDS
from tests.sim.tools import ROOT

PLAN = ("vllm", "plan", "truth")
"""Folders and first words of files that speak with the words of the plan."""


def of_the_lesson(path: Path) -> bool:
    """Whether a file speaks with the lesson's words."""
    return not any(part.split(".")[0].split("_")[0] in PLAN for part in path.relative_to(ROOT).parts)


PYTHON = [path for path in sorted((ROOT / "sim").rglob("*.py")) if of_the_lesson(path)]
SCRIPTS = [path for path in sorted((ROOT / "widget").rglob("*.js")) if of_the_lesson(path)]
READERS = [
    *sorted((ROOT / "sim").rglob("*.py")),
    *sorted((ROOT / "widget").rglob("*.js")),
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


def has(path: tuple[str, ...], words: Any = WORDS) -> bool:
    """Whether a catalogue has this path."""
    for key in path:
        if not isinstance(words, dict) or key not in words:
            return False
        words = words[key]
    return True


def chains(node: ast.expr) -> list[tuple[str, ...]]:
    """The keys of words["a"]["b" if x else "c"], each way, as far as they are constants; of WORDS or a parameter."""
    if isinstance(node, ast.Name) and node.id in ("WORDS", "words"):
        return [()]
    if isinstance(node, ast.Subscript):
        return [(*before, key) for before in chains(node.value) for key in keys_of(node.slice)]
    return []


def keys_of(node: ast.expr) -> list[str]:
    """The texts that an index may be, where they can be read."""
    if isinstance(node, ast.IfExp):
        return keys_of(node.body) + keys_of(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def paths_in_python(text: str) -> set[tuple[str, ...]]:
    """Every path of constants that a module of the reference reads, as far as it goes."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Subscript)]
    begun = {id(node.value) for node in nodes if keys_of(node.slice)}
    return {path for node in nodes if id(node) not in begun for path in _read(node)}


def _read(node: ast.Subscript) -> list[tuple[str, ...]]:
    return chains(node) or chains(node.value)  # an index that cannot be read: all of what stands before it


def paths_in_script(text: str) -> set[tuple[str, ...]]:
    """Every path words.a.b, words.a["b"], words.a[x ? "b" : "c"] or { b, c } = words.a that a script reads."""
    step = r"""\.(?!(?:map|find|join|length|replace|some|slice)\b)\w+|\["\w+"\]|\[[^\[\]?]+\?[^\[\]?:]+:[^\[\]?:]+\]"""
    name = rf"(?<!\}} = )(?<!\}} = this\.#)(?<![/.\w])(?:WORDS|words)((?:{step})+)"
    found = {path for match in re.finditer(name, text) for path in _spread(re.findall(step, match[1]))}
    for inner, steps in re.findall(rf"\{{ ([^{{}}]+) \}} = (?:this\.#)?(?:WORDS|words)((?:{step})*);", text):
        keys = [part.partition(":")[0].strip() for part in inner.split(",")]
        found |= {(*path, key) for path in _spread(re.findall(step, steps)) for key in keys}
    return found - {()}


def _spread(steps: list[str]) -> list[tuple[str, ...]]:
    paths: list[tuple[str, ...]] = [()]
    for step in steps:
        keys = re.findall(r'"(\w+)"', step) or [step.removeprefix(".")]
        paths = [(*path, key) for path in paths for key in keys]
    return paths


def python_paths() -> set[tuple[str, ...]]:
    """Every path that the reference reads."""
    return set().union(*(paths_in_python(path.read_text(encoding="utf-8")) for path in PYTHON))


def page_paths() -> set[tuple[str, ...]]:
    """Every path that the pages read."""
    pages = [path for path in sorted((ROOT / "site").rglob("*.jinja")) if of_the_lesson(path)]
    return set().union(*(paths_in_script(path.read_text(encoding="utf-8")) for path in pages))


def script_paths() -> set[tuple[str, ...]]:
    """Every path that the twin and the widget read."""
    return set().union(*(paths_in_script(path.read_text(encoding="utf-8")) for path in SCRIPTS))


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
    assert {("lines", "room"), ("lines", "room_set_aside"), ("status", "reserved_off")} <= python_paths()
    assert len(python_paths()) > 40
    if SCRIPTS:
        assert {("refused_value",), ("lines", "run_empty"), ("view", "brief")} <= script_paths()
        assert len(script_paths()) > 70


def test_the_scans_follow_the_parameter() -> None:
    """Rule: a catalogue given as `words` is looked through as the global one is, whichever way a key is written."""
    python = 'words["a"]["b" if x else "c"]; WORDS["d"]; words["g"][e]["f"]'
    assert paths_in_python(python) == {("a", "b"), ("a", "c"), ("d",), ("g",)}
    script = """words.a.b; words.c[x ? "d" : "e"]; words.f["g"]; words.h[i]; const { j, k: l } = words.m;
        import "./words.js"; const { n } = words; WORDS.o.join("")"""
    wanted = ["a.b", "c.d", "c.e", "f.g", "h", "m.j", "m.k", "n", "o"]
    assert paths_in_script(script) == {tuple(path.split(".")) for path in wanted}


def test_no_section_gets_another_name() -> None:
    """Rule: the scans see `words` only, so nobody keeps a section under a name of its own."""
    aliases = r"""(?m)\b(?!words\b)(\w+) = (?:WORDS|words)((?:\.\w+|\["\w+"\])*);?$"""
    for path in [*PYTHON, *SCRIPTS]:
        text = path.read_text(encoding="utf-8")
        found = [steps for name, steps in re.findall(aliases, text) if name not in ("HELP", "rules")]
        sections = [steps for steps in found if not is_template(tuple(re.findall(r"\w+", steps)))]
        assert sections == [], path.name


def is_template(path: tuple[str, ...]) -> bool:
    """Whether a path leads to a template, not to a section."""
    return path in set(leaves(WORDS))


def test_every_key_is_used() -> None:
    """Rule: no sentence lies unused; every key's name occurs in a source, in quotes, after a dot, or in braces."""
    text = sources()
    names = set(re.findall(r"[\"'`.]\??\[?(\w+)", text)) | set(re.findall(r"\b(\w+)\s*[,}:]", text))
    pages = () if everything_is_there() else PAGE_ONLY
    own = [path for path in leaves(WORDS) if path[0] != "presets"]  # keyed by presets.json
    unused = [".".join(path) for path in own if path[0] not in pages and path[-1] not in names]
    assert unused == []
    if everything_is_there():
        read = python_paths() | script_paths() | page_paths()
        unread = [path for path in own if not any(path[:i] in read for i in range(1, len(path) + 1))]
        assert unread == []


def test_every_preset_has_a_name() -> None:
    """Rule: the names of the presets are those of facts/presets.json, in its order."""
    assert list(WORDS["presets"]) == list(PRESETS)


def test_every_rule_for_an_allowed_value_is_used() -> None:
    """Rule: each key of `allowed` stands in quotes in a source."""
    text = sources()
    pages = set() if everything_is_there() else {"choice"}
    unused = [key for key in WORDS["allowed"] if f'"{key}"' not in text and f"'{key}'" not in text]
    unused = [key for key in unused if key not in pages]
    assert unused == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_templates_are_well_formed(language: str) -> None:
    """Rule: braces hold one name each, marks come in pairs, nothing starts or ends with a space."""
    for path in leaves(CATALOGUES[language]):
        here: Any = CATALOGUES[language]
        for key in path:
            here = here[key]
        for text in texts(here):
            if path in {("joiner",), ("text", "legend_joiner")} or path[-1] == "requests":
                continue
            bare = re.sub(r"\{\w+\}", "", text)
            assert not re.search(r"[{}]", bare), (path, text)
            assert text.count("*") % 2 == 0, (path, text)
            assert text == text.strip(), (path, text)


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_form_of_a_template_fills_the_same_names(language: str) -> None:
    """Rule: plural templates have "other", and no form names what another lacks but the number itself."""
    for path in leaves(CATALOGUES[language]):
        here: Any = CATALOGUES[language]
        for key in path:
            here = here[key]
        if isinstance(here, dict):
            known = {"by", "other", *(rule["form"] for rule in CATALOGUES[language]["plurals"])}
            assert "other" in here and set(here) <= known, path
            names = set(re.findall(r"\{(\w+)\}", " ".join(texts(here["other"]))))
            for form in set(here) - {"by", "other"}:
                assert set(re.findall(r"\{(\w+)\}", " ".join(texts(here[form])))) <= names, (path, form)


def test_readers_exist_once_everything_is_built() -> None:
    """Rule: the scan of the sources reads files that are there."""
    assert all(isinstance(path, Path) for path in READERS)
    assert [path for path in PYTHON if path.name == "words.py"]
