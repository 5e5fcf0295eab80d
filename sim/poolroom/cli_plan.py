"""The command `poolroom plan`: whether a vLLM server will start, before anyone starts it."""

import json
import re
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Callable
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, NoReturn
from unicodedata import category

from .checks import SimError, shown
from .cli_files import reason_of
from .facts import WORDS, load
from .vllm.command import NAMELESS, quoted
from .vllm.models import model_facts
from .vllm.plan import Plan, plan
from .vllm.plan_facts import VERSIONS
from .vllm.plan_words import as_json, as_text, upgrade_text
from .vllm.refuse import PlanError
from .vllm.upgrade import compare

HELP: dict[str, Any] = WORDS["cli"]["plan_options"]
SWITCHES = (
    "enforce_eager", "enable_chunked_prefill", "async_scheduling", "enable_prefix_caching", "estimate_cudagraphs",
    "use_llm_class", "flashinfer_sampler",
)  # fmt: skip
"""Settings that are on or off."""
PLAIN_SWITCHES = ("enable_lora", "enable_expert_parallel")
"""The same among those that are named and not counted."""
SHORT = {
    "tensor_parallel_size": "-tp", "pipeline_parallel_size": "-pp", "decode_context_parallel_size": "-dcp",
    "quantization": "-q",
}  # fmt: skip
"""What vLLM's own command line calls them for short."""
NAMED = ("version", "card", "model", "dtype", "quantization", "kv_cache_dtype", "engine", "require_chats")
"""Settings whose value is a name, even where it looks like a number."""
NUMBER = re.compile(r"[+-]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})")
GROUPED = re.compile(r"[0-9]{1,3}([,_][0-9]{3})+")
EXPONENT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+")
JOINED = re.compile(r"(?:^|(?<= ))(-(?:tp|pp|dcp))([0-9]+)(?= |$)")
"""A short name and its number in one word, which argparse, vLLM's own too, takes for another name."""
HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Characters that a terminal obeys instead of showing them, by their Unicode category."""
FILES = {"model": "config.json", "index": "model.safetensors.index.json"}
MOST_DIGITS = 4_000
"""Python reads no whole number of more than 4,300."""
MOST_BYTES = 64 * 1024 * 1024
"""A file beyond this is no config.json and no index."""


class PlainNumberError(SimError):
    """A number that is written in a way which the command does not read."""

    def __init__(self, setting: str, value: str) -> None:
        self.setting, self.value, self.allowed = setting, value, "plain_number"
        words = WORDS["refused_value"].format(setting=setting, value=shown(value), allowed=HELP["plain_number"])
        ValueError.__init__(self, words)


def settings_of_plan() -> list[str]:
    """Every setting of a plan by vLLM's name: those that count, then those that are only named."""
    return [*[row["name"] for row in VERSIONS["settings"]], *VERSIONS["uncounted"]["names"]]


def add_plan_options(command: ArgumentParser) -> None:
    """Give the command every setting of a plan, under vLLM's own names."""
    for name in settings_of_plan():
        flags = [*([SHORT[name]] if name in SHORT else []), f"--{name.replace('_', '-')}"]
        about = help_of(name)
        if name in SWITCHES:
            command.add_argument(*flags, action=BooleanOptionalAction, default=None, help=about)
        elif name in PLAIN_SWITCHES:
            command.add_argument(*flags, action="store_true", default=None, help=about)
        else:
            command.add_argument(*flags, metavar="VALUE", help=about)
    command.add_argument("--require-chats", metavar="VALUE", help=HELP["require_chats"])
    command.add_argument("--compare", metavar="VERSION", help=HELP["compare"])
    command.add_argument("--json", action="store_true", help=HELP["json"])
    command.add_argument("--schema", action="store_true", help=HELP["schema"])


def help_of(name: str) -> str:
    """What the help says of a setting."""
    return str(HELP["measured"] if name.startswith("measured_") else HELP.get(name, HELP["uncounted"]))


def run_plan(options: Namespace) -> tuple[str, int]:
    """What the command prints, and its exit code: 0 where the server starts, 1 where it would not."""
    if options.schema:
        return _json(load("vllm/plan-schema")), 0
    for name in (*NAMED, "index", "compare"):
        setattr(options, name, _trimmed(getattr(options, name)))
    asked = asked_of(options)
    if options.compare is not None:
        return _compared(asked, options)
    found = plan(asked)
    if isinstance(asked["model"], dict):
        found["about"]["model"] = str(options.model) if options.json else visible(str(options.model))
        found["command"] = with_model(found["command"], str(Path(options.model).parent))
    return _json(as_json(found)) if options.json else _text(as_text(found)), int(not good(found))


def good(found: Plan) -> bool:
    """Whether the server starts, and has room for what was required."""
    demand = found["demand"]
    return found["verdict"]["outcome"] != "refuses" and (demand is None or demand["met"])


def with_model(command: str, folder: str) -> str:
    """The command with the folder that the model was read from, which is what vLLM takes."""
    return command.replace(quoted(NAMELESS), word_of(folder), 1)


def word_of(text: str) -> str:
    """Text as one word for a shell, which shows all that is in it."""
    if visible(text) == text:
        return quoted(text)
    inside = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{visible(inside, byte=True)}'"


def visible(text: str, kept: str = "", byte: bool = False) -> str:
    """Text in which a terminal shows every character and obeys none; `byte`: what is no UTF-8 as the byte it was."""
    return "".join(_escape(each, byte) if category(each) in HIDDEN and each not in kept else each for each in text)


def _escape(letter: str, byte: bool) -> str:
    number = ord(letter)
    if byte and 0xDC80 <= number <= 0xDCFF:
        number -= 0xDC00
    elif byte and 0x80 <= number <= 0xFF:  # \x is a byte to a shell
        return f"\\u{number:04x}"
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def spelt(message: str) -> str:
    """What argparse complains of, and how -tp2 is written."""
    joined = JOINED.search(message)
    return HELP["apart"].format(message=message, written=" ".join(joined.groups())) if joined else message


def _compared(asked: dict[str, Any], options: Namespace) -> tuple[str, int]:
    if "require_chats" in asked:
        raise PlanError("require_chats", asked["require_chats"], "not_with", other="compare")
    before = asked.get("version", VERSIONS["default"])
    found = compare(asked, before, options.compare)
    if isinstance(asked.get("model"), dict):
        found["commands"] = [with_model(each, str(Path(options.model).parent)) for each in found["commands"]]
    code = int(found["outcomes"][1] == "refuses")
    return _json(found) if options.json else _text(upgrade_text(found)), code


def asked_of(options: Namespace) -> dict[str, Any]:
    """The settings that were given, numbers as numbers, files as what they hold."""
    asked: dict[str, Any] = {}
    for name in [*settings_of_plan(), "require_chats"]:
        value = getattr(options, name, None)
        if value is not None:
            asked[name] = value if name in NAMED or not isinstance(value, str) else _value_of(name, value)
    if "model" in asked:
        name = asked["model"]
        asked["model"] = read_object("model", name) if _is_file(name) else _whole_name(name)
    if "index" in asked:
        asked["index"] = read_object("index", str(options.index))
    return asked


def _trimmed(text: str | None) -> str | None:
    # Blanks come along when a name is copied; a file may have them in its own.
    return text if text is None or _exists(text) else text.strip()


def _value_of(name: str, text: str) -> float | int | str:
    counted = [row["name"] for row in VERSIONS["settings"]]
    if name in counted and name != "index" and EXPONENT.fullmatch(text.strip()):
        raise PlainNumberError(name, text)
    return number_or_text(text)


def _whole_name(name: str) -> str:
    # A name without its owner is no address of files; one with it is the user's own choice.
    return name if "/" in name else model_facts(name)["name"]


def number_or_text(text: str) -> float | int | str:
    """Read 8192, 8,192 or 0.9; what is no number stays text, and the plan says what it allows."""
    written = text.strip()
    if GROUPED.fullmatch(written):
        written = re.sub("[,_]", "", written)
    if not NUMBER.fullmatch(written):
        return text
    return float(written) if "." in written else int(written)


def _is_file(name: str) -> bool:
    # Names of models have a slash too, and may be folders where somebody stands.
    if name.endswith(".json") or "\\" in name or name.startswith((".", "/", "~")):
        return True
    return _exists(name)


def _exists(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def read_object(setting: str, path: str) -> dict[str, Any]:
    """Read a JSON object from a file; SimError says what is wrong with it."""
    try:
        file = Path(path).expanduser()
        mode = file.stat().st_mode
        if not S_ISREG(mode):  # to open a pipe is to wait for its writer
            reason = HELP["folder"].format(file=FILES[setting]) if S_ISDIR(mode) else HELP["no_file"]
            raise SimError(setting, path, "json_file", reason=reason)
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except SimError:
        raise
    except (OSError, ValueError, RuntimeError) as problem:
        raise SimError(setting, path, "json_file", reason=reason_of(problem)) from None
    if len(data) > MOST_BYTES:
        raise SimError(setting, path, "json_file", reason=HELP["too_large"])
    return _object(setting, path, data)


def _object(setting: str, path: str, data: bytes) -> dict[str, Any]:
    try:
        found = json_of(data.decode("utf-8-sig"), _no_constant)
    except UnicodeDecodeError:
        raise SimError(setting, path, "json_file", reason=HELP["no_text"]) from None
    except ValueError as problem:
        raise SimError(setting, path, "json_file", reason=str(problem)) from None
    if not isinstance(found, dict):
        raise SimError(setting, path, "json_file", reason=HELP["no_object"])
    return found


def json_of(text: str, constant: Callable[[str], Any] | None = None) -> Any:
    """What JSON text holds; ValueError says in words of our own why it cannot be read."""
    try:
        return json.loads(text, parse_constant=constant, parse_int=_whole)
    except RecursionError:
        raise ValueError(HELP["too_deep"]) from None
    except json.JSONDecodeError as problem:
        raise ValueError(HELP["no_json"].format(line=problem.lineno, column=problem.colno)) from None


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(HELP["too_long"].format(most=MOST_DIGITS))
    return int(digits)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(HELP["no_constant"].format(name=name))


def _json(answer: Any) -> str:
    text = json.dumps(answer, indent=2, ensure_ascii=False, allow_nan=False)
    return "".join(json.dumps(each)[1:-1] if _is_hidden(each) else each for each in text)


def _is_hidden(letter: str) -> bool:
    # JSON itself escapes only those below the blank; its own line breaks stay.
    return letter != "\n" and category(letter) in HIDDEN


def _text(text: str) -> str:
    return visible(text.rstrip("\n"), "\n")
