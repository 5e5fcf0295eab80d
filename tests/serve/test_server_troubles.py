"""What goes wrong inside, and the end of a server."""

import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import openai
import pytest
from server_process import CODE, Server, events, streamed

FAILED = "The server failed while it wrote the answer. Its log says why."
LONG = {"max_new_tokens": 1000, "temperature": 1.0}


@pytest.fixture(scope="module")
def slow(tiny_model, tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("troubles"), app="slowed:app", model=tiny_model, window_seconds=0.3)
    yield server.ready()
    server.close()


@pytest.mark.parametrize("prompt", ["fail at once", "fail later"])
def test_a_failure_in_a_batch_is_one_clients_failure(slow, prompt):
    good = [{"prompt": f"A good neighbour, number {number}", "max_new_tokens": 12} for number in range(5)]
    alone = [slow.post("/generate", **{**one, "max_new_tokens": 11}).json() for one in good]
    batches = slow.metric("serve_batch_size_count")
    with ThreadPoolExecutor(6) as clients:
        bad = clients.submit(slow.post, "/generate", prompt=prompt, max_new_tokens=12)
        answers = list(clients.map(lambda one: slow.post("/generate", **one), good))
    assert bad.result().status_code == 500
    error = bad.result().json()["error"]
    assert error["message"] == FAILED and error["type"] == "server_error"
    assert "secret" not in bad.result().text and "secret detail of the failure" in slow.log
    for before, answer in zip(alone, answers, strict=True):
        assert answer.status_code == 200 and answer.json()["text"].startswith(before["text"])
    assert slow.metric("serve_batch_size_count") - batches <= 6
    assert slow.client.get("/health").status_code == 200


def test_a_failure_in_a_stream_is_its_last_event(slow):
    *pieces, error = streamed(slow, "/stream", prompt="fail later", max_new_tokens=20)
    assert [piece["tokens"] for piece in pieces] == [1, 1, 1], "what was written before it is kept"
    assert error["error"]["message"] == FAILED
    assert slow.metric("serve_requests_total", endpoint="/stream", outcome="failed") == 1


def test_a_failure_before_the_first_token_of_a_stream_has_a_status(slow):
    answer = slow.post("/stream", prompt="fail at once", max_new_tokens=5)
    assert answer.status_code == 500 and answer.json()["error"]["message"] == FAILED


def test_the_openai_package_raises_what_a_stream_says(slow):
    name = slow.client.get("/health").json()["model"]
    with openai.OpenAI(base_url=f"{slow.url}/v1", api_key="none", max_retries=0) as client:
        with pytest.raises(openai.APIError, match="server failed"):
            list(client.completions.create(model=name, prompt="fail later", temperature=0, stream=True))
        with pytest.raises(openai.InternalServerError, match="server failed"):
            client.completions.create(model=name, prompt="fail at once", temperature=0)


def test_sigterm_in_mid_stream_lets_streams_finish_in_time_and_the_process_ends_with_zero(tiny_model, tmp_path):
    server = Server(tmp_path, app="slowed:app", model=tiny_model, shutdown_seconds=8, window_seconds=0.5)
    begun = [threading.Event(), threading.Event()]

    def stream(asked: dict, begun: threading.Event) -> list:
        with server.client.stream("POST", "/stream", json=asked) as answer:
            lines = events(answer.iter_lines())
            seen = [next(lines)]
            begun.set()
            return seen + list(lines)

    try:
        server.ready()
        with ThreadPoolExecutor(2) as clients:
            asked = [{"prompt": "The last short one", "max_new_tokens": 60}, {"prompt": "Without end", **LONG}]
            short, long = (clients.submit(stream, *one) for one in zip(asked, begun, strict=True))
            assert all(one.wait(60) for one in begun)
            server.process.send_signal(signal.SIGTERM)
            assert new_requests_until_refused(server)
            *pieces, usage, done = short.result(60)
            *written, last = long.result(60)
        assert done == "[DONE]" and usage["usage"]["output_tokens"] == sum(piece["tokens"] for piece in pieces) == 60
        assert len(written) >= 60 and "stopped before the answer was complete" in last["error"]["message"]
        assert server.process.wait(30) == 0, server.log
        assert "Traceback" not in server.log
    finally:
        server.close()


def new_requests_until_refused(server: Server) -> bool:
    """Whether a new request soon gets 503 or no connection, while the process still lives."""
    for _ in range(100):
        try:
            answer = httpx.post(f"{server.url}/generate", json={"prompt": "too late", "max_new_tokens": 1}, timeout=30)
        except httpx.TransportError:  # refused, or reset before it was read
            return server.process.poll() is None
        if answer.status_code == 503:
            return "stopping" in answer.json()["error"]["message"]
    return False


def test_a_model_that_cannot_be_loaded_is_told_by_health_and_the_process_lives(tmp_path):
    server = Server(tmp_path, model=tmp_path / "no-such-model")
    try:
        server.until(lambda: "cannot be loaded" in server.client.get("/health").text)
        health = server.client.get("/health")
        assert health.status_code == 503 and "no-such-model" in health.json()["reason"]
        for path, body in [("/generate", {"prompt": "x"}), ("/v1/completions", {"model": "m", "prompt": "x"})]:
            answer = server.post(path, **body)
            assert answer.status_code == 503 and "no-such-model" in answer.json()["error"]["message"]
        assert server.client.get("/v1/models").status_code == 503
        assert server.client.get("/metrics").status_code == 200
        assert server.process.poll() is None
        assert server.stop() == 0, server.log
    finally:
        server.close()


def test_while_the_model_loads_the_server_answers_that_it_does(tiny_model, tmp_path):
    server = Server(tmp_path, app="slow_loading:app", model=tiny_model)
    try:
        server.until(lambda: server.client.get("/health").status_code == 503)
        assert "loading" in server.client.get("/health").json()["reason"]
        answer = server.post("/generate", prompt="x")
        assert answer.status_code == 503 and "loading" in answer.json()["error"]["message"]
        assert server.stop() == 0, "a server that still loads can be stopped\n" + server.log
    finally:
        server.close()


def test_a_wrong_setting_ends_the_start_with_its_name(tiny_model, tmp_path):
    command = [sys.executable, "-c", "import server"]
    environment = {"SERVE_MODEL": str(tiny_model), "SERVE_MAX_BATCH": "0"}
    ended = subprocess.run(command, cwd=CODE, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode != 0 and "SERVE_MAX_BATCH is '0'" in ended.stderr
    assert "Traceback" not in ended.stderr
