"""The Python wheel, built from a copy that holds nothing but what belongs into it; the same bytes every time."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bundle import ROOT, BuildError

FIRST_DAY = "315532800"  # 1980-01-01, the earliest that a zip can say
TOP = ("pyproject.toml", "README.md", "LICENSE")
STRAY = shutil.ignore_patterns("__pycache__", "*.pyc", "static", "*.egg-info")


def build_wheel(out: Path, static: dict[str, str]) -> Path:
    """Build the wheel into a folder, with the built files of the widget in it, by name and text."""
    with tempfile.TemporaryDirectory() as folder:
        source = source_copy(Path(folder), static)
        command = [sys.executable, "-m", "pip", "wheel", "-qq", "--disable-pip-version-check", "--no-deps",
                   "--no-build-isolation", "--no-cache-dir", "--wheel-dir", str(out), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8",
                              env={**os.environ, "SOURCE_DATE_EPOCH": FIRST_DAY})
    if done.returncode:
        raise BuildError(f"The wheel could not be built:\n{(done.stderr or done.stdout).strip()}")
    [wheel] = out.glob("poolroom-*.whl")
    return wheel


def source_copy(folder: Path, static: dict[str, str]) -> Path:
    """Copy what the package is made of into a folder of its own."""
    for name in TOP:
        shutil.copyfile(ROOT / name, folder / name)
    shutil.copytree(ROOT / "sim" / "poolroom", folder / "sim" / "poolroom", ignore=STRAY)
    home = folder / "sim" / "poolroom" / "static"
    home.mkdir()
    for name, text in static.items():
        (home / name).write_text(text, "utf-8", newline="\n")
    return folder
