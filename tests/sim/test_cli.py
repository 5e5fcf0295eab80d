"""The command line: words and JSON, one line for every refusal, and never a trace."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from poolroom import as_text, catalogue, describe, measure, page_words, room, serve, stops_paying, sweep
from poolroom.cli import main
from poolroom.facts import COST
from tests.sim.tools import ROOT, chats, needs_deep_stack, needs_processes

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "sim"), "PYTHONUTF8": "1"}


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints when all is well."""
    assert main(words) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.endswith("\n")
    return printed.out[:-1]


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line with which a command is refused."""
    try:
        code: Any = main(words)
    except SystemExit as leaving:
        code = leaving.code
    printed = capsys.readouterr()
    assert code == 2
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("poolroom"), printed.err
    assert "Traceback" not in printed.err
    return lines[0]


def program(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """The program as a process of its own."""
    command = [sys.executable, "-m", "poolroom", *words]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, encoding="utf-8", timeout=60, **more)


def test_describe_prints_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: the words of as_text, at the opening settings where nothing is said."""
    assert answer(capsys, "describe") == as_text(measure(90, 8_000, 64))
    words = ("--share", "40", "--longest", "8000", "--cap", "64", "--reserved", "--chats", "swapped")
    assert answer(capsys, "describe", *words).startswith("Memory share 40 percent, longest chat 8,000 tokens")


def test_describe_as_json_has_the_same_and_the_words_beside(capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: describe()'s keys, the page's words, and the fixes where the server does not start."""
    found = json.loads(answer(capsys, "describe", "--share", "60", "--json"))
    assert found == {**describe(60, 8_000, 64), "page": page_words(measure(60, 8_000, 64))}
    stopped = json.loads(answer(capsys, "describe", "--share", "30", "--longest", "128000", "--json"))
    assert stopped["fixes"] == {"share": 44, "longest": 32_000}


def test_describe_speaks_other_languages(capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: --lang chooses the words of the answer, as text and as JSON; one that is not there is refused by name."""
    german = catalogue("de")
    words = ("describe", "--share", "40", "--chats", "swapped", "--lang", "de")
    lines = answer(capsys, *words).splitlines()
    assert lines[0] == "Speicheranteil 40 Prozent, längster Chat 8.000 Token, höchstens 64 Chats zugleich."
    assert lines[-1] == "Chats: lange Antworten."
    found = json.loads(answer(capsys, "describe", "--lang", "de", "--json"))
    measured = measure(90, 8_000, 64)
    assert found == {**describe(90, 8_000, 64, words=german), "page": page_words(measured, words=german)}
    assert answer(capsys, "describe", "--lang", "en") == answer(capsys, "describe")
    assert refused(capsys, "describe", "--lang", "fr") == "poolroom: lang is “fr”, but must be one of de, en."
    refused(capsys, "room", "--lang", "de")


def test_room_prints_the_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: four parts in bytes, GB and GiB, and the first line."""
    lines = answer(capsys, "room").splitlines()
    assert lines[1].split() == ["Model", "weights", "16,060,522,496", "16.1", "15.0"]
    assert lines[3].split() == ["Cache", "pool", "53,938,749,440", "53.9", "50.2"]
    assert lines[-1] == "Room for 205 chats of 2,000 tokens at once. 51 if every chat ran to 8,000."
    assert json.loads(answer(capsys, "room", "--json")) == room(90, 8_000)


def test_run_prints_two_lines_or_every_number(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Rule: a list of one's own, a pool and a cost record of one's own; the same numbers as serve."""
    rows = [{"arrival": 0, "prompt": 15, "reply": 20}, {"arrival": 1.5, "prompt": 16, "reply": 16}]
    (tmp_path / "chats.json").write_text(json.dumps(rows), encoding="utf-8")
    cost = {field: getattr(COST, field) for field in COST.__slots__}
    (tmp_path / "cost.json").write_text(json.dumps(cost), encoding="utf-8")
    words = [
        "--requests",
        str(tmp_path / "chats.json"),
        "--cost",
        str(tmp_path / "cost.json"),
        "--pool",
        "4",
        "--longest",
        "48",
    ]
    found = json.loads(answer(capsys, "run", *words, "--json"))
    assert found == serve(chats((0, 15, 20), (1.5, 16, 16)), 64, 4, 48)
    assert answer(capsys, "run", *words).startswith("Running on average: ")
    assert len(answer(capsys, "run").splitlines()) == 2


def test_sweep_prints_the_table_and_the_knee(capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: a row a cap, then where raising the seats stops paying."""
    found = json.loads(answer(capsys, "sweep", "--caps", "32,64,128", "--json"))
    assert found == {"rows": sweep(caps=[32, 64, 128]), "stops_paying": 64}
    lines = answer(capsys, "sweep", "--caps", "32, 64, 128").splitlines()
    assert lines[2].split() == ["64", "62", "1,202", "47.3", "0", "0"]
    assert lines[-1] == "Raising the seats stops paying at 64."
    assert stops_paying(found["rows"]) == 64


@pytest.mark.parametrize("text", ["8000", "8,000", "8_000", " 8000 "])
def test_numbers_may_be_written_as_the_page_writes_them(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Rule: separators are read, so a number can be copied from the page."""
    assert answer(capsys, "describe", "--longest", text) == answer(capsys, "describe")


BAD_VALUES = [
    *[
        ("describe", "--share", value)
        for value in ("0", "101", "-1", "90.0", "9e1", "", " ", "ninety", "nan", "inf", "true", "٩٠", "½", "1" * 17)
    ],
    *[("describe", "--longest", value) for value in ("0", "-5", "8k", "8000.5", "9" * 5_000)],
    *[("describe", "--cap", value) for value in ("0", "-1", "1.5", "None", "0x10")],
    *[("sweep", "--caps", value) for value in ("", ",", "1,", "2,1", "4,4", "0", "1;2", "a", "1,2,two")],
    *[("run", "--pool", value) for value in ("-1", "0", "499", "many", "1e9")],
    ("describe", "--chats", "Lesson"),
    ("describe", "--chats", ""),
    ("run", "--share", "30", "--longest", "128000"),
    ("sweep", "--share", "22"),
    ("room", "--share", "9999999999999999"),
]


@pytest.mark.parametrize("words", BAD_VALUES, ids=lambda words: "-".join(words)[:60])
def test_a_bad_value_is_refused_in_one_line(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    """Rule: exit 2, one line that names the setting, the value and what is allowed, no trace."""
    line = refused(capsys, *words)
    assert ", but must be " in line and len(line) < 400


BAD_WORDS = [
    (),
    ("serve",),
    ("describe", "--shares", "90"),
    ("describe", "--sha", "90"),
    ("describe", "90"),
    ("describe", "--share"),
    ("describe", "--pool", "9"),
    ("room", "--cap", "9"),
    ("--json", "describe"),
    ("describe", "--reserved=yes"),
]


@pytest.mark.parametrize("words", BAD_WORDS, ids=lambda words: "-".join(words) or "nothing")
def test_a_bad_command_is_refused_in_one_line(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    """Rule: exit 2 and one line also where the words themselves are not known; nothing is abbreviated."""
    refused(capsys, *words)


BAD_FILES = {
    "empty": b"",
    "no JSON": b"{",
    "no text": b"\xff\xfe\x00\x01",
    "NaN": b'[{"arrival": NaN, "prompt": 1, "reply": 1}]',
    "Infinity": b'[{"arrival": Infinity, "prompt": 1, "reply": 1}]',
    "an object": b"{}",
    "a number": b"7",
    "null": b"null",
    "a row too many": b'[{"arrival": 0, "prompt": 1, "reply": 1, "name": 2}]',
    "a row too few": b'[{"arrival": 0, "prompt": 1}]',
    "no rows": b"[[0, 1, 1]]",
    "text for a number": b'[{"arrival": 0, "prompt": "1", "reply": 1}]',
    "true for a number": b'[{"arrival": true, "prompt": 1, "reply": 1}]',
    "a float": b'[{"arrival": 0, "prompt": 1.0, "reply": 1}]',
    "decreasing": b'[{"arrival": 1, "prompt": 1, "reply": 1}, {"arrival": 0, "prompt": 1, "reply": 1}]',
    "huge": b'[{"arrival": 0, "prompt": 1' + b"0" * 6_000 + b', "reply": 1}]',
    "deep": b"[" * 100_000,
    "mixed keys": b'[{"arrival": 0, "prompt": 1, "reply": 1}, {"": 0}]',
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs_deep_stack if name == "deep" else ()) for name in BAD_FILES]
)
def test_a_bad_file_of_chats_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    """Rule: whatever is in the file, exit 2 and one line."""
    path = tmp_path / "chats.json"
    path.write_bytes(BAD_FILES[name])
    for command in ("describe", "run", "sweep"):
        refused(capsys, command, "--requests", str(path))


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"weights_bytes": 1}', b"7", b"\xff"])
def test_a_bad_cost_file_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes
) -> None:
    """Rule: a cost file has exactly the fields of the record."""
    path = tmp_path / "cost.json"
    path.write_bytes(content)
    refused(capsys, "run", "--cost", str(path))


@pytest.mark.parametrize("field", list(COST.__slots__))
@pytest.mark.parametrize("value", ["NaN", "-1", '"1"', "null", "true", "[]", "1e999", "1" + "0" * 400])
def test_a_bad_cost_field_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, field: str, value: str
) -> None:
    """Rule: the line names the field."""
    fields = {name: str(getattr(COST, name)) for name in COST.__slots__} | {field: value}
    path = tmp_path / "cost.json"
    path.write_text("{" + ", ".join(f'"{name}": {text}' for name, text in fields.items()) + "}", encoding="utf-8")
    assert f"cost.{field} is " in refused(capsys, "run", "--cost", str(path))


def test_a_file_that_cannot_be_read_is_refused_in_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Rule: a missing file, a folder, or a name with a zero byte: exit 2 and one line."""
    for path in (tmp_path / "none.json", tmp_path, "a\0b", "x" * 5_000, ""):
        refused(capsys, "run", "--requests", str(path))
        refused(capsys, "run", "--cost", str(path))


@pytest.mark.parametrize(
    "words", [["--help"], ["describe", "--help"], ["room", "-h"], ["run", "--help"], ["sweep", "--help"]]
)
def test_help_works(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """Rule: help is printed on standard output, and that is no error."""
    with pytest.raises(SystemExit) as leaving:
        main(words)
    printed = capsys.readouterr()
    assert leaving.value.code == 0
    assert printed.out.startswith("usage: poolroom") and printed.err == ""


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: --version names program and version."""
    with pytest.raises(SystemExit) as leaving:
        main(["--version"])
    assert leaving.value.code == 0
    assert capsys.readouterr().out.startswith("poolroom 0.")


@needs_processes
def test_the_program_gives_its_codes_and_no_trace() -> None:
    """Rule: as a process of its own: 0 with an answer, 2 with one line."""
    good = program("room")
    assert (good.returncode, good.stderr) == (0, "")
    bad = program("room", "--share", "0")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "poolroom: share is 0, but must be a whole number from 1 to 100.\n"


@needs_processes
def test_a_list_of_chats_may_come_through_a_pipe() -> None:
    """Rule: a path such as /dev/stdin is a file like any other."""
    if not Path("/dev/stdin").exists():
        pytest.skip("this system has no /dev/stdin")
    rows = '[{"arrival": 0, "prompt": 15, "reply": 20}]'
    found = program("run", "--requests", "/dev/stdin", "--json", input=rows)
    assert json.loads(found.stdout)["steps"] == 20


@needs_processes
@pytest.mark.skipif(os.name == "nt", reason="Windows has no broken pipe")
@pytest.mark.parametrize("words", [["describe"], ["run", "--json"]])
def test_a_reader_who_has_seen_enough_is_no_error(words: list[str]) -> None:
    """Rule: a broken pipe, as from `head`, ends quietly."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "poolroom", *words]
    try:
        done = subprocess.run(command, env=ENVIRONMENT, stdout=writing, stderr=subprocess.PIPE, timeout=60)
    finally:
        os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 0


@needs_processes
def test_words_are_printed_where_the_terminal_knows_little() -> None:
    """Rule: a terminal of plain ASCII gets an answer or a refusal, not a trace."""
    plain = {**ENVIRONMENT, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    for words in (["describe", "--share", "x"], ["describe", "--chats", "Lesson"], ["--help"], ["sweep"], ["describe"]):
        command = [sys.executable, "-m", "poolroom", *words]
        done = subprocess.run(command, env=plain, capture_output=True, timeout=60)
        assert b"Traceback" not in done.stderr, (words, done.stderr)
