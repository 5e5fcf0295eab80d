"""Does it bite? One wrong value in a vector, one wrong line of the port, one of the reference: each must be noticed."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.node import ROOT, VARIABLE, node, run_node, test_files
from tests.parity import vectors
from tests.parity.both import disagreements, in_processes, made_and_answered, of_node, of_python
from tests.parity.calls import Job
from tests.parity.lists import list_job
from tests.parity.tools import inputs

LISTS = 200
OF_THE_PLAN = ("paste_*", "plan_*.test.js")
"""Tests of the plan page’s scripts, which the copy does not have."""
PORT = {
    "an arrival at the very instant is left out": (
        "server.js",
        r"this\.arrival\[this\.arrived\] <= now",
        "this.arrival[this.arrived] < now",
    ),
    "a quiet stretch runs a step past an arrival": (
        "quiet.js",
        r">= arrival\) high = middle",
        "> arrival) high = middle",
    ),
    "a compute-bound stretch is counted a step short": (
        "quiet.js",
        r"clock\.tokens \+= running \* compute_steps;",
        "clock.tokens += running * (compute_steps - 1);",
    ),
    "a tie of the two kinds goes the other way": ("steptime.js", r"\) >= compute_seconds\(", ") > compute_seconds("),
    "a rebuilt chat is counted a token long": (
        "server.js",
        r"this\.rebuilt \+= this\.size\[i\];",
        "this.rebuilt += this.size[i] + 1;",
    ),
    "the oldest waiting chat is not the first": ("server.js", r"stopped\[stopped\.length - 1\]", "stopped[0]"),
    "a joining chat takes no block for its next token": (
        "server.js",
        r"blocks_for\(this\.size\[i\] \+ 1\);",
        "blocks_for(this.size[i]);",
    ),
    "a whole period is counted a block short": (
        "quiet.js",
        r"let taken = periods \* running;",
        "let taken = Math.max(0, periods * running - 1);",
    ),
    "the seconds are added in another order": (
        "steptime.js",
        r"return read / cost\.bandwidth_bytes_per_second \+",
        "return 1e-16 + read / cost.bandwidth_bytes_per_second +",
    ),
    "a word is rounded to the even neighbour": (
        "words.js",
        r"Math\.floor\(x \* 100 \+ 0\.5\)",
        "Math.floor(x * 100 + 0.499)",
    ),
}
TOOLS = {
    "a tie of arithmetic is a chat late": ("floor", "floor.js", r"batch, cost\) >= weights", "batch, cost) > weights"),
    "equal readings count as cache": ("floor", "floor.js", r"cache > weights \?", "cache >= weights ?"),
    "what does not fit is rounded up": ("kv", "kv.js", r"Math\.floor\(whole\(", "Math.ceil(whole("),
    "a card that is too small owes memory": ("kv", "kv.js", r"Math\.max\(0, (?=whole\()", "Math.max(-1, "),
    "a block that is not full has no constant": ("quantise", "quantise.js", r"n \+ size - 1\) / size", "n) / size"),
    "a tied head is counted twice": ("quantise", "quantise.js", r"\? table : 2 \* table", "? 2 * table : 2 * table"),
}
NO_LIST_SHOWS = ("a tie of the two kinds goes the other way", "a word is rounded to the even neighbour")
"""A tie takes as long either way, and a list of chats has no words: these are for the port's own tests."""
REFERENCE = {
    "an arrival at the very instant is left out": ("server.py", r"\.arrival\) <= now", ".arrival) < now"),
    "the oldest is paused, not the newest": ("server.py", r"self\.running\.pop\(\)", "self.running.pop(0)"),
    "the share of the card is rounded up": ("budget.py", r"card \* share\) // 100", "card * share + 99) // 100"),
    "halves are rounded down": ("words.py", r"math\.floor\(x \* 10\.0 \+ 0\.5\)", "math.floor(x * 10.0 + 0.499)"),
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of what both languages and their vectors need."""
    for name in ("sim", "widget/sim", "tests/parity", "tests/js", "tests/bench", "site/make"):
        shutil.copytree(
            ROOT / name,
            tmp_path / name,
            ignore=shutil.ignore_patterns("__pycache__", "test_bite.py", "test_page*", "conftest.py", *OF_THE_PLAN),
        )
    for name in (
        "widget/index.js",
        "tests/__init__.py",
        "tests/node.py",
        "tests/conftest.py",
        "package.json",
        "pyproject.toml",
    ):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture(scope="module")
def answered() -> list[tuple[Job, str]]:
    """Lists of chats with the reference's answers."""
    return list(in_processes(made_and_answered, [list_job] * LISTS, range(LISTS), chunk=20))


def corrupt(path: Path, pattern: str, replacement: str) -> None:
    """Change the one place that the pattern finds."""
    text = path.read_text(encoding="utf-8")
    changed, places = re.subn(pattern, lambda _: replacement, text)
    assert places == 1, f"{path.name} has {places} places like {pattern}: change this test with it"
    path.write_text(changed, encoding="utf-8")


def corrupt_a_vector(folder: Path) -> str:
    """Change one expected number by one, and give the name of its case."""
    path = folder / "tests" / "parity" / "vectors" / "server.json"
    content = vectors.read(path)
    case = content["cases"][0]
    case["out"]["rebuilt_tokens"] += 1
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(case["name"])


ENDS_WITHIN_S = 12  # a sound copy takes about two


def by_pytest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the vectors of a copy under pytest, against the copy's reference."""
    # pytest's own comparison of two whole files takes a minute, and longer where CI is set.
    quick = ["-p", "no:cacheprovider", "--assert=plain"]
    command = [sys.executable, "-m", "pytest", *quick, "tests/parity/test_vectors.py", *words]
    environment = {**os.environ, "PYTHONPATH": str(folder / "sim"), VARIABLE: node(), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8")


def by_node(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the port's tests of a copy."""
    return run_node("--test", "--test-reporter=tap", *test_files(folder), folder=folder)


def test_a_sound_copy_passes_both(copy: Path) -> None:
    """Rule: what fails below fails for its corruption, not for being a copy."""
    one, other = by_pytest(copy, "-k", "server or budget or words"), by_node(copy)
    assert one.returncode == 0, one.stdout[-3_000:]
    assert other.returncode == 0, other.stdout[-3_000:]


def test_a_wrong_value_in_a_vector_fails_both(copy: Path) -> None:
    """Rule: both suites compare with the file, and name the case."""
    name = corrupt_a_vector(copy)
    one, other = by_pytest(copy, "-k", "reference and server"), by_node(copy)
    assert one.returncode == 1 and name in one.stdout
    assert other.returncode == 1 and f"not ok 1 - {name}" in other.stdout


@pytest.mark.parametrize("what", PORT)
def test_a_wrong_line_of_the_port_is_noticed(copy: Path, answered: list[tuple[Job, str]], what: str) -> None:
    """Rule: the lists of the engine's parity, or the vectors, find any one line that is wrong."""
    name, pattern, replacement = PORT[what]
    corrupt(copy / "widget" / "sim" / name, pattern, replacement)
    if what in NO_LIST_SHOWS:
        assert by_node(copy).returncode == 1
        return
    jobs, pythons = [job for job, _ in answered], [text for _, text in answered]
    try:
        wrong = disagreements(jobs, pythons, of_node(jobs, copy, timeout=ENDS_WITHIN_S))
    except subprocess.TimeoutExpired:
        return  # a port that never ends is noticed too
    assert wrong
    assert "python" in wrong[0] and "javascript" in wrong[0] and "tests.parity.replay" in wrong[0]


@pytest.mark.parametrize("what", TOOLS)
def test_a_wrong_line_of_a_tool_is_noticed(copy: Path, what: str) -> None:
    """Rule: a few hundred inputs of a tool find any one line that is wrong."""
    tool, name, pattern, replacement = TOOLS[what]
    corrupt(copy / "widget" / "sim" / name, pattern, replacement)
    jobs = list(inputs(tool).jobs(range(400)))
    wrong = disagreements(jobs, [of_python(job) for job in jobs], of_node(jobs, copy))
    assert wrong and "tests.parity.replay" in wrong[0]


def test_the_vectors_alone_notice_a_wrong_line_of_the_port(copy: Path) -> None:
    """Rule: node --test bites by itself, without Python."""
    corrupt(copy / "widget" / "sim" / "server.js", *PORT["an arrival at the very instant is left out"][1:])
    done = by_node(copy)
    assert done.returncode == 1 and "an idle gap" in done.stdout


@pytest.mark.parametrize("what", REFERENCE)
def test_a_wrong_line_of_the_reference_is_noticed(copy: Path, what: str) -> None:
    """Rule: the reference is held to the cases worked by hand, and the files are seen to be out of date."""
    name, pattern, replacement = REFERENCE[what]
    corrupt(copy / "sim" / "poolroom" / name, pattern, replacement)
    done = by_pytest(copy, "-k", name.removesuffix(".py"))
    assert done.returncode == 1 and "failed" in done.stdout
    assert vectors.COMMAND in done.stdout


def test_how_much_was_bitten(tell: Callable[[str], None]) -> None:
    """Rule: several lines of each language are tried."""
    lines = f"{len(PORT)} wrong lines of the port, {len(TOOLS)} of its tools, {len(REFERENCE)} of the reference"
    tell(f"does it bite: 1 wrong value, {lines}")
    assert len(PORT) >= 8 and len(REFERENCE) >= 3
