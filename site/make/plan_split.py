"""The plan page's two scripts: what only a paste needs comes with its reader; what both need, the page hands over."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

PAGE, READER = "plan.js", "plan-paste.js"
LATE = ("printed.js", "prose.js", "wording.js")
"""Modules of `site/plan` that the page calls only for a text that was read: they come with the reader."""
IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[^"]+\.js)";$', re.MULTILINE)
Names = dict[Path, set[str]]


def imports_of(module: Path) -> Iterator[tuple[Path, set[str]]]:
    """Yield the modules that one imports, each with the names it takes."""
    for names, path in IMPORT.findall(module.read_text("utf-8")):
        taken = {name.split(" as ")[0].strip() for name in names.split(",") if name.strip()}
        yield Path(os.path.normpath(module.parent / path)), taken


def reached(entry: Path, but: set[Path]) -> set[Path]:
    """Give all modules that a script needs, without some and what only those need."""
    found: set[Path] = set()
    open_ones = [entry]
    while open_ones:
        module = open_ones.pop()
        if module not in found and module not in but:
            found.add(module)
            open_ones += [path for path, _ in imports_of(module)]
    return found


def taken_from(users: set[Path], owners: set[Path]) -> Names:
    """Give the modules of some owners that others use, with the names they take."""
    taken: Names = {}
    for user in sorted(users):
        for path, names in imports_of(user):
            if path in owners:
                taken.setdefault(path, set()).update(names)
    return taken


def split(site: Path) -> tuple[Names, Names]:
    """Give what the reader takes over from the page, and what the page calls of the reader, by module."""
    late = {site / "plan" / name for name in LATE}
    page = reached(site / PAGE, late)
    reader = reached(site / READER, set()) - page
    return taken_from(reader, page), taken_from(page, reader)


def handed(module: Path, name: str) -> str:
    """Give the name under which the page hands something over: two modules may call different things the same."""
    return f"{module.stem}_{name}"


def hand_over(site: Path) -> None:
    """Write, in a copy, what the page hands over, and calls of the reader in place of its modules."""
    over, late = split(site)
    lines, names = [], []
    for module, taken in over.items():
        path = os.path.relpath(module, site / "plan")
        renamed = [f"{name} as {handed(module, name)}" for name in sorted(taken)]
        names += [handed(module, name) for name in sorted(taken)]
        lines.append(f'import {{ {", ".join(renamed)} }} from "./{path}";')
    lines.append(f"globalThis.poolroom_plan = {{ {', '.join(names)} }};")
    (site / "plan" / "shared.js").write_text("\n".join(lines), "utf-8")
    for module, taken in late.items():
        calls = [f"export const {name} = (...given) => globalThis.poolroom_paste.{name}(...given);" for name in taken]
        module.write_text("\n".join(sorted(calls)), "utf-8")


def take_over(site: Path) -> None:
    """Put, in a copy, what the page hands over in place of the reader's own."""
    over, _ = split(site)
    for module, taken in over.items():
        pairs = ", ".join(f"{handed(module, name)}: {name}" for name in sorted(taken))
        own = ", ".join(sorted(taken))
        module.write_text(f"const {{ {pairs} }} = globalThis.poolroom_plan;\nexport {{ {own} }};\n", "utf-8")
