"""The command `poolroom files`: the widget's built files, put into the folder that a site serves."""

import base64
import hashlib
import os
import sys
from pathlib import Path
from typing import Any

from .cli_files import reason_of
from .facts import WORDS

HELP: dict[str, Any] = WORDS["cli"]
STATIC = Path(__file__).with_name("static")
"""The build puts the files there."""
SERVED = ("poolroom.js", "poolroom.html")


def run_files(folder: str, force: bool, version: str, static: Path = STATIC) -> tuple[str, int]:
    """Write each file under its name and under the name with its version: what was done, and the exit code.

    All are looked at before the first is written. 2 where one is there already with other content, unless `force`,
    and for a folder or a file that cannot be written.
    """
    if not all((static / name).is_file() for name in SERVED):
        return _refuse(HELP["files_unbuilt"])
    if not folder:
        return _refuse(HELP["files_nowhere"])
    home, files = Path(folder), _named(static, version)
    try:
        if home.is_file():
            return _refuse(HELP["cannot_write_to"].format(path=folder, reason=HELP["files_no_folder"]))
        there = {name: _there(home / name) for name in files}
        others = [name for name, data in there.items() if data not in (None, files[name])]
        if others and not force:
            return _refuse(HELP["files_differ"].format(folder=folder, names=", ".join(others)))
        home.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            if there[name] != data:
                _write(home / name, data)
    except (OSError, ValueError) as problem:
        path = getattr(problem, "filename", None) or folder
        return _refuse(HELP["cannot_write_to"].format(path=path, reason=reason_of(problem)))
    done = [_line(home / name, there[name] == data) for name, data in files.items()]
    return "\n".join([*done, _snippet(version, files)]), 0


def integrity(data: bytes, algorithm: str = "sha384") -> str:
    """A file's content as the `integrity` attribute and policies name it: a hash, in base 64."""
    return f"{algorithm}-{base64.b64encode(hashlib.new(algorithm, data).digest()).decode()}"


def versioned(name: str, version: str) -> str:
    """A file's name with the version in it: poolroom.js becomes poolroom-<version>.js."""
    stem, dot, ending = name.partition(".")
    return f"{stem}-{version}{dot}{ending}"


def _refuse(sentence: str) -> tuple[str, int]:
    print(f"poolroom: {sentence}", file=sys.stderr)
    return "", 2


def _named(static: Path, version: str) -> dict[str, bytes]:
    files = {name: (static / name).read_bytes() for name in SERVED}
    return files | {versioned(name, version): data for name, data in files.items()}


def _there(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}.part")  # whole at every moment, for who is served meanwhile
    try:
        part.write_bytes(data)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _line(path: Path, as_it_was: bool) -> str:
    return str(HELP["files_kept" if as_it_was else "files_written"].format(path=path))


def _snippet(version: str, files: dict[str, bytes]) -> str:
    name = versioned(SERVED[0], version)
    return str(HELP["files_snippet"].format(name=name, integrity=integrity(files[name])))
