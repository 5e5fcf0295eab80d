"""Footprints by number format: known counts of parameters, constants to the byte, and what stays in 16 bit."""

from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolroom import SimError
from poolroom.facts import MODEL
from poolroom.quantise import (
    FORMATS,
    MOST_LAYERS,
    MOST_WIDTH,
    Shape,
    footprint,
    left_parameters,
    matrices,
    quantised_parameters,
)
from poolroom.quantise_words import BITS, decimals
from poolroom.serving_facts import TOOLS, figure
from poolroom.tools import answer

MODELS = TOOLS["quantise"]["controls"]["model"]["values"]
KNOWN = {"qwen_05b": 494_032_768, "qwen_7b": 7_615_616_512, "llama_8b": 8_030_261_248, "llama_70b": 70_553_706_496}
"""Parameters that the safetensors of each model hold, as its page on Hugging Face shows them (2026-12-01)."""
TINY: Shape = {
    **{"vocabulary": 5, "hidden": 3, "intermediate": 4, "layers": 2, "heads": 3, "kv_heads": 1, "head_size": 1},
    **{"biases": True, "tied": True},
}
NOT_WHOLE = [True, False, 8.0, 0.5, -1, 0, float("nan"), float("inf"), None, "8", "", [8], {}, 2**53]
WIDTHS = st.integers(1, 400)


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """Small models of any shape."""
    vocabulary, hidden, intermediate, layers, size = (draw(WIDTHS) for _ in range(5))
    heads, kv_heads, biases, tied = draw(WIDTHS), draw(WIDTHS), draw(st.booleans()), draw(st.booleans())
    return {
        **{"vocabulary": vocabulary, "hidden": hidden, "intermediate": intermediate, "layers": layers},
        **{"heads": heads, "kv_heads": kv_heads, "head_size": size, "biases": biases, "tied": tied},
    }


def shape_of(model: str) -> Shape:
    """The sizes of one of the models on offer."""
    shape: Shape = figure("quantise", model)
    return shape


def lines(**settings: Any) -> dict[str, str]:
    """What the tool says, by name."""
    return answer("quantise", settings)["lines"]


def bits_a_weight(number_format: str, model: str = "llama_8b") -> Fraction:
    """Bits of constants for each quantised weight."""
    shape = shape_of(model)
    return Fraction(8 * footprint(shape, number_format).constants_bytes, quantised_parameters(shape))


@pytest.mark.parametrize("model", MODELS)
def test_parameters_add_up_to_the_known_count(model: str) -> None:
    """Rule: matrices, tables, norms and biases together are exactly what the published weights hold."""
    shape = shape_of(model)
    assert quantised_parameters(shape) + left_parameters(shape) == KNOWN[model]
    assert set(KNOWN) == set(MODELS)


def test_the_count_agrees_with_the_first_lesson() -> None:
    """Rule: both lessons mean the same Llama-3.1-8B."""
    shape = shape_of("llama_8b")
    assert footprint(shape, "fp16").total_bytes == MODEL.weights_bytes == 2 * MODEL.parameters
    assert (shape["layers"], shape["kv_heads"], shape["head_size"]) == (MODEL.layers, MODEL.kv_heads, MODEL.head_size)


def test_a_tiny_model_by_hand() -> None:
    """Rule: 3×3, twice 1×3, 3×3, twice 4×3, 3×4 are 60 in a layer; 15 of the table, 2 × (6 + 5) and 3 are left."""
    assert matrices(TINY) == [(3, 3), (1, 3), (1, 3), (3, 3), (4, 3), (4, 3), (3, 4)]
    assert (quantised_parameters(TINY), left_parameters(TINY)) == (120, 40)
    assert left_parameters({**TINY, "tied": False}) == 55
    assert left_parameters({**TINY, "biases": False}) == 30


def test_formats_of_a_tiny_model_by_hand() -> None:
    """Rule: 9, 3, 3, 9, 12, 12, 12 weights; 19 rows; odd counts fill their last half byte, small ones a block."""
    found = {name: footprint(TINY, name) for name in FORMATS}
    assert {name: each.quantised_bytes for name, each in found.items()} == {
        **{"fp16": 240, "int8": 120, "fp8": 120},
        **{"nf4": 2 * (5 + 2 + 2 + 5 + 6 + 6 + 6), "nf4_double": 64},
    }
    assert {name: each.constants_bytes for name, each in found.items()} == {
        **{"fp16": 0, "int8": 2 * 4 * 19, "fp8": 2 * 4 * 7, "nf4": 2 * 4 * 7, "nf4_double": 2 * 7 * (1 + 4)},
    }
    assert {each.left_bytes for each in found.values()} == {80}


def test_constants_of_nf4_take_half_a_bit_and_double_quantisation_an_eighth() -> None:
    """Rule: 32 ÷ 64 = 0.5 bits; 8 ÷ 64 + 32 ÷ (64 × 256) = 0.127 bits, as QLoRA says, section 3."""
    assert bits_a_weight("nf4") == Fraction(1, 2)
    assert bits_a_weight("nf4_double") == Fraction(8, 64) + Fraction(32, 64 * 256)
    assert "0.500 bits a weight" in lines(format="nf4")["constants"]
    assert "0.127 bits a weight" in lines(format="nf4_double")["constants"]


def test_constants_of_8_bits_are_few() -> None:
    """Rule: int8: (4,096 + 2 × 1,024 + 4,096 + 2 × 14,336 + 4,096) rows × 32 layers × 4 bytes; fp8: 7 × 32 × 4."""
    assert footprint(shape_of("llama_8b"), "int8").constants_bytes == 43_008 * 32 * 4 == 5_505_024
    assert footprint(shape_of("llama_8b"), "fp8").constants_bytes == 896
    assert lines(format="fp8", model="llama_8b")["constants"].endswith("896 bytes in all.")


def test_the_lessons_model_in_the_lessons_format() -> None:
    """Rule: 357,826,560 ÷ 2 + 5.68 MB + 2 × 136,206,208 bytes: half the parameters' bits shrink it by little over 2."""
    here = footprint(shape_of("qwen_05b"), "nf4_double")
    assert (here.quantised_bytes, here.left_bytes) == (178_913_280, 272_412_416)
    assert here.constants_bytes == 24 * (232_960 + 4 * 910)  # blocks of 64 in a layer, and blocks of 256 of those
    assert here.total_bytes == 457_004_096
    said = lines()
    assert said["footprint"].startswith(
        "Qwen2.5-0.5B in NF4, double quantisation: *0.46 GB* (0.43 GiB) for 0.49 billion"
    )
    assert "This is *2.16 times* smaller; 4 bits for every weight would be 4 times." in said["smaller"]
    assert "tied" in said["left"] and "table" not in said


def test_the_step_is_the_footprint_over_the_bandwidth() -> None:
    """Rule: 457,004,096 bytes ÷ 2.0e12 = 0.2285 ms; half the bandwidth takes twice as long."""
    assert lines()["step"].endswith("at 2,000 GB/s takes *0.23 ms*, in place of 0.49 ms.")
    assert "*0.46 ms*" in lines(bandwidth=1e12)["step"]
    assert lines(model="llama_8b", format="fp16")["step"].endswith("takes *8.03 ms*.")


def test_the_head_of_its_own_is_counted_and_its_table_named() -> None:
    """Rule: an untied model has two tables of 16 bit, of which a step reads one."""
    said = lines(model="llama_8b")
    assert "2.10 GB stay in 16 bit" in said["left"] and "the head" in said["left"]
    assert said["table"].startswith("That counts the whole embedding table")


def test_quality_is_left_to_measuring() -> None:
    """Rule: what fewer bits cost has no number here; 16 bit needs no such warning."""
    assert lines()["quality"].endswith("measure it on your own task, before and after.")
    assert not any(digit in lines()["quality"] for digit in "0123456789")
    assert not {"quality", "constants"} & lines(format="fp16").keys()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", FORMATS)
def test_bars(model: str, name: str) -> None:
    """Rule: all five formats, the chosen one marked, and its three parts, which are all of it."""
    rows = answer("quantise", {"model": model, "format": name})["rows"]
    formats, parts = rows[:5], rows[5:]
    assert [row["kind"] for row in formats] == ["good" if each == name else "plain" for each in FORMATS]
    assert [row["amount"] for row in formats] == sorted((row["amount"] for row in formats), reverse=True)
    assert sum(row["amount"] for row in parts) == pytest.approx(formats[FORMATS.index(name)]["amount"], rel=1e-12)
    assert len({row["group"] for row in formats}) == len({row["group"] for row in parts}) == 1


@given(shapes(), st.sampled_from(FORMATS))
def test_every_byte_is_counted_once(shape: Shape, name: str) -> None:
    """Rule: by fractions: bits of each matrix rounded up to bytes, and the constants of its own blocks."""
    here = footprint(shape, name)
    weights = [rows * columns for rows, columns in matrices(shape)]
    assert here.quantised_bytes == shape["layers"] * sum(ceil(Fraction(n * BITS[name], 8)) for n in weights)
    assert here.total_bytes == here.quantised_bytes + here.constants_bytes + here.left_bytes
    blocks = [ceil(Fraction(n, 64)) for n in weights]
    if name == "nf4_double":
        assert here.constants_bytes == shape["layers"] * sum(n + 4 * ceil(Fraction(n, 256)) for n in blocks)
    if name == "nf4":
        assert here.constants_bytes == shape["layers"] * 4 * sum(blocks)


@given(st.integers(0, 10**9), st.sampled_from([100, 1000]))
def test_decimals_are_exact(parts: int, scale: int) -> None:
    """Rule: a number of whole parts is shown with those parts, digit for digit."""
    shown = decimals(parts / scale, scale)
    assert Fraction(shown.replace(",", "")) == Fraction(parts, scale)
    assert len(shown.partition(".")[2]) == len(str(scale)) - 1


def test_decimals_round_halves_up() -> None:
    """Rule: floor(scale·x + 0.5) parts, zeros kept."""
    assert [decimals(x, 100) for x in (0.0, 0.125, 1.0, 1234.5)] == ["0.00", "0.13", "1.00", "1,234.50"]
    assert decimals(0.0625, 1000) == "0.063"


@pytest.mark.parametrize("value", NOT_WHOLE)
def test_sizes_that_are_none(value: Any) -> None:
    """Rule: each size is a whole number from 1 to its most, named when it is not; yes and no are no numbers."""
    for key in ("vocabulary", "hidden", "intermediate", "layers", "heads", "kv_heads", "head_size"):
        with pytest.raises(SimError) as caught:
            footprint({**TINY, key: value}, "nf4")
        assert (caught.value.setting, caught.value.allowed) == (key, "whole_between")
    if not isinstance(value, bool):
        for key in ("biases", "tied"):
            with pytest.raises(SimError, match=f"^{key} is .*, but must be true or false"):
                footprint({**TINY, key: value}, "nf4")


def test_the_largest_model_is_counted_exactly() -> None:
    """Rule: at the most of every size all bytes stay below 2^53; one more of any is refused."""
    most: Shape = {
        **{"vocabulary": MOST_WIDTH, "hidden": MOST_WIDTH, "intermediate": MOST_WIDTH, "layers": MOST_LAYERS},
        **{"heads": MOST_WIDTH, "kv_heads": MOST_WIDTH, "head_size": 1, "biases": True, "tied": False},
    }
    assert 2**52 < footprint(most, "fp16").total_bytes < 2**53
    for key in ("vocabulary", "hidden", "intermediate", "layers", "heads", "kv_heads", "head_size"):
        with pytest.raises(SimError):
            footprint({**most, key: most[key] + 1}, "fp16")


@pytest.mark.parametrize("value", ["", "FP16", "nf5", "__proto__", None, 4, True, [], ["nf4"], {}])
def test_names_that_are_none(value: Any) -> None:
    """Rule: models and formats are named with what there is."""
    for key in ("model", "format"):
        with pytest.raises(SimError, match=f"^{key} is .*, but must be one of ") as caught:
            answer("quantise", {key: value})
        assert caught.value.allowed == "choice"
    with pytest.raises(SimError, match="one of fp16, int8, fp8, nf4, nf4_double"):
        footprint(TINY, value)


@pytest.mark.parametrize("value", [0, 0.5, -1, 2**53, float("nan"), float("inf"), None, "2e12", True, [], {}])
def test_bandwidths_that_are_none(value: Any) -> None:
    """Rule: from one byte a second to 2^53 − 1."""
    with pytest.raises(SimError, match=r"^bandwidth is .*, but must be a number from 1 to 9007199254740991"):
        answer("quantise", {"bandwidth": value})
    for end in (1, 2**53 - 1):
        assert answer("quantise", {"bandwidth": end})["lines"]["step"]
