"""The instructions of a Dockerfile, and what `docker build` and `docker run` would do with them, without an engine."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Instruction:
    word: str
    rest: str

    @property
    def command(self) -> list[str]:
        """The words of a command in its JSON form."""
        return json.loads(self.rest[self.rest.index("[") :])


def instructions(path: Path) -> list[Instruction]:
    lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [Instruction(*line.split(None, 1)) for line in joined.splitlines() if line.strip()]


def environment_of(listed: list[Instruction]) -> dict[str, str]:
    pairs = [pair for one in listed if one.word == "ENV" for pair in one.rest.split()]
    return dict(pair.split("=", 1) for pair in pairs)


def is_sent(name: str, ignored: list[str]) -> bool:
    """Whether .dockerignore lets a file of the folder through; the last line that matches decides."""
    sent = True
    for line in ignored:
        if line and not line.startswith("#") and fnmatch(name, line.lstrip("!")):
            sent = line.startswith("!")
    return sent


class Container:
    """A folder in place of an image: /app and the volume lie in it, and commands run as the image's user."""

    def __init__(self, source: Path, root: Path):
        self.listed = instructions(source / "Dockerfile")
        self.root, self.app, self.weights = root, root / "app", root / "weights"
        self.user = int(self.only("USER").rest)
        self.environment = {name: value.replace("/weights", str(self.weights))
                            for name, value in environment_of(self.listed).items()}  # fmt: skip
        self.app.mkdir()
        self.weights.mkdir()
        ignored = (source / ".dockerignore").read_text().splitlines()
        for one in self.listed:
            if one.word == "COPY":
                self.copy(source, one.rest.split()[:-1], ignored)

    def only(self, word: str) -> Instruction:
        (found,) = [one for one in self.listed if one.word == word]
        return found

    def copy(self, source: Path, patterns: list[str], ignored: list[str]) -> None:
        for pattern in patterns:
            found = [path for path in source.glob(pattern) if is_sent(path.name, ignored)]
            assert found, f"COPY {pattern} finds nothing"
            for path in found:
                shutil.copy(path, self.app)

    def put_on_the_volume(self, folder: Path) -> Path:
        """A folder on the volume, which belongs to the image's user as the Dockerfile says."""
        shutil.copytree(folder, self.weights / folder.name)
        if os.geteuid() == 0:
            for path in [self.weights, *self.weights.rglob("*")]:
                os.chown(path, self.user, self.user)
        return self.weights / folder.name

    def start(self, command: list[str], log: Path, **settings: str) -> subprocess.Popen:
        """Run a command as the image would: its user, its folder, its environment, this environment's packages."""
        environment = {"PATH": f"{BIN}{os.pathsep}/usr/bin{os.pathsep}/bin", **self.environment, **settings}
        with log.open("a") as out:
            return subprocess.Popen([*as_user(self.user), *command], cwd=self.app, env=environment, stdout=out,
                                    stderr=out)  # fmt: skip


def as_user(number: int) -> list[str]:
    """Words that run a command as another user; nothing where we are no root ourselves.

    The Python of this machine may lie where only root looks, so the user may read everything. It may write nowhere
    but where the image lets it.
    """
    if os.geteuid() != 0:
        return []
    reading = "-all,+dac_read_search"
    return ["setpriv", "--reuid", str(number), "--regid", str(number), "--clear-groups",
            "--inh-caps", reading, "--ambient-caps", reading, "--bounding-set", reading, "--no-new-privs"]  # fmt: skip


def pins(text: str) -> dict[str, str]:
    """The packages of a list with their versions; a line that pins none is an error."""
    lines = [line.split("#")[0].strip() for line in text.splitlines()]
    found = [re.fullmatch(r"([a-z0-9-]+)==([^\s=*]+)", line) for line in lines if line]
    assert all(found), "each line names one version"
    return {match[1]: match[2] for match in found if match}
