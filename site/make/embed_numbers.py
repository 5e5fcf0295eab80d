"""What the page for authors shows: the contract as a table, the snippets it opens with, and the recipes."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import selfhost
from poolroom import facts

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "site" / "recipes"
CONTRACT = json.loads((ROOT / "sim/poolroom/facts/contract.json").read_text("utf-8"))
PRESETS = json.loads((ROOT / "sim/poolroom/facts/presets.json").read_text("utf-8"))
LANGUAGES = {"en": "English", "de": "Deutsch"}
FRAME_HEIGHT, FRAME_WIDTH = 960, 720  # px; tests/browser/test_embed_page.py measures that it fits
NARROW_HEIGHT, NARROW_WIDTH = 1200, 360
TITLE = "What a model server’s settings change"
DOORS = {"element": "element", "iframe": "frame", "anywidget": "notebook"}
MOST_LISTED = 16  # more choices than this are a range


@dataclass(frozen=True)
class Option:
    """One name of the contract: what it may be, what it does, and at which doors."""

    name: str
    kind: str
    choices: tuple[Any, ...]
    most: int | None
    meaning: str
    doors: tuple[str, ...]

    @property
    def configurable(self) -> bool:
        """Whether a host's page may use it, and there is something to choose."""
        return "notebook" in self.doors and not (self.kind == "name" and len(self.choices) < 2 and self.name != "lang")

    @property
    def values(self) -> str:
        """What may be written, in words."""
        listed = ", ".join(_text(choice) for choice in self.choices)
        if self.kind == "flag" or self.choices == (False, True):
            return "there, or not (also 1, 0)"
        if self.kind == "text":
            return f"at most {self.most} characters"
        if self.kind == "address":
            return "an address"
        if len(self.choices) > MOST_LISTED:
            return f"{self.choices[0]} to {self.choices[-1]}"
        return f"any of {listed}" if self.kind == "list" else listed


def _text(choice: Any) -> str:
    return str(int(choice)) if isinstance(choice, bool) else str(choice)


def _choices(name: str, option: dict[str, Any]) -> tuple[Any, ...]:
    if option["kind"] == "setting":
        return tuple(facts.CHOICES[name]["values"])
    languages = sorted(path.stem for path in (ROOT / "sim/poolroom/facts/words").glob("*.json"))
    sources = {"presets": PRESETS, "models": CONTRACT["models"], "languages": languages}
    return tuple(sources[option["from"]] if "from" in option else option.get("values", ()))


def _doors(option: dict[str, Any]) -> tuple[str, ...]:
    doors = {"element": True, "frame": option.get("query", True), "notebook": option.get("trait", True)}
    return tuple(door for door, open_ in doors.items() if open_)


def options() -> list[Option]:
    """Every name of the contract, in its order."""
    return [
        Option(name, option["kind"], _choices(name, option), option.get("most"), option["meaning"], _doors(option))
        for name, option in CONTRACT["options"].items()
    ]


def option_groups() -> list[tuple[str, list[Option]]]:
    """The configurator's fields under its headings; a new name of the contract comes last by itself."""
    named = {
        "Where the reader starts": ["preset", *(o.name for o in options() if o.kind == "setting")],
        "What the reader can do": ["lock", "hide"],
        "How it looks": ["caption", "theme", "lang", "compact"],
    }
    known = {name for names in named.values() for name in names}
    there = {option.name: option for option in options() if option.configurable}
    groups = [(title, [there[name] for name in names if name in there]) for title, names in named.items()]
    return [*groups, ("More", [option for name, option in there.items() if name not in known])]


def snippet(door: str) -> str:
    """The text to paste for the opening settings, with the files beside the page."""
    if door == "element":
        return '<script src="poolroom.js" defer></script>\n<pool-room></pool-room>'
    size = f'width="100%" height="{FRAME_HEIGHT}"'
    return f'<iframe src="poolroom.html" {size} title="{TITLE}" loading="lazy"></iframe>'


def pinned(integrity: str) -> str:
    """The text to paste that loads this version and no other, from another site too."""
    address = f"https://example.org/{selfhost.versioned('poolroom.js')}"
    pin = f'integrity="{integrity}" crossorigin="anonymous"'
    return f'<script src="{address}" {pin} defer></script>\n<pool-room></pool-room>'


def recipes() -> list[dict[str, Any]]:
    """The recipes with the very files that their tests build."""
    index = RECIPES / "recipes.json"
    listed = json.loads(index.read_text("utf-8"))["recipes"] if index.is_file() else []
    return [
        {
            **recipe,
            "door": [DOORS[door] for door in recipe["door"]],
            "files": [{"name": name, "text": _shown(RECIPES / recipe["key"] / name)} for name in recipe["files"]],
        }
        for recipe in listed
    ]


def _shown(path: Path) -> str:
    """A file as an author sees it; of a notebook, what its cells hold."""
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    return text.rstrip()


def access() -> dict[str, Any]:
    """The rows of the page about access: what was tested where, and what was not."""
    rows: dict[str, Any] = json.loads((ROOT / "site" / "access.json").read_text("utf-8"))
    return rows


GLOBALS = {f.__name__: f for f in (options, option_groups, snippet, pinned, recipes, access)} | {
    "contract": CONTRACT, "LANGUAGES": LANGUAGES, "FRAME_HEIGHT": FRAME_HEIGHT, "FRAME_WIDTH": FRAME_WIDTH,
    "NARROW_HEIGHT": NARROW_HEIGHT, "NARROW_WIDTH": NARROW_WIDTH,
}
