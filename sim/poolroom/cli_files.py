"""The commands that read and write files: `poolroom svg` and `poolroom check`."""

import codecs
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .check import Report, check, mended
from .checks import SimError
from .describe import Measured
from .facts import WORDS, Words
from .png import png
from .svg import svg

HELP: dict[str, Any] = WORDS["cli"]
WIDE = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def run_svg(options: Namespace, measured: Measured, width: int, listed: str, words: Words) -> str:
    """Draw the picture, write what files were asked for, and give what is left to print."""
    picture = svg(measured, options.theme, width, options.caption, listed, words)
    if options.png is not None:
        _write("png", options.png, png(picture))
    if options.out is not None:
        _write("out", options.out, picture.encode("utf-8"))
    return "" if options.out is not None or options.png is not None else picture.removesuffix("\n")


def _write(setting: str, path: str, data: bytes) -> None:
    try:
        Path(path).write_bytes(data)
    except (OSError, ValueError) as problem:
        raise SimError(setting, path, "file_to_write", reason=reason_of(problem)) from None


def run_check(options: Namespace) -> tuple[str, int]:
    """Check the files: what is wrong, or one line that counts, and the exit code: 0, 1, or 2 for a file not read."""
    said: list[str] = []
    reports: list[Report] = []
    unread = 0
    for path in options.files:
        try:
            report, lines = _check_file(path, options.fix)
        except (OSError, ValueError) as problem:
            print(f"poolroom: {HELP['cannot_read'].format(path=path, reason=reason_of(problem))}", file=sys.stderr)
            unread += 1
            continue
        reports.append(report)
        said += lines
    left = any(not (options.fix and problem.mend) for report in reports for problem in report.problems)
    if unread:
        return "\n".join(said), 2
    return "\n".join(said) or _count(reports), int(left)


def _check_file(path: str, fix: bool) -> tuple[Report, list[str]]:
    data = Path(path).read_bytes()
    encoding = next((name for mark, name in WIDE.items() if data.startswith(mark)), "utf-8")
    text = data.decode(encoding, "surrogateescape")  # bytes that are no text come back as they were
    report = check(text, path)
    if fix and any(problem.mend for problem in report.problems):
        Path(path).write_bytes(mended(text, report).encode(encoding, "surrogateescape"))
    done = f" {HELP['check_fixed']}"
    lines = [f"{path}:{each.line}: {each.text}{done if fix and each.mend else ''}" for each in report.problems]
    return report, lines


def _count(reports: Iterable[Report]) -> str:
    total = {"pool-room-value": 0, "pool-room": 0, "poolroom.html": 0}
    for report in reports:
        for name, count in report.counts.items():
            total[name] += count
    numbers, widgets, links = total.values()
    return str(HELP["check_true"].format(numbers=numbers, widgets=widgets, links=links))


def reason_of(problem: Exception) -> str:
    """Why the system could not read or write, in its own words."""
    return str(getattr(problem, "strerror", None) or str(problem).splitlines()[0])
