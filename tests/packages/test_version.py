"""The version stands in one place, and everything else follows it."""

import json
import re
from pathlib import Path

from poolroom import __version__
from tests.node import ROOT

PLACE = "sim/poolroom/__init__.py"
LOCKED = {"package-lock.json", "requirements.txt", "node-requirements.txt"}
"""They name the versions of other people's packages."""
SKIPPED = {".git", ".venv", ".venv-serve", "node_modules", "dist", "build", "release", "static", "test-results"}
PICTURES = {".png", ".ico", ".woff2"}


def texts(folder: Path = ROOT) -> dict[str, str]:
    """Every text of the checkout by its path; what a tool made is left out."""
    found = {}
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            left_out = path.name in SKIPPED or path.name.endswith(("_cache", "__pycache__", ".egg-info", ".hypothesis"))
            found |= {} if left_out else texts(path)
        elif path.name not in LOCKED and path.suffix not in PICTURES and path.name != ".git":
            found[path.relative_to(ROOT).as_posix()] = path.read_text("utf-8", errors="replace")
    return found


def places(version: str, files: dict[str, str]) -> list[str]:
    """Where a version is written: file and line."""
    alone = re.compile(rf"(?<![\d.]){re.escape(version)}(?!\.?\d)")
    return [
        f"{name}: {line.strip()}" for name, text in files.items() for line in text.splitlines() if alone.search(line)
    ]


def test_the_version_is_written_in_one_place() -> None:
    """Rule: `__version__`, and the changelog's heading, which `make release` asks for; nowhere else."""
    found = places(__version__, texts())
    headings = [place for place in found if re.match(rf"CHANGELOG\.md: ## \[{re.escape(__version__)}\]", place)]
    assert len(headings) == 1
    assert [place for place in found if place not in headings] == [f'{PLACE}: __version__ = "{__version__}"']


def test_the_scan_sees_a_second_place() -> None:
    """Rule: a scan that finds one place must be able to find two, and is not taken in by longer numbers."""
    files = {"a": "poolroom-7.8.9.js", "b": 'version: "7.8.9"', "c": "v7.8.9.", "d": "17.8.9 7.8.9.1 7.8.91 7.8"}
    assert [place[0] for place in places("7.8.9", files)] == ["a", "b", "c"]
    assert {"README.md", "package.json", "CITATION.cff", "build.py", "site/pages/embed.html.jinja"} <= texts().keys()


def test_no_file_of_a_tool_has_a_version_of_its_own() -> None:
    """Rule: package.json and its lock name none, and the Python package takes it from the code."""
    assert "version" not in json.loads((ROOT / "package.json").read_text("utf-8"))
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    assert "version" not in lock and "version" not in lock["packages"][""]
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'dynamic = ["version"]' in project and 'attr = "poolroom.__version__"' in project


def test_the_changelogs_first_version_is_this_one() -> None:
    """Rule: what is built is what was last written about."""
    headings = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert headings[0] == __version__
