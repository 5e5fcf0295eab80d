"""The proof page: Python runs beside the port in the browser, both say the same, and what is wrong is named."""

import json
import os
import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from poolroom import __version__, chat_list, describe, measure, page_words
from poolroom.facts import CAPS, LONGEST, SHARES
from serve import serving
from tests.browser.conftest import STRICT
from tests.browser.engines import NO_LIVE, only
from tests.browser.png import contrast, pixels
from tests.browser.test_layout import assert_fits
from tests.browser.test_theme import violations
from tests.browser.watch import Watch, watched_page
from tests.browser.widget import type_over
from tests.built import needs_proof

pytestmark = needs_proof
WAIT_MS = 120_000
LONG_MS = 600_000  # on a busy machine
SEED, MANY = 3, 100
WHEEL, WASM, WORKER = f"poolroom-{__version__}-py3-none-any.whl", "pyodide.asm.wasm", "proof-worker.js"
OWN_FILES = {"proof.html", "page.css", "guide.css", "proof.css", "proof.js"}
AS_STRICT_AS_CAN_BE = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "worker-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types poolroom-proof"
}
LISTEN = """
window.heard = [];
document.addEventListener('DOMContentLoaded', () => {
  for (const node of document.querySelectorAll('[role=status], [role=alert]')) {
    new MutationObserver(() => { if (node.textContent) window.heard.push(node.textContent); })
      .observe(node, {childList: true, characterData: true, subtree: true});
  }
});
"""
OTHER_WORKERS = """() => {
  const again = () => trustedTypes.createPolicy('poolroom-proof', {});
  again();
  const tried = [() => new Worker('proof-worker.js'), () => trustedTypes.createPolicy('other', {}), again];
  return tried.map((attempt) => { try { attempt(); } catch (error) { return error.name; } });
}"""


@dataclass
class Proof:
    """The page, and what it asked the server for."""

    page: Page
    watch: Watch
    home: str
    before: set[str] = field(default_factory=set)

    def text(self, selector: str) -> str:
        """What a part of the page says."""
        return self.page.locator(selector).inner_text()

    def asked(self) -> set[str]:
        """The files that were asked for."""
        return {url.removeprefix(self.home) for url in self.watch.requests if url.startswith(self.home)}

    def says(self, words: str, selector: str = "#compare-said", timeout: int = WAIT_MS) -> None:
        """Wait until a line says this."""
        expect(self.page.locator(selector)).to_contain_text(words, timeout=timeout)

    def draw(self, count: int) -> None:
        """Have settings drawn, by the seed of these tests."""
        self.page.locator("#count").select_option(str(count))
        type_over(self.page.locator("#seed"), str(SEED))
        self.page.locator("#seed").press("Enter")

    def compared(self) -> int:
        """How many settings were compared."""
        return int(self.text("#n-compared").replace(",", ""))

    def cells(self, key: str) -> list[str]:
        """What both sides say under a key."""
        row = self.page.locator("#answers tbody tr", has=self.page.get_by_role("rowheader", name=key, exact=True))
        return row.locator("td").all_inner_texts()


@contextmanager
def opened(browser: Browser, folder: Path, headers: dict[str, str] | None = None, **options: bool) -> Iterator[Proof]:
    """The page as it opens from a folder."""
    with serving(folder, headers=headers) as home:
        context = browser.new_context(**options)
        context.set_default_timeout(WAIT_MS)
        context.add_init_script(LISTEN)
        page, watch = watched_page(context, home)
        page.goto(f"{home}proof.html")
        yield Proof(page, watch, home)
        context.close()


@pytest.fixture(scope="module")
def proof(browser: Browser, dist: Path) -> Iterator[Proof]:
    """The page that most tests share, under a policy on every file, with Python running; nothing may go wrong on it."""
    with opened(browser, dist, AS_STRICT_AS_CAN_BE) as proof:
        proof.page.wait_for_load_state("networkidle")
        proof.before = proof.asked()
        proof.page.get_by_role("button", name="Compare this one").click()
        proof.says("1 setting compared")
        yield proof
        proof.watch.assert_quiet()


@pytest.fixture
def copy(dist: Path, tmp_path: Path) -> Path:
    """A copy of the site to spoil; a file that is written anew is no longer the shared one."""
    return Path(shutil.copytree(dist, tmp_path / "dist", copy_function=os.link))


def write(path: Path, content: bytes) -> None:
    """Put a file in the place of a link."""
    path.unlink()
    path.write_bytes(content)


def test_nothing_of_python_is_asked_for_before_a_click(proof: Proof) -> None:
    """The page alone is a page like the others; then the worker and its files come, all from this site."""
    assert proof.before == OWN_FILES
    assert proof.asked() - proof.before >= {WORKER, *(f"pyodide/{name}" for name in (WHEEL, WASM, "pyodide.mjs"))}
    assert not any("reference-tests" in name or "pytest" in name for name in proof.asked())


def test_the_first_answer_is_timed(proof: Proof, browser_name: str, tell: Callable[[str], None]) -> None:
    """From the click to the first compared answer, in seconds, with each side's own time beside it."""
    assert re.fullmatch(r"\d+\.\d s|\d+\.\d ms", proof.text("#t-first"))
    assert all(re.fullmatch(r"in [\d.]+ m?s", proof.text(f"#ms-{by}")) for by in ("python", "javascript"))
    tell(f"proof page, {browser_name}: click to first compared answer {proof.text('#t-first')}")


def test_a_hundred_drawn_settings_agree(proof: Proof, browser_name: str, tell: Callable[[str], None]) -> None:
    """Stopped on the way, and gone on: all hundred are compared, there is no mismatch, and little is read out."""
    page = proof.page
    page.evaluate("() => { window.heard = []; }")
    proof.draw(MANY)
    page.wait_for_function("() => Number(document.getElementById('n-compared').textContent) >= 5")
    button = page.locator("#many-button")
    expect(button).to_have_text("Stop")
    button.press("Enter")
    proof.says("Stopped after")
    stopped = proof.compared()
    page.wait_for_timeout(1_000)
    assert proof.compared() == stopped < MANY and proof.text("#compare-said") == f"Stopped after {stopped} of {MANY}."
    expect(button).to_have_text("Go on")
    expect(button).to_be_focused()
    button.press("Enter")
    proof.says(f"{MANY} settings compared, no mismatch.", timeout=LONG_MS)
    assert (proof.compared(), proof.text("#n-mismatches")) == (MANY, "0")
    assert page.locator("#compare-bar").evaluate("(bar) => [bar.value, bar.max]") == [MANY, MANY]
    assert page.evaluate("() => window.heard.length") <= 3
    tell(
        f"proof page, {browser_name}: {MANY} settings, {proof.text('#n-values')} values, 0 mismatches; "
        f"Python {proof.text('#t-python')}, JavaScript {proof.text('#t-javascript')}"
    )


def test_the_seed_draws_the_same_in_python_anywhere(proof: Proof) -> None:
    """The last of the hundred is the last that Python's own generator draws here, and its words are the reference's."""
    offered = list(product(SHARES, LONGEST, CAPS, (False, True)))
    share, longest, cap, reserved = random.Random(SEED).sample(offered, MANY)[-1]
    assert proof.text("#answers-setting").startswith(f"share {share}%, longest {longest:,}, at once {cap}")
    shown, beside = describe(share, longest, cap, reserved), page_words(measure(share, longest, cap, reserved))
    for key, wanted in {"room": shown["room"], "extra": shown["extra"], "caveat": beside["caveat"]}.items():
        assert proof.cells(key) == [wanted, wanted]


def test_a_setting_that_the_reader_picks(proof: Proof) -> None:
    """Every control counts: one that does not start, and the other list of chats; every digit is shown."""
    page, before = proof.page, proof.compared()
    type_over(page.locator("#one-share"), "35")
    page.locator("#one-longest").select_option("128000")
    page.get_by_role("button", name="Compare this one").click()
    proof.says(f"{before + 1} settings compared, no mismatch.")
    stopped = measure(35, 128_000, 64)
    assert proof.cells("short") == [page_words(stopped)["short"]] * 2 and proof.cells("steps") == []
    page.locator("#one-longest").select_option("4000")
    page.locator("#one-cap").select_option("512")
    page.locator("#one [name=chats]").select_option("swapped")
    page.locator("#one [name=reserved]").check()
    page.get_by_role("button", name="Compare this one").click()
    proof.says(f"{before + 2} settings compared, no mismatch.")
    run = measure(35, 4_000, 512, True, chat_list("swapped")).run
    assert run and [float(cell) for cell in proof.cells("seconds")] == [run["seconds"]] * 2
    assert proof.text("#answers-setting") == (
        "share 35%, longest 4,000, at once 512, full length set aside, long answers."
    )


def test_a_value_that_is_no_choice_is_not_compared(proof: Proof) -> None:
    """The browser says what is allowed, and nothing starts."""
    before = proof.compared()
    type_over(proof.page.locator("#one-share"), "7")
    proof.page.get_by_role("button", name="Compare this one").click()
    assert proof.page.locator("#one-share").evaluate("(field) => field.validity.rangeUnderflow")
    type_over(proof.page.locator("#one-share"), "90")
    assert proof.compared() == before


def test_no_other_worker_can_be_made(browser: Browser, dist: Path) -> None:
    """Trusted Types, by the page's own policy: no worker from a text, no other policy, and none by that name twice."""
    with opened(browser, dist) as proof:
        assert proof.page.evaluate(OTHER_WORKERS) == ["TypeError"] * 3


def test_the_references_tests_pass_in_the_page(proof: Proof, browser_name: str, tell: Callable[[str], None]) -> None:
    """Stopped once, then run to the end: pytest's own summary, nothing failed, and what is left out says why."""
    page = proof.page
    button = page.locator("#tests-button")
    button.click()
    expect(page.locator("#tests-passed")).to_have_text(re.compile(r"[1-9]"), timeout=WAIT_MS)
    button.press("Enter")
    proof.says("Stopped.", "#tests-said")
    expect(button).to_have_text("Run the tests")
    expect(button).to_be_focused()
    button.press("Enter")
    proof.says("ll is well", "#tests-said", LONG_MS)
    assert proof.text("#tests-said").startswith("All is well"), proof.page.locator("#tests-output").text_content()
    passed = int(proof.text("#tests-passed").replace(",", ""))
    assert passed > 1_500 and proof.text("#tests-failed") == proof.text("#tests-skipped") == "0"
    assert re.search(rf"{passed} passed, \d+ deselected in ", proof.text("#tests-said"))
    assert re.search(r"\d+ tests: they start a process of their own\.", proof.text("#tests-left-out"))
    assert "[100%]" in (page.locator("#tests-output").text_content() or "")
    tell(f"proof page, {browser_name}: {proof.text('#tests-said')}")


def refused(browser: Browser, folder: Path, words: str, headers: dict[str, str] | None = None) -> None:
    """Ask for a comparison, and see it refused with these words, aloud, before any answer."""
    with opened(browser, folder, headers) as proof:
        proof.page.get_by_role("button", name="Compare this one").click()
        proof.says(words, "#compare-problem")
        assert proof.page.locator("#totals").is_hidden() and proof.page.locator("#answers").is_hidden()
        assert proof.page.evaluate("() => window.heard.at(-1)") == proof.text("#compare-problem")


def changed(content: bytes) -> bytes:
    """The same with one byte in the middle changed."""
    half = len(content) // 2
    return content[:half] + bytes([content[half] ^ 1]) + content[half + 1 :]


def test_a_changed_file_is_refused_by_its_name(browser: Browser, copy: Path) -> None:
    """One byte of the wheel, or of Python itself: the page says which file is another."""
    for name in (WHEEL, "python_stdlib.zip"):
        path = copy / "pyodide" / name
        sound = path.read_bytes()
        write(path, changed(sound))
        refused(browser, copy, f"{name} is not the file that was built: its fingerprint differs.")
        write(path, sound)


def test_a_missing_file_is_named(browser: Browser, copy: Path) -> None:
    """A wheel, a part of Python, the worker."""
    for name, words in {
        f"pyodide/{WHEEL}": f"{WHEEL} is missing: the server answers 404.",
        f"pyodide/{WASM}": f"{WASM} is missing: the server answers 404.",
        WORKER: f"{WORKER} cannot run: it is missing, or the server’s policy refuses it.",
    }.items():
        (copy / name).rename(copy / "gone")
        refused(browser, copy, words)
        (copy / "gone").rename(copy / name)


def test_the_lock_file_refuses_a_wheel_by_itself(browser: Browser, copy: Path) -> None:
    """Where the page's table knows the changed wheel, Pyodide's lock file does not; Pyodide would only log it."""
    lock = copy / "pyodide" / "pyodide-lock.json"
    content = json.loads(lock.read_text("utf-8"))
    content["packages"]["poolroom"]["sha256"] = "0" * 64
    write(lock, json.dumps(content).encode())
    page = copy / "proof.html"
    html = re.sub(r'(data-name="pyodide-lock\.json"[^>]*) data-integrity="[^"]*"', r"\1", page.read_text("utf-8"))
    write(page, html.encode())
    refused(browser, copy, f"{WHEEL} was refused, so poolroom cannot be imported.")


def test_a_server_that_forbids_workers(browser: Browser, dist: Path) -> None:
    """The strictest of policies allows no Python; the page says so."""
    refused(browser, dist, "the policy of the server that sent this page allows none.", STRICT)


def test_a_port_that_is_wrong_is_found_out(browser: Browser, copy: Path) -> None:
    """It bites: with one figure of the port changed, the setting, the places and both values are shown, and it fits.

    Loading is stopped first, and begins anew.
    """
    script = copy / "proof.js"
    text = script.read_text("utf-8")
    assert text.count("2039e9") == 1
    write(script, text.replace("2039e9", "2040e9").encode())
    with opened(browser, copy, bypass_csp=True) as proof:
        button = proof.page.locator("#many-button")
        button.click()
        button.click()
        proof.says("Stopped.")
        expect(button).to_have_text("Compare")
        proof.page.get_by_role("button", name="Compare this one").click()
        proof.says("1 setting compared, 1 mismatch.")
        assert proof.text("#n-mismatches").startswith("1")
        listed = proof.text("#mismatches")
        assert "share 90%, longest 8,000, at once 64, long questions" in listed
        assert "poolroom describe --share 90 --longest 8000 --cap 64 --json" in listed
        seconds = measure(90, 8_000, 64).run["seconds"]  # type: ignore[index]
        python, javascript = proof.cells("seconds differs")
        assert float(python) == seconds and float(javascript) != seconds
        assert {f"Python: {python}", f"JavaScript: {javascript}"} <= set(listed.splitlines())
        assert len(proof.cells("room")) == 2, "what agrees is not marked"
        for width in (1280, 320):
            proof.page.set_viewport_size({"width": width, "height": 640})
            assert_fits(proof.page)
        assert [violations(proof.page, theme) for theme in ("light", "dark")] == [[], []]


def test_from_disk_the_page_says_why_it_cannot(browser: Browser, dist: Path) -> None:
    """And how to serve it; no button promises what it cannot do."""
    page = browser.new_page()
    page.goto(f"{dist.as_uri()}/proof.html")
    expect(page.locator("#from-disk")).to_be_visible()
    assert "cannot load Python" in page.locator("#from-disk").inner_text()
    assert "http.server" in page.locator("#from-disk").inner_text()
    assert all(button.is_disabled() for button in page.get_by_role("button").all())
    page.close()


def test_without_scripts_the_page_says_what_it_would_do(scriptless: Callable[[str], Page]) -> None:
    """One notice, and the table of files."""
    page = scriptless("proof.html")
    expect(page.locator("noscript")).to_be_visible()
    assert "needs JavaScript" in page.locator("noscript").inner_text()
    expect(page.get_by_role("row", name=WHEEL)).to_be_visible()


@only("chromium", NO_LIVE)
def test_forced_colours_show_how_far_it_is(browser: Browser, dist: Path) -> None:
    """Half of the bar is filled in a colour that stands out from the canvas."""
    with opened(browser, dist) as proof:
        page = proof.page
        page.emulate_media(forced_colors="active")
        bar = page.locator("#compare-bar")
        bar.evaluate("(bar) => { bar.parentElement.hidden = false; bar.max = 2; bar.value = 1; }")
        row = pixels(bar.screenshot())[6]
        assert contrast(row[len(row) // 4], row[-len(row) // 4]) >= 3
