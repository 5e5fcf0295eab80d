"""The wheel in environments that hold nothing else, under the oldest and the newest Python that are promised."""

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

import archives
from poolroom import __version__, describe
from tests.node import ROOT
from tests.packages.conftest import EMPTY, Installed, Release, installed
from tests.test_pythons import CURRENT

VERSIONS = sorted({"3.11", "3.13", CURRENT})
ALONE = """
import importlib.metadata, pathlib, sys
assert {each.name for each in importlib.metadata.distributions()} == {"poolroom"}
import poolroom
assert pathlib.Path(poolroom.__file__).is_relative_to(sys.prefix), poolroom.__file__
try:
    poolroom.widget
except ImportError as problem:
    print(problem)
"""
WITH_EXTRA = """
import pathlib, sys, poolroom
assert pathlib.Path(poolroom.__file__).is_relative_to(sys.prefix), poolroom.__file__
widget = poolroom.widget(share=48, cap=32)
print(widget.result["run"])
print(len(str(widget._esm)))
"""


@pytest.fixture(scope="module", params=VERSIONS)
def home(request: pytest.FixtureRequest, packages: Release, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an empty environment, for each of the Pythons."""
    if request.param == CURRENT:
        return request.getfixturevalue("newest")
    return installed(request.param, packages.wheel, tmp_path_factory.mktemp("home") / "venv")


def test_the_package_alone(home: Installed, tell: Callable[[str], None]) -> None:
    """Rule: nothing else is there; it can be imported, and what needs an extra says which."""
    done = home.run(home.python, "-c", ALONE)
    assert done.stderr == ""
    assert done.stdout == 'The widget in a notebook needs anywidget: pip install "poolroom[widget]".\n'
    tell(f"wheel: used alone under Python {home.version}")


def test_the_command_answers(home: Installed) -> None:
    """Rule: `poolroom` and `python -m poolroom` say what the checkout says, and refuse in one line."""
    done = home.run(home.program, "describe", "--share", "48", "--json")
    assert done.stderr == ""
    assert json.loads(done.stdout).items() >= describe(48, 8000, 64).items()
    again = home.run(home.python, "-m", "poolroom", "describe", "--share", "48", "--json")
    assert again.stdout == done.stdout
    assert home.run(home.program, "--version").stdout == f"poolroom {__version__}\n"
    refused = home.run(home.program, "room", "--share", "0")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    missing = home.run(home.program, "svg", "--png", "bar.png")
    assert missing.returncode == 2 and 'pip install "poolroom[png]"' in missing.stderr


def test_the_widgets_files_can_be_had(home: Installed, dist: Path, tmp_path: Path) -> None:
    """Rule: `poolroom files` writes what the site serves."""
    done = home.run(home.program, "files", "public", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    written = archives.content_of(tmp_path / "public")
    assert len(written) == 4
    for name, data in written.items():
        assert data == (dist / name).read_bytes(), name


def test_the_description_is_true(home: Installed) -> None:
    """Rule: what the package's description shows is what happens."""
    text = ROOT / "site" / "packages" / "python.md"
    done = home.run(home.python, "-m", "doctest", text)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    commands = re.findall(r"^poolroom (\w+)", text.read_text("utf-8"), re.M)
    assert commands == ["describe", "run", "sweep", "check", "svg", "files"]
    for command in commands:
        assert home.run(home.program, command, "--help").returncode == 0, command


def test_the_widget_with_its_extra(newest: Installed, dist: Path) -> None:
    """Rule: with anywidget at hand the wheel's own module is shown, and Python knows the result."""
    libraries = sysconfig.get_path("purelib")  # of this environment, which has anywidget; the wheel comes first
    done = newest.run(newest.python, "-c", WITH_EXTRA, PYTHONPATH=libraries)
    assert done.returncode == 0, done.stderr
    shown, size = done.stdout.splitlines()
    assert shown == describe(48, 8000, 32)["run"]
    assert int(size) == len((dist / "poolroom-anywidget.js").read_text("utf-8"))


def test_types_are_found(newest: Installed) -> None:
    """Rule: mypy knows the types of the installed package, and sees each mistake of its user."""
    text = Path(__file__).with_name("consumer.py")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--config-file", os.devnull]
    done = subprocess.run(
        [*command, "--python-executable", str(newest.python), str(text)],
        cwd=newest.home,
        env=EMPTY,
        capture_output=True,
        encoding="utf-8",
    )
    lines = text.read_text("utf-8").splitlines()
    found = re.findall(r"consumer\.py:(\d+): error: .*\[([\w-]+)\]", done.stdout)
    marked = [number for number, line in enumerate(lines, 1) if "  # a " in line]
    assert [int(number) for number, _ in found] == marked, done.stdout + done.stderr
    assert [kind for _, kind in found] == ["attr-defined", "arg-type", "typeddict-item"]


def test_the_sdist_becomes_the_same_wheel(packages: Release, tmp_path: Path) -> None:
    """Rule: whoever builds from the sdist gets the widget's files too: the very bytes of the wheel."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-qq",
        "--disable-pip-version-check",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--no-cache-dir",
        "--wheel-dir",
        str(tmp_path),
        str(packages.sdist),
    ]
    subprocess.run(command, check=True, env={**EMPTY, "SOURCE_DATE_EPOCH": str(archives.FIRST_SECOND)})
    assert (tmp_path / packages.wheel.name).read_bytes() == packages.wheel.read_bytes()


def test_the_reference_knows_the_next_python() -> None:
    """Rule: 3.14, which cannot be had everywhere, lacks nothing of the standard library that the package uses."""
    command = [sys.executable, "-m", "mypy", "--no-incremental", "--python-version", "3.14"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout
