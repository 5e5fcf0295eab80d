"""Every page works from a server, from a folder of one, and from disk, and asks nobody else for anything."""

import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from poolroom import describe_measured
from serve import serving
from tests.browser.conftest import STRICT, SUB_PATH, Open
from tests.browser.engines import NO_SHIFTS, only
from tests.browser.html import Node, read
from tests.browser.watch import watched_page
from tests.browser.widget import lines_of, of_reference, two_frames, visit
from tests.built import PROOF

PAGES = [
    "index.html", "how.html", "serve.html", "embed.html", "teach.html", "api.html", *PROOF, "truth.html",
    "accessibility.html", "watch.html",
    "poolroom.html",
]  # fmt: skip
LINKED = PAGES[:-1]
WITH_WIDGET = ["index.html", "embed.html", "poolroom.html"]
IN_HTML = ["room", "run", "extra", "first-word"]
WIDTHS = [1280, 720, 360]
RUNS_PYTHON = [" 'wasm-unsafe-eval'", "; connect-src 'self'; worker-src 'self'; trusted-types poolroom-proof"]
MOST_BYTES = 40_000
MOST_SHIFT = 0.02
INJECT = "() => { try { document.body.innerHTML = 'x'; } catch (error) { return error.name; } }"
PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => {
  if (list.getEntriesByName('first-contentful-paint').length) done();
}).observe({type: 'paint', buffered: true}))"""
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: 'layout-shift', buffered: true});
"""


def test_pages_work_under_a_sub_path_in_silence(open_page: Open, site: str) -> None:
    """No console message, no error, no refusal by its policy, no request outside its own folder."""
    visit(open_page(), site, PAGES)


def test_pages_work_at_the_root_of_a_server(open_page: Open, dist: Path) -> None:
    """The same at the root, where addresses are shortest."""
    with serving(dist) as home:
        visit(open_page("index.html", home=home), home, PAGES)


def test_pages_work_from_disk(open_page: Open, dist: Path) -> None:
    """A double click opens them: nothing needs a server, and every file comes from its own folder."""
    home = f"{dist.as_uri()}/"
    visit(open_page("index.html", home=home), home, PAGES)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_requires_trusted_types_of_itself(dist: Path, path: str) -> None:
    """Its own policy refuses everything it does not name, and every text that would become markup."""
    metas = read(dist / path).find("meta")
    (policy,) = [meta.attributes["content"] for meta in metas if "http-equiv" in meta.attributes]
    assert "default-src 'none'" in policy and "require-trusted-types-for 'script'" in policy
    if path == "proof.html":
        assert all(words in policy for words in RUNS_PYTHON)
    for words in RUNS_PYTHON if path == "proof.html" else []:
        policy = policy.replace(words, "")
    assert not any(words in policy for words in ("unsafe", "http", "connect", "worker", "trusted-types "))


def test_pages_work_under_the_strictest_policy(open_page: Open, folder: Path) -> None:
    """A server may forbid everything but its own files, and all Trusted Types policies."""
    with serving(folder / SUB_PATH, headers=STRICT) as home:
        visit(open_page(home=home), home, [*LINKED, "bare.html", "two.html", "before.html"])


def test_the_policy_bites(browser: Browser, folder: Path) -> None:
    """The watch does see a page that breaks the strictest policy: markup from text is refused."""
    with serving(folder / SUB_PATH, headers=STRICT) as home:
        context = browser.new_context()
        page, watch = watched_page(context, home)
        page.goto(home + "bare.html")
        assert watch.troubles == []
        with page.expect_console_message(lambda message: message.text.startswith("policy")):
            assert page.evaluate(INJECT) == "TypeError"
        context.close()
    assert any("policy" in trouble for trouble in watch.troubles)


def test_one_embed_fetches_at_most_40_kB(open_page: Open, tell: Callable[[str], None], site: str) -> None:
    """All bytes until idle, each answer gzipped, the page's own HTML too; the script is asked for once."""
    asked: list[str] = []
    page = open_page(before=lambda page: page.on("request", lambda request: asked.append(request.url)))
    page.wait_for_load_state("networkidle")
    addresses = [address for address in asked if not address.startswith("data:")]
    answers = [urlopen(address).read() for address in addresses]
    sent = sum(len(gzip.compress(answer, 9)) for answer in answers)
    tell(f"a bare page with one embed fetches {sent:,} bytes gzipped, {sum(map(len, answers)):,} raw")
    assert sorted(addresses) == [f"{site}bare.html", f"{site}poolroom.js"]
    assert sent <= MOST_BYTES


@pytest.mark.parametrize("path", WITH_WIDGET)
def test_the_opening_answer_is_in_the_html(dist: Path, path: str) -> None:
    """Before any script runs the lines are there, in the words of the reference."""
    (host,) = read(dist / path).find("pool-room")
    wanted = lines_of(of_reference())
    assert [node.text for node in host.find("p", "line")] == [wanted[key] for key in IN_HTML]
    assert [node.text for node in host.find("p", "caveat")] == [wanted["caveat"]]
    legend = describe_measured(of_reference())["legend"]
    assert [" ".join(node.text.split()) for node in host.find("ul", "legend")[0].find("li")] == legend


def test_without_scripts_a_page_shows_answer_and_notice(scriptless: Callable[[str], Page]) -> None:
    """The opening answer is visible, and a notice says why there are no sliders."""
    wanted = lines_of(of_reference())
    for path in WITH_WIDGET:
        page = scriptless(path)
        assert page.locator("pool-room .line").all_inner_texts() == [wanted[key] for key in IN_HTML]
        expect(page.locator("pool-room noscript")).to_be_visible()
        expect(page.locator("pool-room svg[role=img]")).to_be_visible()


def test_without_scripts_the_links_work(scriptless: Callable[[str], Page]) -> None:
    """From page to page, and a “try this” link leads to a page."""
    page = scriptless("index.html")
    page.locator("nav a[href='how.html']").click()
    assert page.url.endswith("how.html")
    page.locator("nav a[href='index.html']").click()
    page.locator("a.try").first.click()
    assert "?" in page.url
    expect(page.locator("pool-room .line").first).to_be_visible()


@only("chromium", NO_SHIFTS)
@pytest.mark.parametrize("path", WITH_WIDGET)
def test_the_widget_takes_over_without_moving_the_page(open_page: Open, site: str, path: str) -> None:
    """A script that comes after the first paint, as on a slow line, moves less than 0.02 of the page."""
    held: list[Route] = []
    page = open_page(script=SHIFTS)
    page.route("**/poolroom.js", lambda route: held.append(route))
    shifted = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 720})
        page.goto(site + path, wait_until="commit")
        page.evaluate(PAINTED)
        if path != "poolroom.html":
            held.pop().continue_()
        page.locator("pool-room .widget").wait_for()
        two_frames(page)
        shifted[width] = page.evaluate("() => window.shifted")
    assert {width: shift for width, shift in shifted.items() if shift >= MOST_SHIFT} == {}


@pytest.mark.parametrize("path", PAGES)
def test_every_link_and_anchor_leads_somewhere(dist: Path, path: str) -> None:
    """Links inside the site name a file that is there, and an id on it; a query has only choices."""
    tree = read(dist / path)
    for link in [node.attributes["href"] for node in tree.find("a")]:
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme == "https", link
            continue
        target = dist / (parts.path or path)
        assert target.is_file(), link
        assert not parts.fragment or parts.fragment in places(target), link


@cache
def places(page: Path) -> frozenset[str]:
    """All ids of a page that many links lead to."""
    return frozenset(ids(read(page)))


def ids(tree: Node) -> list[str]:
    """All ids of a page."""
    return [node.attributes["id"] for node in tree.all() if "id" in node.attributes]


@pytest.mark.parametrize("path", PAGES)
def test_ids_are_there_once_and_references_find_theirs(dist: Path, path: str) -> None:
    """No id twice; `aria-labelledby` and the like, and `url(#…)` paints, name an id of the page."""
    tree = read(dist / path)
    there = ids(tree)
    assert len(there) == len(set(there))
    for node in tree.all():
        for name in ("aria-labelledby", "aria-describedby", "aria-controls", "for"):
            assert set(node.attributes.get(name, "").split()) <= set(there), node
        paint = node.attributes.get("fill", "")
        assert not paint.startswith("url(#") or paint[5:-1] in there, node
