"""The site as this checkout builds it: once for all processes of a test run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from proof_files import PAGE, why_not
from tests.node import ROOT
from tests.parity.remembered import FOLDER

PROOF = [] if why_not() else [PAGE]
"""The proof page, where this Python can build it."""
needs_proof = pytest.mark.skipif(why_not() != "", reason=why_not())
Building = tuple[subprocess.Popen[str], Path]


def build_site(out: Path, root: Path = ROOT, **environment: str) -> Building:
    """Start to build the site of a checkout."""
    command = [sys.executable, "build.py", "--out", str(out)]
    job = subprocess.Popen(
        command,
        cwd=root,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    return job, out


def built(building: Building) -> Path:
    """Wait for a build, and give its folder."""
    job, out = building
    with job:
        _, said = job.communicate()
    assert job.returncode == 0, said
    return out


def folder_of_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a test run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session", autouse=True)
def answers_kept(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the reference's answers for all processes of this run."""
    os.environ[FOLDER] = str(folder_of_run(tmp_path_factory) / "answers")


def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site, for reading only; the first process that asks builds it."""
    run = folder_of_run(tmp_path_factory)
    out = run / "shared-dist"
    with FileLock(run / "shared-dist.lock"):
        if not out.is_dir():
            built(build_site(run / "dist-under-way", PYTHONHASHSEED="1")).rename(out)
    return out
