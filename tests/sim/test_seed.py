"""The reference against a second model, written from the lesson's description alone."""

import random
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context

import pytest

from poolroom import describe
from poolroom.facts import CAPS, CHATS, LONGEST, SHARES
from tests.sim import seed_model
from tests.sim.tools import BROWSER

Setting = tuple[int, int, int, bool]
PAIRS = list(zip(CHATS["prompts"], CHATS["replies"], strict=True))


def difference(setting: Setting) -> str:
    """Say how the two models differ at one setting; empty where they do not."""
    share, longest, cap, reserved = setting
    expected = seed_model.describe(PAIRS, share, longest, cap, reserved)
    found = describe(share, longest, cap, reserved)
    wrong = [f"{key}: {found[key]!r}, not {expected[key]!r}" for key in expected if found[key] != expected[key]]
    return f"{setting}: {'; '.join(wrong)}" if wrong else ""


def differences(settings: Iterable[Setting]) -> list[str]:
    """Every difference, worked out on all processors; a browser's Python has one."""
    if BROWSER:
        return [text for text in map(difference, settings) if text]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        return [text for text in workers.map(difference, settings, chunksize=8) if text]


def sample() -> list[Setting]:
    """60 settings: every length with every cap, shares spread over the whole range, half of them set aside."""
    rng = random.Random(60)
    settings = []
    for i, (longest, cap) in enumerate(product(LONGEST, CAPS)):
        share = rng.choice(SHARES[i % 3 * 23 : i % 3 * 23 + 23])
        settings.append((share, longest, cap, (i + i // 10) % 2 == 1))
    return settings


def test_both_models_say_the_same_on_a_sample(tell: Callable[[str], None]) -> None:
    """Rule: describe() gives the lesson's sentences, whatever the clock is made of. In a browser every fifth does."""
    settings = sample()[:: 5 if BROWSER else 1]
    assert differences(settings) == []
    started = sum(describe_starts(*setting[:2]) for setting in settings)
    assert started >= len(settings) * 2 // 3
    tell(f"second model: {len(settings)} settings, {started} of them start, 0 differences")


def describe_starts(share: int, longest: int) -> bool:
    """Whether the second model starts there."""
    return seed_model.parts(share)[2] >= seed_model.needed(longest)


@pytest.mark.full
def test_both_models_say_the_same_everywhere(tell: Callable[[str], None]) -> None:
    """Rule: the same on all 8,280 settings that the widget offers."""
    settings = list(product(SHARES, LONGEST, CAPS, (False, True)))
    assert len(settings) == 8_280
    assert differences(settings) == []
    tell(f"second model: all {len(settings)} settings, 0 differences")


def test_the_second_model_knows_the_opening_sentences() -> None:
    """Rule: the second model is itself held to the lesson's own words."""
    shown = seed_model.describe(PAIRS, 90, 8_000, 64, False)
    assert shown["run"] == (
        "Running on average: 62 chats (up to 64). Everyone together: 1,202 tokens a second. "
        "One user waits 47.3 ms between words."
    )


def test_the_second_model_knows_a_starved_setting() -> None:
    """Rule: it pauses and rebuilds as the lesson says, in the worst setting of all."""
    assert difference((30, 4_000, 512, False)) == ""
    assert "paused to free room" in str(seed_model.describe(PAIRS, 30, 4_000, 512, False)["extra"])
