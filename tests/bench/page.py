"""The page's speed: every setting in one tab, handler to end of layout, first paint; and what the files weigh."""

import gzip
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from browser import launch_options
from environment import esbuild_command
from serve import serving
from tests.node import ROOT, run_node

DIST = ROOT / "dist"
MOVES = 200
ALL_SETTINGS = """() => {
  const {describe, FACTS} = poolroom;
  const start = performance.now();
  let count = 0;
  for (const longest of FACTS.LONGEST) for (const cap of FACTS.CAPS) for (const reserved of [false, true])
    for (const share of FACTS.SHARES) { describe(share, longest, cap, reserved); count += 1; }
  return {count, seconds: (performance.now() - start) / 1000};
}"""
WRAP_FRAMES = """
window.inFrames = 0;
const real = window.requestAnimationFrame.bind(window);
window.nextFrame = () => new Promise((done) => real(() => done()));
window.requestAnimationFrame = (callback) => real((now) => {
  const start = performance.now();
  callback(now);
  window.inFrames += performance.now() - start;
});
"""
MOVE = """async (moves) => {
  const host = document.querySelector('pool-room');
  const sliders = [...host.shadowRoot.querySelectorAll('input[type=range]')];
  const times = [];
  let changed = 0;
  for (let n = 0; n < moves + 20; n += 1) {
    const slider = sliders[n % sliders.length];
    const [low, high] = [Number(slider.min), Number(slider.max)];
    const before = host.shadowRoot.textContent;
    slider.value = String(low + (n * 7919) % (high - low + 1));
    await window.nextFrame();
    window.inFrames = 0;
    const start = performance.now();
    slider.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
    const handler = performance.now() - start;
    await window.nextFrame();
    const laying = performance.now();
    slider.getBoundingClientRect(); // lays out whatever the move made stale
    times.push(handler + window.inFrames + performance.now() - laying);
    changed += host.shadowRoot.textContent !== before;
  }
  return {times: times.slice(20), changed};
}"""
PAINTS = "() => Object.fromEntries(performance.getEntriesByType('paint').map((entry) => [entry.name, entry.startTime]))"


def engine_bundle(folder: Path) -> None:
    """A page that holds the twins and nothing else."""
    entry = folder / "entry.js"
    index, facts = (ROOT / "widget" / name for name in ("index.js", "sim/facts.js"))
    entry.write_text(
        f"export * from '{index.as_posix()}';\nexport * as FACTS from '{facts.as_posix()}';\n", encoding="utf-8"
    )
    options = ["--bundle", "--minify", "--format=iife", "--global-name=poolroom", f"--outfile={folder / 'engine.js'}"]
    subprocess.run([*esbuild_command(), str(entry), *options, "--log-level=warning"], check=True, cwd=folder)
    page = '<!doctype html><html lang="en"><title>engine</title><script src="engine.js"></script></html>'
    (folder / "engine.html").write_text(page, encoding="utf-8")


def all_settings(browser: Browser) -> dict[str, Any]:
    """Seconds for describe() on every setting in one tab: cold, as a first visit, and again."""
    with tempfile.TemporaryDirectory() as folder:
        engine_bundle(Path(folder))
        with serving(folder) as address:
            page = browser.new_page()
            page.goto(f"{address}engine.html")
            runs = [page.evaluate(ALL_SETTINGS) for _ in range(3)]
            page.close()
    return {
        "count": runs[0]["count"],
        "first_seconds": runs[0]["seconds"],
        "seconds": min(run["seconds"] for run in runs),
    }


def percentile(values: list[float], share: int) -> float:
    """Nearest rank."""
    return sorted(values)[max(0, -(-len(values) * share // 100) - 1)]


def moves(browser: Browser, address: str) -> dict[str, Any]:
    """Milliseconds from an input event to the end of forced layout, over many moves of the real sliders."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.add_init_script(WRAP_FRAMES)
    page.goto(address)
    page.locator("pool-room input[type=range]").first.wait_for()
    found = page.evaluate(MOVE, MOVES)
    page.close()
    times = found["times"]
    return {
        "moves": len(times),
        "changed": found["changed"],
        "p50_ms": percentile(times, 50),
        "p95_ms": percentile(times, 95),
        "worst_ms": max(times),
    }


def first_paint(browser: Browser, address: str) -> dict[str, float]:
    """Milliseconds to the first paint and the first content, the middle of seven fresh visits."""
    found: dict[str, list[float]] = {}
    for _ in range(7):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(address)
        while len(paints := page.evaluate(PAINTS)) < 2:
            page.wait_for_timeout(20)  # the page's policy forbids Playwright's own waiting for an expression
        for name, instant in paints.items():
            found.setdefault(name, []).append(instant)
        context.close()
    return {name: statistics.median(instants) for name, instants in found.items()}


BROTLI = """
const {readFileSync} = require('node:fs');
const {brotliCompressSync} = require('node:zlib');
console.log(JSON.stringify(process.argv.slice(1).map((path) => brotliCompressSync(readFileSync(path)).length)));
"""


def weights() -> list[dict[str, Any]]:
    """Bytes of everything in dist: raw, gzip, brotli."""
    files = [path for path in sorted(DIST.iterdir()) if path.suffix in (".js", ".css", ".html")]
    brotli = run_node("-e", BROTLI, *files, check=True).stdout.strip().strip("[]").split(",")
    return [
        {
            "file": path.name,
            "raw": path.stat().st_size,
            "gzip": len(gzip.compress(path.read_bytes(), 9, mtime=0)),
            "brotli": int(size),
        }
        for path, size in zip(files, brotli, strict=True)
    ]


def measured() -> dict[str, Any]:
    """Everything that needs a browser or dist/."""
    with sync_playwright() as playwright:
        options: dict[str, Any] = launch_options("chromium", playwright.chromium.executable_path)
        browser = playwright.chromium.launch(**options)
        with serving(DIST) as address:
            found = {
                "browser": f"Chromium {browser.version}",
                "all_settings": all_settings(browser),
                "moves": moves(browser, f"{address}index.html"),
                "first_paint_ms": first_paint(browser, f"{address}index.html"),
            }
        browser.close()
    return {**found, "weights": weights()}
