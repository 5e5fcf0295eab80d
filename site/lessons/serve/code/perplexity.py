"""Perplexity of a model over a text that it never saw, read through a sliding window.

    python perplexity.py --model Qwen/Qwen2.5-0.5B-Instruct --text held_out.txt --window 1024 --stride 512

Every token but the first of the text is predicted once, by at least window − stride tokens before it (by all there
are, at the beginning). A small stride gives each token more to go by, and takes longer.
"""

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel


@dataclass(frozen=True)
class Span:
    """Tokens `begin` to `end` are read; the predictions of `counted` to `end` are counted."""

    begin: int
    counted: int
    end: int

    @property
    def shape(self) -> tuple[int, int]:
        """Tokens read and tokens counted; spans of one shape fit into one batch."""
        return self.end - self.begin, self.end - self.counted


def spans(tokens: int, window: int, stride: int) -> list[Span]:
    """Windows over a text. Each counts what the one before did not reach, so none is counted twice and none is lost."""
    if tokens < 2:
        raise ValueError(f"the text has {tokens} tokens; at least 2 are needed, since the first has no prediction")
    if window < 2:
        raise ValueError(f"window {window}: allowed are numbers from 2")
    if not 1 <= stride < window:
        raise ValueError(f"stride {stride}: allowed are 1 to window − 1 = {window - 1}, since nothing inside a window "
                         "predicts its first token")
    found = [Span(0, 1, min(window, tokens))]
    while found[-1].end < tokens:
        begin, reached = found[-1].begin + stride, found[-1].end
        found.append(Span(begin, reached, min(begin + window, tokens)))
    return found


def batches(windows: Sequence[Span], batch: int) -> Iterator[list[Span]]:
    """Neighbours of one shape, at most so many at once."""
    for _, alike in groupby(windows, key=lambda span: span.shape):
        group = list(alike)
        yield from (group[start : start + batch] for start in range(0, len(group), batch))


@torch.inference_mode()
def surprise(model: PreTrainedModel, ids: torch.Tensor, group: Sequence[Span]) -> float:
    """Sum of −log p, in nats, over the counted tokens of some windows of one shape."""
    counted = group[0].shape[1]
    rows = torch.stack([ids[span.begin : span.end] for span in group]).to(model.device)  # windows × tokens
    # Only these places need the wide layer over the whole vocabulary: each predicts the token after it.
    logits = model(input_ids=rows, use_cache=False, logits_to_keep=counted + 1).logits[:, :-1]
    return torch.nn.functional.cross_entropy(logits.float().flatten(0, 1), rows[:, -counted:].flatten(),
                                             reduction="sum").item()


def perplexity(model: PreTrainedModel, ids: torch.Tensor, window: int = 1024, stride: int = 512, batch: int = 1,
               ) -> tuple[float, int]:
    """Perplexity, and how many tokens were predicted: e to the mean surprise of a token, whatever its window's size."""
    total = sum(surprise(model, ids, group) for group in batches(spans(len(ids), window, stride), batch))
    return math.exp(total / (len(ids) - 1)), len(ids) - 1


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="perplexity.py", description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="Qwen/Qwen2.5-0.5B-Instruct", help="name or folder (default: %(default)s)")
    parser.add_argument("--text", type=Path, required=True, help="file with the text")
    parser.add_argument("--window", type=int, default=1024, help="tokens read at once (default: %(default)s)")
    parser.add_argument("--stride", type=int, help="tokens from window to window (default: half a window)")
    parser.add_argument("--batch", type=int, default=1, help="windows at once (default: %(default)s)")
    options = parser.parse_args(words)
    options.stride = options.window // 2 if options.stride is None else options.stride
    if options.batch < 1:
        parser.error(f"--batch {options.batch}: allowed are numbers from 1")
    if not options.text.is_file():
        parser.error(f"--text {options.text}: there is no such file")
    return options


def main(words: Sequence[str]) -> int:
    """Run the command line."""
    options = parse(words)
    model = AutoModelForCausalLM.from_pretrained(options.model, dtype="auto").eval()
    text = options.text.read_text("utf-8")
    ids = AutoTokenizer.from_pretrained(options.model)(text, return_tensors="pt", verbose=False).input_ids[0]
    longest, began = model.config.max_position_embeddings, time.perf_counter()
    try:
        if options.window > longest:
            raise ValueError(f"window {options.window}: the model reads at most {longest} tokens")
        value, counted = perplexity(model, ids, options.window, options.stride, options.batch)
    except ValueError as error:
        print(f"perplexity: {error}", file=sys.stderr)
        return 1
    print(f"perplexity {value:.3f} over {counted} tokens, window {options.window}, stride {options.stride}, "
          f"in {time.perf_counter() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
