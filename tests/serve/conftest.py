from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny_model():
    return Path(__file__).parents[2] / "build/tiny-model"
