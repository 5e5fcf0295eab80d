"""Which functions of the reference may refuse a value: those that raise SimError, and those that call them."""

import ast
from collections.abc import Iterator
from pathlib import Path

from .model import Doc, Library

ERROR = "SimError"


def unsaid(library: Library, folder: Path) -> list[str]:
    """Name every function that may refuse a value and does not say so, or says so and cannot."""
    able = refusing(folder)
    found = []
    for doc in everything(library):
        says, may = ERROR in {item.name for item in doc.raises}, f"{doc.module}.{doc.name}" in able
        if doc.kind in ("function", "method") and says != may:
            found.append(f"{doc} {'never raises' if says else 'does not say when it raises'} {ERROR}")
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
    for path in folder.glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        homes = homes_of(tree, path.stem)
        for name, function in functions_of(tree, path.stem):
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
            homes |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
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
    return any(isinstance(node, ast.Raise) and ERROR in ast.dump(node) for node in uncaught(function))


def called(function: ast.AST, homes: dict[str, str]) -> set[str]:
    """Name what a function calls where a refusal would not be caught; a method by its name alone."""
    made = [node.func for node in uncaught(function) if isinstance(node, ast.Call)]
    plain = {homes[node.id] for node in made if isinstance(node, ast.Name) and node.id in homes}
    return plain | {f".{node.attr}" for node in made if isinstance(node, ast.Attribute)}


def uncaught(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk a function, but for what a `try` with an answer to SimError holds."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Try) and any(each.type and ERROR in ast.dump(each.type) for each in node.handlers):
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
