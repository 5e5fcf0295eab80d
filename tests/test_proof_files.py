"""The files of the proof page: the same bytes each time, compiled where that is of use, left out where it cannot be."""

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

import browser_python
import proof_files
from archives import content_of
from tests.browser.html import read
from tests.built import needs_proof, shared_site
from tests.node import ROOT
from tests.test_pythons import other_pythons


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    return shared_site(tmp_path_factory)


def in_zip(content: bytes) -> dict[str, bytes]:
    """The files of an archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def wheel_in(folder: Path) -> dict[str, bytes]:
    """The files of the reference's wheel."""
    (wheel,) = folder.glob("poolroom-*-py3-none-any.whl")
    return in_zip(wheel.read_bytes())


@needs_proof
def test_made_anew_they_are_the_same_bytes(site: Path, tmp_path: Path) -> None:
    """Rule: nothing of the day, the machine or an earlier build gets into them, nor into the lock file's hashes."""
    head = "poolroom/static/"
    static = {
        name.removeprefix(head): content.decode()
        for name, content in wheel_in(site / "pyodide").items()
        if name.startswith(head)
    }
    assert static
    made = {file.name: file.content for file in proof_files.files(static, tmp_path)}
    assert made == content_of(site / "pyodide")


@needs_proof
def test_the_wheel_is_as_pip_installs_it(site: Path) -> None:
    """Rule: the reference can be read: source, and no bytecode; it is what this checkout holds."""
    inside = wheel_in(site / "pyodide")
    assert not any(name.endswith(".pyc") for name in inside)
    for path in (ROOT / "sim" / "poolroom").glob("*.py"):
        assert inside[f"poolroom/{path.name}"] == path.read_bytes()


@needs_proof
def test_the_tests_are_those_of_this_checkout(site: Path) -> None:
    """Rule: the archive holds every file of tests/sim, byte for byte."""
    inside = in_zip((site / "pyodide" / proof_files.TESTS).read_bytes())
    for path in (ROOT / "tests" / "sim").glob("*.py"):
        assert inside[f"tests/sim/{path.name}"] == path.read_bytes()
    assert not any("__pycache__" in name or "static" in name for name in inside)


@needs_proof
def test_the_page_lists_each_file_and_its_size(site: Path) -> None:
    """Rule: what lies in the folder is what the table says, and a file of the table is there."""
    rows = [node.attributes for node in read(site / "proof.html").find("tr") if "data-name" in node.attributes]
    assert {row["data-name"]: int(row["data-bytes"]) for row in rows} == {
        name: len(content) for name, content in content_of(site / "pyodide").items()
    }


@pytest.mark.parametrize(("version", "why"), [
    ((3, 11), "proof.html is left out: pyodide-build needs Python 3.12 or newer, and this is 3.11."),
    ((3, 12), ""), ((3, 13), ""), ((3, 14), ""),
])  # fmt: skip
def test_an_older_python_leaves_the_page_out(version: tuple[int, int], why: str) -> None:
    """Rule: one sentence that says why, or none."""
    assert proof_files.why_not(version) == why


@pytest.mark.parametrize(("here", "wanted"), [((3, 12), False), ((3, 13), True), ((3, 14), False)])
def test_bytecode_is_of_one_minor_version(here: tuple[int, int], wanted: bool) -> None:
    """Rule: another minor version's bytecode is none to Pyodide."""
    assert browser_python.compiles("3.13.2", here) is wanted
    assert browser_python.lock_info()["python"].startswith("3.13.")


@needs_proof
def test_without_compiling_there_is_still_a_lock_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule: where this Python's bytecode is of no use, everything stays as it came, and the hashes fit."""
    monkeypatch.setattr(browser_python, "compiles", lambda python: False)
    browser_python.make_tools(tmp_path)
    packages = json.loads((tmp_path / browser_python.LOCK).read_text("utf-8"))["packages"]
    assert {"pytest", "hypothesis"} <= packages.keys()
    for package in packages.values():
        content = (tmp_path / package["file_name"]).read_bytes()
        assert proof_files.File("", "", content, True).digest == package["sha256"]
        assert "-none-any.whl" in package["file_name"] and "cp3" not in package["file_name"]
    library = browser_python.pyodide("python_stdlib.zip")
    assert (tmp_path / library.name).read_bytes() == library.read_bytes()


@needs_proof
def test_missing_wheels_are_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule: the build says what to run."""
    monkeypatch.setattr(browser_python, "WHEELS", tmp_path)
    with pytest.raises(browser_python.BuildError, match=r"run python3 site/make/environment\.py first\.$"):
        browser_python.wheels()


def test_the_build_under_3_11(tmp_path: Path, tell: Callable[[str], None]) -> None:
    """Rule: it ends well, says in one line what is left out, and no page links to what is not there."""
    python = other_pythons().get("3.11")
    if python is None and sys.version_info[:2] != (3, 11):
        tell("proof page: Python 3.11 is not here, so no build left the page out")
        return
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    for name in ("griffe", "jinja2", "markupsafe"):
        spec = find_spec(name)
        assert spec and spec.submodule_search_locations
        (libraries / name).symlink_to(spec.submodule_search_locations[0])
    out = tmp_path / "dist"
    (out / "pyodide").mkdir(parents=True)
    (out / "proof.html").write_text("of an earlier build", "utf-8")
    command = [python or sys.executable, "-B", "build.py", "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(libraries)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert proof_files.why_not((3, 11)) in done.stdout.splitlines()
    assert not [path.name for path in out.iterdir() if "proof" in path.name or path.name == "pyodide"]
    assert all("proof.html" not in path.read_text("utf-8") for path in out.glob("*.html"))
