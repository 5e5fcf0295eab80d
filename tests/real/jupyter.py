"""A JupyterLab of one's own: nothing of the reader's configuration, a free port, a token."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.node import ROOT

QUIET = [
    "--no-browser",
    "--allow-root",
    "--LabApp.news_url=None",
    "--LabApp.extension_manager=readonly",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port_retries=0",
    "--ServerApp.open_browser=False",
]
START_S = 60


def free_port() -> int:
    """A port that nobody has at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def notebook(*cells: str) -> str:
    """A notebook's JSON with these cells of code."""
    made = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for number, source in enumerate(cells)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps({"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


@contextmanager
def jupyterlab(folder: Path) -> Iterator[tuple[str, str]]:
    """Run JupyterLab on a folder; gives its address and its token."""
    home, token, port = folder / "home", secrets.token_hex(16), free_port()
    own = {f"JUPYTER_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
    environment = {
        **os.environ,
        **own,
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": str(ROOT / "sim"),
    }
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        *QUIET,
        f"--ServerApp.port={port}",
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={folder}",
    ]
    address, log = f"http://127.0.0.1:{port}/", folder / "jupyterlab.log"
    with log.open("w") as said:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=said)
        try:
            wait_for(f"{address}api?token={token}", server, log)
            yield address, token
        finally:
            server.terminate()
            server.wait(20)


def wait_for(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the server answers."""
    last = time.monotonic() + START_S
    while True:
        try:
            urlopen(address, timeout=5).close()
            return
        except (URLError, OSError):
            assert server.poll() is None and time.monotonic() < last, log.read_text(encoding="utf-8")[-3_000:]
            time.sleep(0.1)
