"""A release is built once for all processes, and installed into empty environments."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

import environment
import release
import selfhost
from poolroom import __version__
from tests.built import shared_site
from tests.node import ROOT, node
from tests.real.conftest import browser_type_launch_args, open_host, patience, serve_folder  # noqa: F401
from tests.test_pythons import CURRENT, candidates, runs_as

EMPTY = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_", "NODE_", "npm_"))}
"""An environment in which no tool finds this checkout."""


@dataclass(frozen=True)
class Release:
    """A folder with everything that a release gives away."""

    folder: Path
    wheel: Path
    sdist: Path
    tarball: Path
    site: Path
    zip: Path


def released(folder: Path) -> Release:
    """The files of a release by what they are."""
    names = (
        f"poolroom-{__version__}-py3-none-any.whl",
        f"poolroom-{__version__}.tar.gz",
        f"poolroom-{__version__}.tgz",
        f"poolroom-site-{__version__}.zip",
        selfhost.ZIP,
    )
    return Release(folder, *(folder / name for name in names))


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    return shared_site(tmp_path_factory)


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory, dist: Path) -> Release:
    """The release of this checkout, for reading only."""
    out = dist.with_name("shared-release")
    with FileLock(dist.with_name("shared-release.lock")):
        if not out.is_dir():
            under_way = dist.with_name("release-under-way")
            under_way.mkdir()
            release.release(under_way, dist)
            under_way.rename(out)
    return released(out)


@dataclass(frozen=True)
class Installed:
    """An environment with nothing in it but the wheel."""

    version: str
    home: Path

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def program(self) -> Path:
        """The command that the wheel brings."""
        return self.python.with_name("poolroom.exe" if os.name == "nt" else "poolroom")

    def run(self, *words: str | Path, folder: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment, away from the checkout."""
        return subprocess.run(
            [str(word) for word in words],
            cwd=folder or self.home,
            env={**EMPTY, "PYTHONUTF8": "1", **more},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )


def installed(version: str, wheel: Path, home: Path) -> Installed:
    """An empty environment of a Python, and the wheel in it; pip comes from outside and asks no index."""
    python = next((str(path) for path in candidates(version) if runs_as(path) == version), None)
    assert python, f"Python {version} is not here"
    subprocess.run([python, "-m", "venv", "--without-pip", str(home)], check=True, env=EMPTY)
    made = Installed(version, home)
    pip = [sys.executable, "-m", "pip", "--python", str(made.python), "install", "-qq", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-index", "--no-compile", str(wheel)], check=True, env=EMPTY)
    return made


@pytest.fixture(scope="session")
def newest(packages: Release, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an empty environment of this Python."""
    return installed(CURRENT, packages.wheel, tmp_path_factory.mktemp("newest") / "venv")


@pytest.fixture(scope="session")
def consumer(packages: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder into which npm installed the tarball, without a network."""
    folder = tmp_path_factory.mktemp("consumer")
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    npm = [*environment.npm_command(), "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts"]
    done = subprocess.run(
        [*npm, str(packages.tarball)],
        cwd=folder,
        env={**EMPTY, "PATH": environment.node_environment()["PATH"]},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (folder / "node_modules").iterdir() if path.name[0] != "."] == ["poolroom"]
    return folder


def run_node(folder: Path, script: str, *, kind: str = "module") -> str:
    """Run a text as a program of the consumer's, and give what it prints."""
    command = [node(), f"--input-type={kind}", "--eval", script]
    done = subprocess.run(command, cwd=folder, env=EMPTY, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def bundled(folder: Path, name: str, *options: str) -> str:
    """What esbuild makes of a consumer's script."""
    command = [*environment.esbuild_command(), name, "--bundle", "--log-level=warning", *options]
    done = subprocess.run(command, cwd=folder, env=EMPTY, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def tsc(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What the TypeScript compiler of this checkout makes of a consumer's files."""
    command = [node(), str(ROOT / "node_modules" / "typescript" / "bin" / "tsc"), *words]
    return subprocess.run(command, cwd=folder, env=EMPTY, capture_output=True, encoding="utf-8")
