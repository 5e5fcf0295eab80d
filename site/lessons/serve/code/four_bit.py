"""A model in 4 bits: what it weighs beside what was predicted, and what it does to perplexity.

    python four_bit.py --model Qwen/Qwen2.5-0.5B-Instruct --text held_out.txt

Only the linear layers inside the blocks become 4-bit; the embedding and the head stay in 16 bits.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from bitsandbytes.nn import Linear4bit
from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig, PreTrainedModel

from perplexity import perplexity

BLOCK = 64  # weights that share one constant
GROUP = 256  # constants that share one constant of their own
WEIGHT_BYTES = 4 / 8 + 1 / BLOCK + 4 / (BLOCK * GROUP)  # 4 bits, 8 bits a block, 32 bits a group: 4.127 bits in all
SIXTEEN_BIT = torch.bfloat16


def config(compute: torch.dtype = SIXTEEN_BIT) -> BitsAndBytesConfig:
    """How weights are stored, and in which type they are multiplied after they have been read."""
    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",  # sixteen steps, spaced as normally distributed weights are
        bnb_4bit_use_double_quant=True,  # the constants of the blocks are quantised as well
        bnb_4bit_compute_dtype=compute,
    )


def load(name: str, four_bit: bool, dtype: torch.dtype = SIXTEEN_BIT) -> PreTrainedModel:
    """A model in 4 bits or in the type named, on the GPU where there is one, else on the CPU."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    quantised = {"quantization_config": config(dtype)} if four_bit else {}
    return AutoModelForCausalLM.from_pretrained(name, dtype=dtype, device_map={"": device}, **quantised).eval()


def block_weights(model: PreTrainedModel) -> int:
    """Weights of the linear layers inside the blocks: all linear layers but the head."""
    head = model.get_output_embeddings()
    return sum(layer.in_features * layer.out_features for layer in model.modules()
               if isinstance(layer, torch.nn.Linear) and layer is not head)


def predicted_bytes(model: PreTrainedModel, all_weights: int) -> float:
    """What a model of so many weights should take: 4.127 bits for those in blocks, 16 for the others."""
    quantised = block_weights(model)
    return quantised * WEIGHT_BYTES + (all_weights - quantised) * 2


def constants_bytes(model: PreTrainedModel) -> int:
    """Size of the constants of all blocks. `get_memory_footprint` leaves them out: they are no parameters.

    Ask before the first forward pass: on a CPU, that rearranges weights and constants for its own instructions.
    """
    states = [layer.weight.quant_state for layer in model.modules() if isinstance(layer, Linear4bit)]
    tensors = [tensor for state in states for tensor in (state.absmax, state.state2.absmax)]
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


@dataclass(frozen=True)
class Comparison:
    """Full precision, 16 bits and 4 bits of one model, side by side; sizes in bytes."""

    weights: int
    quantised_weights: int
    full_bytes: int
    sixteen_bit_bytes: int
    four_bit_bytes: int  # as get_memory_footprint says
    constants_bytes: int  # not in the figure above
    predicted_bytes: float
    tokens: int
    full_perplexity: float
    sixteen_bit_perplexity: float
    four_bit_perplexity: float

    @property
    def error(self) -> float:
        """How far the prediction is from the measured size, constants included: 0.01 is 1 % too much."""
        return self.predicted_bytes / (self.four_bit_bytes + self.constants_bytes) - 1

    def lines(self) -> list[str]:
        """The same for people."""
        def mib(size: float) -> str:
            return f"{size / 2**20:,.3f} MiB"

        return [
            f"weights         {self.weights:,}, of them {self.quantised_weights:,} in 4 bits",
            f"full precision  {mib(self.full_bytes)}, perplexity {self.full_perplexity:.3f}",
            f"16 bits         {mib(self.sixteen_bit_bytes)}, perplexity {self.sixteen_bit_perplexity:.3f}",
            f"4 bits          {mib(self.four_bit_bytes)} + {mib(self.constants_bytes)} of constants, "
            f"perplexity {self.four_bit_perplexity:.3f}",
            f"predicted       {mib(self.predicted_bytes)}, {self.error:+.2%}",
        ]


def compare(name: str, text: str, window: int) -> Comparison:
    """Load the model three times, one after the other, and weigh and examine each."""
    ids = AutoTokenizer.from_pretrained(name)(text, return_tensors="pt", verbose=False).input_ids[0]

    def examine(model: PreTrainedModel) -> tuple[int, float]:
        return model.get_memory_footprint(), perplexity(model, ids, window, window // 2, batch=8)[0]

    model = load(name, False, torch.float32)
    weights, full = model.num_parameters(), examine(model)
    sixteen = examine(load(name, False))
    model = load(name, True)
    quantised, constants, predicted = block_weights(model), constants_bytes(model), predicted_bytes(model, weights)
    four = examine(model)
    return Comparison(weights, quantised, full[0], sixteen[0], four[0], constants, predicted, len(ids) - 1,
                      full[1], sixteen[1], four[1])


def main(words: Sequence[str]) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="four_bit.py", description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="Qwen/Qwen2.5-0.5B-Instruct", help="name or folder (default: %(default)s)")
    parser.add_argument("--text", type=Path, required=True, help="file with the text")
    parser.add_argument("--window", type=int, default=512, help="tokens read at once (default: %(default)s)")
    options = parser.parse_args(words)
    if not options.text.is_file():
        parser.error(f"--text {options.text}: there is no such file")
    print("\n".join(compare(options.model, options.text.read_text("utf-8"), options.window).lines()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
