"""Perplexity through a sliding window: no token lost or counted twice, and equal to a computation by hand."""

import math
from pathlib import Path

import pytest
import torch
from transformers import Qwen2Config, Qwen2ForCausalLM

import perplexity
from perplexity import batches, spans


@pytest.fixture(scope="module")
def model() -> Qwen2ForCausalLM:
    """A small model that was never trained: its figures are as good as any for arithmetic."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    config = Qwen2Config(vocab_size=50, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                         num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=256)  # fmt: skip
    return Qwen2ForCausalLM(config).eval()


@pytest.fixture(scope="module")
def ids() -> torch.Tensor:
    return torch.randint(50, (101,), generator=torch.Generator().manual_seed(2))


@torch.inference_mode()
def log_p(model: Qwen2ForCausalLM, before: torch.Tensor, token: int) -> float:
    """The logarithm of one token's probability, asked for alone."""
    return model(input_ids=before[None]).logits[0, -1].double().log_softmax(-1)[token].item()


@pytest.mark.parametrize("tokens", [2, 3, 7, 8, 9, 100, 101])
@pytest.mark.parametrize(("window", "stride"), [(2, 1), (8, 1), (8, 4), (8, 7), (200, 199)])
def test_every_token_but_the_first_is_counted_once(tokens: int, window: int, stride: int) -> None:
    found = spans(tokens, window, stride)
    counted = [place for span in found for place in range(span.counted, span.end)]
    assert counted == list(range(1, tokens))
    for number, span in enumerate(found):
        assert 0 <= span.begin < span.counted < span.end <= span.begin + window
        assert number == 0 or span.counted - span.begin >= window - stride, "so much there is to go by"


def test_windows_by_hand() -> None:
    assert [(span.begin, span.counted, span.end) for span in spans(10, 4, 2)] == [
        (0, 1, 4), (2, 4, 6), (4, 6, 8), (6, 8, 10)]  # fmt: skip
    assert [(span.begin, span.counted, span.end) for span in spans(9, 4, 3)] == [(0, 1, 4), (3, 4, 7), (6, 7, 9)]


def test_a_window_over_the_whole_text_is_the_direct_computation(model: Qwen2ForCausalLM, ids: torch.Tensor) -> None:
    direct = -sum(log_p(model, ids[:place], int(ids[place])) for place in range(1, len(ids))) / 100
    for window in (101, 200):
        value, counted = perplexity.perplexity(model, ids, window, window - 1)
        assert counted == 100 and value == pytest.approx(math.exp(direct), rel=1e-5)
    loss = model(input_ids=ids[None], labels=ids[None]).loss.item()
    assert value == pytest.approx(math.exp(loss), rel=1e-5)


@pytest.mark.parametrize(("window", "stride"), [(16, 8), (16, 15), (10, 3)])
def test_each_token_has_the_context_that_its_window_gives(
    model: Qwen2ForCausalLM, ids: torch.Tensor, window: int, stride: int
) -> None:
    """The last window is shorter than the others, and its tokens weigh as much as any: no mean of means."""
    total = 0.0
    for span in spans(len(ids), window, stride):
        total -= sum(log_p(model, ids[span.begin : place], int(ids[place])) for place in range(span.counted, span.end))
    value, _ = perplexity.perplexity(model, ids, window, stride)
    assert value == pytest.approx(math.exp(total / 100), rel=1e-5)


def test_batches_of_windows_change_nothing(model: Qwen2ForCausalLM, ids: torch.Tensor) -> None:
    one, three = (perplexity.perplexity(model, ids, 16, 8, batch)[0] for batch in (1, 3))
    assert one == pytest.approx(three, rel=1e-6)
    grouped = list(batches(spans(101, 16, 8), 3))
    assert [span for group in grouped for span in group] == spans(101, 16, 8)
    assert all(len(group) <= 3 and len({span.shape for span in group}) == 1 for group in grouped)


@pytest.mark.parametrize(("words", "part"), [
    ((1, 8, 4), "the text has 1 tokens; at least 2"), ((9, 1, 1), "window 1: allowed are numbers from 2"),
    ((9, 8, 8), "stride 8: allowed are 1 to window − 1 = 7"), ((9, 8, 0), "stride 0: allowed"),
])  # fmt: skip
def test_what_cannot_be_is_refused_with_its_numbers(words: tuple, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        spans(*words)


def test_the_program(tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """A model that has learnt is surprised less by the text that it never saw than by the same words shuffled."""
    text = (tiny_model / "held_out.txt").read_text()[:6000]
    shuffled = " ".join(sorted(text.split(), key=lambda word: hash_of(word)))
    values = []
    for name, content in (("text", text), ("shuffled", shuffled)):
        (tmp_path / name).write_text(content)
        words = ["--model", str(tiny_model), "--text", str(tmp_path / name), "--window", "256", "--batch", "4"]
        assert perplexity.main(words) == 0
        values.append(float(capsys.readouterr().out.split()[1]))
    assert 1 < values[0] < 0.5 * values[1]
    assert perplexity.main(["--model", str(tiny_model), "--text", str(tmp_path / "text"), "--window", "4096"]) == 1
    assert "the model reads at most 2048 tokens" in capsys.readouterr().err


def hash_of(word: str) -> int:
    """An order that has nothing to do with the text and is the same every time."""
    return sum(ord(letter) * 31**place for place, letter in enumerate(word)) % 1009
