"""The static picture: widths are bytes, words are the page's, and nothing in it is fetched or run."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolroom import CATALOGUES, SimError, as_text, chat_list, describe_measured, measure, page_words, svg
from poolroom.cli import main
from poolroom.describe import Measured
from poolroom.facts import CARD, COLOURS, LONGEST, SHARES
from tests.sim.tools import ROOT, chats, needs_processes

NS = "{http://www.w3.org/2000/svg}"
OPENING, STOPPED = measure(90, 8_000, 64), measure(43, 128_000, 64)
FULL = measure(60, 16_000, 64, True)
PICTURES = {"opening": OPENING, "stopped": STOPPED, "set aside": FULL, "starved": measure(30, 8_000, 512)}


def tree(picture: str) -> ElementTree.Element:
    """The picture as a tree; it must be well-formed."""
    return ElementTree.fromstring(picture)


def lines(picture: str) -> dict[str, str]:
    """The paragraphs by name, each as it is copied."""
    return {node.get("data-line", ""): "".join(node.itertext()) for node in tree(picture).iter(f"{NS}text")}


def parts(picture: str) -> Iterator[tuple[str, ElementTree.Element]]:
    """The groups of the bar."""
    for node in tree(picture).iter(f"{NS}g"):
        yield node.get("data-part", ""), node


def wanted(m: Measured) -> dict[str, str]:
    """The lines that the reference wants."""
    shown, beside = describe_measured(m), page_words(m)
    said = {
        "room": shown["room"], "run": shown["run"], "extra": shown["extra"],
        "first-word": beside["first_word"], "short": beside["short"], "caveat": beside["caveat"],
    }  # fmt: skip
    return {name: line for name, line in said.items() if line}


@pytest.mark.parametrize("m", PICTURES.values(), ids=PICTURES)
@pytest.mark.parametrize("width", [320, 720, 2_000])
def test_the_words_are_the_pages(m: Measured, width: int) -> None:
    """Rule: each line is one text, wrapped but whole; the legend has the sizes; title and description name it."""
    found = lines(svg(m, width=width))
    assert {name: found.get(name) for name in wanted(m)} == wanted(m)
    legend = [found[f"legend-{part}"] for part in ("weights", "reserve", "pool", "unused")]
    assert legend == describe_measured(m)["legend"]
    assert as_text(m).split("\n")[0] in found["settings"]
    assert ("badge" in found) == (m.run is None) == ("run" not in found)
    root = tree(svg(m, width=width))
    ids = (root.get("aria-labelledby") or "").split()
    title, desc = root[0], root[1]
    assert root.get("role") == "img" and ids == [title.get("id"), desc.get("id")]
    assert as_text(m) in (desc.text or "")


@given(st.sampled_from(SHARES), st.sampled_from(LONGEST), st.booleans(), st.integers(320, 2_000))
@settings(max_examples=100, deadline=None)
def test_widths_are_bytes(share: int, longest: int, reserved: bool, width: int) -> None:
    """Rule: each part is as wide as its bytes ÷ the card's, to a millionth of a px, beside the one before."""
    m = measure(share, longest, 64, reserved, chats((0, 300, 40)))
    left, inner = 16.0, width - 32
    for (_, node), size in zip(parts(svg(m, width=width)), describe_measured(m)["grow"], strict=True):
        area = node[0]
        assert abs(float(area.get("x", "")) - left) < 2e-6
        assert abs(float(area.get("width", "")) - inner * size / CARD.memory_bytes) < 1e-6
        left += inner * size / CARD.memory_bytes
    assert abs(left - (16 + inner)) < 1e-6


@pytest.mark.parametrize("m", [OPENING, FULL, PICTURES["starved"]], ids=["opening", "set aside", "starved"])
def test_depth_is_use(m: Measured) -> None:
    """Rule: the pool is filled to what is held on average, and a line stands at the fullest moment."""
    pool = dict(parts(svg(m)))["pool"]
    area = pool[0]
    top, height = float(area.get("y", "")), float(area.get("height", ""))
    used = next(node for node in pool if node.get("data-area") == "used")
    peak = next(node for node in pool if node.get("data-peak") is not None)
    assert m.run is not None and m.run["pool_used"] is not None
    assert float(used.get("height", "")) == pytest.approx(height * m.run["pool_used"], abs=1e-5)
    assert float(used.get("y", "")) + float(used.get("height", "")) == pytest.approx(top + height, abs=1e-5)
    fullest = (m.room["blocks"] - m.run["lowest_free"]) / m.room["blocks"]
    assert float(peak.get("y1", "")) == pytest.approx(top + height * (1 - fullest), abs=1e-5)
    lanes = [node for node in pool if node.get("data-lanes") is not None]
    assert len(lanes) == m.reserved


def test_a_server_that_does_not_start_is_crossed_out() -> None:
    """Rule: a cross over the pool, no level, and the words for it; one that starts has none of these."""
    crossed = [node for node in dict(parts(svg(STOPPED)))["pool"] if node.get("data-cross") is not None]
    assert len(crossed) == 2 and 'data-area="used"' not in svg(STOPPED)
    assert "data-cross" not in svg(OPENING)
    assert lines(svg(STOPPED))["badge"] == "Not started"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_alone_and_always_the_same(theme: str) -> None:
    """Rule: no script, no style, no address but the name space; the same bytes; ids differ between pictures."""
    picture = svg(OPENING, theme)
    assert picture == svg(measure(90, 8_000, 64), theme)
    assert set(re.findall(r"https?://[^\"<]+", picture)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(script|style|image|use|foreignObject)|href|\son\w+=|style=|url\((?!#pr-)", picture)
    ids = re.findall(r'\sid="([^"]+)"', picture)
    assert len(ids) == len(set(ids)) and set(re.findall(r"url\(#([^)]+)\)", picture)) <= set(ids)
    assert not set(ids) & set(re.findall(r'\sid="([^"]+)"', svg(STOPPED, theme)))
    assert set(re.findall(r'"(#[0-9a-f]{3,6})"', picture)) <= set(COLOURS[theme].values()) | {"#fff"}


def test_colours_are_the_widgets() -> None:
    """Rule: the facts hold the colours of poolroom.css, light and dark, and its paper for print."""
    css = (ROOT / "widget" / "poolroom.css").read_text(encoding="utf-8")
    there = dict(re.findall(r"--pr-([\w-]+), light-dark\(([^)]+)\)", css))
    for name, light in COLOURS["light"].items():
        assert there[name] == f"{light}, {COLOURS['dark'][name]}", name
    assert re.search(r"@media print \{\s*:host \{[^}]*--pr-paper: (#\w+)", css)[1] == COLOURS["print"]["paper"]  # type: ignore[index]


CAPTIONS = ["A & B < C > \"D\" 'E' *F*", "x" * 200, "見る" * 60, "\0\x1b[1m \ud800 tab\tline\n", "  ", ""]


@pytest.mark.parametrize("caption", CAPTIONS)
def test_a_caption_is_text(caption: str) -> None:
    """Rule: whatever an author writes stays text, is wrapped, and names the picture."""
    root = tree(svg(OPENING, caption=caption))
    said = lines(svg(OPENING, caption=caption)).get("caption", "")
    plain = re.sub("[\0\x1b\ud800]", "\ufffd", caption)
    assert said.replace(" ", "") == "".join(plain.split())
    assert (root[0].text or "").split() == (plain.split() or ["What", "the", "three", "settings", "change"])


def test_it_speaks_the_language_that_is_asked_for() -> None:
    """Rule: every line, the legend, the badge and the description in German; nothing stays English."""
    german = CATALOGUES["de"]
    for m in PICTURES.values():
        picture = svg(m, words=german)
        found = lines(picture)
        shown, beside = describe_measured(m, german), page_words(m, None, german)
        assert [found[f"legend-{part}"] for part in ("weights", "reserve", "pool", "unused")] == shown["legend"]
        assert (found["room"], found["extra"], found["caveat"]) == (shown["room"], shown["extra"], beside["caveat"])
        assert tree(picture).get("lang") == "de"
        assert not re.search(r"\b(chats|memory|tokens|held|started|once|pool)\b", " ".join(tree(picture).itertext()))


def test_a_chat_list_of_ones_own() -> None:
    """Rule: nobody served draws no level; no chats say so and have no caveat."""
    nobody = lines(svg(measure(90, 8_000, 64, requests=chats((0, 9_000, 1)))))
    assert nobody["run"].startswith("No chat runs") and "legend-used" not in nobody
    nothing = lines(svg(measure(90, 8_000, 64, requests=[]), listed="Chats: none."))
    assert nothing["run"] == "No chats to serve." and "caveat" not in nothing
    assert nothing["settings"].endswith("Chats: none.")


@pytest.mark.parametrize(
    ("given", "name"),
    [({"theme": "blue"}, "theme"), ({"width": 319}, "width"), ({"width": 2_001}, "width"), ({"width": 720.0}, "width"),
     ({"caption": "x" * 201}, "caption")],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(given: dict[str, str], name: str) -> None:
    """Rule: a refusal names the option."""
    with pytest.raises(SimError) as refusal:
        svg(OPENING, **given)  # type: ignore[arg-type]
    assert refusal.value.setting == name


def test_the_command_prints_or_writes_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Rule: to standard output, or to a file and then nothing is printed; options reach the picture."""
    assert main(["svg", "--share", "60", "--longest", "16,000", "--reserved"]) == 0
    assert capsys.readouterr() == (svg(FULL), "")
    out = tmp_path / "picture.svg"
    words = ["--theme", "dark", "--width", "500", "--caption", "Größe", "--chats", "swapped"]
    assert main(["svg", *words, "--out", str(out)]) == 0
    assert capsys.readouterr() == ("", "")
    swapped = measure(90, 8_000, 64, requests=chat_list("swapped"))
    assert out.read_text(encoding="utf-8") == svg(swapped, "dark", 500, "Größe", "Chats: long answers.")


@pytest.mark.parametrize("words", [("--theme", "blue"), ("--width", "wide"), ("--width", "1"), ("--out", "/no/where")])
def test_the_command_refuses_in_one_line(capsys: pytest.CaptureFixture[str], words: tuple[str, str]) -> None:
    """Rule: exit code 2, the option's name, nothing printed."""
    assert main(["svg", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.startswith(f"poolroom: {words[0][2:]} is ")
    assert len(printed.err.splitlines()) == 1


@needs_processes
def test_it_is_written_in_utf_8_whatever_the_terminal_knows(tmp_path: Path) -> None:
    """Rule: an SVG is read as UTF-8, so it is printed as UTF-8, also where the terminal is not."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "sim"), "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "poolroom", "svg", "--caption", "\u898b\u308b"]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60)
    assert done.stdout.decode("utf-8") == svg(OPENING, caption="\u898b\u308b")
