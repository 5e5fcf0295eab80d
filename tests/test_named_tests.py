"""Pages that name a test name one that is there."""

import ast
import json
from pathlib import Path

import pytest

from tests.node import ROOT

ACCESS = json.loads((ROOT / "site" / "access.json").read_text("utf-8"))
RECIPES = json.loads((ROOT / "site" / "recipes" / "recipes.json").read_text("utf-8"))["recipes"]
NAMED = [f"tests/browser/{test}" for row in ACCESS["tested"] for test in row["tests"]]
NAMED += [recipe["test"] for recipe in RECIPES if recipe["test"]]


def functions_of(path: Path) -> set[str]:
    """The test functions of a file."""
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


@pytest.mark.parametrize("named", NAMED)
def test_a_named_test_is_there(named: str) -> None:
    """Rule: the page on access and every recipe name a file and a function of it."""
    file, name = named.split("::")
    assert name in functions_of(ROOT / file)


def test_every_row_names_a_test() -> None:
    """Rule: nothing counts as tested that no test holds."""
    assert all(row["tests"] for row in ACCESS["tested"])
    assert len(ACCESS["tested"]) > len(ACCESS["untested"]) > 0
