"""`poolroom.widget()` in Python alone: its traits, its refusals and its result."""

from pathlib import Path
from typing import Any

import ipywidgets
import pytest

import poolroom
from poolroom import SimError
from poolroom.facts import CONTRACT, PRESETS
from tests.browser.widget import START
from tests.sim.test_options import REFUSED


@pytest.fixture(autouse=True)
def built(dist: Path) -> None:
    """The page's side lies in the package."""
    assert (dist / "poolroom-anywidget.js").is_file()


@pytest.mark.parametrize(("options", "words"), REFUSED, ids=lambda value: str(value)[:40])
def test_a_value_that_is_not_allowed_is_refused_by_name(options: dict[str, Any], words: str) -> None:
    """The message has setting, value and what is allowed, when it is made and when it is set."""
    with pytest.raises(SimError) as refusal:
        poolroom.widget(**options)
    assert words in str(refusal.value)
    ((name, value),) = options.items()
    made = poolroom.widget()
    with pytest.raises(SimError) as refusal:
        setattr(made, name, value)
    assert words in str(refusal.value) and made.settings == START


@pytest.mark.parametrize("name", ["seats", "address"])
def test_an_option_that_is_not_a_notebooks_is_refused(name: str) -> None:
    """The message lists those that are."""
    with pytest.raises(SimError, match=f"widget is “{name}”, but must be one of “preset”, “share”"):
        poolroom.widget(**{name: 4})


def test_a_name_that_is_no_option_cannot_be_set() -> None:
    """A slip of the pen is said, with the options; what every widget has can be set."""
    made = poolroom.widget()
    with pytest.raises(SimError, match="widget is “shar”, but must be one of “preset”, “share”"):
        made.shar = 7
    assert not hasattr(made, "shar")
    made.layout = ipywidgets.Layout(width="300px")
    made._mine = 1


def test_a_preset_named_again_is_gone_to_again() -> None:
    """Also where it was the last one named, and settings moved since; settings beside it at the start stay."""
    made = poolroom.widget(preset="half", share=60)
    assert made.share == 60
    made.preset = "half"
    assert made.settings == {**START, **PRESETS["half"]}
    assert poolroom.widget(share=60, preset=None).share == 60


def test_the_traits_are_the_contracts() -> None:
    """All options but those of a page alone; none hides a name that notebooks' widgets have."""
    made = poolroom.widget()
    wanted = {name for name, option in CONTRACT["options"].items() if option.get("trait", True)}
    assert {name for name in CONTRACT["options"] if made.has_trait(name)} == wanted
    assert not {name for name in wanted if hasattr(ipywidgets.DOMWidget, name)}
    assert "preset" not in made.keys and wanted - set(made.keys) == {"preset"}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_a_start(preset: str) -> None:
    """Settings given beside it replace its own; naming another goes there."""
    assert poolroom.widget(preset=preset).settings == {**START, **PRESETS[preset]}
    made = poolroom.widget(preset=preset, cap=2)
    assert made.settings == {**START, **PRESETS[preset], "cap": 2}
    made.preset = "half" if preset != "half" else "one"
    assert made.settings == {**START, **PRESETS[made.preset]}


@pytest.mark.parametrize("settings", [{}, {"share": 43, "longest": 128000}, {"chats": "swapped", "reserved": True}])
def test_the_result_is_the_references(settings: dict[str, Any]) -> None:
    """Words and numbers of the settings in force."""
    made = poolroom.widget(**settings)
    at = {**START, **settings}
    requests = None if at.pop("chats") == "lesson" else poolroom.chat_list("swapped")
    answer = poolroom.measure(**at, requests=requests)
    result = made.result
    assert result["schema"] == CONTRACT["schema"]
    assert {key: result[key] for key in ("room", "run", "extra")} == {
        key: poolroom.describe_measured(answer)[key] for key in ("room", "run", "extra")
    }
    assert result["page"] == poolroom.page_words(answer)
    assert result["numbers"] == {
        "room": answer.room,
        "run": answer.run,
        "first_word_seconds": answer.first_word_seconds,
    }
