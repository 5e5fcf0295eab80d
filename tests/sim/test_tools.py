"""What every tool of the second lesson has: facts in one shape, an answer to each choice, names that are refused."""

import re
from typing import Any

import pytest

from poolroom import SimError
from poolroom.checks import number_between
from poolroom.serving_facts import TOOLS, figure, opening
from poolroom.tool import one_of, said
from poolroom.tools import ANSWERS, answer, answer_lines, choice_text

NAMES = list(ANSWERS)
NO_NAMES = ["", "Floor", "floor ", "toString", "constructor", "__proto__", None, 1, True, 1.5, [], ["floor"], {}]
KINDS = {"plain", "good", "cost", "limit"}


def refusal(call: Any, *arguments: Any) -> tuple[str, str]:
    """The setting that is named and the key of what is allowed."""
    with pytest.raises(SimError) as caught:
        call(*arguments)
    assert str(caught.value).startswith(f"{caught.value.setting} is ") and ", but must be " in str(caught.value)
    return caught.value.setting, caught.value.allowed


def test_facts_and_answers_have_the_same_tools() -> None:
    """Rule: whoever has facts answers, in the same order."""
    assert list(TOOLS) == NAMES


@pytest.mark.parametrize("tool", NAMES)
def test_every_figure_has_a_source_and_a_date(tool: str) -> None:
    """Rule: each control and each figure says its unit, where it comes from and when that was looked at."""
    facts = TOOLS[tool]
    for each in [*facts["controls"].values(), *facts["figures"].values()]:
        assert each["unit"] and each["source"] and re.fullmatch(r"20\d\d-\d\d-\d\d", each["checked"])
    assert all(figure(tool, name) is each["value"] for name, each in facts["figures"].items())


@pytest.mark.parametrize("tool", NAMES)
def test_openings_are_among_the_choices(tool: str) -> None:
    """Rule: a control opens with one of its choices; each choice stands once, numbers rise, and each has a name."""
    controls, words = TOOLS[tool]["controls"], TOOLS[tool]["words"]
    assert set(controls) == set(words["controls"]) and words["title"]
    for key, control in controls.items():
        values = control["values"]
        assert control["opening"] in values and len(values) >= 2
        assert len({(type(value), value) for value in values}) == len(values)
        if not isinstance(values[0], (str, bool)):
            assert values == sorted(values)
        named = words["controls"][key]
        assert named["name"] and named["help"].endswith(".") and ("names" in named) != ("value" in named)


@pytest.mark.parametrize("tool", NAMES)
def test_every_choice_is_shown_by_a_text_of_its_own(tool: str) -> None:
    """Rule: no two choices of a control look alike, and nothing is left unfilled."""
    for key, control in TOOLS[tool]["controls"].items():
        texts = [choice_text(tool, key, value) for value in control["values"]]
        assert len(set(texts)) == len(texts) and not [text for text in texts if "{" in text or "*" in text or not text]
        assert "names" not in TOOLS[tool]["words"]["controls"][key] or len(texts) == len(
            TOOLS[tool]["words"]["controls"][key]["names"]
        )


@pytest.mark.parametrize("tool", NAMES)
def test_every_choice_is_answered(tool: str) -> None:
    """Rule: whatever the page offers has whole sentences, with at least one outcome, and bars that can be drawn."""
    for key, control in TOOLS[tool]["controls"].items():
        for value in control["values"]:
            said_here = answer(tool, {key: value})
            check_lines(said_here["lines"])
            assert said_here["rows"] or said_here["lanes"]
            for row in said_here["rows"]:
                assert row["amount"] >= 0 and row["kind"] in KINDS and row["group"] and row["name"] and row["text"]


def check_lines(lines: dict[str, str]) -> None:
    """Fail where a sentence is not whole."""
    text = " ".join(lines.values())
    assert text.count("*") % 2 == 0 and text.count("*") >= 2
    assert "{" not in text and "nan" not in text and "None" not in text
    assert all(line.endswith((".", ".*")) for line in lines.values() if line)
    assert not re.search(r"\b1 (chats|tokens|sequences|requests|layers|seconds)\b", text), text


@pytest.mark.parametrize("tool", NAMES)
def test_what_is_not_given_stands_as_it_opens(tool: str) -> None:
    """Rule: no settings, or the opening ones, are the same question; asking does not change the facts."""
    before = opening(tool)
    assert answer(tool, {}) == answer(tool, before) == answer(tool, dict(reversed(before.items())))
    assert opening(tool) == before
    assert answer_lines(tool, {}) == [line.replace("*", "") for line in answer(tool, {})["lines"].values()]


@pytest.mark.parametrize("name", NO_NAMES)
def test_names_that_are_none(name: Any) -> None:
    """Rule: an unknown tool is named with those that there are."""
    assert refusal(answer, name, {}) == ("tool", "choice")
    assert refusal(answer_lines, name, {}) == ("tool", "choice")
    assert refusal(one_of, "colour", name, ["red"]) == ("colour", "choice")


@pytest.mark.parametrize("tool", NAMES)
def test_settings_that_are_none(tool: str) -> None:
    """Rule: a setting that the tool does not have is refused with those that it has, also beside good ones."""
    for key in ("", "nonsense", "toString", "__proto__"):
        assert refusal(answer, tool, {**opening(tool), key: 1}) == (f"{tool} setting", "choice")
    with pytest.raises(SimError) as caught:
        answer(tool, {"nonsense": 1})
    assert all(key in str(caught.value) for key in opening(tool))


@pytest.mark.parametrize("tool", NAMES)
@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), float("-inf"), -1, [], {}, "nonsense", ""])
def test_values_that_no_setting_takes(tool: str, value: Any) -> None:
    """Rule: every setting of every tool refuses these, naming itself."""
    for key in opening(tool):
        assert refusal(answer, tool, {key: value})[0] == key


def test_one_of_gives_the_name_back() -> None:
    """Rule: a name that is there is itself, and a list of names is no name."""
    assert one_of("colour", "red", ["blue", "red"]) == "red"
    with pytest.raises(SimError, match=r"colour is “green”, but must be one of blue, red\."):
        one_of("colour", "green", ["blue", "red"])


def test_numbers_between() -> None:
    """Rule: both ends are allowed, a whole number becomes a double, and all else is told the range."""
    assert [number_between("share", value, 1, 9) for value in (1, 9, 4.5)] == [1.0, 9.0, 4.5]
    assert isinstance(number_between("share", 3, 1, 9), float)
    for value in (0.999, 9.001, 0, -1, True, "3", None, float("nan"), [3]):
        assert refusal(number_between, "share", value, 1, 9) == ("share", "number_between")


def test_choices_are_shown_in_their_unit() -> None:
    """Rule: a number is divided by `per`, whole where it is whole, else with one decimal, with its unit."""
    assert choice_text("floor", "parameters", 8_000_000_000) == "8 billion"
    assert choice_text("floor", "parameters", 500_000_000) == "0.5 billion"
    assert choice_text("floor", "bytes_per_weight", 0.5) == "0.5"
    assert [choice_text("floor", "batch", value) for value in (1, 8)] == ["1 chat", "8 chats"]
    assert choice_text("floor", "bandwidth", 3_350_000_000_000) == "3,350 GB/s"


def test_a_sentence_may_be_several() -> None:
    """Rule: a template is found by its path, and its terms are filled with separators."""
    assert said("floor", "rows.text", ms="8.0") == "8.0 ms"
    assert said("floor", "lines.alone", ceiling=1_234) == "One chat alone can get *1,234 tokens a second*, and no more."
