"""One request of a load run: send it, read the stream, note when what arrived and what went wrong."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx

from load_prompts import Ask

PATHS = {"stream": "/stream", "openai": "/v1/completions", "chat": "/v1/chat/completions"}


class Broken(Exception):
    """The answer began, and then ended before its end."""


@dataclass(frozen=True)
class Target:
    """Where requests go, and in which dialect."""

    url: str  # of the server, with or without /v1
    api: str = "stream"  # a key of PATHS
    model: str | None = None
    key: str | None = None  # of servers that want one
    timeout_seconds: float = 120.0  # for the whole request

    def endpoint(self) -> str:
        """The address that is asked."""
        base = self.url.rstrip("/")
        return (base.removesuffix("/v1") if self.api != "stream" else base) + PATHS[self.api]

    def headers(self) -> dict[str, str]:
        """What every request carries."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def body(self, ask: Ask) -> dict[str, object]:
        """The request as this dialect writes it. Greedy, so that runs repeat."""
        if self.api == "stream":
            return {"prompt": ask.prompt, "max_new_tokens": ask.max_tokens}
        body = {"model": self.model, "max_tokens": ask.max_tokens, "temperature": 0, "stream": True,
                "stream_options": {"include_usage": True}}
        if self.api == "openai":
            return body | {"prompt": ask.prompt}
        return body | {"messages": [{"role": "user", "content": ask.prompt}]}


@dataclass
class Row:
    """What one request came to. Times are seconds on one clock."""

    asked: float  # when it was due: waiting in the client counts as well
    first: float | None = None  # the first piece of the answer
    last: float | None = None  # the last piece
    done: float | None = None  # the end of the stream
    pieces: list[tuple[float, int | None]] = field(default_factory=list)  # each piece: when, and tokens if told
    usage_tokens: int | None = None  # what the server counted
    prompt_tokens: int | None = None
    error: str | None = None  # its kind
    number: int = 0  # place among the requests of the run, from 0

    @property
    def tokens(self) -> int:
        """Tokens of the answer: as the server counted them, else one a piece."""
        if self.usage_tokens is not None:
            return self.usage_tokens
        return sum(1 if tokens is None else tokens for _, tokens in self.pieces)

    @property
    def counts_tokens(self) -> bool:
        """Whether `tokens` are tokens; where the server tells nothing, they are only pieces."""
        return self.usage_tokens is not None or all(tokens is not None for _, tokens in self.pieces)

    @property
    def ttft(self) -> float | None:
        """Time to first token, seconds."""
        return None if self.first is None else self.first - self.asked

    @property
    def tpot(self) -> float | None:
        """Time per output token, seconds. The first piece is left out: it belongs to the reading of the prompt."""
        if self.first is None or self.last is None:
            return None
        later = self.tokens - (self.pieces[0][1] or 1)
        return (self.last - self.first) / later if later > 0 else None

    @property
    def e2e(self) -> float | None:
        """From the request to the end of the answer, seconds."""
        return None if self.done is None else self.done - self.asked


async def data_lines(response: httpx.Response) -> AsyncIterator[str]:
    """The data of server-sent events. Split at line feeds only: other marks of a line's end may stand in a text."""
    rest = b""
    async for part in response.aiter_bytes():
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].strip().decode()


def take(event: dict, row: Row, now: float) -> bool:
    """Put one event into the row; true if it says that the answer is complete."""
    if not isinstance(event, dict) or "error" in event:
        raise Broken(str(event))
    usage = event.get("usage") or {}
    if usage:
        row.usage_tokens = usage.get("output_tokens", usage.get("completion_tokens"))
        row.prompt_tokens = usage.get("prompt_tokens")
    choice = (event.get("choices") or [{}])[0]
    tokens = event.get("tokens")
    # A chat begins with a piece that has a role and no text: no token has been written yet.
    text = event.get("text") or choice.get("text") or (choice.get("delta") or {}).get("content")
    if text or tokens:
        row.first = now if row.first is None else row.first
        row.last = now
        row.pieces.append((now, tokens))
    return bool(event.get("finish_reason") or choice.get("finish_reason"))


async def read(response: httpx.Response, row: Row) -> None:
    """Read a stream to its end."""
    complete = False
    async for data in data_lines(response):
        if data == "[DONE]":
            return
        complete = take(json.loads(data), row, time.perf_counter()) or complete
    if not complete:
        raise Broken("the stream ended before the answer did")


async def send(client: httpx.AsyncClient, target: Target, ask: Ask, row: Row) -> None:
    """Send one request and fill its row. Nothing is raised: what goes wrong is a kind of error."""
    try:
        async with asyncio.timeout(target.timeout_seconds):
            async with client.stream("POST", target.endpoint(), json=target.body(ask),
                                     headers=target.headers()) as response:
                if response.status_code != 200:
                    row.error = f"status {response.status_code}"
                    return
                await read(response, row)
        row.done = time.perf_counter()
    except TimeoutError:
        row.error = "timeout"
    except httpx.ConnectError:
        row.error = "refused"
    except (Broken, httpx.TransportError, ValueError):
        row.error = "broken stream"
