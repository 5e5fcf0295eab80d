"""The static picture as a browser and as resvg draw it: everything inside, words readable, widths to the pixel."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from poolroom import describe_measured, measure, svg
from poolroom.describe import Measured
from poolroom.facts import CARD, COLOURS
from poolroom.png import png
from serve import serving
from tests.browser.conftest import STRICT, Open
from tests.browser.png import Picture, Pixel, pixels

SETTINGS = [
    (90, 8_000, 64, False),
    (43, 128_000, 512, False),
    (30, 8_000, 512, False),
    (98, 16_000, 128, True),
    (30, 128_000, 1, True),
]
CAPTION = "The author’s own words above the picture: WWWWWWW MMMMMMMM @@@@@@ " + "m" * 60 + " 見見見見見見 end"
OUTSIDE = """() => {
  const root = document.querySelector('svg'), view = root.viewBox.baseVal, found = [];
  for (const node of root.querySelectorAll('text, rect, line, path')) {
    if (node.closest('defs')) continue;
    const box = node.getBBox();
    if (box.width > 0 && (box.x < 0 || box.y < 0 || box.x + box.width > view.width || box.y + box.height > view.height))
      found.push([node.textContent || node.outerHTML, box.x, box.y, box.width, box.height]);
  }
  const texts = [...root.querySelectorAll('text')].map((node) => [node.dataset.line, node.getBBox()]);
  for (const [i, [name, a]] of texts.entries()) for (const [other, b] of texts.slice(i + 1)) {
    const beside = a.x + a.width <= b.x || b.x + b.width <= a.x;
    const apart = a.y + a.height <= b.y + 8 || b.y + b.height <= a.y + 8; // boxes of letters are taller than letters
    if (!beside && !apart) found.push([name, other]);
  }
  return {found, texts: texts.length, drawn: texts.every(([, box]) => box.width > 10 && box.height > 10)};
}"""


def show(page: Page, folder: Path, home: str, picture: str) -> None:
    """Open a picture as a document of its own."""
    (folder / "picture.svg").write_text(picture, encoding="utf-8")
    page.goto(home + "picture.svg")


def test_nothing_leaves_the_picture(tmp_path: Path, browser: Browser, tell: Callable[[str], None]) -> None:
    """Every text and mark lies inside the view box, and no two texts lie on each other, at every width."""
    page, seen = browser.new_page(), 0
    with serving(tmp_path, headers=STRICT) as home:
        for setting, measured in ((setting, measure(*setting)) for setting in SETTINGS):
            for width in (320, 400, 560, 720, 1_040, 2_000):
                for caption in ("", CAPTION):
                    show(page, tmp_path, home, svg(measured, width=width, caption=caption))
                    result = page.evaluate(OUTSIDE)
                    assert result["found"] == [], (setting, width, caption)
                    assert result["drawn"] and result["texts"] >= 9
                    seen += result["texts"]
    page.close()
    tell(f"svg: {seen} texts of {len(SETTINGS) * 12} pictures lie inside, none on another")


def test_it_stands_in_a_page_under_a_strict_policy(folder: Path, open_page: Open) -> None:
    """Inline, twice, in two themes: no policy is broken, it is named for everyone, and its words can be selected."""
    one, two = measure(90, 8_000, 64), measure(43, 128_000, 64)
    body = svg(one) + svg(two, "dark")
    page = f'<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Two</title><body>{body}</body></html>'
    (folder / "inline.html").write_text(page, encoding="utf-8")
    with serving(folder, headers=STRICT) as home:
        page = open_page("inline.html", home=home)
        names = page.get_by_role("img", name="What the three settings change").all()
        assert len(names) == 2
        page.evaluate("() => getSelection().selectAllChildren(document.querySelector('[data-line=run]'))")
        chosen = page.evaluate("() => getSelection().toString()")
        assert "".join(chosen.split()) == "".join(describe_measured(one)["run"].split())


def colour(name: str, theme: str) -> Pixel:
    """A colour of the facts as a pixel."""
    digits = COLOURS[theme][name].lstrip("#")
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def near(one: Pixel, other: Pixel) -> bool:
    """Whether two pixels have one colour."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 2


def row_of_bar(picture: Picture, theme: str) -> list[Pixel]:
    """A row of pixels a little below the top of the bar, found by the weights at the left margin."""
    top = next(y for y, row in enumerate(picture) if near(row[40], colour("weights", theme)))
    return picture[top + 10]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("setting", [(90, 8_000, 64, False), (43, 128_000, 512, False)], ids=["runs", "stopped"])
def test_the_png_has_the_same_widths_and_words(setting: tuple[int, int, int, bool], theme: str) -> None:
    """Two pixels a px: the weights end where their bytes do, the pool's border stands where its bytes start and end."""
    m = measure(*setting)
    picture = pixels(png(svg(m, theme)))
    assert len(picture[0]) == 1_440
    row = row_of_bar(picture, theme)
    edges = edges_of(m)
    weights = [x for x, pixel in enumerate(row) if near(pixel, colour("weights", theme))]
    assert weights[0] == 32 and abs(weights[-1] + 1 - (edges[0] - 3)) <= 1  # a seam of 1.5 px belongs to the part
    border = [x for x, pixel in enumerate(row) if near(pixel, colour("pool" if m.run else "stop", theme))]
    assert abs(border[0] - edges[1]) <= 1
    assert any(abs(x + 1 - (edges[2] - 3)) <= 1 for x in border)
    assert len(words(picture, theme)) > 1_000


def edges_of(m: Measured) -> list[float]:
    """Where the parts end, in pixels."""
    ends, left = [], 32.0
    for size in describe_measured(m)["grow"]:
        left += 1_376 * size / CARD.memory_bytes
        ends.append(left)
    return ends


def words(picture: Picture, theme: str) -> list[Pixel]:
    """Pixels of ink in the lower half, where only words are."""
    return [pixel for row in picture[len(picture) // 2 :] for pixel in row if near(pixel, colour("ink-2", theme))]


def test_without_the_library_one_sentence_says_so(tmp_path: Path) -> None:
    """The command ends with 2 and says how to install it; the SVG needs nothing."""
    hidden = "import sys; sys.modules['resvg_py'] = None; from poolroom.cli import main; sys.exit(main(sys.argv[1:]))"
    out = tmp_path / "x.png"
    command = [sys.executable, "-c", hidden, "svg", "--png", str(out)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (2, "")
    said = 'PNG pictures need the library resvg-py. Install it with: pip install "poolroom[png]"'
    assert done.stderr == f"poolroom: {said}\n"
    assert not out.exists()
