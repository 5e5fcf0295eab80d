"""Python for a browser: Pyodide, the tools that test the reference, and the reference's wheel, in one lock file."""

import hashlib
import json
import os
import shutil
import sys
import zipfile
from functools import cache
from pathlib import Path

import archives
from bundle import ROOT, BuildError, printed
from environment import MODULES, WHEELS, fingerprint
from python_package import build_wheel

CORE = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"


def pyodide(name: str) -> Path:
    """Find a file of the npm package."""
    path = MODULES / "pyodide" / name
    if not path.is_file():
        raise BuildError("node_modules has no pyodide: run python3 site/make/environment.py first.")
    return path


def wheels() -> list[Path]:
    """Find the wheels that environment.py fetched."""
    fetched = sorted(WHEELS.glob("*.whl"))
    if not fetched:
        raise BuildError(".venv has no wheels for the proof page: run python3 site/make/environment.py first.")
    return fetched


@cache
def lock_info() -> dict[str, str]:
    """Read which Python and which ABI this Pyodide has."""
    info: dict[str, str] = json.loads(pyodide(LOCK).read_text("utf-8"))["info"]
    return info


def compiles(python: str, here: tuple[int, int] = sys.version_info[:2]) -> bool:
    """Say whether this Python's bytecode runs in Pyodide: it does where the minor versions are the same."""
    return tuple(map(int, python.split(".")[:2])) == here


def tools_mark() -> str:
    """Hash what the tools are made of, and what makes them."""
    makers = [Path(__file__), Path(archives.__file__)]
    return fingerprint(sys.version, *makers, pyodide(LOCK), *map(pyodide, CORE), *wheels())


def make_tools(folder: Path) -> None:
    """Lay out Pyodide and the wheels of pytest and hypothesis with their lock file; compiled, where that is of use."""
    for path in (*map(pyodide, CORE), *wheels()):
        shutil.copyfile(path, folder / path.name)
    (folder / LOCK).write_text(json.dumps({"info": lock_info(), "packages": {}}), "utf-8")
    add_wheels(folder, *(folder / path.name for path in wheels()))
    if compiles(lock_info()["python"]):
        run("py-compile", "--silent", str(folder))
        take_out_the_time(folder)


def make_reference(folder: Path, tools: Path, static: dict[str, str]) -> None:
    """Build the reference's wheel and put it into the lock file; as pip would install it, with its source to read."""
    shutil.copyfile(tools / LOCK, folder / LOCK)
    add_wheels(folder, build_wheel(folder, static))


def add_wheels(folder: Path, *paths: Path) -> None:
    """Put wheels into the folder's lock file, each with its hash."""
    lock = str(folder / LOCK)
    run("lockfile", "add-wheels", "--input", lock, "--output", lock, "--base-path", str(folder), *map(str, paths))


def run(*words: str) -> None:
    """Run a command of pyodide-build, and stop with what it said where it fails."""
    printed([sys.executable, "-P", "-m", "pyodide_cli", *words], ROOT, f"pyodide {words[0]} failed:",
            env={**os.environ, "SOURCE_DATE_EPOCH": str(archives.FIRST_SECOND)})


def take_out_the_time(folder: Path) -> None:
    """Pack compiled files anew, since py-compile writes the time of day into them; the lock file follows."""
    for path in [*folder.glob("*.whl"), *folder.glob("*.zip")]:
        with zipfile.ZipFile(path) as archive:
            content = {name: archive.read(name) for name in archive.namelist()}
        path.write_bytes(archives.zipped(content))
    lock = json.loads((folder / LOCK).read_text("utf-8"))
    for package in lock["packages"].values():
        package["sha256"] = hashlib.sha256((folder / package["file_name"]).read_bytes()).hexdigest()
    (folder / LOCK).write_text(json.dumps(lock, sort_keys=True), "utf-8")
