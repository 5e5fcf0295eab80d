"""Dark and light, forced colours, reduced motion, print; what axe and WCAG ask of colours and names."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from poolroom.facts import CARD, WORDS
from poolroom.words import say
from tests.browser.conftest import ROOT
from tests.browser.engines import NO_LIVE, NO_MEDIA, only
from tests.browser.png import Picture, Pixel, contrast, pixels
from tests.browser.widget import START, Widget, of_reference, two_frames
from tests.built import PROOF

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [
    "index.html", "how.html", "serve.html", "embed.html", "teach.html", "api.html", *PROOF, "truth.html",
    "accessibility.html", "watch.html",
    "poolroom.html",
]  # fmt: skip
THEMES = ["light", "dark"]
STATES = {
    "running": "?cap=128",
    "starved": "?share=30&cap=256",
    "refused": "?share=43&longest=128000",
    "set aside": "?longest=32000&reserved=1",
    "notice": "?share=120&seats=3",
    "swapped": "?chats=swapped",
}
TEXT = [
    ("ink", "paper"), ("ink-2", "paper"), ("stop", "paper"), ("ink", "wash"), ("ink-2", "wash"),
    ("ink", "pool-room"), ("pool-on", "pool-used"),
]  # fmt: skip
GRAPHICS = [
    ("weights", "paper"), ("reserve", "paper"), ("reserve", "reserve-room"), ("pool", "paper"), ("pool", "pool-room"),
    ("pool-used", "pool-room"), ("edge", "paper"), ("stop", "paper"), ("stop", "pool-room"), ("ink", "pool-room"),
    ("ink", "paper"), ("ink-2", "paper"), ("pool-room", "pool-used"),
]  # fmt: skip
LIGHT, DARK = (253, 252, 249), (23, 24, 27)
MATCHES = "(query) => matchMedia(query).matches"
Reader = Callable[..., Widget]
TOKENS = sorted({name for pair in TEXT + GRAPHICS for name in pair} | {"rule", "pool-grid", "pool-used-grid"})


def colours(host: Locator) -> dict[str, Pixel]:
    """The widget's colours as they come out, by the names of its style sheet."""
    texts = host.evaluate(
        """(host, names) => {
          const probe = host.shadowRoot.querySelector('.widget').appendChild(document.createElement('i'));
          const found = names.map((name) => {
            probe.style.color = `var(--${name})`;
            return getComputedStyle(probe).color;
          });
          probe.remove();
          return found;
        }""",
        TOKENS,
    )
    return {name: rgb(text) for name, text in zip(TOKENS, texts, strict=True)}


def rgb(text: str) -> Pixel:
    """The three numbers of a computed colour."""
    red, green, blue, *_ = (int(float(number)) for number in re.findall(r"[\d.]+", text))
    return red, green, blue


def paper(widget: Widget) -> Pixel:
    """The widget's background."""
    return rgb(str(widget.host.evaluate("(host) => getComputedStyle(host).backgroundColor")))


@pytest.mark.parametrize(("scheme", "wanted"), [("light", LIGHT), ("dark", DARK)])
def test_the_widget_follows_the_readers_scheme(reader: Reader, scheme: str, wanted: Pixel) -> None:
    """Where the host takes both, light and dark come from the reader."""
    assert paper(reader(color_scheme=scheme)) == wanted


@only("chromium", NO_LIVE)
def test_the_widget_follows_a_change_of_the_readers_scheme(widget: Widget) -> None:
    """Light and dark change while the page is open."""
    page = widget.page
    page.emulate_media(color_scheme="light")
    assert paper(widget) == LIGHT
    page.emulate_media(color_scheme="dark")
    assert paper(widget) == DARK


def test_the_widget_follows_its_hosts_scheme(widget: Widget) -> None:
    """A host that switches its own theme takes the widget along at once, whatever the reader's system says."""
    page = widget.page
    page.emulate_media(color_scheme="light")
    page.evaluate("() => { document.documentElement.style.colorScheme = 'dark'; }")
    assert paper(widget) == DARK
    page.evaluate("() => { document.documentElement.style.colorScheme = 'light'; }")
    assert paper(widget) == LIGHT


@pytest.mark.parametrize(("scheme", "theme", "wanted"), [("light", "dark", DARK), ("dark", "light", LIGHT)])
def test_the_theme_attribute_wins(reader: Reader, scheme: str, theme: str, wanted: Pixel) -> None:
    """An author may fix the theme of one widget."""
    widget = reader(color_scheme=scheme)
    widget.renew(theme=theme)
    assert paper(widget) == wanted


@pytest.mark.parametrize("theme", THEMES)
def test_text_has_four_and_a_half_to_one_and_graphics_three(reader: Reader, theme: str) -> None:
    """WCAG 1.4.3 and 1.4.11 by the colours that come out."""
    found = colours(reader(color_scheme=theme).host)
    low = [
        (one, other, round(contrast(found[one], found[other]), 2))
        for pairs, least in ((TEXT, 4.5), (GRAPHICS, 3.0))
        for one, other in pairs
        if contrast(found[one], found[other]) < least
    ]
    assert low == []


@pytest.mark.parametrize("theme", THEMES)
def test_the_page_and_a_bare_widget_have_the_same_colours(reader: Reader, site: str, theme: str) -> None:
    """The page sets the theme by its own copy of the colours; the copies must not part."""
    widget = reader(color_scheme=theme)
    bare = colours(widget.host)
    widget.page.goto(site + "index.html")
    assert colours(widget.host) == bare


@pytest.fixture(scope="module")
def examined(browser: Browser) -> Any:
    """A page that lets axe in, whatever the page's policy says."""
    context = browser.new_context(bypass_csp=True)
    yield context.new_page()
    context.close()


def violations(page: Page, theme: Any) -> list[str]:
    """What axe finds wrong in a theme."""
    page.emulate_media(color_scheme=theme)
    page.evaluate("(theme) => { document.documentElement.style.colorScheme = theme; }", theme)  # for Firefox
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations)")
    return [f"{each['id']}: {node['target']} {node['failureSummary']}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_wrong_with_a_page(examined: Page, site: str, path: str) -> None:
    """In both themes, as it opens."""
    examined.goto(site + path)
    assert [violations(examined, theme) for theme in THEMES] == [[], []]


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_wrong_with_a_state(examined: Page, site: str, state: str) -> None:
    """In both themes, with helps open; in the first, that axe does find a fault that is put there."""
    examined.goto(f"{site}poolroom.html{STATES[state]}")
    widget = Widget(examined)
    widget.host.locator(".ask").first.click()
    widget.host.locator(".control .ask").first.click()
    widget.press("share", "ArrowRight", "ArrowLeft")
    assert [violations(examined, theme) for theme in THEMES] == [[], []]
    if state == next(iter(STATES)):
        widget.host.locator(".badge").evaluate("(badge) => badge.parentNode.append(document.createElement('button'))")
        assert any("button-name" in fault for fault in violations(examined, "light"))


def inked(row: list[Pixel], ground: Pixel) -> float:
    """Which share of some pixels stands out from the ground."""
    return sum(contrast(pixel, ground) >= 3 for pixel in row) / len(row)


def signs(picture: Picture, ground: Pixel) -> dict[str, float]:
    """What tells a part from the others without colour: its texture, its edge, and what holds its lower half."""
    inner = [row[5:-5] for row in picture]
    half = len(picture) // 2
    return {
        "texture": inked([pixel for row in inner[6 : half - 6] for pixel in row], ground),
        "edge": inked(inner[0], ground),
    }


@pytest.mark.parametrize("scheme", THEMES)
def test_forced_colours_keep_the_four_parts_apart(reader: Reader, scheme: str) -> None:
    """Solid, hatched, framed, dashed: by ink on canvas alone."""
    widget = reader(forced_colors="active", color_scheme=scheme)
    assert widget.page.evaluate(MATCHES, "(forced-colors: active)")
    ground = paper(widget)
    parts = {part: signs(widget.part_pixels(part), ground) for part in ("weights", "reserve", "pool", "unused")}
    assert parts["weights"]["texture"] > 0.99
    assert 0.2 < parts["reserve"]["texture"] < 0.8
    assert parts["pool"]["texture"] < 0.1 and parts["pool"]["edge"] > 0.99
    assert parts["unused"]["texture"] < 0.1 and 0.3 < parts["unused"]["edge"] < 0.7


def test_forced_colours_show_use_controls_and_refusal(reader: Reader) -> None:
    """The level, the thumb, the track, the ring and the cross differ from the canvas."""
    widget = reader(forced_colors="active", color_scheme="light")
    ground = paper(widget)
    picture = widget.part_pixels("pool")
    assert inked([pixel for row in picture[-14:-4] for pixel in row[5:-5]], ground) > 0.5, "the level"
    for key in ("share", "cap"):
        rail = pixels(widget.control(key).locator(".rail").screenshot())
        assert max(inked(row, ground) for row in rail) > 0.5, "track and thumb"
    widget.put(share=43, longest=128000)
    cross = str(widget.host.locator(".cross line").first.evaluate("(line) => getComputedStyle(line).stroke"))
    assert contrast(rgb(cross), ground) >= 3


def test_textures_are_painted_inside_the_shadow_root(widget: Widget) -> None:
    """Patterns are found by their ids in the same root: hatch on the reserve, blocks on the pool."""
    for part in ("reserve", "pool"):
        inner = [row[5:-5] for row in widget.part_pixels(part)[6:24]]
        assert len({pixel for row in inner for pixel in row}) > 1, part


def test_with_reduced_motion_nothing_moves(reader: Reader) -> None:
    """No transition anywhere in the widget."""
    widget = reader(color_scheme="dark", reduced_motion="reduce")
    widget.press("cap", "ArrowRight")
    two_frames(widget.page)
    assert widget.host.evaluate("({shadowRoot}) => shadowRoot.getAnimations().length") == 0
    assert moving(widget) == {"0s"}


def test_without_that_wish_the_mark_fades_soon(reader: Reader) -> None:
    """Within 200 ms."""
    widget = reader(reduced_motion="no-preference")
    assert max(float(time.removesuffix("s")) for times in moving(widget) for time in times.split(", ")) < 0.2


def moving(widget: Widget) -> set[str]:
    """All durations of transitions and animations in the widget."""
    return set(
        widget.host.evaluate(
            """({shadowRoot}) => [...shadowRoot.querySelectorAll('*')].map((node) => getComputedStyle(node))
           .flatMap((style) => [style.transitionDuration, style.animationDuration])"""
        )
    )


def test_numbers_and_widths_are_true_in_the_same_event(widget: Widget) -> None:
    """Nothing grows towards its value: the new width stands as soon as the handler is done."""
    widths = widget.slider("share").evaluate(
        """(slider) => {
          const width = (name) => slider.getRootNode().querySelector(name).getBoundingClientRect().width;
          const [before, whole] = [width('[data-part=pool] .area'), width('.picture')];
          slider.value = '30';
          slider.dispatchEvent(new Event('input'));
          return [before / whole, width('[data-part=pool] .area') / whole];
        }"""
    )
    wanted = [of_reference(share=share).room["pool"] / CARD.memory_bytes for share in (90, 30)]
    assert widths == pytest.approx(wanted, abs=1e-3)


@only("chromium", NO_MEDIA)
@pytest.mark.parametrize("path", ["bare.html", "index.html"])
def test_print_shows_settings_and_lines_and_no_controls(widget: Widget, site: str, path: str) -> None:
    """On paper the settings are a sentence, with the address of these settings below."""
    page = widget.page
    page.emulate_media(color_scheme="dark")
    if path != "bare.html":
        page.goto(site + path)
    widget.press("share", "Home")
    page.emulate_media(media="print")
    words = say(WORDS["text"]["settings"], share=30, longest=START["longest"], cap=START["cap"])
    expect(widget.host.locator(".print")).to_have_text(f"{words} {widget.host.evaluate('(host) => host.link')}")
    for name in (".controls", ".buttons", ".ask", ".notices"):
        expect(widget.host.locator(name).first).to_be_hidden()
    for name in ("room", "run", "extra", "first-word", "caveat"):
        expect(widget.line(name)).to_be_visible()
    expect(widget.host.locator(".picture")).to_be_visible()
    assert contrast(paper(widget), (255, 255, 255)) < 1.1, "paper is white, whatever the theme"


def test_a_page_prints(widget: Widget, site: str, tmp_path: Path) -> None:
    """A PDF comes out of the lesson page."""
    widget.page.goto(site + "index.html")
    widget.page.pdf(path=tmp_path / "lesson.pdf", format="A4", print_background=True)
    assert (tmp_path / "lesson.pdf").read_bytes().startswith(b"%PDF")
