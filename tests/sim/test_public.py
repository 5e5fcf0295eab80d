"""What the package gives to the world, and where its figures come from."""

import re
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

import poolroom
from poolroom import facts


def test_every_public_name_can_be_imported_and_is_explained() -> None:
    """Rule: __all__ is what is there, each once; each name has a docstring of a sentence."""
    assert len(set(poolroom.__all__)) == len(poolroom.__all__)
    for name in poolroom.__all__:
        value = getattr(poolroom, name)
        if callable(value):
            assert (value.__doc__ or "").strip().split("\n")[0].rstrip().endswith((".", ",", ":")), name


def test_the_version_is_a_version() -> None:
    """Rule: three numbers."""
    assert re.fullmatch(r"\d+\.\d+\.\d+", poolroom.__version__)


def test_the_seeds_names_are_public() -> None:
    """Rule: the lesson's own names, all of them."""
    seed = [
        "blocks_for",
        "memory_parts",
        "room",
        "draw_chats",
        "backlog",
        "serve",
        "room_line",
        "run_line",
        "extra_line",
        "describe",
        "sweep",
        "stops_paying",
        "Request",
    ]
    assert set(seed) <= set(poolroom.__all__)


@pytest.mark.parametrize("part", ["card", "model", "server", "chats"])
def test_every_figure_has_a_source_and_a_date(part: str) -> None:
    """Rule: a number without a source is a bug."""
    for name, figure in facts.LESSON[part].items():
        assert figure["source"], name
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", figure["checked"]), name
        assert figure.get("unit") or isinstance(figure["value"], str), name


def test_every_choice_has_an_opening_that_is_offered() -> None:
    """Rule: what a control opens with is one of its choices, and choices have a source."""
    for name, choice in facts.CHOICES.items():
        if isinstance(choice, list):  # wrong names that readers try; no figures
            continue
        assert choice["source"] and choice["checked"], name
        if "values" in choice:
            assert choice["opening"] in choice["values"], name


@pytest.mark.parametrize("record", [facts.CARD, facts.MODEL, facts.SERVER, facts.COST])
def test_facts_cannot_be_changed(record: Any) -> None:
    """Rule: facts are frozen records."""
    assert is_dataclass(record)
    with pytest.raises(AttributeError):
        setattr(record, fields(record)[0].name, 1)


def test_there_are_8280_settings() -> None:
    """Rule: 69 shares × 6 lengths × 10 caps × set aside or not."""
    assert len(facts.SHARES) * len(facts.LONGEST) * len(facts.CAPS) * 2 == 8_280
    assert list(range(30, 99)) == facts.SHARES
