"""Make .venv-serve, the Python 3.11 environment of the lesson's programs; with --tests what their tests need too.

PyTorch is large and wants one certain Python, so that these programs keep away from .venv. Runs under the same bare
Python as environment.py.
"""

import os
import shutil
import sys
from pathlib import Path

from environment import PIP, ROOT, fingerprint, is_stamped, run, say, version_of

VENV = ROOT / ".venv-serve"
WANTED = "3.11"
NAMED = "POOLROOM_PYTHON_311"
LISTED = ROOT / "site" / "lessons" / "serve" / "code" / "requirements.txt"
FOR_TESTS = ROOT / "tests" / "serve" / "requirements.txt"


def venv_python() -> Path:
    """Give the path of the Python in .venv-serve."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def pyenv_pythons() -> list:
    """Give the Pythons 3.11 of pyenv, the newest first: its python3.11 runs only where .python-version names it."""
    home = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    found = (home / "versions").glob(WANTED + ".*/bin/python" + WANTED)
    return sorted(found, key=lambda path: [int(part) for part in path.parts[-3].split(".") if part.isdigit()])[::-1]


def find_python() -> Path:
    """Find a Python 3.11: the one that is named, the running one, one on PATH, one of pyenv; else stop."""
    named = os.environ.get(NAMED)
    if named:
        if version_of(named) != WANTED:
            sys.exit(f"{NAMED} names {named}, which is not a Python {WANTED} that runs.")
        return Path(named)
    on_path = shutil.which("python" + WANTED)
    for python in [sys.executable, *([on_path] if on_path else []), *pyenv_pythons()]:
        if version_of(python) == WANTED:
            return Path(python)
    sys.exit(f"The programs of the second lesson need Python {WANTED}, and there is none on PATH or in pyenv. "
             f"Install it, or name one: make test-serve {NAMED}=/path/to/python{WANTED}")


def make_venv() -> None:
    """Make .venv-serve, anew where it belongs to another version."""
    if version_of(venv_python()) == WANTED:
        return
    python = find_python()
    say(f"Making .venv-serve with Python {WANTED}")
    run([python, "-m", "venv", "--clear", VENV], "Python could not make .venv-serve; see above.")


def torch_line(listed: str) -> str:
    """Give the line of a list that pins torch."""
    return next(line for line in listed.splitlines() if line.startswith("torch=="))


def install(lists: list) -> None:
    """Install what the lists pin: torch first and alone, so that no other package chooses its build."""
    stamp = VENV / "poolroom-stamp"
    mark = fingerprint(str(VENV), *lists)
    if is_stamped(stamp, mark):
        return
    say("Installing the packages of " + " and ".join(str(listed.relative_to(ROOT)) for listed in lists))
    failing = "pip could not install the packages; see above."
    run([venv_python(), *PIP, torch_line(LISTED.read_text())], failing)
    run([venv_python(), *PIP, *[word for listed in lists for word in ("-r", listed)]], failing)
    stamp.write_text(mark)


def main(arguments: list) -> int:
    """Bring .venv-serve up to date."""
    if arguments not in ([], ["--tests"]):
        sys.exit("usage: serve_environment.py [--tests]")
    make_venv()
    install([LISTED, FOR_TESTS] if arguments else [LISTED])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
