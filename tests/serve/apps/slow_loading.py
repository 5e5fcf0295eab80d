"""The real server, whose model takes a minute to load."""

import time

from model import Model

Model.load = lambda settings: time.sleep(60)

from server import app  # noqa: E402, F401
