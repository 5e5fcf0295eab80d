"""`make release`: one command in a clean clone, the same bytes again elsewhere, and a clear no where it must not be."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

import archives
import selfhost
from poolroom import __version__
from serve import serving
from tests.browser.widget import Widget
from tests.node import ROOT
from tests.packages.conftest import Release
from tests.real.doors import drive

NOT_IN_GIT = shutil.ignore_patterns(
    ".git", ".venv*", "node_modules", "dist", "build", "release", "static", "*.egg-info", "__pycache__", "*.pyc",
    ".hypothesis", ".*_cache", "test-results",
)  # fmt: skip
GIT = ["git", "-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
CORS = {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-store"}


def git(folder: Path, *words: str) -> None:
    """Run git in a folder."""
    subprocess.run([*GIT, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This checkout as a clean clone, in a folder of another name; its tools are those of the checkout."""
    folder = tmp_path_factory.mktemp("another place") / "a clone"
    shutil.copytree(ROOT, folder, ignore=NOT_IN_GIT)
    git(folder, "init", "-q")
    (folder / ".git" / "info" / "exclude").write_text("/.venv\n/node_modules\n", "utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "All")
    for name in (".venv", "node_modules"):
        (folder / name).symlink_to(ROOT / name, target_is_directory=True)
    return folder


@pytest.fixture
def changed(clone: Path) -> Iterator[Callable[[str, str, str], None]]:
    """Give a function that changes a file of the clone; afterwards the clone is clean again."""

    def change(name: str, old: str, new: str) -> None:
        text = (clone / name).read_text("utf-8")
        assert old in text
        (clone / name).write_text(text.replace(old, new), "utf-8")

    yield change
    git(clone, "checkout", "-q", ".")
    git(clone, "clean", "-qfd")


def run(clone: Path, *words: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command of `make release` in the clone."""
    command = [sys.executable, "site/make/release.py", *map(str, words)]
    return subprocess.run(
        command,
        cwd=clone,
        env={**os.environ, "PYTHONPATH": "", **more},
        umask=0o077,
        capture_output=True,
        encoding="utf-8",
    )


def refusal(clone: Path, *words: str | Path) -> str:
    """The one sentence with which it refuses; nothing is built."""
    done = run(clone, *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert done.stderr.startswith("release.py: ") and done.stderr.endswith(".\n")
    assert not (clone / "release").exists()
    return done.stderr


def test_a_release_is_the_same_bytes_elsewhere(clone: Path, packages: Release, tell: Callable[[str], None]) -> None:
    """Rule: another folder, another umask, zone and hash seed: every file is the same, and nothing else is left."""
    out = clone / "release"
    try:
        done = run(clone, TZ="Pacific/Auckland", PYTHONHASHSEED="3")
        assert done.returncode == 0, done.stderr
        assert f"Poolroom {__version__} is in {out}." in done.stdout
        here, there = archives.content_of(packages.folder), archives.content_of(out)
        assert here.keys() == there.keys()
        assert [name for name in here if here[name] != there[name]] == []
        assert git_status(clone) == ""
        tell(f"release: {len(here)} files, {sum(map(len, here.values())):,} bytes, the same twice")
    finally:
        shutil.rmtree(out, ignore_errors=True)


def test_a_folder_of_somebody_elses_is_refused(clone: Path, tmp_path: Path) -> None:
    """Rule: only an empty folder or an earlier release is built into; other files stay."""
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    assert "holds other files than a release" in refusal(clone, "--out", tmp_path)
    assert "is a file" in refusal(clone, "--out", tmp_path / "mine.txt")
    assert (tmp_path / "mine.txt").read_text("utf-8") == "mine"


def git_status(clone: Path) -> str:
    """What git says is not committed."""
    done = subprocess.run([*GIT, "status", "--porcelain"], cwd=clone, capture_output=True, encoding="utf-8")
    return done.stdout


def test_uncommitted_files_are_refused(clone: Path, changed: Callable[[str, str, str], None]) -> None:
    """Rule: a change and a new file, each by name."""
    changed("README.md", "# Poolroom", "# Pool room")
    assert "Not everything is committed: README.md." in refusal(clone)
    (clone / "notes.txt").write_text("x", "utf-8")
    assert "README.md, notes.txt" in refusal(clone)


def test_a_changelog_without_the_version_is_refused(clone: Path, changed: Callable[[str, str, str], None]) -> None:
    """Rule: who raises the version says what is new."""
    changed("sim/poolroom/__init__.py", f'__version__ = "{__version__}"', '__version__ = "9.8.7"')
    assert "CHANGELOG.md has no heading “## [9.8.7]”" in refusal(clone)


def test_without_git_it_asks_for_a_clone(clone: Path) -> None:
    """Rule: a folder that is no checkout is refused."""
    (clone / ".git").rename(clone / "was.git")
    try:
        assert "This is no git checkout" in refusal(clone)
    finally:
        (clone / "was.git").rename(clone / ".git")


@pytest.fixture
def elsewhere(dist: Path, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Another site that serves the pinned script and the page for frames, as a host of files does."""
    for name in (selfhost.versioned("poolroom.js"), "poolroom.html"):
        shutil.copy(dist / name, tmp_path)
    with serving(tmp_path, headers=CORS) as address:
        yield address, tmp_path / selfhost.versioned("poolroom.js")


def snippet(dist: Path) -> str:
    """What embed.html offers to paste for this version and no other."""
    [text] = re.findall(r"<pre><code>([^<]*integrity=[^<]*)</code></pre>", (dist / "embed.html").read_text("utf-8"))
    return unescape(text)


def test_a_pinned_script_is_checked_by_the_browser(
    dist: Path,
    elsewhere: tuple[str, Path],
    serve_folder: Callable[[Path], str],
    context: BrowserContext,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Rule: the offered tag loads the script from another site, and refuses it when one byte is another."""
    address, script = elsewhere
    text = snippet(dist)
    assert "https://example.org/" in text
    folder = tmp_path_factory.mktemp("page")
    page_of = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>{}</html>'
    (folder / "index.html").write_text(page_of.format(text.replace("https://example.org/", address)), "utf-8")
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    home = serve_folder(folder)
    page.goto(home)
    drive(Widget(page), share=90)
    assert page.evaluate("document.querySelector('pool-room').link").startswith(f"{address}poolroom.html")
    assert said == []
    script.write_bytes(script.read_bytes() + b"\n")
    page.goto(home)
    expect(page.locator("pool-room")).to_be_attached()
    assert page.evaluate("customElements.get('pool-room') === undefined")
    assert len(said) == 1 and "integrity" in said[0]
