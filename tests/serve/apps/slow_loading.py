"""The real server, whose model takes a minute to load."""

import sys
import time
from types import SimpleNamespace

sys.modules["model"] = SimpleNamespace(Model=SimpleNamespace(load=lambda settings: time.sleep(60)))

from server import app  # noqa: E402, F401
