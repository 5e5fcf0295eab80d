"""The recipes as their readers get them, and a folder in which an author has followed one."""

import json
import shutil
from pathlib import Path
from typing import Any

from tests.node import ROOT

RECIPES = ROOT / "site" / "recipes"


def index() -> dict[str, dict[str, Any]]:
    """The recipes by key."""
    listed = json.loads((RECIPES / "recipes.json").read_text(encoding="utf-8"))["recipes"]
    return {recipe["key"]: recipe for recipe in listed}


def follow(key: str, dist: Path, folder: Path) -> Path:
    """Do what a recipe says: its files as they are, and beside them what it takes from the built site."""
    recipe = index()[key]
    for name in recipe["files"]:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(RECIPES / key / name, target)
    for name, target in recipe.get("copies", {}).items():
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(dist / name, folder / target)
    return folder
