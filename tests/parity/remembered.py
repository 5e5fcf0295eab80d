"""The reference's answers, each computed once in a test run, by whichever of its processes asks first."""

import hashlib
import os
import pickle
from functools import cache
from pathlib import Path
from typing import Any

import poolroom
from poolroom.describe import Measured

FOLDER = "POOLROOM_ANSWERS"  # the processes that a run starts know it by this variable


def measured(*arguments: Any) -> Measured:
    """What `measure` gives; for settings of the lesson's own chats it is kept, where this run has a folder for that."""
    kinds = tuple(map(type, arguments))
    if FOLDER not in os.environ or kinds not in ((int, int, int, bool), (int, int, int, bool, type(None))):
        return poolroom.measure(*arguments)
    path = folder() / "-".join(map(str, arguments[:4]))
    if path.is_file():
        kept: Measured = pickle.loads(path.read_bytes())
        return kept
    answer = poolroom.measure(*arguments)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(pickle.dumps(answer))
    part.replace(path)
    return answer


@cache
def folder() -> Path:
    """A folder for this very reference: a corrupted copy of it remembers apart."""
    home = Path(poolroom.__file__).parent
    sources = sorted([*home.glob("*.py"), *home.glob("facts/**/*.json")])
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
    here = Path(os.environ[FOLDER]) / digest
    here.mkdir(parents=True, exist_ok=True)
    return here
