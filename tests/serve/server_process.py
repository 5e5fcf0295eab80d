"""A real server: uvicorn in a process of its own, on a free port, with its log kept."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from measured_runs import free_port

HERE = Path(__file__).parent
CODE = HERE.parent.parent / "site/lessons/serve/code"


class Server:
    """`uvicorn server:app` as a reader starts it, or another app of tests/serve/apps around the same server."""

    def __init__(self, folder: Path, app: str = "server:app", **settings: object):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log_path = folder / f"{app.split(':')[0]}-{self.port}.log"
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(HERE / "apps")}
        environment |= {f"SERVE_{name.upper()}": str(value) for name, value in settings.items()}
        command = [sys.executable, "-m", "uvicorn", app, "--port", str(self.port), "--no-access-log"]
        with self.log_path.open("w") as log:
            self.process = subprocess.Popen(command, cwd=CODE, env=environment, stdout=log, stderr=log)
        self.client = httpx.Client(base_url=self.url, timeout=60)

    @property
    def log(self) -> str:
        return self.log_path.read_text()

    def until(self, seen, seconds: float = 60):
        """The first true answer of `seen`; what the log says if none comes in time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert self.process.poll() is None, f"the server ended with {self.process.returncode}:\n{self.log}"
            try:
                if value := seen():
                    return value
            except httpx.TransportError:
                pass
            time.sleep(0.02)
        raise AssertionError(f"not within {seconds} s; the server's log:\n{self.log}")

    def ready(self) -> "Server":
        self.until(lambda: self.client.get("/health").status_code == 200)
        return self

    def post(self, path: str, **body: object) -> httpx.Response:
        return self.client.post(path, json=body)

    def metric(self, name: str, **labels: str) -> float:
        """One figure of /metrics; nothing counted yet is 0."""
        for family in text_string_to_metric_families(self.client.get("/metrics").text):
            for sample in family.samples:
                if sample.name == name and sample.labels == labels:
                    return sample.value
        return 0.0

    def stop(self, number: int = signal.SIGTERM, seconds: float = 30) -> int:
        """The exit code after a signal."""
        self.process.send_signal(number)
        return self.process.wait(seconds)

    def close(self) -> None:
        self.client.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def events(lines: Iterator[str]) -> Iterator[dict | str]:
    """The data of server-sent events, read from JSON where it is JSON."""
    for line in lines:
        if line.startswith("data: "):
            data = line.removeprefix("data: ")
            yield data if data == "[DONE]" else json.loads(data)


def streamed(server: Server, path: str, **body: object) -> list[dict | str]:
    """All events of one stream."""
    with server.client.stream("POST", path, json=body) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        return list(events(answer.iter_lines()))


def half_read(server: Server, path: str, read_bytes: int, **body: object) -> socket.socket:
    """A client that has read only the beginning of its answer; to close its socket is to hang up."""
    content = json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: x", "Content-Type: application/json", f"Content-Length: {len(content)}"]
    head = "\r\n".join([*lines, "", ""])
    client = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    client.sendall(head.encode() + content)
    if read_bytes:
        client.recv(read_bytes)
    return client
