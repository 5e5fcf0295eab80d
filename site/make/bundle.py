"""Bundle the widget's scripts with esbuild, from a copy in which the style is small before it becomes text."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import environment
from watch_bundle import watched

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "sim" / "poolroom" / "facts"
STATIC = ROOT / "sim" / "poolroom" / "static"
NOTEBOOK, WORKER = "poolroom-anywidget.js", "proof-worker.js"
PACKAGED = {"anywidget.js": NOTEBOOK, "poolroom.js": "poolroom.js", "poolroom.html": "poolroom.html"}
"""What the Python package carries, by its name there."""
UNREAD = ("cli", "notebook", "meaning", "source", "checked", "since")
"""Keys of the facts that the widget never reads: words of the command line, and what documents a figure or option."""
SENTENCES = ("numbers", "plurals", "joiner", "allowed", "shown", "refused_value")
"""What the tools of the page on serving need of the catalogue: its forms, and how a refusal is said."""
VALUES = ("value", "values", "opening", "per", "gain")
"""What of a figure or a control is read by a program."""
STYLES = ("page.css", "guide.css", "api.css", "proof.css", "serve.css", "watch.css", "truth.css", "plan.css")
FIGURES = ("memory_gb", "total_bytes", "held_bytes", "bandwidth")
"""Figures of a card, each with its source."""
OF_PASTE = ("settings", "uncounted", "quiet")
"""What the reader of pasted text needs of vLLM's rules; flags that change no memory it alone knows."""
DOCUMENTS = ("source", "about", "date", "says", "fitted_on", "meaning", "kind", "unit", "words")
"""Keys of the facts about vLLM that no program reads."""
SMALL = ["--minify", "--charset=utf8", "--legal-comments=none", "--log-level=warning"]
BUNDLE = ["--bundle", "--target=es2022", "--loader:.css=text"]
PAGE, MODULE = [*BUNDLE, "--format=iife"], [*BUNDLE, "--format=esm"]
DOORS = {"poolroom.js": ("element.js", PAGE), "alone.js": ("alone.js", PAGE), NOTEBOOK: ("anywidget.js", MODULE)}


class BuildError(Exception):
    """Something that must be mended before the site can be built; the message is one sentence."""


def bundle(entry: Path) -> dict[str, str]:
    """Bundle each of the widget's doors into one script, and make the pages' own style and script small."""
    if not (environment.MODULES / "esbuild").is_dir():
        raise BuildError("node_modules has no esbuild: run python3 site/make/environment.py first.")
    for name, _ in DOORS.values():
        if not entry.with_name(name).is_file():
            raise BuildError(f"The widget's entry {name} is missing.")
    site = ROOT / "site"
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(entry.parent, Path(folder))
        scripts = {name: esbuild(copy / source, *options) for name, (source, options) in DOORS.items()}
        scripts["serve.js"] = esbuild(beside(copy, site) / "serve.js", *PAGE)
        scripts["watch.js"] = esbuild(watched(copied(entry.parent, Path(folder) / "watch"), site) / "watch.js", *PAGE)
        for name in ("plan.js", "plan-paste.js"):
            scripts[name] = esbuild(plan_beside(copy, site, name) / name, *PAGE)
    styles = {name: esbuild(site / name) for name in STYLES}
    pages = {name: esbuild(site / name, *PAGE) for name in ("page.js", "embed.js", "proof.js")}
    return {**scripts, **styles, **pages, WORKER: esbuild(site / "proof" / "worker.js", *MODULE, "--loader:.py=text")}


def copied(widget: Path, folder: Path) -> Path:
    """Copy the widget and the facts it reads; its style becomes small in the copy."""
    copy = folder / widget.name
    shutil.copytree(widget, copy)
    facts = folder / FACTS.relative_to(ROOT)
    shutil.copytree(FACTS, facts)
    for path in facts.rglob("*.json"):
        path.write_text(json.dumps(without(json.loads(path.read_text("utf-8"))), ensure_ascii=False), "utf-8")
    for style in copy.rglob("*.css"):
        style.write_text(esbuild(style).strip(), "utf-8")
    return copy


def beside(copy: Path, site: Path) -> Path:
    """Put the script of the page on serving beside the widget's copy, and leave of the facts what that page reads."""
    for path in (copy.parent / FACTS.relative_to(ROOT)).rglob("*.json"):
        facts = json.loads(path.read_text("utf-8"))
        in_words = path.parent.name == "words"
        less = {key: facts[key] for key in SENTENCES if key in facts} if in_words else bare(facts)
        path.write_text(json.dumps(less, ensure_ascii=False), "utf-8")
    folder = copy.parent / site.name
    shutil.copytree(site / "serve", folder / "serve")
    shutil.copy(site / "serve.js", folder)
    return folder


def plan_beside(copy: Path, site: Path, script: str) -> Path:
    """Put a script of the plan page beside the same copy, and leave of the facts about vLLM what that script reads."""
    for path in sorted((FACTS / "vllm").glob("*.json")):
        less = LEAN.get(path.stem, lambda facts: facts)(json.loads(path.read_text("utf-8")))
        if path.stem == "vllm":
            pasted = script == "plan-paste.js"
            less = {key: part for key, part in less.items() if (key in OF_PASTE if pasted else key != "quiet")}
        (copy.parent / path.relative_to(ROOT)).write_text(json.dumps(less, ensure_ascii=False), "utf-8")
    folder = copy.parent / site.name
    shutil.copytree(site / "plan", folder / "plan", dirs_exist_ok=True)
    shutil.copy(site / script, folder)
    return folder


def lean(facts: Any) -> Any:
    """Give facts about vLLM without what documents them: no program reads it, and the page says it in its own words."""
    if isinstance(facts, dict):
        return {key: lean(part) for key, part in facts.items() if key not in DOCUMENTS}
    return [lean(part) for part in facts] if isinstance(facts, list) else facts


def lean_figure(figure: list[Any], sources: dict[str, Any]) -> list[Any]:
    """Give a figure with how sure it is in place of its source."""
    return [figure[0], sources[figure[1]]["kind"]]


def kinds_of(sources: dict[str, Any]) -> dict[str, Any]:
    """Give one source for each kind: how sure a figure is, is shown; where it was read, is documentation."""
    kinds = sorted({each["kind"] for each in sources.values()})
    return {kind: {"source": "", "date": "", "kind": kind} for kind in kinds}


def lean_cards(facts: Any) -> Any:
    """Give cards with how sure each figure is in place of its source."""
    sources = facts["sources"]
    cards = {name: lean_card(card, sources) for name, card in facts["cards"].items()}
    held = lean_figure(facts["held_bytes"], sources)
    return {"ignored": facts["ignored"], "held_bytes": held, "sources": kinds_of(sources), "cards": cards}


def lean_card(card: Any, sources: dict[str, Any]) -> Any:
    """Give a card's names, memory and speeds."""
    figures = {name: lean_figure(card[name], sources) for name in FIGURES if name in card}
    peaks = {dtype: lean_figure(figure, sources) for dtype, figure in card["peak_flops"].items()}
    return {**{name: part for name, part in card.items() if name != "also"}, **figures, "peak_flops": peaks}


def lean_models(facts: Any) -> Any:
    """Give models with how sure their figures are in place of where they were read."""
    sources = facts["sources"]
    models = {
        name: {**{key: part for key, part in model.items() if key != "remembered"},
               "source": sources[model["source"]]["kind"], "parameters": lean_figure(model["parameters"], sources)}
        for name, model in facts["models"].items()
    }  # fmt: skip
    return {"sources": kinds_of(sources), "models": models}


LEAN = {"cards": lean_cards, "models": lean_models, "page": lambda _: {}, "vllm": lean, "fitted": lean, "lines": lean,
        "quantisations": lean, "families": lean}
"""What the plan page's script carries of each file of facts about vLLM; of the others all."""


def bare(facts: Any) -> Any:
    """Give facts with each figure's and control's values alone, and words without what the page says already."""
    if isinstance(facts, dict) and "controls" in facts.get("words", {}):
        return {"controls": bare(facts["controls"]), "figures": bare(facts["figures"]), "words": said(facts["words"])}
    if isinstance(facts, dict) and any(key in facts for key in VALUES):
        return {key: part for key, part in facts.items() if key in VALUES}
    if not isinstance(facts, dict):
        return facts
    return {key: bare(part) for key, part in facts.items()}


def said(words: dict[str, Any]) -> dict[str, Any]:
    """Give a tool's words without its title, and its controls' without name and help: the build writes those."""
    controls = {
        name: {key: part for key, part in control.items() if key not in ("name", "help")}
        for name, control in words["controls"].items()
    }
    return {key: controls if key == "controls" else part for key, part in words.items() if key != "title"}


def without(facts: Any) -> Any:
    """Give facts without the keys that the widget never reads."""
    if isinstance(facts, dict):
        return {key: without(part) for key, part in facts.items() if key not in UNREAD}
    return [without(part) for part in facts] if isinstance(facts, list) else facts


def esbuild(entry: Path, *options: str) -> str:
    """Run esbuild on one file and give what it writes."""
    command = [*environment.esbuild_command(), entry.name, *SMALL, *options]
    return printed(command, entry.parent, f"esbuild could not build {entry.name}:")


def printed(command: list[Any], folder: Path, failing: str, **options: Any) -> str:
    """Run a tool in a folder and give what it prints; where it fails, stop with what it said."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, encoding="utf-8", **options)
    if done.returncode:
        raise BuildError(f"{failing}\n{(done.stderr or done.stdout).strip()}")
    return done.stdout


def static_files(files: dict[str, str]) -> dict[str, str]:
    """Pick, from all built files, those that the Python package carries, by their names there."""
    return {name: files[built] for name, built in PACKAGED.items()}


def put_in_package(static: dict[str, str]) -> None:
    """Put them where the Python package reads them, whole at every moment."""
    STATIC.mkdir(exist_ok=True)
    for name, text in static.items():
        part = STATIC / f"{name}.{os.getpid()}.part"
        part.write_text(text, "utf-8", newline="\n")
        os.replace(part, STATIC / name)
