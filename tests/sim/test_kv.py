"""The KV cache: the lesson's figures, both meanings of GB, whole numbers to the last byte, and what is refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolroom import SimError
from poolroom.facts import CARD, MODEL
from poolroom.kv import GB, GIB, kv_bytes_per_token, room_bytes, sequence_bytes, sequences_that_fit
from poolroom.kv_words import MOST_GB, fits_by_reading
from poolroom.quantise import footprint
from poolroom.serving_facts import TOOLS, figure, opening
from poolroom.tools import answer, answer_lines
from poolroom.words import whole_number

NOT_WHOLE = [True, False, 8.0, 0.5, -1, float("nan"), float("inf"), None, "8", "", [8], {}, 2**53]
MODELS = {
    "Qwen2.5-0.5B": ((24, 2, 64, 2), 12_288),
    "Qwen2.5-7B": ((28, 4, 128, 2), 57_344),
    "Llama-2-7B, MHA": ((32, 32, 128, 2), 524_288),
    "Llama-3.1-8B, GQA": ((32, 8, 128, 2), 131_072),
    "Llama-3.1-70B": ((80, 8, 128, 2), 327_680),
    "Llama-3.1-8B, 8 bits a value": ((32, 8, 128, 1), 65_536),
}


def lines(**settings: Any) -> dict[str, str]:
    """What the tool says, by name."""
    return answer("kv", settings)["lines"]


def fits(**settings: Any) -> dict[str, int]:
    """Sequences by reading of GB."""
    return fits_by_reading({**opening("kv"), **settings})


def test_the_lessons_token_and_sequence() -> None:
    """Rule: 2 × 32 × 8 × 128 × 2 bytes are 128.0 KiB a token, and 4,096 tokens are half a GiB, to the byte."""
    assert kv_bytes_per_token(32, 8, 128) == kv_bytes_per_token(32, 8, 128, 2) == 128 * 1024
    assert sequence_bytes(131_072, 4_096) == 2**29
    assert "*128.0 KiB*" in lines()["token"]
    assert lines()["sequence"] == "A sequence keeps 4,096 times that: *0.5 GiB*, or 536.9 MB."


def test_the_lessons_room() -> None:
    """Rule: (80 − 16 − 4) × 2^30 ÷ half a GiB = 120; with 10^9, 111.76 sequences, of which 111 are whole."""
    assert sequences_that_fit(room_bytes(80 * GIB, 16 * GIB, 4 * GIB), 2**29) == 120
    assert sequences_that_fit(room_bytes(80 * GB, 16 * GB, 4 * GB), 2**29) == 111
    assert "*120 sequences* fit at once; if it means 10⁹ bytes, *111*." in lines()["fits"]


def test_the_two_meanings_mixed() -> None:
    """Rule: 85.9 − 20 of 10^9 bytes hold 122.7; 80 − 21.5 hold 109.0…: the label counts for more than the rest."""
    assert fits() == {"gib": 120, "gb": 111, "mixed": 122, "other": 109}
    assert (80 * 2**30 - 20 * 10**9) // 2**29 == 122 and (80 * 10**9 - 20 * 2**30) // 2**29 == 109
    assert "from *109* to *122* fit" in lines()["readings"]


@pytest.mark.parametrize("name", MODELS)
def test_tokens_of_real_models(name: str) -> None:
    """Rule: layers, KV heads and head size as each model's config.json has them, worked by hand."""
    model, size = MODELS[name]
    assert kv_bytes_per_token(*model) == size


def test_the_figures_agree_with_the_first_lesson() -> None:
    """Rule: both lessons mean the same model and card."""
    assert kv_bytes_per_token(MODEL.layers, MODEL.kv_heads, MODEL.head_size, MODEL.value_bytes) == 131_072
    assert MODEL.kv_bytes_per_token == 131_072
    assert (CARD.memory_bytes, CARD.memory_bytes_gib) == (80 * GB, 80 * GIB)


def test_weights_on_offer_are_footprints_rounded() -> None:
    """Rule: the choices for weights are what the tool “quantise” counts for the models that its source names."""
    named = [("qwen_05b", "fp16", 1), ("llama_8b", "nf4_double", 6), ("llama_8b", "int8", 9), ("qwen_7b", "fp16", 15)]
    for model, number_format, gigabytes in [*named, ("llama_8b", "fp16", 16), ("llama_70b", "fp16", 141)]:
        total = footprint(figure("quantise", model), number_format).total_bytes
        assert whole_number(total / GB) == gigabytes and gigabytes in TOOLS["kv"]["controls"]["weights"]["values"]


def test_every_head_of_its_own_needs_four_times_as_much() -> None:
    """Rule: 32 KV heads in place of 8: 512 KiB a token, and 30 sequences in place of 120."""
    assert "*512.0 KiB*" in lines(n_kv_heads=32)["token"]
    assert fits(n_kv_heads=32)["gib"] == 30 and fits(n_kv_heads=32)["gb"] == 27


def test_a_sequence_is_said_in_the_unit_that_shows_it() -> None:
    """Rule: from half a GiB on in GiB, below in MiB."""
    assert "*511.9 MiB*" in lines(tokens=4_095)["sequence"]
    assert "*0.5 GiB*" in lines(tokens=4_096)["sequence"]
    assert "*16.0 GiB*, or 17,179.9 MB" in lines(tokens=131_072)["sequence"]


def test_cards_that_are_too_small() -> None:
    """Rule: weights without room and room without a sequence are told apart; a mix of meanings may still fit some."""
    assert lines(card=16)["fits"].startswith("All counted alike, weights and the rest need the whole 16 GB or more")
    assert lines(card=20)["fits"].endswith("*no sequence fits*.")
    assert lines(card=24, tokens=131_072)["fits"] == (
        "Weights and the rest leave 4 of 24 GB: too little for one sequence, *none fits*."
    )
    assert set(fits(card=8).values()) == {0}
    assert lines(card=8)["readings"].endswith("it makes no difference here.")
    assert fits(card=20) == {"gib": 0, "gb": 0, "mixed": 2, "other": 0}
    assert "from *0* to *2* fit" in lines(card=20)["readings"]


def test_exactly_one_fits() -> None:
    """Rule: room for one sequence to the byte holds it; of one byte more there is none; one is said as one."""
    assert [sequences_that_fit(size, 2**29) for size in (2**29 - 1, 2**29, 2**30 - 1, 2**30)] == [0, 1, 1, 2]
    said = lines(card=36, tokens=131_072)["fits"]
    assert said.endswith("*1 sequence* fits; if it means 10⁹ bytes, *0*.")


def test_bars() -> None:
    """Rule: the card in GiB with what is on it, one sequence beside it, and the four counts."""
    rows = answer("kv", {})["rows"]
    assert [row["amount"] for row in rows] == [80.0, 16.0, 4.0, 60.0, 0.5, 120.0, 111.0, 122.0, 109.0]
    assert len({row["group"] for row in rows}) == 2
    assert [row["text"] for row in rows[4:6]] == ["0.5 GiB", "120"]
    assert [row["amount"] for row in answer("kv", {"card": 8})["rows"]][3] == 0.0


def test_all_lines_are_read_in_order() -> None:
    """Rule: a token, a sequence, how many fit, and what GB means."""
    assert [line.split()[0] for line in answer_lines("kv", {})] == ["Each", "A", "Weights", "Card"]


@given(st.integers(1, 2**26), st.integers(1, 2**26), st.integers(0, 2**26))
def test_what_fits_fits_and_one_more_does_not(each: int, count: int, rest: int) -> None:
    """Rule: floor by whole numbers: count × size ≤ room < (count + 1) × size."""
    room = each * count + rest % each
    assert sequences_that_fit(room, each) == count
    assert sequences_that_fit(each * count - 1, each) == count - 1


@given(st.integers(1, MOST_GB), st.integers(0, MOST_GB), st.integers(0, MOST_GB), st.integers(1, 2**20))
def test_readings_keep_their_order(card: int, weights: int, reserve: int, tokens: int) -> None:
    """Rule: a larger label and a smaller rest never hold less: mixed ≥ GiB ≥ GB ≥ other."""
    counts = fits(card=card, weights=weights, reserve=reserve, tokens=tokens)
    assert counts["mixed"] >= counts["gib"] >= counts["gb"] >= counts["other"] >= 0


@given(st.integers(0, 2**52), st.integers(0, 2**51), st.integers(0, 2**51))
def test_room_is_what_is_left(card: int, weights: int, reserve: int) -> None:
    """Rule: card − weights − reserve, never below 0."""
    assert room_bytes(card, weights, reserve) == max(0, card - weights - reserve)


@pytest.mark.parametrize("value", [*NOT_WHOLE, 0])
def test_models_and_lengths_that_are_none(value: Any) -> None:
    """Rule: layers, heads, head size, bytes, tokens and the card are whole numbers from 1, named when they are not."""
    for key in ("n_layers", "n_kv_heads", "head_dim", "dtype_bytes", "tokens", "card"):
        with pytest.raises(SimError) as caught:
            answer("kv", {key: value})
        assert caught.value.setting == key and caught.value.allowed in ("whole_from", "whole_between")
    for place, key in enumerate(("n_layers", "n_kv_heads", "head_dim", "dtype_bytes")):
        with pytest.raises(SimError, match=f"^{key} is .*, but must be a whole number from 1"):
            kv_bytes_per_token(*[value if i == place else 2 for i in range(4)])


@pytest.mark.parametrize("value", NOT_WHOLE)
def test_sizes_that_are_none(value: Any) -> None:
    """Rule: weights and the rest are whole numbers from 0."""
    for key in ("weights", "reserve"):
        with pytest.raises(SimError, match=f"^{key} is .*, but must be a whole number from 0 to {MOST_GB}"):
            answer("kv", {key: value})
    with pytest.raises(SimError, match=r"^room is "):
        sequences_that_fit(value, 1)
    assert answer("kv", {"weights": 0, "reserve": 0})


def test_what_cannot_be_counted() -> None:
    """Rule: the factor that carries a product past 2^53 − 1 is named, and so is a card that is too large."""
    most = 2**53 - 1
    cases = [((2**52, 1, 1, 1), "n_layers"), ((2**51, 2, 1, 1), "n_kv_heads"), ((2**40, 1, 2**12, 1), "head_dim")]
    for arguments, setting in [*cases, ((2**50, 1, 1, 4), "dtype_bytes")]:
        with pytest.raises(SimError, match=f"^{setting} is .*, but must be at most {most}"):
            kv_bytes_per_token(*arguments)
    with pytest.raises(SimError, match=f"^tokens is .*, but must be at most {most}"):
        answer("kv", {"tokens": 2**36})
    with pytest.raises(SimError, match=f"^reserve is .*, but must be at most {most}"):
        room_bytes(0, most, 1)
    with pytest.raises(SimError, match=f"^card is {MOST_GB + 1}, but must be a whole number from 1 to {MOST_GB}"):
        answer("kv", {"card": MOST_GB + 1})
    assert answer("kv", {"card": MOST_GB, "weights": MOST_GB, "reserve": MOST_GB, "tokens": 2**35})
