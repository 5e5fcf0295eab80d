"""The Python wheel and the sdist, from a copy that holds nothing but what belongs there; the same bytes every time."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import archives
from bundle import ROOT, printed

TOP = {"pyproject.toml": "pyproject.toml", "LICENSE": "LICENSE", "README.md": "site/packages/python.md"}
STRAY = shutil.ignore_patterns("__pycache__", "*.pyc", "static", "*.egg-info")


def build_wheel(out: Path, static: dict[str, str]) -> Path:
    """Build the wheel into a folder, with the built files of the widget in it, by name and text."""
    with source_copy(static) as source:
        run("pip", "wheel", "-qq", "--disable-pip-version-check", "--no-deps", "--no-build-isolation",
            "--no-cache-dir", "--wheel-dir", str(out), str(source), folder=source)
    [wheel] = out.glob("poolroom-*.whl")
    return wheel


def build_sdist(out: Path, static: dict[str, str]) -> Path:
    """Build the sdist into a folder; it holds the built files too, so that it becomes the same wheel anywhere."""
    with source_copy(static) as source:
        run("build", "--sdist", "--no-isolation", "--outdir", "made", str(source), folder=source)
        [made] = (source / "made").glob("poolroom-*.tar.gz")
        sdist = out / made.name
        sdist.write_bytes(archives.tarred(archives.untarred(made)))  # setuptools writes the day and the user
    return sdist


def run(*words: str, folder: Path) -> None:
    """Run a module of Python's tools on the copy, and stop with what it said where it fails."""
    printed([sys.executable, "-P", "-m", *words], folder, "The Python package could not be built:",
            env={**os.environ, "SOURCE_DATE_EPOCH": str(archives.FIRST_SECOND)}, umask=0o022)


@contextmanager
def source_copy(static: dict[str, str]) -> Iterator[Path]:
    """Copy what the package is made of into a folder of its own, while it is needed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for target, source in TOP.items():
            shutil.copyfile(ROOT / source, folder / target)
        home = folder / "sim" / "poolroom"
        shutil.copytree(ROOT / "sim" / "poolroom", home, ignore=STRAY)
        (home / "static").mkdir()
        for target, text in static.items():
            (home / "static" / target).write_text(text, "utf-8", newline="\n")
        archives.plain_modes(folder)
        yield folder
