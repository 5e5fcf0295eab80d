"""The recipes as their readers get them, and a folder in which an author has followed one."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.node import ROOT

RECIPES = ROOT / "site" / "recipes"


def index() -> dict[str, dict[str, Any]]:
    """The recipes by key."""
    listed = json.loads((RECIPES / "recipes.json").read_text(encoding="utf-8"))["recipes"]
    return {recipe["key"]: recipe for recipe in listed}


def cells_of(notebook: Path) -> list[str]:
    """The code of a notebook's cells."""
    return ["".join(cell["source"]) for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]]


def follow(key: str, dist: Path, folder: Path) -> Path:
    """Do what a recipe says: its files as they are, beside them what it takes from the built site, and its picture."""
    recipe = index()[key]
    for name in recipe["files"]:
        copy(RECIPES / key / name, folder / name)
    for name, target in recipe["copies"].items():
        copy(dist / name, folder / target)
    if recipe["fallback"]:
        draw(recipe["fallback"]["command"], folder)
    return folder


def copy(source: Path, target: Path) -> None:
    """Copy one file, with the folders above it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def draw(command: str, folder: Path) -> None:
    """Run a recipe's `poolroom svg …` in its folder."""
    words = shlex.split(command)
    assert words[:2] == ["poolroom", "svg"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "sim")}
    subprocess.run([sys.executable, "-m", "poolroom", *words[1:]], cwd=folder, env=environment, check=True)
