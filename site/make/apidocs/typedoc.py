"""Run TypeDoc over the port, once for the same files."""

import json
from pathlib import Path
from typing import Any

import environment
from bundle import BuildError, printed
from kept import keep

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
KEPT, SAID = ROOT / "build" / "apidocs", "project.json"
INPUTS = ("widget/**/*.js", "widget/**/*.d.ts", "sim/poolroom/facts/**/*.json")
OWN = (ROOT / "tsconfig.json", ROOT / "package-lock.json", HERE / "typedoc.json", HERE / "jsdoc.mjs")


def project() -> dict[str, Any]:
    """Give what TypeDoc says of the port; from build/ where it said it before."""
    kept = keep(KEPT, "typedoc", mark(), run) / SAID
    found: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    return found


def mark() -> str:
    """Name everything that TypeDoc reads by its content."""
    files = [path for pattern in INPUTS for path in sorted(ROOT.glob(pattern))]
    return environment.fingerprint(*(part for path in files for part in (path.relative_to(ROOT), path)), *OWN)


def run(folder: Path) -> None:
    """Run TypeDoc, and keep what it says in a folder; one of its warnings stops the build."""
    if not (environment.MODULES / "typedoc").is_dir():
        raise BuildError("node_modules has no typedoc: run python3 site/make/environment.py first.")
    command = [environment.node_command(), environment.MODULES / "typedoc" / "bin" / "typedoc"]
    options = ["--options", HERE / "typedoc.json", "--json", folder / SAID, "--logLevel", "Warn"]
    printed([*command, *options], ROOT, "TypeDoc could not read the port:")
