"""What the reference says the page must show."""

from typing import Any

from poolroom import describe_measured, page_words
from poolroom.words import cap_value, longest_value, share_value
from tests.parity import remembered
from tests.parity.settings import Setting


def expected_of(setting: Setting) -> dict[str, Any]:
    """Everything that is painted for a setting, from Python alone."""
    share, longest, cap, _ = setting
    measured = remembered.measured(*setting)
    shown, beside = describe_measured(measured), page_words(measured)
    here = measured.room
    lines = [shown["room"], shown["run"], shown["extra"], beside["first_word"], beside["short"], beside["caveat"]]
    return {
        "lines": lines,
        "legend": shown["legend"],
        "grow": shown["grow"],
        "fill": shown["fill"],
        "peak": beside["peak"],
        "stopped": not here["starts"],
        "crossed": not here["starts"],
        "sliders": [share_value(here, share), longest_value(here, longest), cap_value(cap)],
    }
