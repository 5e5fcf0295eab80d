"""What a typed program does with the package; `tests/packages/test_python.py` lets mypy read it."""

from typing import assert_type

import poolroom
from poolroom.budget import Room
from poolroom.describe import Described
from poolroom.server import Run

here = assert_type(poolroom.room(90, 8000), Room)
answer = assert_type(poolroom.describe(here["typical"], 8000, 64, False), Described)
run = assert_type(poolroom.serve(poolroom.backlog(), 64, here["blocks"], 8000), Run)
request = poolroom.Request(0.0, 429, 127)
poolroom.widget(share=48).settings.items()
answer["run"].upper()
poolroom.rooom(90, 8000)  # a name that is not there
poolroom.room("90", 8000)  # a text where a number is wanted
run["token_per_second"]  # a key that is not there
