"""Run TypeDoc over the port, once for the same files."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import environment
from bundle import BuildError

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
KEPT = ROOT / "build" / "apidocs"
INPUTS = ("widget/**/*.js", "widget/**/*.d.ts", "sim/poolroom/facts/**/*.json")
OWN = (ROOT / "tsconfig.json", ROOT / "package-lock.json", HERE / "typedoc.json", HERE / "jsdoc.mjs")


def project() -> dict[str, Any]:
    """Give what TypeDoc says of the port; from build/ where it said it before."""
    kept = KEPT / f"typedoc-{mark()}.json"
    if not kept.is_file():
        run(kept)
    found: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    return found


def mark() -> str:
    """Name everything that TypeDoc reads by its content."""
    files = [path for pattern in INPUTS for path in sorted(ROOT.glob(pattern))]
    return environment.fingerprint(*(part for path in files for part in (path.relative_to(ROOT), path)), *OWN)[:16]


def run(kept: Path) -> None:
    """Run TypeDoc, and keep what it says; one of its warnings stops the build."""
    if not (environment.MODULES / "typedoc").is_dir():
        raise BuildError("node_modules has no typedoc: run python3 site/make/environment.py first.")
    kept.parent.mkdir(parents=True, exist_ok=True)
    part = kept.with_suffix(f".{os.getpid()}.part.json")
    command = [environment.node_command(), environment.MODULES / "typedoc" / "bin" / "typedoc"]
    options = ["--options", HERE / "typedoc.json", "--json", part, "--logLevel", "Warn"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise BuildError(f"TypeDoc could not read the port:\n{(done.stdout + done.stderr).strip()}")
    for old in KEPT.glob("typedoc-*.json"):
        if old != part:
            old.unlink(missing_ok=True)
    os.replace(part, kept)
