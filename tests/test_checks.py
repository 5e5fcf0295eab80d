"""What `make check` checks holds in every submission."""

import subprocess
import sys

import pytest

from tests.node import ROOT

NPM = [sys.executable, "site/make/environment.py", "--npm", "run", "--silent"]
COMMANDS = {
    "ruff": [sys.executable, "-m", "ruff", "check"],
    "mypy": [sys.executable, "-m", "mypy"],
    **{script: [*NPM, script] for script in ("lint:js", "types", "lint:css", "lint:html")},
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_checks_find_nothing(name: str) -> None:
    """Rule: linters and type checkers are silent."""
    done = subprocess.run(COMMANDS[name], cwd=ROOT, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3_000:]
