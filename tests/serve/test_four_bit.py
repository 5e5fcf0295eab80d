"""Four bits, really: bitsandbytes on this machine's processor, weighed beside the prediction."""

from pathlib import Path

import pytest
import torch
from bitsandbytes.nn import Linear4bit

import four_bit
from poolroom.quantise import Shape, footprint, left_parameters, quantised_parameters

TEXT = 6000  # characters of the held-out text


@pytest.fixture(scope="module")
def comparison(tiny_model: Path) -> four_bit.Comparison:
    torch.set_num_threads(1)
    return four_bit.compare(str(tiny_model), (tiny_model / "held_out.txt").read_text()[:TEXT], 256)


def test_the_weights_are_normal_floats_with_quantised_constants(tiny_model: Path) -> None:
    model = four_bit.load(str(tiny_model), four_bit=True)
    layers = [layer for layer in model.modules() if isinstance(layer, Linear4bit)]
    assert layers and all(layer.weight.dtype == torch.uint8 for layer in layers)
    for layer in layers:
        assert layer.weight.quant_state.quant_type == "nf4" and layer.weight.quant_state.nested
        assert layer.weight.numel() * 2 == layer.in_features * layer.out_features, "two weights a byte"
    assert model.get_output_embeddings() not in layers, "the head keeps 16 bits"
    assert model.get_input_embeddings().weight.dtype == torch.bfloat16


def test_the_footprint_is_what_was_predicted_once_constants_are_counted(comparison: four_bit.Comparison) -> None:
    assert abs(comparison.error) < 0.002
    without = comparison.predicted_bytes / comparison.four_bit_bytes - 1
    assert without > 0.01, "get_memory_footprint leaves the constants out; if it no longer does, say so on the page"


def test_the_lesson_predicts_the_same_bytes(tiny_model: Path, comparison: four_bit.Comparison) -> None:
    """`sim/poolroom/quantise.py` counts to the byte; only the angles of the rotary positions are not among weights."""
    model = four_bit.load(str(tiny_model), four_bit=True)
    config = model.config
    shape = Shape(vocabulary=config.vocab_size, hidden=config.hidden_size, intermediate=config.intermediate_size,
                  layers=config.num_hidden_layers, heads=config.num_attention_heads,
                  kv_heads=config.num_key_value_heads, head_size=config.hidden_size // config.num_attention_heads,
                  biases=True, tied=config.tie_word_embeddings)  # fmt: skip
    lesson = footprint(shape, "nf4_double")
    angles = sum(buffer.numel() * buffer.element_size() for buffer in model.buffers())
    assert lesson.constants_bytes == comparison.constants_bytes
    assert lesson.quantised_bytes + lesson.left_bytes == comparison.four_bit_bytes - angles
    assert 2 * (quantised_parameters(shape) + left_parameters(shape)) == comparison.sixteen_bit_bytes - angles


def test_bits_by_hand() -> None:
    """4 bits, 8 bits for each 64 weights, 32 bits for each 64 × 256."""
    assert four_bit.WEIGHT_BYTES * 8 == 4 + 0.125 + 32 / 16384


def test_four_bits_cost_some_perplexity_and_not_much(comparison: four_bit.Comparison) -> None:
    full, sixteen, four = (comparison.full_perplexity, comparison.sixteen_bit_perplexity,
                           comparison.four_bit_perplexity)  # fmt: skip
    assert abs(sixteen / full - 1) < 0.01
    assert 1e-4 < abs(four / full - 1) < 0.15, "quantising that changes nothing has not happened"
    assert comparison.four_bit_bytes < 0.4 * comparison.sixteen_bit_bytes < 0.25 * comparison.full_bytes


def test_the_program_prints_both_sides(tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "text").write_text((tiny_model / "held_out.txt").read_text()[:900])
    assert four_bit.main(["--model", str(tiny_model), "--text", str(tmp_path / "text"), "--window", "128"]) == 0
    said = capsys.readouterr().out
    assert [line.split()[0] for line in said.splitlines()] == ["weights", "full", "16", "4", "predicted"]
