"""The port in other engines than Node's: calls.mjs bundled into a page, and asked there."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Playwright

from browser import launch_options
from environment import esbuild_command
from serve import serving
from tests.node import ROOT
from tests.parity.calls import Job
from tests.webkit.driver import driving

Ask = Callable[[list[str]], list[str]]
BATCH = 30  # the answers of one setting are 60 kB of digits
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>The port</title>
<script src="calls.js"></script></html>
"""
ASK = "(lines) => lines.map(parity.answerLine)"


def bundle_plans(folder: Path) -> None:
    """Write the same page with the plan's modules, whichever there are."""
    names = sorted(path.stem for path in (ROOT / "widget" / "sim" / "vllm").glob("*.js"))
    lines = [f'import * as {name} from "{ROOT.as_posix()}/widget/sim/vllm/{name}.js";' for name in names]
    lines += [f'import {{ MODULES, answerLine }} from "{ROOT.as_posix()}/tests/parity/calls.mjs";']
    lines += [f'MODULES["vllm.{name}"] = {name};' for name in names] + ["export { answerLine };"]
    entry = folder / "plans.mjs"
    entry.write_text("\n".join(lines), "utf-8")
    bundle(folder, entry)


def bundle(folder: Path, entry: Path = ROOT / "tests" / "parity" / "calls.mjs") -> None:
    """Write a page that holds the port and the twin of calls.py."""
    words = [str(entry), "--bundle", "--format=iife", "--global-name=parity", "--log-level=warning"]
    subprocess.run([*esbuild_command(), *words, f"--outfile={folder / 'calls.js'}"], cwd=ROOT, check=True)
    (folder / "index.html").write_text(PAGE, "utf-8")


@contextmanager
def of_playwright(playwright: Playwright, name: str, address: str) -> Iterator[Ask]:
    """Ask Chromium or Firefox."""
    kind = getattr(playwright, name)
    browser = kind.launch(**launch_options(name, kind.executable_path))
    try:
        page = browser.new_page()
        page.goto(address)
        yield lambda lines: page.evaluate(ASK, lines)
    finally:
        browser.close()


@contextmanager
def of_webkit(address: str) -> Iterator[Ask]:
    """Ask WebKitGTK."""
    with driving() as driver:
        driver.get(address)
        yield lambda lines: driver.execute_script(f"return ({ASK})(arguments[0])", lines)


def answers_of(engine: str, jobs: list[Job], playwright: Playwright, folder: Path) -> list[str]:
    """What the port says to the jobs in one browser."""
    lines = [json.dumps(job) for job in jobs]
    with serving(folder) as address:
        asking = of_webkit(address) if engine == "webkit" else of_playwright(playwright, engine, address)
        with asking as ask:
            return [text for i in range(0, len(lines), BATCH) for text in ask(lines[i : i + BATCH])]
