"""The npm package: the widget's own modules with their types, the files that pages load, and package.json."""

import json
import re
import shutil
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import archives
import bundle
import environment
from bundle import ROOT
from poolroom import __version__

NOT_MODULES = ("alone.js", "frame.js")  # they make the one-file page
TAGS = "tags.d.ts"  # names of tags and events, which no comment can declare
SERVED = ("poolroom.js", "poolroom.html", bundle.NOTEBOOK)
ONE_MODULE = "poolroom.mjs"
DOORS = {".": "element", "./sim": "index", "./plan": "plan", "./anywidget": "anywidget"}
FACT = re.compile(r'"\.\./((?:\.\./)+)sim/poolroom/facts/([\w/]+)\.json" with \{ type: "json" \}')
STYLE = re.compile(r'"\./(poolroom\.css)"')
TYPES = {
    "allowJs": True, "declaration": True, "emitDeclarationOnly": True, "strict": True, "target": "ES2023",
    "lib": ["ES2023", "DOM", "DOM.Iterable"], "module": "NodeNext", "types": [],
    "noCheck": True,  # make check has looked at these very scripts, and it takes most of the time
}


def build_npm(out: Path, files: dict[str, str]) -> Path:
    """Build the package's tarball into a folder, from the site's built files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "package"
        put_modules(folder)
        for served in SERVED:
            write(folder / "dist" / served, files[served])
        write(folder / "package.json", json.dumps(manifest(), indent=2) + "\n")
        shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
        shutil.copyfile(ROOT / "site" / "packages" / "npm.md", folder / "README.md")
        archives.plain_modes(folder)
        said = run([*environment.npm_command(), "pack", "--json", "--offline", "--ignore-scripts", "--loglevel=error",
                    "--pack-destination", str(out.resolve())], folder)
    return out / json.loads(said)[0]["filename"]


def manifest() -> dict[str, Any]:
    """Give package.json: what the Python package says of itself, and who may import what."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    tools = json.loads((ROOT / "package.json").read_text("utf-8"))
    return {
        "name": project["name"],
        "version": __version__,
        "description": project["description"],
        "keywords": [*project["keywords"], "custom element"],
        "license": project["license"],
        "author": project["authors"][0]["name"],
        "type": "module",
        "engines": tools["engines"],
        "sideEffects": ["./lib/element.js", "./lib/value.js", "./lib/anywidget.js", "./dist/*"],
        "exports": {
            **{door: {"types": f"./lib/{name}.d.ts", "default": f"./lib/{name}.js"} for door, name in DOORS.items()},
            f"./{ONE_MODULE}": {"types": "./lib/element.d.ts", "default": f"./dist/{ONE_MODULE}"},
            **{f"./{name}": f"./dist/{name}" for name in SERVED},
            "./package.json": "./package.json",
        },
        "files": ["lib", "dist"],
    }


def put_modules(folder: Path) -> None:
    """Write the widget as modules with their types, and as a single one for pages without a bundler."""
    lib = folder / "lib"
    with tempfile.TemporaryDirectory() as name:
        copy = bundle.copied(ROOT / "widget", Path(name))
        write(folder / "dist" / ONE_MODULE, bundle.esbuild(copy / "element.js", *bundle.MODULE))
        for script in copy.rglob("*.js"):
            if script.name not in NOT_MODULES:
                write(lib / script.relative_to(copy), as_module(script.read_text("utf-8"), copy, lib))
        shutil.copyfile(copy / TAGS, lib / TAGS)
    config = lib / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": TYPES, "include": ["**/*.js", TAGS]}), "utf-8")
    run([environment.node_command(), str(environment.MODULES / "typescript" / "bin" / "tsc"), "-p", "."], lib)
    config.unlink()


def as_module(script: str, widget: Path, lib: Path) -> str:
    """Give a script whose imports are all modules; the facts and the style that it reads become some."""
    for _, fact in FACT.findall(script):
        text = (widget.parent / "sim" / "poolroom" / "facts" / f"{fact}.json").read_text("utf-8")
        write(lib / "facts" / f"{fact}.js", f"export default {text};\n")
    for style in STYLE.findall(script):
        text = json.dumps((widget / style).read_text("utf-8"), ensure_ascii=False)
        write(lib / f"{style}.js", f"/** @type {{string}} */\nconst css = {text};\nexport default css;\n")
    return STYLE.sub(r'"./\1.js"', FACT.sub(r'"\1facts/\2.js"', script))


def write(path: Path, text: str) -> None:
    """Write a file of the package, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")


def run(command: list[str], folder: Path) -> str:
    """Run one of node's tools, give what it prints, and stop with what it said where it fails."""
    return bundle.printed(command, folder, "The npm package could not be built:", env=environment.node_environment())
