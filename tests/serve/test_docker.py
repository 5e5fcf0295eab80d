"""The Dockerfile without an engine: linted, read, and its commands run in a folder of their own as its user."""

import os
import re
import shutil
import signal
import subprocess
import time
from importlib import metadata
from pathlib import Path

import httpx
import pytest
from dockerfile import BIN, Container, instructions, is_sent, pins

CODE = Path(__file__).parents[2] / "site/lessons/serve/code"
DOCKERFILE = CODE / "Dockerfile"


@pytest.fixture
def container(tmp_path: Path) -> Container:
    tmp_path.chmod(0o755)
    return Container(CODE, tmp_path)


def lint(path: Path) -> subprocess.CompletedProcess:
    return subprocess.run([BIN / "hadolint", "--no-color", path], capture_output=True, text=True)


def test_the_linter_has_nothing_to_say() -> None:
    found = lint(DOCKERFILE)
    assert found.returncode == 0, found.stdout + found.stderr
    assert found.stdout == ""


@pytest.mark.parametrize(("old", "new"), [
    ("python:3.11-slim", "python"), ("torch==2.13.0", "torch"), ("USER 10001", "USER root"),
    ('CMD ["sh", "-c", "exec', "CMD exec"),
])  # fmt: skip
def test_the_linter_bites(tmp_path: Path, old: str, new: str) -> None:
    text = DOCKERFILE.read_text()
    assert old in text
    (tmp_path / "Dockerfile").write_text(text.replace(old, new))
    assert lint(tmp_path / "Dockerfile").returncode != 0


def test_what_changes_often_is_copied_after_what_takes_long() -> None:
    words = [f"{one.word} {one.rest}" for one in instructions(DOCKERFILE)]
    places = [next(place for place, text in enumerate(words) if text.startswith(start)) for start in (
        "FROM", "RUN pip install --no-cache-dir torch==", "COPY requirements.txt", "RUN pip install --no-cache-dir -r",
        "COPY *.py", "USER", "CMD")]  # fmt: skip
    assert places == sorted(places)
    assert "requirements.txt" in words[places[2]] and "*.py" not in words[places[2]]


def test_every_package_is_pinned_to_what_runs_here() -> None:
    """The layers' `pip install` is this environment: what the lists name is installed, and nothing is missing."""
    listed = pins((CODE / "requirements.txt").read_text())
    installed = {name: metadata.version(name).split("+")[0] for name in listed}
    assert installed == listed
    torch = re.search(r"pip install --no-cache-dir torch==(\S+)", DOCKERFILE.read_text())
    assert torch and torch[1] == listed["torch"]
    assert subprocess.run([BIN / "python", "-m", "pip", "check"], capture_output=True).returncode == 0


def test_only_the_programs_are_sent_to_the_engine() -> None:
    ignored = (CODE / ".dockerignore").read_text().splitlines()
    names = ("server.py", "requirements.txt", ".env", "Dockerfile", "weights.bin")
    sent = [name for name in names if is_sent(name, ignored)]
    assert sent == ["server.py", "requirements.txt"]


def exit_code(container: Container, log: Path, **settings: str) -> int:
    command = container.only("HEALTHCHECK").command
    assert command[0] == "python"
    return container.start(command, log, **settings).wait(30)


def until_healthy(container: Container, server: subprocess.Popen, log: Path, **settings: str) -> None:
    deadline = time.monotonic() + 90
    while exit_code(container, log, **settings):
        assert server.poll() is None and time.monotonic() < deadline, log.read_text()
        time.sleep(0.3)


def test_the_commands_of_the_image_serve_the_model_of_the_volume_as_its_user(
    container: Container, tiny_model: Path, free_port: int
) -> None:
    """Unwell until it is loaded, then well; answers; writes nothing beside the programs; ends well on SIGTERM."""
    log = container.root / "log"
    model = container.put_on_the_volume(tiny_model)
    settings = {"HOST": "127.0.0.1", "PORT": str(free_port), "SERVE_MODEL": str(model), "OMP_NUM_THREADS": "1"}
    before = sorted(path.name for path in container.app.iterdir())
    server = container.start(container.only("CMD").command, log, **settings)
    try:
        assert exit_code(container, log, **settings) == 1, "nobody is well before the model is loaded"
        until_healthy(container, server, log, **settings)
        if os.geteuid() == 0:
            identities = re.search(r"Uid:(.*)", Path(f"/proc/{server.pid}/status").read_text())
            assert identities and set(identities[1].split()) == {str(container.user)}
        body = {"prompt": "The server", "max_new_tokens": 4}
        answer = httpx.post(f"http://127.0.0.1:{free_port}/generate", json=body, timeout=30, trust_env=False)
        assert answer.status_code == 200 and answer.json()["output_tokens"] >= 1
        server.send_signal(signal.SIGTERM)
        assert server.wait(40) == 0, log.read_text()
    finally:
        server.kill()
        server.wait()
    assert exit_code(container, log, **settings) == 1
    assert sorted(path.name for path in container.app.iterdir()) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_the_user_of_the_image_writes_on_the_volume_and_nowhere_else(container: Container, tmp_path: Path) -> None:
    os.chown(container.weights, container.user, container.user)
    log = tmp_path / "log"
    for folder, code in ((container.weights, 0), (container.app, 1)):
        words = ["sh", "-c", f"touch '{folder}/file' || exit 1"]
        assert container.start(words, log).wait(10) == code, log.read_text()


def test_every_module_that_the_server_needs_is_copied(container: Container) -> None:
    names = {path.name for path in container.app.iterdir()}
    assert {path.name for path in CODE.glob("*.py")} | {"requirements.txt"} == names
    assert shutil.which("sh"), "the image's CMD needs a shell, which slim has"
