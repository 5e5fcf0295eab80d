"""What happens on SIGTERM: the app hears of it at once, running answers finish, the process exits with 0.

uvicorn tells an app only after the last answer is finished, so the app itself could neither refuse new work
nor end answers that take too long. Therefore we put our own handler before uvicorn's.
"""

import signal
from collections.abc import Callable
from types import FrameType

import uvicorn


def on_stop(tell: Callable[[], None]) -> None:
    """Call `tell` on SIGTERM and SIGINT, then do what was done before; only in the main thread."""
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def handle(number: int, frame: FrameType | None, before: object = before) -> None:
            tell()
            server = getattr(before, "__self__", None)
            if number == signal.SIGTERM and isinstance(server, uvicorn.Server):
                # uvicorn's own handler also raises the signal again at the end, and the process would seem killed.
                server.should_exit = True
            elif callable(before):
                before(number, frame)

        signal.signal(number, handle)
