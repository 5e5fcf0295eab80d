"""Make a tiny language model of the Qwen2 family on this computer: enough to try the server without a download.

    python make_tiny_model.py --out build/tiny-model

The folder then works as a model's name: SERVE_MODEL=build/tiny-model uvicorn server:app
"""

import argparse
import math
import os
import platform
import sys
import tempfile
import time
from collections import Counter
from hashlib import blake2b
from pathlib import Path

import tokenizers
import torch
import transformers
from tiny_text import chats, documents, is_held_out
from transformers import GenerationConfig, Qwen2Config, Qwen2ForCausalLM, Qwen2Tokenizer

VOCABULARY = 1000  # tokens
CONTEXT = 2048  # tokens
STEPS = 320
BATCH, LENGTH = 8, 256  # rows, tokens a row
PEAK_RATE = 4e-3
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def make_tokenizer(texts: list[str]) -> Qwen2Tokenizer:
    """Train a byte-level BPE tokenizer by Qwen2's rules, so that any text can be written in its tokens."""
    tokenizer = Qwen2Tokenizer().train_new_from_iterator(
        texts, VOCABULARY, new_special_tokens=list(SPECIAL[1:]), show_progress=False)
    tokenizer.eos_token, tokenizer.pad_token = SPECIAL[2], SPECIAL[0]
    tokenizer.model_max_length, tokenizer.chat_template = CONTEXT, CHAT_TEMPLATE
    return tokenizer


def make_model(tokenizer: Qwen2Tokenizer) -> Qwen2ForCausalLM:
    """Build the untrained network: four layers, four heads that share two pairs of keys and values."""
    end, _, stop = tokenizer.convert_tokens_to_ids(list(SPECIAL))
    config = Qwen2Config(vocab_size=len(tokenizer), hidden_size=128, intermediate_size=512, num_hidden_layers=4,
                         num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=CONTEXT,
                         tie_word_embeddings=True, bos_token_id=end, eos_token_id=stop, pad_token_id=end)
    model = Qwen2ForCausalLM(config)
    model.generation_config = GenerationConfig(bos_token_id=end, eos_token_id=[stop, end], pad_token_id=end)
    return model


def training_tokens(tokenizer: Qwen2Tokenizer, texts: list[str]) -> torch.Tensor:
    """Return one long row of tokens: chats strewn evenly among the documents, each ended as a server expects it."""
    pieces = [text + SPECIAL[0] for text in texts]
    rendered = [tokenizer.apply_chat_template([{"role": "user", "content": question},
                                               {"role": "assistant", "content": answer}], tokenize=False) + SPECIAL[0]
                for question, answer in chats()]
    order = torch.randperm(len(pieces) + 2 * len(rendered)).tolist()
    mixed = pieces + 2 * rendered
    return torch.tensor(tokenizer("".join(mixed[place] for place in order)).input_ids)


def learning_rate(step: int) -> float:
    """Rise for twenty steps, then fall along half a cosine to a twentieth."""
    if step < 20:
        return PEAK_RATE * (step + 1) / 20
    return PEAK_RATE * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * (step - 20) / (STEPS - 20))))


def train(model: Qwen2ForCausalLM, tokens: torch.Tensor) -> None:
    """Show the model random pieces of the row; print the loss now and then."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, betas=(0.9, 0.95), weight_decay=0.1)
    model.train()
    for step in range(STEPS):
        starts = torch.randint(len(tokens) - LENGTH, (BATCH,)).tolist()
        rows = torch.stack([tokens[start : start + LENGTH] for start in starts])
        loss = model(input_ids=rows, labels=rows).loss
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if step % 40 == 0 or step == STEPS - 1:
            print(f"step {step:>4} of {STEPS}  loss {loss.item():.3f}", flush=True)
    model.eval()


@torch.inference_mode()
def perplexities(model: Qwen2ForCausalLM, known: torch.Tensor, held_out: torch.Tensor) -> tuple[float, float]:
    """Return the held-out perplexity of the model, and of counting how often each token comes (unigram)."""
    rows = held_out[: len(held_out) // LENGTH * LENGTH].view(-1, LENGTH)
    losses = [model(input_ids=row[None], labels=row[None]).loss.item() for row in rows]  # equal rows: plain mean
    counts = Counter(known.tolist())
    total = len(known) + VOCABULARY  # each token is counted once more than seen, so none is impossible
    surprise = -sum(math.log((counts[token] + 1) / total) for token in held_out.tolist()) / len(held_out)
    return math.exp(sum(losses) / len(losses)), math.exp(surprise)


def stamp() -> str:
    """Return what the model depends on: these two scripts, the libraries, and the Python whose docstrings it reads."""
    folder = Path(__file__).resolve().parent
    scripts = b"".join((folder / name).read_bytes() for name in ("make_tiny_model.py", "tiny_text.py"))
    versions = (f"python {platform.python_version()} torch {torch.__version__} "
                f"transformers {transformers.__version__} tokenizers {tokenizers.__version__}")
    return f"{blake2b(scripts, digest_size=16).hexdigest()} {versions}\n"


def is_made(out: Path) -> bool:
    """Say whether the folder holds the model that these scripts would make."""
    mark = out / "stamp.txt"
    return mark.is_file() and mark.read_text() == stamp()


def make(folder: Path) -> None:
    """Train tokenizer and model, and save all of it into the folder."""
    began = time.perf_counter()
    torch.manual_seed(0)
    texts = documents()
    known = [text for text in texts if not is_held_out(text)]
    held_out = "\n\n".join(text for text in texts if is_held_out(text))
    tokenizer = make_tokenizer([*known, *(f"{question}\n{answer}" for question, answer in chats())])
    tokens, unseen = training_tokens(tokenizer, known), torch.tensor(tokenizer(held_out).input_ids)
    model = make_model(tokenizer)
    print(f"{model.num_parameters():,} weights, {len(tokens):,} tokens to learn from, {len(unseen):,} held out")
    train(model, tokens)
    of_model, of_counts = perplexities(model, tokens, unseen)
    print(f"held-out perplexity {of_model:.1f}; by counting tokens alone {of_counts:.1f}")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "held_out.txt").write_text(held_out)
    (folder / "stamp.txt").write_text(stamp())
    print(f"made in {time.perf_counter() - began:.0f} s")


def make_once(out: Path) -> bool:
    """Make the model unless it is there already; a half-made one never stands under its name. True if it was made."""
    if is_made(out):
        return False
    if out.exists() and not (out / "stamp.txt").is_file():
        raise FileExistsError(f"--out {out} exists and is not a tiny model: name another folder")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as temporary:
        new, old = Path(temporary, "new"), Path(temporary, "old")
        new.mkdir()
        make(new)
        if out.exists():
            out.rename(old)
        new.rename(out)
    return True


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("build/tiny-model"), help="folder (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="threads for training (default: %(default)s)")
    options = parser.parse_args()
    if not 1 <= options.threads <= (os.cpu_count() or 1):
        parser.error(f"--threads {options.threads}: allowed are 1 to {os.cpu_count()}")
    torch.set_num_threads(options.threads)
    try:
        made = make_once(options.out)
    except OSError as error:
        print(f"make_tiny_model: {error}", file=sys.stderr)
        return 1
    print(f"{options.out}: {'made' if made else 'already there, nothing to do'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
