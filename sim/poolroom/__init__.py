"""Poolroom: what a model server's settings will do, before anyone starts it.

The reference. What computes and what speaks has a twin of the same name in `widget/sim/`, and the two agree bit for
bit.
"""

__version__ = "0.1.0"

from typing import TYPE_CHECKING, Any

from .blocks import blocks_for
from .budget import largest_longest, memory_parts, room, smallest_share
from .chats import Request, backlog, chat_list, draw_chats, swapped
from .check import check
from .checks import SimError
from .describe import as_text, describe, describe_measured, fixes, measure, page_words, same_line, status_line
from .facts import CAPS, CATALOGUES, CHATS, COST, LONGEST, OPENING, SHARES, Cost
from .quote import QUOTES, quote
from .server import Step, serve
from .steptime import Clock, step_seconds
from .svg import svg
from .sweep import stops_paying, sweep
from .words import catalogue, extra_line, room_line, run_line

__all__ = [
    "CAPS",
    "CATALOGUES",
    "CHATS",
    "COST",
    "LONGEST",
    "OPENING",
    "QUOTES",
    "SHARES",
    "Clock",
    "Cost",
    "Request",
    "SimError",
    "Step",
    "as_text",
    "backlog",
    "blocks_for",
    "catalogue",
    "chat_list",
    "check",
    "describe",
    "describe_measured",
    "draw_chats",
    "extra_line",
    "fixes",
    "largest_longest",
    "measure",
    "memory_parts",
    "page_words",
    "quote",
    "room",
    "room_line",
    "run_line",
    "same_line",
    "serve",
    "smallest_share",
    "status_line",
    "step_seconds",
    "stops_paying",
    "svg",
    "swapped",
    "sweep",
]

if TYPE_CHECKING:
    from .notebook import widget as widget
else:

    def __getattr__(name: str) -> Any:
        """Load `widget` when it is asked for: it alone needs more than the standard library."""
        if name != "widget":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from .notebook import widget

        return widget
