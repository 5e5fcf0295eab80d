"""Many clients at once, and clients that hang up."""

import asyncio
import json
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager

import httpx
import pytest
from server_process import HERE, Server, events, half_read, streamed

from load_report import nearest_rank

CLIENTS = 64
TOKENS = 100


@contextmanager
def health_probe(server: Server):
    """A list that has the seconds of each answer of /health once the block is over."""
    seconds: list[float] = []
    command = [sys.executable, str(HERE / "health_probe.py"), str(server.port)]
    probe = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield seconds
        seconds += json.loads(probe.communicate("", timeout=60)[0])
    finally:
        probe.kill()
        probe.wait()


async def one_client(client: httpx.AsyncClient, number: int) -> tuple[list, list[float]]:
    """All events of one stream, and when each came."""
    asked = {"prompt": f"Client number {number} asks", "max_new_tokens": TOKENS, "temperature": 1.0, "seed": number}
    seen, came = [], []
    async with client.stream("POST", "/stream", json=asked) as answer:
        assert answer.status_code == 200
        async for line in answer.aiter_lines():
            for event in events(iter([line])):
                seen.append(event)
                came.append(time.perf_counter())
    return seen, came


async def all_clients(url: str) -> list[tuple[list, list[float]]]:
    limits = httpx.Limits(max_connections=CLIENTS)
    async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits) as client:
        return await asyncio.gather(*(one_client(client, number) for number in range(CLIENTS)))


def test_sixty_four_streams_are_all_answered_and_health_stays_quick(tiny_model, tmp_path, capsys):
    server = Server(tmp_path, model=tiny_model)
    try:
        server.ready()
        began = time.perf_counter()
        with health_probe(server) as seconds:
            answers = asyncio.run(all_clients(server.url))
        wall = time.perf_counter() - began
        written = server.metric("serve_tokens_total", kind="output")
    finally:
        server.close()
    for seen, _ in answers:
        *pieces, usage, done = seen
        assert done == "[DONE]"
        assert sum(piece["tokens"] for piece in pieces) == usage["usage"]["output_tokens"]
        assert usage["finish_reason"] == "stop" or usage["usage"]["output_tokens"] == TOKENS
    assert written == sum(seen[-2]["usage"]["output_tokens"] for seen, _ in answers)
    assert any(came[-1] - came[0] > 0.05 for _, came in answers), "tokens arrive as they are written, not at the end"
    p50, p99 = nearest_rank(seconds, 50), nearest_rank(seconds, 99)
    with capsys.disabled():
        print(
            f"\n{CLIENTS} streams, {written:.0f} tokens in {wall:.1f} s; meanwhile /health {len(seconds)} times: "
            f"p50 {p50 * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms, longest {max(seconds) * 1000:.1f} ms"
        )
    assert len(seconds) >= 100
    assert p99 < 0.1, f"{p99 * 1000:.0f} ms"


@pytest.fixture(scope="module")
def slow(tiny_model, tmp_path_factory):
    """Each token takes 20 ms more; four in a batch, eight in the queue."""
    limits = {"max_batch": 4, "max_queue": 8, "window_seconds": 2}
    server = Server(tmp_path_factory.mktemp("slow"), app="slowed:app", model=tiny_model, **limits)
    yield server.ready()
    server.close()


LONG = {"max_new_tokens": 1000, "temperature": 1.0}


@contextmanager
def crowd(server: Server, *paths: str):
    """Twelve clients, four in the batch and eight in the queue, who hang up when the block is over."""
    taken = server.metric("serve_cache_misses_total")
    with ExitStack() as clients:
        for number, path in enumerate(paths):
            if number == 4:  # the others come when these four have left the queue, else it would be full too early
                server.until(lambda: server.metric("serve_cache_misses_total") == taken + 4)
                server.until(lambda: server.metric("serve_queue_length") == 0)
            asked = {"prompt": f"Client {number} of the crowd", **LONG, "seed": number}
            clients.enter_context(closing(half_read(server, path, 0, **asked)))
        server.until(lambda: server.metric("serve_queue_length") == 8)
        yield


def test_clients_that_hang_up_free_their_places_in_batch_and_queue(slow):
    with crowd(slow, *["/stream", "/generate"] * 6):
        assert slow.post("/generate", prompt="no room").status_code == 503
    slow.until(lambda: slow.metric("serve_queue_length") == 0, seconds=10)
    slow.until(lambda: slow.metric("serve_open_requests") == 1, seconds=10)
    tokens = slow.metric("serve_tokens_total", kind="output")
    assert slow.post("/generate", prompt="Now there is room", max_new_tokens=3).json()["output_tokens"] <= 3
    assert slow.metric("serve_tokens_total", kind="output") <= tokens + 3, "nobody else's answer was written to its end"
    gone = [slow.metric("serve_requests_total", endpoint=path, outcome="gone") for path in ("/stream", "/generate")]
    assert gone == [6, 6]


def test_a_killed_client_harms_no_neighbour_in_its_batch(slow):
    asked = {"prompt": "The neighbour of a killed client", "max_new_tokens": 40}
    alone = slow.post("/generate", **asked).json()
    killed = half_read(slow, "/stream", 0, prompt="Killed", **LONG, seed=1)
    with slow.client.stream("POST", "/stream", json={**asked, "max_new_tokens": 39}) as answer:
        lines = answer.iter_lines()
        next(events(lines))
        killed.close()
        rest = list(events(lines))
    assert rest[-1] == "[DONE]" and rest[-2]["usage"]["output_tokens"] == min(39, alone["output_tokens"])
    slow.until(lambda: slow.metric("serve_open_requests") == 1, seconds=10)


def test_a_full_queue_says_when_to_come_back(slow):
    name = slow.client.get("/health").json()["model"]
    with crowd(slow, *["/stream"] * 12):
        for path, more in (("/generate", {}), ("/stream", {}), ("/v1/completions", {"model": name})):
            answer = slow.post(path, prompt="one too many", **more)
            assert answer.status_code == 503, answer.text
            assert int(answer.headers["retry-after"]) >= 1
            assert answer.json()["error"]["code"] == "queue_full"
        assert slow.client.get("/health").status_code == 200, "a full server is not a sick one"
    slow.until(lambda: slow.metric("serve_open_requests") == 1, seconds=10)
    assert streamed(slow, "/stream", prompt="after", max_new_tokens=2)[-1] == "[DONE]"
