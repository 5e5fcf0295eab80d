"""Serve a folder on this machine alone, and say where."""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
PORTS = range(8000, 8101)
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}


class Handler(SimpleHTTPRequestHandler):
    """Send files with the types browsers insist on, whatever this system's own table says."""

    protocol_version = "HTTP/1.1"
    extensions_map: ClassVar[dict[str, str]] = {**SimpleHTTPRequestHandler.extensions_map, **TYPES}

    def __init__(self, *arguments, headers_to_add: Mapping[str, str], **options):
        self.headers_to_add = headers_to_add
        super().__init__(*arguments, **options)

    def end_headers(self):
        """Add the caller's headers, and let the browser ask again each time."""
        self.send_header("Cache-Control", "no-cache")
        for name, value in self.headers_to_add.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_):
        """Stay quiet."""


class Server(ThreadingHTTPServer):
    """A server whose port is its own, and that does not mind a reader who leaves early."""

    allow_reuse_address = os.name != "nt"  # on Windows that would let two servers share a port
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Pass over closed connections; show every other error."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def server_for(folder: Path, port: int, headers: Mapping[str, str]) -> Server:
    """Make a server for the folder on that port; 0 takes any free one."""
    return Server((HOST, port), partial(Handler, directory=str(folder), headers_to_add=headers))


def first_free(folder: Path) -> Server:
    """Make a server on the first port of PORTS that nobody has."""
    for port in PORTS:
        try:
            return server_for(folder, port, {})
        except OSError:
            continue
    sys.exit(f"Every port from {PORTS[0]} to {PORTS[-1]} is taken: stop another server first.")


def address_of(server: Server) -> str:
    """Give the address to type."""
    return f"http://{HOST}:{server.server_address[1]}/"


@contextmanager
def serving(folder: str | Path, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """Serve the folder on any free port while the block runs, with these headers on every answer."""
    with server_for(Path(folder), 0, headers or {}) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield address_of(server)
        finally:
            server.shutdown()


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist", help="default: dist")
    folder = parser.parse_args().folder
    if not folder.is_dir():
        sys.exit(f"There is no folder {folder}: build it first, with make build.")
    with first_free(folder) as server:
        print(f"Poolroom is at {address_of(server)}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
