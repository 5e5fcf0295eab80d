"""The programs on the page on serving: their own files, to read, copy and download; and what they measured."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

import serve_programs
from bundle import BuildError
from tests.browser.conftest import Bench
from tests.browser.html import Node, read
from tests.browser.tools import PATH
from tests.node import ROOT

CODE = ROOT / "site" / "lessons" / "serve" / "code"
SHOWN = sorted(serve_programs.full_name(name) for name in serve_programs.SHOWN)


@pytest.fixture(scope="module")
def page_tree(dist: Path) -> Node:
    """The built page."""
    return read(dist / PATH)


def test_the_text_on_the_page_is_the_file(page_tree: Node) -> None:
    """Rule: a reader sees what the tests run, letter by letter."""
    shown = {node.attributes["aria-label"]: node.find("code")[0].text for node in page_tree.find("section", "code")}
    assert sorted(shown) == SHOWN
    assert shown == {name: (CODE / name).read_text("utf-8") for name in shown}


def test_every_file_can_be_had_alone_and_with_the_others(page_tree: Node, dist: Path) -> None:
    """Rule: no file is forgotten: each has a link that leads to it, and is in the zip."""
    files = {path.name: path.read_bytes() for path in CODE.iterdir() if path.is_file()}
    links = [node.attributes for node in page_tree.find("a") if node.attributes.get("download")]
    had = {link["download"]: (dist / link["href"]).read_bytes() for link in links}
    assert had == files
    with zipfile.ZipFile(io.BytesIO((dist / serve_programs.ZIP).read_bytes())) as archive:
        packed = {name.removeprefix(f"{serve_programs.FOLDER}/"): archive.read(name) for name in archive.namelist()}
    readme = (CODE.parent / serve_programs.README).read_bytes()
    assert packed == {**files, serve_programs.README: readme}
    assert (dist / serve_programs.FOLDER / serve_programs.README).read_bytes() == readme


def test_a_file_that_no_group_names_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule: whoever adds a program says where it is read."""
    groups = {**serve_programs.GROUPS, "The load": "load"}
    monkeypatch.setattr(serve_programs, "GROUPS", groups)
    with pytest.raises(BuildError, match="load_options"):
        serve_programs.programs()


@pytest.mark.parametrize("name", [SHOWN[0], SHOWN[-1]])
def test_a_file_is_copied_whole(bench: Bench, site: str, name: str) -> None:
    """Rule: the button copies the file, and says so."""
    page, watch = bench
    watch.troubles.clear()
    page.bring_to_front()
    page.goto(site + PATH)
    file = page.locator(".file", has=page.locator(f"section[aria-label='{name}']"))
    file.locator("summary").click()
    button = file.get_by_role("button", name="Copy")
    button.click()
    expect(file.locator(".copy-code")).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == (CODE / name).read_text("utf-8")
    watch.assert_quiet()


def test_what_was_measured_stands_there_as_it_was(page_tree: Node, dist: Path) -> None:
    """Rule: every run of the file has its row, in its order, with its error, also what came out badly."""
    measured = json.loads((dist / serve_programs.FOLDER / "measured.json").read_text("utf-8"))
    speeds, waits = page_tree.find("table", "measured")
    assert len(waits.find("tr")) == len(measured["runs"]) + 1
    rows = [[cell.text for cell in row.children if isinstance(cell, Node)] for row in speeds.find("tr")[1:]]
    settings = [[str(run["concurrency"]), str(run["max_batch"])] for run in measured["runs"]]
    assert [row[:2] for row in rows] == settings
    for row, run in zip(rows, measured["runs"], strict=True):
        rate = run["measured"]["tokens_per_second"]
        assert row[4].replace(",", "") == f"{rate['median']:.0f} ({rate['least']:.0f}–{rate['most']:.0f})"
        assert row[5].replace(",", "") == f"{run['predicted']['tokens_per_second']:.0f}"
        off = 100 * run["error"]["tokens_per_second"]
        assert row[6].endswith("fitted") == run["fitted"] and abs(percent(row[6]) - off) < 0.051


def percent(text: str) -> float:
    """An error as the page writes it."""
    return float(text.removesuffix(" fitted").removesuffix(" %").replace("−", "-"))


def test_throughput_was_predicted_within_15_percent() -> None:
    """Rule: of runs on which nothing was fitted; where one parts further, an experiment must show the cause."""
    measured = serve_programs.measured()
    errors = [run["error"]["tokens_per_second"] for run in measured["runs"] if not run["fitted"]]
    assert len(errors) >= 12 and max(map(abs, errors)) <= 0.15
    assert measured["worst_held_out_error"] == max(map(abs, errors))
