"""Bundle the widget's scripts with esbuild, from a copy in which the style is small before it becomes text."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import environment
from plan_bundle import plan_beside
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
SMALL = ["--minify", "--charset=utf8", "--legal-comments=none", "--log-level=warning"]
BUNDLE = ["--bundle", "--target=es2022", "--loader:.css=text"]
PAGE, MODULE = [*BUNDLE, "--format=iife"], [*BUNDLE, "--format=esm"]
DOORS = {"poolroom.js": ("element.js", PAGE), "alone.js": ("alone.js", PAGE), NOTEBOOK: ("anywidget.js", MODULE)}


class BuildError(Exception):
    """Something that must be mended before the site can be built; the message is one sentence."""


def bundle(entry: Path) -> dict[str, str]:
    """Bundle each of the widget's doors into one script, and make the pages' own style and script small."""
    for tool in ("esbuild", "@swc/core"):
        if not (environment.MODULES / tool).is_dir():
            raise BuildError(f"node_modules has no {tool}: run python3 site/make/environment.py first.")
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
            scripts[name] = smaller(esbuild(plan_beside(copy, site, name) / name, *PAGE))
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


def smaller(script: str) -> str:
    """Make a bundled script smaller once more, where each byte counts."""
    command = [environment.node_command(), ROOT / "site" / "make" / "smaller.mjs"]
    return printed(command, ROOT, "swc could not make a script smaller:", input=script)


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
