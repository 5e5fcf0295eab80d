"""What the proof page loads when its reader asks for it, and what the page says about each file."""

import hashlib
import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import archives
import python_package
from browser_python import CORE, LOCK, make_reference, make_tools, pyodide, tools_mark
from bundle import ROOT
from environment import PYODIDE_BUILD_OLDEST, VENV, fingerprint
from kept import keep
from poolroom.cli_copies import integrity
from poolroom.facts import CHOICES

PAGE, FOLDER, TESTS = "proof.html", "pyodide", "reference-tests.zip"
PARTS = ("proof.js", "proof.css", "proof-worker.js")
KEPT = VENV / "proof"
PACKAGED = ("pyproject.toml", "LICENSE", "README.md", "site/packages/**/*", "sim/poolroom/**/*")
TESTED = ("pyproject.toml", "build.py", "tests/__init__.py", "tests/conftest.py", "tests/sim/*.py",
          "widget/**/*.js", "widget/**/*.css", "site/**/*.py", "site/**/*.jinja")
"""The reference's tests, and what of the checkout they read."""
STRAY = ("__pycache__", "/static/", "/recipes/")


@dataclass(frozen=True)
class File:
    """One file: what it is, its bytes, and whether it is needed to compare or only for the tests."""

    name: str
    what: str
    content: bytes
    compares: bool

    @property
    def digest(self) -> str:
        """Its SHA-256, as checksums are written."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def integrity(self) -> str:
        """The same as a browser's `integrity` wants it."""
        return integrity(self.content, "sha256")


@dataclass(frozen=True)
class Proof:
    """What the page is filled with."""

    files: list[File]
    counts = (10, 100, 1000)
    most_seed = 999_999
    megabyte = 1_000_000
    algorithm = "SHA-256"

    @property
    def offered(self) -> int:
        """How many settings the widget offers for one list of chats."""
        return prod(len(CHOICES[key]["values"]) for key in ("share", "longest", "cap", "reserved"))

    @property
    def to_compare(self) -> int:
        """The bytes that comparing loads."""
        return sum(len(file.content) for file in self.files if file.compares)

    @property
    def to_test(self) -> int:
        """The bytes that the tests load beside these."""
        return sum(len(file.content) for file in self.files if not file.compares)


def why_not(version: tuple[int, ...] = sys.version_info[:2]) -> str:
    """Say why a Python cannot make the files; nothing where it can."""
    if version >= PYODIDE_BUILD_OLDEST:
        return ""
    oldest, here = (".".join(map(str, each)) for each in (PYODIDE_BUILD_OLDEST, version))
    return f"{PAGE} is left out: pyodide-build needs Python {oldest} or newer, and this is {here}."


def files(static: dict[str, str], kept: Path = KEPT) -> list[File]:
    """Make every file; `static` are those that the wheel carries for the widget, by name and text."""
    tools = keep(kept, "tools", tools_mark(), make_tools)
    packaged = [part for item in found(PACKAGED).items() for part in item]
    mark = fingerprint(tools.name, Path(python_package.__file__), *packaged, *static, *static.values())
    reference = keep(kept, "reference", mark, lambda folder: make_reference(folder, tools, static))
    contents = {**archives.content_of(tools), **archives.content_of(reference), TESTS: tests()}
    return [File(name, what, contents[name], compares) for name, what, compares in listed(json.loads(contents[LOCK]))]


def found(patterns: tuple[str, ...]) -> dict[str, Path]:
    """Find the files of the checkout that fit, by their names there."""
    paths = sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file())
    names = {path.relative_to(ROOT).as_posix(): path for path in paths}
    return {name: path for name, path in names.items() if not any(stray in name for stray in STRAY)}


def tests() -> bytes:
    """Pack the reference's tests, and what of the checkout they read."""
    return archives.zipped({name: path.read_bytes() for name, path in found(TESTED).items()})


def listed(lock: dict[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Name each file, say what it is, and whether comparing needs it; in the order in which they are loaded."""
    version = json.loads(pyodide("package.json").read_text("utf-8"))["version"]
    loader, joint, python, library = CORE
    yield loader, f"Pyodide {version}, which starts Python", True
    yield joint, "What joins Python to a browser", True
    yield python, f"CPython {lock['info']['python']}, compiled to WebAssembly", True
    yield library, "Python’s standard library", True
    yield LOCK, "The name and the fingerprint of every wheel", True
    packages = lock["packages"]
    yield packages["poolroom"]["file_name"], "The reference, as pip installs it", True
    yield TESTS, "The reference’s tests, and the sources that they read", False
    for name in sorted(packages.keys() - {"poolroom"}):
        yield packages[name]["file_name"], f"{name} {packages[name]['version']}, for the tests", False


def put(made: list[File], out: Path) -> None:
    """Write the files into their folder of the site, and leave nothing of an earlier build there."""
    folder = out / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    if not made:
        for name in (PAGE, *PARTS):
            (out / name).unlink(missing_ok=True)
        return
    folder.mkdir()
    for file in made:
        (folder / file.name).write_bytes(file.content)
    print(f"{FOLDER + '/':22} {sum(len(file.content) for file in made):8,} bytes")
