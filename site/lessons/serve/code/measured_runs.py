"""The runs of measure.py: which there are, a server for each setting, and the load on it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

import load
from load_prompts import Ask, asks
from load_request import Row, Target
from predict import Policy, Work

CODE = Path(__file__).parent
CONCURRENCIES = (1, 4, 16)
WINDOW_SECONDS = 0.01
MAX_BATCH = 16
PROMPT_WORDS = (10, 80)
MAX_TOKENS = (16, 48)
DISTINCT = 0.5
START_SECONDS = 120.0  # importing torch and loading, at most


@dataclass(frozen=True)
class Setting:
    """What the server is told."""

    window_seconds: float
    cache: bool
    max_batch: int = MAX_BATCH

    @property
    def policy(self) -> Policy:
        """The same, as predict.py knows it."""
        return Policy(self.window_seconds, self.max_batch, self.cache)

    def environment(self, model: Path) -> dict[str, str]:
        """The same, as the server reads it. One thread: with more, small matrices only make cores wait."""
        return {**os.environ, "SERVE_MODEL": str(model), "SERVE_WINDOW_SECONDS": str(self.window_seconds),
                "SERVE_MAX_BATCH": str(self.max_batch), "SERVE_CACHE_ENTRIES": "1024" if self.cache else "0",
                "SERVE_DEVICE": "cpu", "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}


SETTINGS = [
    Setting(0.0, False), Setting(WINDOW_SECONDS, False), Setting(0.0, True), Setting(WINDOW_SECONDS, True),
    Setting(0.0, False, max_batch=1),  # no batching at all, to compare with
]  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One setting under one load."""

    setting: Setting
    concurrency: int

    @property
    def fitted(self) -> bool:
        """Whether constants are fitted on it: one client alone and sixteen, no cache; one client with a cache."""
        return self in (Run(SETTINGS[0], 1), Run(SETTINGS[0], 16), Run(SETTINGS[2], 1))


@dataclass(frozen=True)
class Outcome:
    """What a run came to: its requests, what each got, and seconds for all."""

    asked: list[Ask]
    rows: list[Row]
    seconds: float

    def work(self) -> list[Work]:
        """The requests with the lengths that they turned out to have, in the order in which they were asked."""
        rows = sorted(self.rows, key=lambda row: row.number)
        return [Work(ask, row.prompt_tokens, row.tokens) for ask, row in zip(self.asked, rows, strict=True)]

    def hits(self) -> list[Row]:
        """Of one client's requests, those that were asked before."""
        seen: set[Ask] = set()
        found = []
        for ask, row in zip(self.asked, sorted(self.rows, key=lambda row: row.number), strict=True):
            found += [row] if ask in seen else []
            seen.add(ask)
        return found


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def wait_until_healthy(url: str, server: subprocess.Popen) -> None:
    """Wait for the model to be loaded."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            if httpx.get(url + "/health", trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            pass  # it does not listen yet
        time.sleep(0.2)
    raise RuntimeError("the server did not start; what it says stands above")


@contextmanager
def serving(setting: Setting, model: Path) -> Iterator[str]:
    """Run the server as a process of its own; gives its address."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "server:app", "--port", str(port), "--log-level", "warning"]
    server = subprocess.Popen(command, cwd=CODE, env=setting.environment(model))
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_healthy(url, server)
        yield url
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()


def outcomes(setting: Setting, model: Path, requests: int) -> dict[Run, Outcome]:
    """Start a server, warm it up, and put each load on it."""
    found = {}
    with serving(setting, model) as url:
        under_load(url, asks("warm up", 8, PROMPT_WORDS, MAX_TOKENS, 1.0), 4)
        for concurrency in CONCURRENCIES:
            # Each load has prompts of its own: the cache must not know them from the load before.
            asked = asks(f"measure {concurrency}", requests, PROMPT_WORDS, MAX_TOKENS, DISTINCT)
            found[Run(setting, concurrency)] = under_load(url, asked, concurrency)
    return found


def under_load(url: str, asked: list[Ask], concurrency: int) -> Outcome:
    """Put one load on a server; every request must be answered."""
    rows, seconds, to_its_end = load.run(Target(url), asked, concurrency=concurrency)
    if not to_its_end:
        raise KeyboardInterrupt
    errors = [row.error for row in rows if row.error]
    if errors:
        raise RuntimeError(f"{len(errors)} of {len(asked)} requests failed: {errors[0]}")
    return Outcome(asked, rows, seconds)
