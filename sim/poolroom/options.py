"""The authoring contract's options as Python values: which are allowed, and what a refusal names."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from .checks import SimError, shown, whole, yes_no
from .facts import CATALOGUES, CHOICES, CONTRACT, OPENING, PRESETS

CONTROL = re.compile("[\0-\x1f\x7f-\x9f]")
WHITE = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "\ufeff"
"""What JavaScript's trim takes away."""
SCHEME = re.compile("([a-z][a-z0-9+.-]*):", re.I)
HOST_AND_PORT = re.compile(r"(\[.*\]|[^:]*)(?::([0-9]*))?")
NOT_IN_A_HOST = re.compile(r"[\0- #%/:<>?@\[\\\]^|\x7f]")
ESCAPED = re.compile("%([0-9a-f]{2})", re.I)
PART_OF_FOUR = re.compile("0x([0-9a-f]*)|(0[0-7]*)|([1-9][0-9]{0,9})", re.I)
"""A part of an address of four numbers: hexadecimal, octal or decimal."""


def start(preset: str | None = None) -> dict[str, Any]:
    """The settings in which everything starts: the lesson's, with a preset's own in their place.

    Raises SimError for a preset that does not exist.
    """
    opening = {**OPENING, "chats": CHOICES["chats"]["opening"]}
    return {**opening, **PRESETS.get(check("preset", preset) or "", {})}


def check(name: str, value: Any) -> Any:
    """The value itself if the contract allows it for this option; lists come back as tuples.

    Raises SimError naming the option, the value and what is allowed.
    """
    option = CONTRACT["options"][name]
    return _CHECKS[option["kind"]](name, value, option)


def default(name: str) -> Any:
    """What an option is when nobody names it: the opening setting, nothing, false or an empty list."""
    kinds: dict[str, Any] = {"flag": False, "list": ()}
    return start()[name] if name in start() else kinds.get(CONTRACT["options"][name]["kind"])


def names_of(option: dict[str, Any]) -> list[str]:
    """The names that an option of kind `name` may have."""
    return list(option["values"] if "values" in option else _FROM[option["from"]])


_FROM: dict[str, Iterable[str]] = {"presets": PRESETS, "models": CONTRACT["models"], "languages": CATALOGUES}


def _setting(name: str, value: Any, _: dict[str, Any]) -> Any:
    choices = CHOICES[name]["values"]
    if isinstance(choices[0], bool):
        return yes_no(name, value)
    if isinstance(choices[0], int) and choices == list(range(choices[0], choices[-1] + 1)):
        return whole(name, value, choices[0], choices[-1])
    if type(value) is not type(choices[0]) or value not in choices:
        raise SimError(name, value, "choice", choices=", ".join(map(shown, choices)))
    return value


def language_of(text: str) -> str:
    """The language that a tag names; a region is no other language here: de-AT reads de."""
    return text.lower().split("-")[0]


def _name(name: str, value: Any, option: dict[str, Any]) -> Any:
    meant = language_of(value) if name == "lang" and isinstance(value, str) else value
    if meant not in (None, "", *names_of(option)):  # an empty one is none
        raise SimError(name, value, "choice", choices=", ".join(map(shown, names_of(option))))
    return value


def _text(name: str, value: Any, option: dict[str, Any]) -> Any:
    if value is not None and (not isinstance(value, str) or _length(value) > option["most"]):
        raise SimError(name, value, "at_most_letters", most=option["most"])
    return value


def _length(text: str) -> int:
    # As the widget counts: control characters are spaces, spaces at the ends are none, 😀 is two.
    return len(CONTROL.sub(" ", text).strip(WHITE).encode("utf-16-le", "surrogatepass")) // 2


def _address(name: str, value: Any, _: dict[str, Any]) -> Any:
    if value is not None and (not isinstance(value, str) or not _leads_somewhere(value)):
        raise SimError(name, value, "web_address")
    return value


def _leads_somewhere(address: str) -> bool:
    # As a browser reads it: tabs and line ends are no part of it, a backslash is a slash.
    text = re.sub("[\t\n\r]", "", address.strip("".join(map(chr, range(33))))).replace("\\", "/")
    found = SCHEME.match(text)
    rest = text[found.end() :] if found else text
    scheme = found[1].lower() if found else "https" if text.startswith("//") else ""
    authority = re.split("[/?#]", rest.lstrip("/") if scheme != "file" else rest[2:], maxsplit=1)[0]
    if scheme in ("http", "https"):
        parts = HOST_AND_PORT.fullmatch(authority.rpartition("@")[2])
        return parts is not None and int((parts[2] or "0").lstrip("0")[:6] or "0") < 2**16 and _is_host(parts[1])
    if scheme == "file":
        drive = re.fullmatch("[a-z][:|]", authority, re.I)
        return not rest.startswith("//") or not authority or drive is not None or _is_host(authority)
    return scheme == ""


def _is_host(text: str) -> bool:
    if text.startswith("["):
        return text.endswith("]") and _is_eight(text[1:-1])
    host = ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    if not host or NOT_IN_A_HOST.search(host):
        return False
    parts = host.removesuffix(".").split(".")
    number = re.fullmatch("[0-9]+|0x[0-9a-f]*", parts[-1], re.I)
    return number is None or _is_four(parts)


def _is_four(parts: list[str]) -> bool:
    found = [PART_OF_FOUR.fullmatch(part) for part in parts]
    if len(parts) > 4 or not all(found):
        return False
    digits = [(each[1] or each[2] or each[3] or "0", 10 if each[3] else 8 if each[2] else 16) for each in found if each]
    *first, last = (int(text, base) for text, base in digits)
    return all(each < 256 for each in first) and last < 256 ** (4 - len(first))


def _is_eight(text: str) -> bool:
    halves = text.split("::")
    groups = [group for half in halves if half for group in half.split(":")]
    four = groups[-1].split(".") if groups and "." in groups[-1] and not text.endswith("::") else []
    if four:
        if len(four) != 4 or not all(re.fullmatch("0|[1-9][0-9]{0,2}", part) and int(part) < 256 for part in four):
            return False
        groups[-1:] = ["0", "0"]
    fits = len(groups) == 8 if len(halves) == 1 else len(halves) == 2 and len(groups) < 8
    return fits and all(re.fullmatch("[0-9a-f]{1,4}", group, re.I) for group in groups)


def _list(name: str, value: Any, option: dict[str, Any]) -> tuple[str, ...]:
    choices = option["values"]
    if not isinstance(value, (list, tuple)) or not all(item in choices for item in value):
        raise SimError(name, _shown_list(value), "some_of", choices=", ".join(map(shown, choices)))
    return tuple(value)


def _shown_list(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


_CHECKS: dict[str, Callable[[str, Any, dict[str, Any]], Any]] = {
    "setting": _setting,
    "name": _name,
    "text": _text,
    "address": _address,
    "list": _list,
    "flag": lambda name, value, _: yes_no(name, value),
}
