"""The command line: `poolroom describe --share 90 …` prints what the page shows, as words or as JSON."""

import argparse
import io
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any, NoReturn

from . import __version__
from .blocks import blocks_for
from .budget import Room, largest_longest, room, smallest_share
from .chats import Request, chat_list
from .checks import MOST_WHOLE, SimError
from .cli_copies import run_files
from .cli_files import run_check, run_svg
from .cli_plan import add_plan_options, json_of, run_plan, spelt, visible
from .describe import Measured, as_text, describe_measured, fixes, measure, page_words
from .facts import CAPS, CATALOGUES, CHOICES, COST, KNEE_GAIN, OPENING, WORDS, Cost, Words
from .png import MissingPart
from .server import Run, serve
from .sweep import Row, stops_paying, sweep
from .words import catalogue, commas, extra_line, gb, room_line, run_line, say, tenths, whole_number

HELP: dict[str, Any] = WORDS["cli"]
NOT_WRITTEN = 3
"""The exit code where the answer cannot be written: it is neither that of a plan that fails nor of a bad value."""
PICTURE = {"theme": "light", "width": 720, "caption": "", "out": None, "png": None}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        _complain(spelt(message), self.prog)
        self.exit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        # Help and version are answers too: argparse would lose what a full disk does not take.
        if file is sys.stderr:
            _complain(message.rstrip("\n"))
        elif _print(message.rstrip("\n")):
            self.exit(NOT_WRITTEN)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command: 0 when it worked, 1 when `check` found something, 2 for a refused value, 3 for a full disk."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may know fewer characters than the words file
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        answer = options.command(options)
        text, code = answer if isinstance(answer, tuple) else (answer, 0)
        return (_print(text) if text else 0) or code
    except (SimError, MissingPart) as refusal:
        _complain(str(refusal))
        return 2
    except KeyboardInterrupt:
        _complain(HELP["stopped"])
        return 130


def _print(text: str) -> int:
    try:
        print(text, flush=True)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        _drop(sys.stdout)
    except OSError as problem:  # a full disk
        _drop(sys.stdout)
        _complain(say(HELP["cannot_write"], reason=str(problem.strerror)))
        return NOT_WRITTEN
    return 0


def _complain(message: str, program: str = "poolroom") -> None:
    if sys.stderr is None:  # closed; print would take the standard output instead
        return
    try:
        print(f"{program}: {visible(message)}", file=sys.stderr, flush=True)
    except OSError:  # the exit code still says it
        _drop(sys.stderr)


def _drop(stream: Any) -> None:
    # Python would try to write the rest again at its end, and leave with a code of its own.
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="poolroom", description=HELP["about"], allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"poolroom {__version__}")
    named = "{plan,describe,room,run,sweep,svg,check,files}"
    commands = parser.add_subparsers(required=True, metavar=named, parser_class=_Parser)
    add_plan_options(_command(commands, "plan", run_plan, [], as_json=False))
    _command(commands, "describe", _describe, ["share", "longest", "cap", "reserved", "chats", "requests", "lang"])
    _command(commands, "room", _room, ["share", "longest", "reserved"])
    _command(commands, "run", _run, ["share", "longest", "cap", "reserved", "chats", "requests", "pool", "cost"])
    _command(commands, "sweep", _sweep, ["share", "longest", "caps", "reserved", "chats", "requests"])
    pictured = ["share", "longest", "cap", "reserved", "chats", "requests", "lang", *PICTURE]
    _command(commands, "svg", _svg, pictured, as_json=False)
    texts = _command(commands, "check", run_check, [], as_json=False)
    texts.add_argument("files", nargs="+", metavar="FILE", help=HELP["texts"])
    texts.add_argument("--fix", action="store_true", help=HELP["fix"])
    copies = _command(commands, "files", _files, [], as_json=False)
    copies.add_argument("folder", metavar="DIR", help=HELP["folder"])
    copies.add_argument("--force", action="store_true", help=HELP["force"])
    return parser


def _command(commands: Any, name: str, run: Callable[..., Any], options: list[str], as_json: bool = True) -> Any:
    command = commands.add_parser(name, help=HELP[name], description=HELP[name], allow_abbrev=False)
    command.set_defaults(command=run)
    for option in options:
        if option == "reserved":
            command.add_argument("--reserved", action="store_true", help=HELP["reserved"])
        else:
            command.add_argument(f"--{option}", default=_default(option), help=_help(option), metavar="VALUE")
    if as_json:
        command.add_argument("--json", action="store_true", help=HELP["json"])
    return command


def _default(option: str) -> Any:
    if option == "caps":
        return ",".join(str(cap) for cap in CAPS)
    if option == "chats":
        return CHOICES["chats"]["opening"]
    if option == "lang":
        return WORDS["language"]
    return {**OPENING, **PICTURE}.get(option)


def _help(option: str) -> str:
    # argparse reads % in help texts as a format.
    text = say(HELP[option], languages=", ".join(CATALOGUES)).replace("%", "%%")
    return text if _default(option) in (None, "") else f"{text} [{_default(option)}]"


def _whole(setting: str, text: Any) -> int:
    # The engine says what is allowed; here only digits become a number: 8000 or 8,000, but not 80,00.
    if isinstance(text, int):
        return text
    written = str(text).strip()
    if not re.fullmatch(r"[0-9]+|[1-9][0-9]{0,2}([,_][0-9]{3})+", written):
        raise SimError(setting, text, "whole_between" if setting == "share" else "whole_from", least=1, most=100)
    digits = re.sub("[,_]", "", written)
    if len(digits) > len(str(MOST_WHOLE)):
        raise SimError(setting, text, "whole_between", least=1, most=MOST_WHOLE)
    return int(digits)


def _list(text: str) -> list[int]:
    parts = text.split(",")
    for part in parts:
        if not re.fullmatch(r" *(0|[1-9][0-9]*) *", part):  # 1,024 would be read as two numbers
            raise SimError("caps", text, "caps")
    return [_whole("caps", part) for part in parts]


def _read(setting: str, path: str) -> Any:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return json_of(file.read())
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem).splitlines()[0]
        raise SimError(setting, path, "json_file", reason=reason) from None


def _requests(options: argparse.Namespace) -> list[Request] | None:
    named = chat_list(options.chats)
    if options.requests is None:
        return None if options.chats == CHOICES["chats"]["opening"] else named
    rows = _read("requests", options.requests)
    if not isinstance(rows, list):
        raise SimError("requests", rows, "requests")
    return [Request(**_fields(f"requests[{i}]", row, ("arrival", "prompt", "reply"))) for i, row in enumerate(rows)]


def _fields(setting: str, row: Any, names: tuple[str, ...]) -> dict[str, Any]:
    known = ", ".join(names)
    if not isinstance(row, dict):
        raise SimError(setting, row, "fields", names=known)
    for name in names:
        if name not in row:
            raise SimError(f"{setting}.{name}", None, "given", names=known)
    for name in row:
        if name not in names:
            raise SimError(f"{setting}.{name}", row[name], "left_out", names=known)
    return row


def _started(share: int, longest: int, reserved: bool) -> Room:
    """Room at settings at which the server starts; SimError names the share that would do otherwise."""
    here = room(share, longest, reserved)
    least = smallest_share(longest)
    if least is None:
        raise SimError("longest", longest, "longest_starts", most=largest_longest(100))
    if not here["starts"]:
        raise SimError("share", share, "share_starts", least=least, longest=longest)
    return here


def _cost(options: argparse.Namespace) -> Cost:
    if options.cost is None:
        return COST
    return Cost(**_fields("cost", _read("cost", options.cost), tuple(field.name for field in fields(Cost))))


def _json(answer: Any) -> str:
    return json.dumps(answer, indent=2, ensure_ascii=False, allow_nan=False)


def _measured(options: argparse.Namespace) -> Measured:
    return measure(
        _whole("share", options.share),
        _whole("longest", options.longest),
        _whole("cap", options.cap),
        options.reserved,
        _requests(options),
    )


def _svg(options: argparse.Namespace) -> str:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # as an SVG is read, whatever the terminal writes
    words, width = catalogue(options.lang), _whole("width", options.width)
    return run_svg(options, _measured(options), width, "".join(_list_line(options, words)), words)


def _files(options: argparse.Namespace) -> tuple[str, int]:
    return run_files(options.folder, options.force, __version__)


def _describe(options: argparse.Namespace) -> str:
    words = catalogue(options.lang)
    measured = _measured(options)
    if not options.json:
        return "\n".join([as_text(measured, words), *_list_line(options, words)])
    answer = {**describe_measured(measured, words), "page": page_words(measured, None, words)}
    return _json(answer if measured.room["starts"] else {**answer, "fixes": fixes(measured)})


def _list_line(options: argparse.Namespace, words: Words) -> list[str]:
    if options.requests is not None or options.chats == CHOICES["chats"]["opening"]:
        return []
    name, value = words["controls"]["chats"]["name"], words["controls"]["chats"][options.chats]
    return [say(words["status"]["chats"], words, name=name, value=value)]


def _room(options: argparse.Namespace) -> str:
    longest = _whole("longest", options.longest)
    here = room(_whole("share", options.share), longest, options.reserved)
    return _json(here) if options.json else _room_table(here, longest, options.reserved)


def _room_table(here: Room, longest: int, reserved: bool) -> str:
    rows = [list(HELP["room_head"])]
    sizes = [("weights", here["weights"]), ("reserve", here["reserve"])]
    for part, size in [*sizes, ("pool", here["pool"]), ("unused", here["unused"])]:
        rows.append([WORDS["parts"][part]["name"], commas(size), gb(size), tenths(float(size) / 1073741824.0)])
    return f"{_table(rows)}\n{room_line(here, longest, reserved)}"


def _run(options: argparse.Namespace) -> str:
    longest, cap = _whole("longest", options.longest), _whole("cap", options.cap)
    requests = _requests(options)
    result = serve(
        chat_list(options.chats) if requests is None else requests,
        cap,
        _pool(options, longest),
        longest,
        options.reserved,
        _cost(options),
    )
    return _json(result) if options.json else _run_text(result, cap, longest)


def _pool(options: argparse.Namespace, longest: int) -> int:
    if options.pool is None:
        return _started(_whole("share", options.share), longest, options.reserved)["blocks"]
    blocks, needs = _whole("pool", options.pool), blocks_for(longest)
    if blocks < needs:
        raise SimError("pool", blocks, "pool", needs=needs, longest=longest)
    return blocks


def _run_text(result: Run, cap: int, longest: int) -> str:
    return "\n".join(line for line in (run_line(result, cap, longest), extra_line(result)) if line)


def _sweep(options: argparse.Namespace) -> str:
    share, longest = _whole("share", options.share), _whole("longest", options.longest)
    _started(share, longest, options.reserved)
    rows = sweep(share, longest, _list(options.caps), options.reserved, _requests(options))
    if options.json:
        return _json({"rows": rows, "stops_paying": _knee(rows)})
    return "\n".join([_table(_sweep_rows(rows)), *_knee_line(rows)])


def _knee(rows: list[Row]) -> int | None:
    """The cap at which more seats stop paying; None where no doubling in the list shows it."""
    if rows[0]["tokens_per_second"] is None:
        return None
    knee = stops_paying(rows)
    return knee if any(row["cap"] == 2 * knee for row in rows) else None


def _knee_line(rows: list[Row]) -> list[str]:
    if rows[0]["tokens_per_second"] is None:  # the same chats in every row: nobody is served in any
        return []
    caps, knee = [row["cap"] for row in rows], _knee(rows)
    if knee is not None:
        return [say(HELP["knee"], cap=knee)]
    if any(2 * cap in caps for cap in caps):
        return [say(HELP["no_knee"], gain=whole_number((KNEE_GAIN - 1.0) * 100.0))]
    return [str(HELP["no_doubling"])]


def _sweep_rows(rows: list[Row]) -> list[list[str]]:
    lines = [list(HELP["sweep_head"])]
    for row in rows:
        running, rate, wait = row["running"], row["tokens_per_second"], row["seconds_per_word"]
        lines.append(
            [
                commas(row["cap"]),
                "–" if running is None else commas(whole_number(running)),
                "–" if rate is None else commas(whole_number(rate)),
                "–" if wait is None else tenths(wait * 1000.0),
                commas(row["paused"]),
                commas(row["rebuilt_tokens"]),
            ]
        )
    return lines


def _table(rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(_aligned(row, widths) for row in rows)


def _aligned(row: list[str], widths: list[int]) -> str:
    # The first column is words, the others are numbers.
    cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
    return "  ".join([row[0].ljust(widths[0]), *cells[1:]]).rstrip()


if __name__ == "__main__":
    sys.exit(main())
