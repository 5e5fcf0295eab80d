"""What the page on serving shows of the programs: their files in groups, and what was measured beside predicted."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import archives
from bundle import BuildError
from poolroom.words import commas, tenths, whole_number

LESSON = Path(__file__).resolve().parents[1] / "lessons" / "serve"
CODE, MEASURED = LESSON / "code", LESSON / "measured.json"
FOLDER, ZIP, README = "serve-code", "serve-code.zip", "README.md"
"""Where the site keeps the files: one by one, and all together."""
GROUPS = {
    "The server": "server service settings schemas limits errors reply client openai_api metrics stopping",
    "The batch": "batcher streams jobs answers cache",
    "The model": "model rows sampling text four_bit perplexity",
    "The load": "load load_options load_prompts load_request load_report",
    "Measured, then compared": "measure measured_runs fit predict",
    "A model to try it with": "make_tiny_model tiny_network tiny_text",
    "The image": "Dockerfile .dockerignore requirements.txt healthcheck",
}
"""Every file of the folder, in the order in which it is read; a name without an ending is one of Python's."""
SHOWN = {"server", "batcher", "answers", "model", "load", "perplexity", "four_bit", "predict", "Dockerfile"}
"""Files whose whole text stands on the page; the others are a click away."""
NOTES = {
    "Dockerfile": "The image: libraries first, code last, a user without rights, a health check.",
    ".dockerignore": "What is sent to the engine: nothing but what the image is made of.",
    "requirements.txt": "Every library with its exact version.",
}


@dataclass(frozen=True)
class Program:
    """One file: its name, its address on the site, what it is for, and its text where the page shows that."""

    name: str
    address: str
    says: str
    text: str
    lines: int


def files() -> dict[str, str]:
    """Read every file of the folder by its name."""
    paths = [path for path in sorted(CODE.iterdir()) if path.is_file()]
    return {path.name: path.read_text("utf-8") for path in paths}


def programs() -> dict[str, list[Program]]:
    """Give the files in their groups; a file that no group names, or that is missing, stops the build."""
    found = files()
    groups = {title: [full_name(name) for name in names.split()] for title, names in GROUPS.items()}
    named = [name for names in groups.values() for name in names]
    if wrong := sorted(set(named) ^ set(found)):
        raise BuildError(f"The programs and their groups differ in {', '.join(wrong)}.")
    return {title: [program(name, found[name]) for name in names] for title, names in groups.items()}


def full_name(name: str) -> str:
    """Give a file's name as it is in the folder."""
    return name if name == "Dockerfile" or "." in name else f"{name}.py"


def program(name: str, text: str) -> Program:
    """Describe one file by the first sentence that it says of itself."""
    shown = text if name.removesuffix(".py") in SHOWN else ""
    return Program(name, f"{FOLDER}/{name.lstrip('.')}", first_sentence(name, text), shown, len(text.splitlines()))


def first_sentence(name: str, text: str) -> str:
    """Give what a file says first of itself; files that are no programs are described here."""
    found = re.match(r'"""(.+?)(?:"""|\n)', text)
    if not found and name not in NOTES:
        raise BuildError(f"{name} does not say on top what it is for.")
    return NOTES[name] if not found else found[1].replace("`", "").rstrip(".:;") + "."


def put(out: Path) -> None:
    """Write the files, and the zip of all of them, beside the pages."""
    found = {**files(), README: (LESSON / README).read_text("utf-8")}
    folder = out / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in found.items():
        (folder / name.lstrip(".")).write_bytes(text.encode())
    (folder / MEASURED.name).write_bytes(MEASURED.read_bytes())
    (out / ZIP).write_bytes(archives.zipped({f"{FOLDER}/{name}": text.encode() for name, text in found.items()}))


def measured() -> dict[str, Any]:
    """Read what `make measure` wrote."""
    return dict(json.loads(MEASURED.read_text("utf-8")))


def held_out() -> list[dict[str, Any]]:
    """Give the runs on which nothing was fitted."""
    return [run for run in measured()["runs"] if not run["fitted"]]


def furthest(figure: str) -> float:
    """Find the largest error of a figure in those runs; its sign is kept."""
    return max((run["error"][figure] for run in held_out()), key=abs)


def commands() -> str:
    """Give the lines that set everything up and try it; PyTorch's version is that of the requirements."""
    (torch,) = re.findall(r"^torch==.+$", files()["requirements.txt"], re.M)
    return "\n".join([
        f"pip install {torch}",
        "pip install -r requirements.txt",
        "python make_tiny_model.py --out tiny-model",
        "SERVE_MODEL=tiny-model uvicorn server:app --port 8000",
        "python load.py --concurrency 1 4 16",
    ])  # fmt: skip


def signed(share: float) -> str:
    """Write an error in percent, with its sign."""
    n = whole_number(abs(share) * 1000)
    return f"{'−' if share < 0 and n else '+'}{n // 10}.{n % 10} %"


def whole_ms(seconds: float) -> str:
    """Write a time in whole milliseconds."""
    return commas(whole_number(1000 * seconds))


def mib(size: float) -> str:
    """Write a size in MiB."""
    return tenths(size / 2**20)


GLOBALS: dict[str, Any] = {
    "programs": programs, "measured": measured, "furthest": furthest, "commands": commands, "CODE_ZIP": ZIP,
    "WAITS": {"first": "ttft_p50_seconds", "whole": "e2e_p95_seconds"},
}  # fmt: skip
FILTERS: dict[str, Any] = {"signed": signed, "whole_ms": whole_ms, "mib": mib}
