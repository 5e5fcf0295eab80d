"""Every public name says what it means, in which unit, what it raises; twins say it in the same words."""

import copy
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import api_page
from apidocs import faults, pairs, python, raising, script, typedoc
from apidocs.model import Library
from apidocs.text import Writer
from tests.node import ROOT, run_node

SIM = ROOT / "sim"
WHOLE = '''"""A module that says all it must."""


class SimError(ValueError):
    """A value that cannot be used."""


def held(tokens: int, words: str = "") -> float:
    """How much is held.

    Args:
        tokens: length, tokens
        words: what is said

    Returns:
        Seconds.

    Raises:
        SimError: for no tokens
    """
    return _checked(tokens)


def _checked(tokens: int) -> float:
    if not tokens:
        raise SimError("tokens")
    return tokens / 1


LEAST: int = 1
"""The least that is held, tokens."""
'''
PYTHON_FAULTS = {
    "no meaning": ('    """How much is held.', '    """', "held says nothing"),
    "no docstring": ('"""The least that is held, tokens."""', "", "LEAST says nothing"),
    "two sentences": ("How much is held.", "How much is held. And more.", "does not begin with one sentence"),
    "a parameter left out": ("        tokens: length, tokens\n", "", "says nothing of tokens"),
    "a parameter too many": ("tokens: length", "cap: a chat\n        tokens: length", "of cap, which it"),
    "no unit": ("length, tokens", "length", "gives no unit of tokens"),
    "no unit of a constant": ("is held, tokens", "is held", "LEAST gives no unit"),
    "no unit of the result": ("Seconds.", "How much.", "gives no unit of what it returns"),
    "no result": ("    Returns:\n        Seconds.\n\n", "", "does not say what it returns"),
    "no error": ("\n    Raises:\n        SimError: for no tokens\n", "", "does not say when it raises SimError"),
    "an error that never comes": ("return _checked(tokens)", "return tokens / 1", "never raises SimError"),
}  # fmt: skip


@pytest.fixture(scope="session")
def libraries() -> tuple[Library, Library]:
    """Both languages, as the page shows them."""
    return api_page.libraries()


@pytest.fixture(scope="session")
def project() -> dict[str, Any]:
    """What TypeDoc says; one of its warnings would have stopped it."""
    return typedoc.project()


def test_every_name_says_all_it_must(libraries: tuple[Library, Library]) -> None:
    """Rule: meaning in a sentence, every parameter, field and result, a unit for every number, when errors come."""
    assert [fault for library in libraries for fault in faults.faults(library)] == []


def test_no_exported_name_is_overlooked(libraries: tuple[Library, Library]) -> None:
    """Rule: what a package exports is read; every module that has a twin is."""
    for library in libraries:
        assert library.exported - {doc.name for doc in library.docs()} == set()
    folder = ROOT / "widget" / "sim"
    twins = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.js")}
    assert twins <= libraries[1].modules.keys()
    assert twins - {*python.TWINS, *(f"vllm/{name}" for name in python.PLAN)} == {"ends", "quiet"}


def test_twins_say_the_same(libraries: tuple[Library, Library]) -> None:
    """Rule: the same words for the same name, but for None and null."""
    assert faults.differences(*libraries) == []


def test_whoever_refuses_says_so(libraries: tuple[Library, Library]) -> None:
    """Rule: Raises stands where a function, or one that it calls, raises SimError, and nowhere else."""
    assert raising.unsaid(libraries[0], SIM / "poolroom") == []


def found_in(folder: Path, text: str) -> list[str]:
    """The faults of a module that lies alone in a package."""
    package = folder / "poolroom"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").write_text("", "utf-8")
    (package / "blocks.py").write_text(text, "utf-8")
    library = python.read(folder)
    return faults.faults(library) + raising.unsaid(library, package)


def test_a_module_that_says_all_passes(tmp_path: Path) -> None:
    """Rule: the checker below has something to let through."""
    assert found_in(tmp_path, WHOLE) == []


@pytest.mark.parametrize("name", PYTHON_FAULTS)
def test_a_gap_in_a_docstring_is_found(tmp_path: Path, name: str) -> None:
    """Rule: the checker bites."""
    old, new, said = PYTHON_FAULTS[name]
    assert old in WHOLE
    found = found_in(tmp_path, WHOLE.replace(old, new, 1))
    assert found and all(said in fault for fault in found), found


def signature(project: dict[str, Any], module: str, name: str) -> dict[str, Any]:
    """The signature of a function as TypeDoc gives it."""
    (inside,) = [each for each in project["children"] if each["name"] == f"sim/{module}"]
    (found,) = [each for each in inside["children"] if each["name"] == name and "signatures" in each]
    return found["signatures"][0]


def forget(place: dict[str, Any]) -> None:
    """Take a comment away."""
    del place["comment"]


def reword(place: dict[str, Any]) -> None:
    """Say something else."""
    place["comment"]["summary"] = [{"kind": "text", "text": "Something else."}]


SCRIPT_FAULTS: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "no JSDoc": (forget, "JavaScript: budget.room says nothing"),
    "a parameter left out": (lambda room: forget(room["parameters"][0]), "budget.room says nothing of share"),
    "no unit": (lambda room: reword(room["parameters"][1]), "budget.room gives no unit of longest"),
    "other words than its twin": (reword, "budget.room, its meaning: Python says"),
    "an error that only one names": (
        lambda room: room["comment"].update(blockTags=room["comment"]["blockTags"][:1]), "only one language speaks of",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SCRIPT_FAULTS)
def test_a_gap_in_the_jsdoc_is_found(libraries: tuple[Library, Library], project: dict[str, Any], name: str) -> None:
    """Rule: the same for the port, in what TypeDoc really says of it."""
    changed = copy.deepcopy(project)
    change, said = SCRIPT_FAULTS[name]
    change(signature(changed, "budget", "room"))
    library = script.read(changed)
    found = faults.faults(library) + faults.differences(libraries[0], library)
    assert any(said in fault for fault in found), found


def test_the_same_files_are_read_once(project: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule: TypeDoc takes seconds, so it runs again only when what it reads has changed."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("TypeDoc ran again"))
    assert typedoc.project() == project
    before = typedoc.mark()
    monkeypatch.setattr(typedoc, "INPUTS", typedoc.INPUTS[:1])
    assert typedoc.mark() != before


def test_texts_become_markup_without_harm() -> None:
    """Rule: whatever stands in a docstring stays text; code, lists, names and powers are ours."""
    writer = Writer({"room": "#room"})
    assert writer.text("<b> & `<i>`") == "&lt;b&gt; &amp; <code>&lt;i&gt;</code>"
    assert writer.text('see `room`, a chat\'s "de", None, 2^53') == (
        'see <a href="#room"><code>room</code></a>, a chat’s “de”, <code>None</code>, 2<sup>53</sup>'
    )
    assert writer.blocks("One:\n\n1. a\n2. b") == "<p>One:</p>\n<ol><li>a</li><li>b</li></ol>"
    assert writer.typed("x: Room<y> = room") == "x: Room&lt;y&gt; = room"


def test_both_examples_answer_as_the_page_says() -> None:
    """Rule: the first lines of the page run, in both languages, and give what stands below them."""
    shown = api_page.example()
    first, last = shown["python"].split("\n")
    names: dict[str, Any] = {}
    exec(first, names)
    assert eval(last, names) == shown["answer"]
    first, last = shown["script"].replace("poolroom/sim", "./widget/index.js").split("\n")
    done = run_node("--input-type=module", "--eval", f"{first} process.stdout.write({last.rstrip(';')})")
    assert done.stdout == shown["answer"], done.stderr


def test_the_page_has_a_place_for_every_name(libraries: tuple[Library, Library]) -> None:
    """Rule: each name of either language is an entry, once, but what is inside the plan; what is exported is first."""
    shown = pairs.chapters(*libraries)
    names = [f"{chapter.name}.{entry.name}" for chapter in shown for entry in chapter.entries]
    assert len(names) == len(set(names))
    wanted = {f"{doc.module}.{doc.name}" for library in libraries for doc in library.docs()}
    elsewhere = {name for name in wanted if name.split(".")[0] in ("notebook", "element", "value")}
    inside = {name for name in wanted if name.startswith("vllm/")} - set(names)
    assert set(names) == wanted - elsewhere - inside
    assert not {name.split(".")[1] for name in inside} & (libraries[0].exported | libraries[1].exported) - {"plan"}
    first = {entry.name for chapter in shown for entry in chapter.first}
    assert {"describe", "Run", "Words", "SimError", "plan", "PlanError", "Budget"} <= first and "commas" not in first
