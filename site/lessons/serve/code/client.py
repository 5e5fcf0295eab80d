"""The client's side of a request: whether it is still there, and the events that it is sent."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable
from typing import Any, TypeVar

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from errors import ClientGone, as_api_error
from metrics import outcome
from reply import Reply

DONE = "data: [DONE]\n\n"
Result = TypeVar("Result")


async def while_connected(request: Request, reply: Reply, work: Awaitable[Result]) -> Result:
    """Wait for some work on the reply; give the reply up if that fails, or as soon as the client hangs up."""
    working, hanging_up = asyncio.ensure_future(work), asyncio.ensure_future(hung_up(request))
    try:
        await asyncio.wait((working, hanging_up), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            request.state.outcome = "gone"
            raise ClientGone
        return working.result()
    except Exception as error:
        raise as_api_error(error) from error
    finally:
        for task in (working, hanging_up):
            task.cancel()
        await asyncio.wait((working, hanging_up))
        if working.cancelled() or working.exception():
            await reply.close()


async def hung_up(request: Request) -> None:
    """Wait until the client closes its connection. The body has been read: nothing else can come."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def event(data: dict[str, Any]) -> str:
    """One server-sent event. Plain ASCII: some clients break lines at characters that JSON leaves as they are."""
    return f"data: {json.dumps(data)}\n\n"


class EventStream(StreamingResponse):
    """Server-sent events made of one reply, which is closed however the stream ends."""

    media_type = "text/event-stream"

    def __init__(self, request: Request, reply: Reply, events: AsyncIterator[str]):
        # Caches must not keep it, and proxies must not collect it: each event is meant to arrive at once.
        super().__init__(self.guarded(events), headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self.request, self.reply = request, reply

    async def guarded(self, events: AsyncIterator[str]) -> AsyncIterator[str]:
        """The events; a failure becomes the last one, since the status was sent long ago."""
        try:
            async for one in events:
                yield one
        except Exception as error:
            problem = as_api_error(error)
            self.request.state.outcome = outcome(problem.status)
            yield event(problem.body())

    async def listen_for_disconnect(self, receive: Receive) -> None:
        """Wait for the client to go, and note it unless all was said."""
        await super().listen_for_disconnect(receive)
        if not self.reply.complete and not hasattr(self.request.state, "outcome"):
            self.request.state.outcome = "gone"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream, and give the reply up whatever ended it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self.reply.close()
