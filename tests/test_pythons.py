"""The reference's tests under every Python that it promises: 3.11, 3.12 and 3.13, with pytest and hypothesis alone."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HOMES = ROOT / ".venv" / "pythons"
PROMISED = ["3.11", "3.12", "3.13"]
CURRENT = f"{sys.version_info.major}.{sys.version_info.minor}"
QUESTION = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"


def runs_as(command: str | Path) -> str | None:
    """The version of a Python that really runs and can make a venv; a shim may only say where it would be."""
    try:
        done = subprocess.run(
            [str(command), "-c", QUESTION], capture_output=True, text=True, timeout=60, cwd=ROOT.anchor
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def candidates(version: str) -> list[str | Path]:
    """Where a Python of this version may be: on PATH, in pyenv's folders, on Windows behind `py`."""
    found: list[str | Path] = [
        path for name in (f"python{version}", "python3", "python") if (path := shutil.which(name))
    ]
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    return [*found, *sorted(versions.glob(f"{version}.*/bin/python{version}"))]


def other_pythons() -> dict[str, str]:
    """The promised versions other than this one, that are here, with the command that starts each."""
    found = {}
    for version in PROMISED:
        here = [str(path) for path in candidates(version) if version != CURRENT and runs_as(path) == version]
        if here:
            found[version] = here[0]
    return found


def wanted_packages() -> set[str]:
    """pytest, hypothesis, and what these need, by name."""
    wanted: set[str] = set()
    rest = ["pytest", "hypothesis", "colorama", "exceptiongroup", "tomli"]
    while rest:
        name = re.sub(r"[-_.]+", "-", rest.pop()).lower()
        if name in wanted:
            continue
        wanted.add(name)
        try:
            needs = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        rest += [re.split(r"[\s;<>=!~\[(]", need)[0] for need in needs if "extra ==" not in need]
    return wanted


def requirements() -> str:
    """The lines of requirements.txt that pin these packages, with their hashes."""
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    pins = [line for line in text.splitlines() if "==" in line and not line.startswith("#")]
    wanted = wanted_packages()
    return "".join(f"{pin}\n" for pin in pins if re.sub(r"[-_.]+", "-", pin.split("==")[0]).lower() in wanted)


def install(python: Path, listed: Path, pins: str) -> None:
    """Install what is pinned, and nothing whose hash is another."""
    listed.write_text(pins, encoding="utf-8")
    quiet = ["-qq", "--disable-pip-version-check", "--no-input"]
    command = [str(python), "-m", "pip", "install", *quiet, "--require-hashes", "-r", str(listed)]
    subprocess.run(command, check=True, cwd=ROOT)


def home_of(version: str, python: str) -> Path:
    """A venv with those packages, made once and used again; gives its Python."""
    home = HOMES / version
    inside = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pins = requirements()
    stamp = home / "stamp"
    mark = hashlib.sha256(pins.encode()).hexdigest()
    if runs_as(inside) == version and stamp.is_file() and stamp.read_text() == mark:
        return inside
    subprocess.run([python, "-m", "venv", "--clear", str(home)], check=True, cwd=ROOT)
    install(inside, home / "requirements.txt", pins)
    stamp.write_text(mark)
    return inside


def run_under(python: Path) -> subprocess.CompletedProcess[str]:
    """Run tests/sim under another Python."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "sim"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    slow = "not both_models and not again_and_again"  # these take longest, and run under the current Python
    command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", "-m", "not full", "-k", slow, "tests/sim"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8")


def test_the_reference_under_every_promised_python(tell: Callable[[str], None]) -> None:
    """Rule: requires-python >= 3.11; the same tests pass on 3.11, 3.12 and 3.13."""
    others = other_pythons()
    if not others:
        tell(f"pythons: only {CURRENT} is here, and it runs every test")
        return
    homes = [home_of(version, python) for version, python in others.items()]
    with ThreadPoolExecutor() as at_once:
        runs = dict(zip(others, at_once.map(run_under, homes), strict=True))
    failed = {version: done.stdout[-6_000:] + done.stderr[-2_000:] for version, done in runs.items() if done.returncode}
    assert not failed, "\n\n".join(f"Python {version}:\n{text}" for version, text in failed.items())
    for version, done in runs.items():
        tell(f"pythons: {version}: {done.stdout.strip().splitlines()[-1]}")


def test_the_current_python_is_a_promised_one_or_newer() -> None:
    """Rule: no test runs on a Python that the project does not promise."""
    assert sys.version_info >= (3, 11)
    assert 'requires-python = ">=3.11"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_pins_have_hashes() -> None:
    """Rule: what is installed for the other Pythons is pinned like everything else."""
    pins = requirements().splitlines()
    assert {pin.split("==")[0] for pin in pins} >= {"pytest", "hypothesis", "pluggy", "iniconfig", "packaging"}
    assert all("--hash=sha256:" in pin for pin in pins)


@pytest.mark.parametrize("version", PROMISED)
def test_promised_versions_are_named(version: str) -> None:
    """Rule: .python-version names what is promised."""
    assert version in (ROOT / ".python-version").read_text(encoding="utf-8").split()
