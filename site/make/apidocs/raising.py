"""Which functions of the reference may refuse a value: those that raise SimError or PlanError, and their callers."""

import ast
from collections.abc import Iterator
from pathlib import Path

from .model import Doc, Library

ERRORS = {"SimError", "PlanError"}
"""How a refusal is called: in the lesson, and in a plan, where it is a SimError too."""


def unsaid(library: Library, folder: Path) -> list[str]:
    """Name every function that may refuse a value and does not say so, or says so and cannot."""
    able = refusing(folder)
    found = []
    for doc in everything(library):
        says = ERRORS & {item.name for item in doc.raises}
        may = f"{doc.module}.{doc.name}" in able
        if doc.kind in ("function", "method") and bool(says) != may:
            error = "PlanError" if "/" in doc.module else "SimError"
            found.append(f"{doc} {'never raises' if says else 'does not say when it raises'} {error}")
    return found


def everything(library: Library) -> Iterator[Doc]:
    """Give every name and every member."""
    for doc in library.docs():
        yield doc
        yield from doc.members


def refusing(folder: Path) -> set[str]:
    """Find every function that may raise SimError: itself, or by what it calls."""
    calls: dict[str, set[str]] = {}
    able: set[str] = set()
    for path in folder.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        module = path.relative_to(folder).with_suffix("").as_posix()
        homes = homes_of(tree, module)
        for name, function in functions_of(tree, module):
            calls[name] = called(function, homes)
            able |= {name} if raises(function) else set()
    while more := {name for name, callees in calls.items() if name not in able and reaches(callees, able)}:
        able |= more
    return able


def homes_of(tree: ast.Module, module: str) -> dict[str, str]:
    """Say for each name that a module uses where it is defined."""
    own = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    homes = {name: f"{module}.{name}" for name in own}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = module.split("/")[:-1][: 2 - node.level] if "/" in module else []
            home = "/".join([*folder, node.module or ""])
            homes |= {alias.asname or alias.name: f"{home}.{alias.name}" for alias in node.names}
    return homes


def functions_of(tree: ast.AST, place: str) -> Iterator[tuple[str, ast.AST]]:
    """Give the functions of a module, and the methods of its classes, with their places."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield f"{place}.{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from functions_of(node, f"{place}.{node.name}")


def raises(function: ast.AST) -> bool:
    """Say whether a function raises SimError in its own lines."""
    return any(isinstance(node, ast.Raise) and names_error(node) for node in uncaught(function))


def names_error(node: ast.AST) -> bool:
    """Say whether a piece of code names an error of ours."""
    return any(isinstance(each, ast.Name) and each.id in ERRORS for each in ast.walk(node))


def called(function: ast.AST, homes: dict[str, str]) -> set[str]:
    """Name what a function calls where a refusal would not be caught; a method by its name alone."""
    made = [node.func for node in uncaught(function) if isinstance(node, ast.Call)]
    plain = {homes[node.id] for node in made if isinstance(node, ast.Name) and node.id in homes}
    return plain | {f".{node.attr}" for node in made if isinstance(node, ast.Attribute)}


def uncaught(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk a function, but for what a `try` with an answer to SimError holds."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Try) and any(each.type and names_error(each.type) for each in node.handlers):
            continue
        yield node
        yield from uncaught(node)


def reaches(callees: set[str], able: set[str]) -> bool:
    """Say whether one of these calls may refuse; a class that is made stands for all its methods."""
    for name in able:
        owner, _, last = name.rpartition(".")
        if name in callees or owner in callees:
            return True
        if "." in owner and "._" not in owner and f".{last}" in callees:
            return True
    return False
