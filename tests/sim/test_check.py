"""`poolroom check`: numbers in a text are compared with the reference, and mended without touching anything else."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolroom import QUOTES, __version__, check, measure, quote
from poolroom.authored import OPTIONS
from poolroom.check import mended
from poolroom.cli import main
from poolroom.facts import CAPS, CHOICES, LONGEST, PRESETS, SHARES
from tests.sim.tools import ROOT, needs_processes

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "sim"), "PYTHONUTF8": "1"}
SPEED = '<pool-room-value share="48" show="tokens_per_second">{}</pool-room-value>'
RIGHT, WRONG = SPEED.format("1,202"), SPEED.format("1,200")
Run = Callable[..., tuple[int, str, str]]
SAYS = "tokens_per_second at share 48 is quoted as 1,200; it is 1,202."


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `poolroom check` in a folder: exit code, what it prints, what it complains about."""

    def run(*words: str, folder: Path) -> tuple[int, str, str]:
        monkeypatch.chdir(folder)
        try:
            code = main(["check", *words])
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        return code, *capsys.readouterr()

    return run


def said(text: str, path: str = "page.md") -> list[str]:
    """What is wrong, with lines."""
    return [f"{problem.line}: {problem.text}" for problem in check(text, path).problems]


def test_a_wrong_number_is_named_with_its_line(run: Run, tmp_path: Path) -> None:
    """Rule: file, line, name, settings, what is quoted, what it is; exit code 1; the file stays as it is."""
    text = f"# Half\n\n{RIGHT}\n\nand {WRONG}.\n"
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    assert run("page.md", folder=tmp_path) == (1, f"page.md:5: {SAYS}\n", "")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == text


def test_all_true_is_one_line_and_0(run: Run, tmp_path: Path) -> None:
    """Rule: one line that counts over all files."""
    (tmp_path / "one.md").write_text(f"{RIGHT} [try](poolroom.html?share=48&cap=1)", encoding="utf-8")
    (tmp_path / "two.html").write_text(f'{RIGHT}<pool-room share="48" id="a"></pool-room>', encoding="utf-8")
    found = run("one.md", "two.html", folder=tmp_path)
    assert found == (0, "All true. Numbers: 2, widgets: 1, links: 1.\n", "")


@pytest.mark.parametrize("words", [["nothing.md"], ["."], []])
def test_a_file_that_cannot_be_read_is_2(run: Run, tmp_path: Path, words: list[str]) -> None:
    """Rule: 2 and one line, also where another file has something wrong, which is said as well."""
    (tmp_path / "page.md").write_text(WRONG, encoding="utf-8")
    code, out, complaint = run(*words, *(["page.md"] if words else []), folder=tmp_path)
    assert code == 2 and len(complaint.splitlines()) == 1 and complaint.startswith("poolroom")
    assert out == (f"page.md:1: {SAYS}\n" if words else "")


def test_fix_sets_the_numbers_right(run: Run, tmp_path: Path) -> None:
    """Rule: what is mended is said, and 0 when nothing is left; what cannot be mended stays, and is 1."""
    path = tmp_path / "page.md"
    path.write_bytes(f"\ufeffA\r\n{WRONG}\r\n é {SPEED.format('')}\r\n".encode())
    code, out, _ = run("--fix", "page.md", folder=tmp_path)
    assert (code, len(out.splitlines())) == (0, 2) and all(line.endswith(" Fixed.") for line in out.splitlines())
    assert path.read_bytes() == f"\ufeffA\r\n{RIGHT}\r\n é {RIGHT}\r\n".encode()
    assert run("page.md", folder=tmp_path)[0] == 0
    path.write_text(f'{WRONG}<pool-room share="7"></pool-room>', encoding="utf-8")
    assert run("--fix", "page.md", folder=tmp_path)[0] == 1
    assert path.read_text(encoding="utf-8").startswith(RIGHT)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_fix_keeps_encoding_and_line_ends(run: Run, tmp_path: Path, encoding: str, end: str) -> None:
    """Rule: every other byte stays; lines are counted whichever way they end."""
    text = end.join(["Größe", "", "{}", ""])
    path = tmp_path / "page.md"
    path.write_bytes(text.format(WRONG).encode(encoding))
    assert run("--fix", "page.md", folder=tmp_path)[:2] == (0, f"page.md:3: {SAYS} Fixed.\n")
    assert path.read_bytes() == text.format(RIGHT).encode(encoding)


@pytest.mark.parametrize("text", [
    "<pool-room-value show=tokens_per_second share=48>1,200</pool-room-value>",
    "<POOL-ROOM-VALUE SHARE='48' Show = \"tokens_per_second\" class='a>b'\n>\n 1,200 </Pool-Room-Value >",
    '<pool-room-value share="4&#56;" show="tokens_per_second" data-x>1,200</pool-room-value>',
    '<pool-room-value preset="half" share="90" share="48" show="tokens_per_second"><b>1,200</b></pool-room-value>',
])  # fmt: skip
def test_tags_are_read_as_html_reads_them(text: str) -> None:
    """Rule: any order, quoting, case, over lines; the first of two attributes counts; inner markup is no number."""
    found = check(text)
    assert len(found.problems) == 1
    assert "is quoted as 1,200; it is " in found.problems[0].text
    assert check(mended(text, found)).problems == []


INSIDE = {
    "`1,200`": ("`1,200`", "1,202"), "``1,200``": ("``1,200``", "1,202"), "\n```\n1,200\n```\n": ("", "\n1,202\n"),
    "1,200<!-- old -->": ("1,200", "1,202<!-- old -->"), "<!-- `a` -->": ("", None),
    "<b>1,200</b>": ("1,200", "<b>1,202</b>"), "1,<i>2</i>00": ("1,200", None),
    "`<b>1,200</b>`": ("`1,200`", None), "<script>1,202</script>": ("", None),
    "<b>1,202</b>": None, "1,<!-- ` -->202": None,
}  # fmt: skip


@pytest.mark.parametrize("inner", INSIDE)
@pytest.mark.parametrize("path", ["a.md", "a.html", "a.rst"])
def test_what_stands_in_a_value_is_read_as_it_is_written(inner: str, path: str) -> None:
    """Rule: plain text gives way as a whole; among tags and comments only one number does, or nothing is touched."""
    text, wanted = f"a {SPEED.format(inner)} b", INSIDE[inner]
    report = check(text, path)
    assert len(report.problems) == (wanted is not None)
    if wanted is not None:
        quoted, after = wanted
        assert f" quoted as {quoted}" in report.problems[0].text or not quoted
        assert mended(text, report) == f"a {SPEED.format(inner if after is None else after)} b"
        assert bool(check(mended(text, report), path).problems) == (after is None)


LONG = {
    "a.md": ["<!-- ", "<script ", "<STYLE>", "`a``b```c", "` \\`` ", "".join("`" * n + " " for n in range(1, 1990)),
             "<pool-room ", "<pool-room-value '\"", "poolroom-", "poolroom-1.0", "~", "``` " + " " * 1000 + "`\n"],
    "a.html": ["<!-- ", "<script>", "</style "],
    "a.rst": ["`` ", ".. code::\n \n"],
    "a.ipynb": ["<!-- ", '"  ', '=\\"'],
}  # fmt: skip
AT_LENGTH = "import sys; from poolroom import check; check(sys.stdin.read(), sys.argv[1])"
SHAPES = [(path, each) for path, pieces in LONG.items() for each in pieces]


@needs_processes
@pytest.mark.parametrize(("path", "piece"), SHAPES, ids=[f"{path}-{each[:20]!a}" for path, each in SHAPES])
def test_no_text_is_read_again_and_again(path: str, piece: str) -> None:
    """Rule: half a million characters of what never closes take a second, not hours."""
    text = (piece * (600_000 // len(piece) + 1))[:600_000]
    command = [sys.executable, "-c", AT_LENGTH, path]
    subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, input=text, encoding="utf-8", timeout=30, check=True)


def test_attributes_of_the_fourth_example_override_the_preset() -> None:
    """Rule: settings beside a preset replace its own."""
    other = quote(measure(90, 8_000, 1), "ms_between_words")
    assert check(f'<pool-room-value preset="one" show="ms_between_words">{other}</pool-room-value>').problems == []
    both = quote(measure(90, 8_000, 4), "ms_between_words")
    assert check(f'<pool-room-value preset="one" cap=4 show="ms_between_words">{both}</pool-room-value>').problems == []


EXAMPLES = {
    "a.md": [f"```html\n{WRONG}\n```\n", f"~~~\n{WRONG}\n```\n~~~~\n", f"`{WRONG}`", f"`` ` {WRONG} ``",
             f"<!-- {WRONG} -->", f"- a\n\n      ```\n      {WRONG}\n      ```\n", f"> ```\n> {WRONG}\n> ```\n",
             f"```\n{WRONG}"],
    "a.html": [f"<!-- {WRONG} -->", f"<script>const a = '{WRONG}';</script>", f"<STYLE>{WRONG}</STYLE>"],
    "a.rst": [f"``{WRONG}``", f"A\n\n.. code-block:: html\n\n   {WRONG}\n\n   {WRONG}\n\n"],
}  # fmt: skip
LIVE = {
    "a.md": [f"a ` b\n\n{WRONG} `", f"`<!--` {WRONG} `-->`", f"```\na\n```\n{WRONG}\n```\nb\n```", f"\\`{WRONG}\\`"],
    "a.html": [f"`{WRONG}`", f"<pre>\n```\n{WRONG}\n```\n</pre>"],
    "a.rst": [f"Title\n~~~~~\n\n{WRONG}\n", f".. raw:: html\n\n   {WRONG}\n", f".. code::\n\n   a\n\n{WRONG}\n"],
}


@pytest.mark.parametrize(("path", "text"), [(path, text) for path, texts in EXAMPLES.items() for text in texts])
def test_examples_are_left_alone(path: str, text: str) -> None:
    """Rule: fences, backticks, comments, scripts, literals and code directives show code, not numbers."""
    assert check(text, path).counts["pool-room-value"] == 0


@pytest.mark.parametrize(("path", "text"), [(path, text) for path, texts in LIVE.items() for text in texts])
def test_what_only_looks_like_an_example_is_checked(path: str, text: str) -> None:
    """Rule: a stray backtick, an underline, a raw block hide nothing."""
    assert [problem.text for problem in check(text, path).problems] == [SAYS]


def test_notebooks_are_checked_as_they_lie_on_disk() -> None:
    """Rule: escaped quotes, tags over lines of a cell, fences that end with their cell; mended, it is still JSON."""
    tag = WRONG.replace(" show", "\n  show")
    sources = [["# Half\n", *tag.splitlines(keepends=True), ", so"], ["```\n", WRONG], [WRONG]]
    cells = [{"cell_type": "markdown", "metadata": {}, "source": source} for source in sources]
    text = json.dumps({"cells": cells, "nbformat": 4}, indent=1, ensure_ascii=False)
    report = check(text, "lesson.ipynb")
    assert [problem.text for problem in report.problems] == [SAYS, SAYS]
    after = json.loads(mended(text, report))
    assert after["cells"][0]["source"][2].endswith(">1,202</pool-room-value>")
    assert after["cells"][1]["source"] == sources[1] and after["cells"][2]["source"] == [RIGHT]


REFUSED = {
    '<pool-room share="29"></pool-room>': "1: pool-room: share is “29”, but must be a whole number from 30 to 98.",
    '<pool-room seats="4">': "1: pool-room: name is “seats”, but must be one of " + ", ".join(OPTIONS) + ".",
    '<pool-room reserved="maybe"></pool-room>': "1: pool-room: reserved is “maybe”, but must be one of true, false.",
    '\n<pool-room hide="legend, bar"></pool-room>': "2: pool-room: hide is “legend, bar”, but must be a list of ",
    '<pool-room link="javascript:alert(1)">': "1: pool-room: link is “javascript:alert(1)”, but must be a web address.",
    '<pool-room lang="xx-YY">': "1: pool-room: lang is “xx-YY”, but must be one of ",
    '<pool-room theme="blue">': "1: pool-room: theme is “blue”, but must be one of “light”, “dark”.",
    '<pool-room preset="quarter">': "1: pool-room: preset is “quarter”, but must be one of “opening”, “half”, ",
    f'<pool-room caption="{"x" * 201}">': "1: pool-room: caption is “" + "x" * 40 + "…”, but must be at most 200 ",
    "(poolroom.html?share=48&cap=3)": "1: poolroom.html: cap is “3”, but must be one of 1, 2, 4, ",
    "<iframe src='a/poolroom.html?longest=8k#x'>": "1: poolroom.html: longest is “8k”, but must be one of 4000, 8000, ",
    f"poolroom-{__version__}.html?share=7": "1: poolroom.html: share is “7”, but must be a whole number from 30 to 98.",
    '<pool-room about="java&#9;script:1">': "1: pool-room: about is “java\tscript:1”, but must be a web address.",
    "poolroom.html?cap=64&amp;group=a": "1: poolroom.html: name is “group”, but must be one of preset, share, ",
    '<pool-room-value show="speed">1</pool-room-value>': "1: pool-room-value: show is “speed”, but must be one of ",
    "<pool-room-value>1</pool-room-value>": "1: pool-room-value: show is “”, but must be one of tokens_per_second, ",
    '<pool-room-value show="running" theme="dark">62</pool-room-value>': "1: pool-room-value: name is “theme”, but ",
    '<pool-room-value share="43" longest="128000" show="running">0</pool-room-value>': "1: pool-room-value: show is ",
    '<pool-room-value show="running">62': "1: <pool-room-value> has no end tag.",
    '<pool-room-value show="running"/> <pool-room-value show="running">62</pool-room-value>': "1: <pool-room-value> ",
    '<pool-room-value show="running"> </pool-room-value>': "1: running at the opening settings is not quoted, so ",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_used_is_said(text: str) -> None:
    """Rule: unknown names and values are reported with what is allowed, as the widget would refuse them."""
    found = said(text)
    assert len(found) == 1 and found[0].startswith(REFUSED[text]), found


@pytest.mark.parametrize("text", [
    '<pool-room id="a" class="b" style="x" data-z="1" aria-label="c" hidden slot="d" onclick="e" @click="f" v-if="g">',
    '<pool-room share="30" longest=128000 cap="512" reserved chats="swapped" lock="share cap" hide="legend,context">',
    '<pool-room reserved="" compact="compact" caption="it’s" theme="dark" lang="en" model="lesson-1" about="?">',
    "https://example.org/a/poolroom.html?share=48&reserved=1&utm_source=x&caption=two+words%20more, and a sentence.",
    "See poolroom.html?cap=4. Or (poolroom.html?cap=8).", "<pool-rooms share='1'> <pool-room-values>",
    '<pool-room preset="" theme="" lang="en-GB" hide="" link="https://a/b" about="../c?d=e:f#g" model="">',
    '<pool-room-value preset="" show="running">62</pool-room-value>',
])  # fmt: skip
def test_what_can_be_used_is_not_said(text: str) -> None:
    """Rule: HTML's own attributes, a framework's, other people's parameters, and all that the contract allows."""
    assert said(text) == []


def test_a_number_is_compared_in_its_own_language() -> None:
    """Rule: `lang` on the element chooses how the number is written; one without a catalogue is English."""
    tag = '<pool-room-value lang="{}" share="48" show="tokens_per_second">{}</pool-room-value>'
    for language, number in (("de", "1.202"), ("de-CH", "1.202"), ("fr", "1,202"), ("en", "1,202")):
        assert said(tag.format(language, number)) == []
    assert said(tag.format("de", "1,202")) == ["1: tokens_per_second at share 48 is quoted as 1,202; it is 1.202."]


def test_every_option_has_a_rule() -> None:
    """Rule: a new kind of option in the contract needs a rule here; every value of every choice passes."""
    assert {option["kind"] for option in OPTIONS.values()} == {"setting", "name", "list", "flag", "text", "address"}
    for key in ("share", "longest", "cap", "chats"):
        assert all(not said(f'<pool-room {key}="{value}">') for value in CHOICES[key]["values"])


NUMBERS = st.sampled_from(["", "0", "1,200", "1200", " 7 ", "99.9", "<b>5</b>", "é", "\n4\n", "&lt;3", "1\u202f202"])
PROSE = st.text(st.characters(exclude_characters="<`~&\"'\\", exclude_categories=["Cs"]), max_size=12)
QUOTED = st.builds(
    lambda settings, show, mark, text, space: "<pool-room-value"
    + "".join(f"{space}{key}={mark}{value}{mark}" for key, value in [*settings.items(), ("show", show)])
    + f">{text}</pool-room-value>",
    st.fixed_dictionaries({}, optional={
        "share": st.sampled_from(SHARES[::12]), "longest": st.sampled_from(LONGEST[:2]),
        "cap": st.sampled_from(CAPS[5:6]), "preset": st.sampled_from([name for name in PRESETS if name != "one"]),
    }),
    st.sampled_from(sorted(QUOTES)), st.sampled_from("\"'"), NUMBERS, st.sampled_from([" ", "\n  ", "\t"]),
)  # fmt: skip


@given(st.lists(st.tuples(PROSE, QUOTED), max_size=4), PROSE)
@settings(max_examples=60, deadline=None)
def test_fix_then_check_passes_and_changes_nothing_else(pieces: list[tuple[str, str]], tail: str) -> None:
    """Rule: after mending only what cannot be mended is said; taking the numbers out, both texts are the same."""
    text = "".join(before + tag for before, tag in pieces) + tail
    report = check(text)
    after = mended(text, report)
    assert report.counts["pool-room-value"] == len(pieces)
    assert [each.text for each in check(after).problems] == [each.text for each in report.problems if not each.mend]
    assert check(after).counts == report.counts
    spots = [each.mend for each in report.problems if each.mend]
    moved, at = 0, 0
    for start, end, number in spots:  # walk both texts side by side
        assert text[at:start] == after[at + moved : start + moved]
        assert after[start + moved : start + moved + len(number)] == number
        at, moved = end, moved + len(number) - (end - start)
    assert text[at:] == after[at + moved :]
