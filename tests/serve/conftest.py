"""The tiny model of the second lesson, made once and kept in build/tiny-model for as long as its stamp holds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import measured_runs

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # nothing is fetched

ROOT = Path(__file__).parents[2]
CODE = ROOT / "site/lessons/serve/code"
FOLDER = ROOT / "build/tiny-model"


@pytest.fixture(scope="session")
def tiny_model() -> Path:
    """The folder of the tiny model, made by the learner's own command."""
    subprocess.run([sys.executable, CODE / "make_tiny_model.py", "--out", FOLDER], check=True)
    return FOLDER


@pytest.fixture(scope="session")
def model(tiny_model: Path):
    """The tiny model, loaded."""
    import torch

    from model import Model
    from settings import Settings

    torch.set_num_threads(1)
    return Model.load(Settings(model=str(tiny_model)))


@pytest.fixture
def free_port() -> int:
    """A port of this machine that nobody listens on."""
    return measured_runs.free_port()
