"""How large a request may be."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_BYTES = 1_000_000
DRAINED_BYTES = 16 * BODY_BYTES


class LimitBody:
    """ASGI layer that refuses a body that is too large with 413, without keeping it in memory."""

    def __init__(self, app: ASGIApp, most_bytes: int = BODY_BYTES):
        self.app, self.most_bytes = app, most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app read the body as far as is allowed."""
        seen_bytes = 0

        async def counting() -> Message:
            nonlocal seen_bytes
            message = await receive()
            seen_bytes += len(message.get("body", b""))
            if seen_bytes > self.most_bytes:
                await drain(message, receive)
                raise HTTPException(413, f"the body is larger than the {self.most_bytes} bytes that this server reads")
            return message

        await self.app(scope, counting, send)


async def drain(message: Message, receive: Receive) -> None:
    """Read on for a while and forget: a client that still writes would not see an answer."""
    drained_bytes = 0
    while message.get("more_body", False) and drained_bytes < DRAINED_BYTES:
        message = await receive()
        drained_bytes += len(message.get("body", b""))
