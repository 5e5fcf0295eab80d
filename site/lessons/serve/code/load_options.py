"""The command line of load.py."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from load_request import PATHS


def lengths(text: str) -> tuple[int, int]:
    """Read `32` or `16-64`."""
    least, _, most = text.partition("-")
    if not (least.isdecimal() and (most or least).isdecimal() and 1 <= int(least) <= int(most or least)):
        raise argparse.ArgumentTypeError(f"{text}: allowed are numbers from 1, or two of them as 16-64")
    return int(least), int(most or least)


def number(kind: type, least: float, most: float = float("inf")) -> Callable[[str], float]:
    """A reader of numbers in a range, for argparse."""

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most or value == float("inf"):
            allowed = "whole numbers" if kind is int else "numbers"
            raise argparse.ArgumentTypeError(f"{text}: allowed are {allowed} from {least:g}"
                                             + (f" to {most:g}" if most < float("inf") else ""))
        return value

    return read


def parse(about: str, words: Sequence[str]) -> argparse.Namespace:
    """Read the command line, and refuse by name what cannot be."""
    parser = argparse.ArgumentParser(prog="load.py", description=about)
    whole, positive = number(int, 1), number(float, 1e-6)
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="the server (default: %(default)s)")
    parser.add_argument("--api", choices=list(PATHS), default="stream", help="its dialect (default: %(default)s)")
    parser.add_argument("--model", help="name of the model, for openai and chat; a key: OPENAI_API_KEY")
    loop = parser.add_mutually_exclusive_group()
    loop.add_argument("--concurrency", type=whole, nargs="+", default=[4], metavar="N",
                      help="clients at once; a run for each number (default: 4)")
    loop.add_argument("--rate", type=positive, metavar="R", help="requests a second on average, by chance")
    parser.add_argument("--requests", type=whole, default=64, metavar="N", help="of a run (default: %(default)s)")
    parser.add_argument("--max-tokens", type=lengths, default=(64, 64), metavar="N[-M]",
                        help="tokens of an answer, at most; drawn from N to M (default: 64)")
    prompts = parser.add_mutually_exclusive_group()
    prompts.add_argument("--prompts", type=Path, metavar="FILE", help="one prompt a line")
    prompts.add_argument("--prompt-words", type=lengths, default=(40, 40), metavar="N[-M]",
                         help="words of made-up prompts; drawn from N to M (default: 40)")
    parser.add_argument("--distinct", type=number(float, 0, 1), default=1.0, metavar="SHARE",
                        help="share of made-up prompts that differ, 0 to 1 (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="equal seeds ask equal things (default: 0)")
    parser.add_argument("--timeout", type=positive, default=120.0, metavar="S", help="seconds for a whole request")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write figures and every request there as well")
    options = parser.parse_args(words)
    if options.api != "stream" and not options.model:
        parser.error(f"--api {options.api} needs --model: the name that the server gives its model")
    if not options.url.startswith(("http://", "https://")):
        parser.error(f"--url {options.url}: it must begin with http:// or https://")
    if options.prompts and not options.prompts.is_file():
        parser.error(f"--prompts {options.prompts}: there is no such file")
    if options.json and not options.json.absolute().parent.is_dir():
        parser.error(f"--json {options.json}: its folder does not exist")
    return options
