"""The contract's options as Python values, and a package that needs nothing until `widget` is asked for."""

import subprocess
import sys
from typing import Any

import pytest

from poolroom import SimError
from poolroom.facts import CONTRACT, PRESETS
from poolroom.options import check, default, start
from tests.sim.tools import ROOT, needs_processes

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"share": 99}, "share is 99, but must be a whole number from 30 to 98."),
    ({"share": 48.0}, "share is 48.0"),
    ({"cap": 3}, "cap is 3, but must be one of 1, 2, 4"),
    ({"cap": True}, "cap is true"),
    ({"reserved": 1}, "reserved is 1, but must be true or false."),
    ({"chats": "own"}, "chats is “own”, but must be one of “lesson”, “swapped”."),
    ({"preset": "none"}, "preset is “none”, but must be one of “opening”, "),
    ({"lock": "share"}, "lock is “share”, but must be a list of some of “share”, "),
    ({"hide": ["bar"]}, "hide is “bar”, but must be a list of some of "),
    ({"compact": "yes"}, "compact is “yes”"),
    ({"caption": "x" * 201}, "at most 200"),
    ({"caption": "😀" * 101}, "at most 200"),
    ({"group": 7}, "group is 7"),
    ({"link": "https://["}, "link is “https://[”, but must be a web address."),
    ({"about": "java\tscript:1"}, "must be a web address."),
    ({"theme": "blue"}, "theme is “blue”, but must be one of “light”, “dark”."),
    ({"model": "other"}, "model is “other”, but must be one of “lesson-1”."),
]


@pytest.mark.parametrize(("options", "words"), REFUSED, ids=lambda value: str(value)[:40])
def test_a_value_that_is_not_allowed_is_refused_by_name(options: dict[str, Any], words: str) -> None:
    """Rule: the message has the option, the value and what is allowed."""
    ((name, value),) = options.items()
    with pytest.raises(SimError) as refusal:
        check(name, value)
    assert words in str(refusal.value)
    assert refusal.value.setting == name


@pytest.mark.parametrize("address", [
    "http://", "https:///?a", "//", "\x01javascript:1", "java\nscript:1", "mailto:a@b", "data:,", "https://a b", "https://a:b",
    "https://a:65536", "https://@", "https://[::1", "https://[1::2::3]", "https://[::1.2.3.256]", "https://1.2.3.256",
    "https://1.2.3.4.5", "https://a.09", "https://a%20b", "https://a<b", "file://[", "\\\\[",
])  # fmt: skip
def test_what_no_browser_can_follow_is_no_address(address: str) -> None:
    """Rule: refused where the widget's `new URL` refuses it, or where it is no address of the web or of a file."""
    with pytest.raises(SimError, match="must be a web address"):
        check("link", address)


@pytest.mark.parametrize("address", [
    "", "?", "a b", "../c?d=e:f#g", "1:2", "//a", "HTTPS://a/b", " https:\\a", "ht\ntp://a", "https://u:p@a:80/",
    "http:a", "https://[::1]:8000/", "https://[1:2:3:4:5:6:1.2.3.4]", "https://127.1", "https://0x7f.1", "https://é.example",
    "https://%41", "file:///a", "file:a", "file://C:/a", "https://a:", "https://a/[",
])  # fmt: skip
def test_what_a_browser_can_follow_is_an_address(address: str) -> None:
    """Rule: allowed where the widget's `new URL` reads it."""
    assert check("link", address) == address


@pytest.mark.parametrize("text", ["😀" * 100, "\0" * 9 + "x" * 200 + "\t\x85", "\ufeff" + "x" * 200, "\ud800" * 200])
def test_a_caption_is_as_long_as_the_widget_counts(text: str) -> None:
    """Rule: control characters are spaces, spaces at the ends do not count, two units of UTF-16 are two."""
    assert check("caption", text) == text


@needs_processes
def test_the_package_needs_only_the_standard_library() -> None:
    """Rule: importing poolroom loads nothing of anywidget's; only `widget` does."""
    code = "import sys, poolroom; print(sorted({'anywidget', 'traitlets', 'ipywidgets'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "sim", capture_output=True, encoding="utf-8")
    assert done.stdout.strip() == "[]", done.stderr


@needs_processes
@pytest.mark.parametrize("name", ["anywidget", "traitlets"])
def test_a_missing_library_is_named(name: str) -> None:
    """Rule: one sentence says what to install."""
    code = f"import sys; sys.modules[{name!r}] = None; import poolroom; poolroom.widget"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "sim", capture_output=True, encoding="utf-8")
    last = done.stderr.strip().splitlines()[-1]
    assert last == 'ImportError: The widget in a notebook needs anywidget: pip install "poolroom[widget]".'


def test_every_option_has_a_default_that_is_allowed() -> None:
    """Rule: the contract's own defaults pass its own checks."""
    for name in CONTRACT["options"]:
        assert check(name, default(name)) == default(name)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_allowed(preset: str) -> None:
    """Rule: a preset holds settings that the widget offers."""
    for name, value in start(preset).items():
        assert check(name, value) == value
