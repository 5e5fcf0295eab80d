"""The command line's own help, command by command."""

import argparse
from dataclasses import dataclass

from poolroom.cli import _parser


@dataclass(frozen=True)
class Option:
    """One option: how it is written, and what it does."""

    written: str
    help: str


@dataclass(frozen=True)
class Command:
    """One command: its name, what it does, and its options."""

    name: str
    help: str
    options: list[Option]

    @property
    def anchor(self) -> str:
        """Where the page shows it."""
        return f"command-{self.name}"


def commands() -> list[Command]:
    """Read every command from the parser that runs them."""
    (found,) = (action for action in _parser()._actions if isinstance(action, argparse._SubParsersAction))
    parsers = found.choices.items()
    return [Command(name, sentence(parser.description or ""), options(parser)) for name, parser in parsers]


def options(parser: argparse.ArgumentParser) -> list[Option]:
    """Read the options of a command."""
    shown = [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]
    return [Option(written(action), (action.help or "") % {}) for action in shown]


def written(action: argparse.Action) -> str:
    """Give an option as it is typed."""
    if not action.option_strings:
        return f"{action.metavar} …"
    name = action.option_strings[-1]
    return name if action.nargs == 0 else f"{name} {action.metavar}"


def sentence(text: str) -> str:
    """Make a sentence of a help text."""
    text = text.rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."
