"""A server that does what a test says, down to the bytes: whole streams, broken ones, none at all."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

Script = Callable[["Asked"], list]
"""Gives what happens: bytes are sent as one piece, numbers are seconds to wait, "break" breaks off."""


@dataclass
class Asked:
    """A request as it came."""

    number: int
    path: str
    headers: dict[str, str]
    body: dict
    came: float


@dataclass
class Scripted:
    """What a running server has seen."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    open_now: int = 0
    most_open: int = 0


def event(data: object) -> bytes:
    return f"data: {data if data == '[DONE]' else json.dumps(data)}\n\n".encode()


def stream(*tokens: int, usage: bool = True, gap: float = 0.0, wait: float = 0.0) -> list:
    """A whole answer of /stream: pieces of so many tokens each."""
    pieces: list = [wait]
    for count in tokens:
        pieces += [event({"text": "x", "tokens": count}), gap]
    if usage:
        pieces.append(event({"usage": {"prompt_tokens": 7, "output_tokens": sum(tokens)}, "finish_reason": "length"}))
    return [*pieces, event("[DONE]")]


async def read_request(reader: asyncio.StreamReader, seen: Scripted) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    seen.asked.append(Asked(len(seen.asked), head[0].split()[1], headers, json.loads(body), time.perf_counter()))
    return seen.asked[-1]


async def play(writer: asyncio.StreamWriter, steps: list) -> None:
    if steps and isinstance(steps[0], str) and steps[0].isdecimal():
        writer.write(f"HTTP/1.1 {steps[0]} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        return
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                 b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n")  # fmt: skip
    for step in steps:
        await writer.drain()
        if step == "break":
            writer.transport.abort()
            return
        if isinstance(step, bytes):
            writer.write(f"{len(step):x}\r\n".encode() + step + b"\r\n")
        else:
            await asyncio.sleep(step)
    writer.write(b"0\r\n\r\n")


@contextmanager
def scripted(script: Script) -> Iterator[Scripted]:
    """Run such a server on a free port of this machine."""
    seen, loop, ready = Scripted(), asyncio.new_event_loop(), threading.Event()
    running: list[asyncio.Server] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = await read_request(reader, seen)
            seen.open_now += 1
            seen.most_open = max(seen.most_open, seen.open_now)
            try:
                await play(writer, script(asked))
            finally:
                seen.open_now -= 1
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def serve() -> None:
        running.append(await asyncio.start_server(answer, "127.0.0.1", 0))
        seen.url = "http://{}:{}".format(*running[0].sockets[0].getsockname())
        ready.set()

    async def finish() -> None:
        running[0].close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    thread = threading.Thread(target=lambda: (loop.run_until_complete(serve()), loop.run_forever()))
    thread.start()
    assert ready.wait(10)
    try:
        yield seen
    finally:
        asyncio.run_coroutine_threadsafe(finish(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
