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
import psutil

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
DISTINCT = 0.4  # not a half: the middle request would stand between those computed and those from the cache
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
        """Whether constants are fitted on it: all loads of the setting without window and cache."""
        return self.setting == SETTINGS[0]


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


@dataclass(frozen=True)
class Hits:
    """One answer from the cache again and again: what each request got, and the server's processor seconds for all."""

    rows: list[Row]
    cpu_seconds: float


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def wait_until_healthy(url: str, server: subprocess.Popen) -> None:
    """Wait for the model to be loaded."""
    until, reason = time.monotonic() + START_SECONDS, "see above"
    while time.monotonic() < until and server.poll() is None and "cannot be loaded" not in reason:
        try:
            answer = httpx.get(url + "/health", trust_env=False)
            if answer.status_code == 200:
                return
            reason = answer.json()["reason"]
        except httpx.TransportError:
            pass  # it does not listen yet
        time.sleep(0.2)
    raise RuntimeError(f"the server did not start: {reason}")


@contextmanager
def serving(setting: Setting, model: Path) -> Iterator[tuple[str, int]]:
    """Run the server as a process of its own; gives its address and its number."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "server:app", "--port", str(port), "--log-level", "warning"]
    server = subprocess.Popen(command, cwd=CODE, env=setting.environment(model))
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_healthy(url, server)
        yield url, server.pid
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()


def outcomes(setting: Setting, model: Path, requests: int) -> tuple[dict[Run, Outcome], Hits | None]:
    """Start a server, warm it up, and put each load on it; where it has a cache, the load of hits as well."""
    found = {}
    with serving(setting, model) as (url, number):
        under_load(url, asks("warm up", 8, PROMPT_WORDS, MAX_TOKENS, 1.0), 4)
        for concurrency in CONCURRENCIES:
            # Each load has prompts of its own: the cache must not know them from the load before.
            asked = asks(f"measure {concurrency}", requests, PROMPT_WORDS, MAX_TOKENS, DISTINCT)
            found[Run(setting, concurrency)] = under_load(url, asked, concurrency)
        return found, only_hits(url, number, requests) if setting.cache else None


def only_hits(url: str, number: int, requests: int) -> Hits:
    """Ask for one answer until the cache has it, then again and again, and look at the server's processor time."""
    asked = asks("hits", requests, PROMPT_WORDS, MAX_TOKENS, 0.0)
    under_load(url, asked[:1], 1)
    server = psutil.Process(number)
    before = server.cpu_times()
    rows = under_load(url, asked, 1).rows
    after = server.cpu_times()
    return Hits(rows, after.user + after.system - before.user - before.system)


def under_load(url: str, asked: list[Ask], concurrency: int) -> Outcome:
    """Put one load on a server; every request must be answered."""
    rows, seconds, to_its_end = load.run(Target(url), asked, concurrency=concurrency)
    if not to_its_end:
        raise KeyboardInterrupt
    errors = [row.error for row in rows if row.error]
    if errors:
        raise RuntimeError(f"{len(errors)} of {len(asked)} requests failed: {errors[0]}")
    return Outcome(asked, rows, seconds)
