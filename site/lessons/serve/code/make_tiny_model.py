"""Make a tiny language model of the Qwen2 family on this computer: enough to try the server without a download.

    python make_tiny_model.py --out build/tiny-model

The folder then works as a model's name: SERVE_MODEL=build/tiny-model uvicorn server:app
"""

import argparse
import os
import platform
import signal
import sys
import tempfile
import time
from hashlib import blake2b
from pathlib import Path

import tokenizers
import torch
import transformers

from tiny_network import make_model, make_tokenizer, perplexities, tokens_of, train, training_tokens
from tiny_text import chats, documents, is_held_out

SCRIPTS = ("make_tiny_model.py", "tiny_network.py", "tiny_text.py")


def stamp() -> str:
    """Return what the model depends on: these scripts, the libraries, and the Python whose docstrings it reads."""
    folder = Path(__file__).resolve().parent
    scripts = b"".join((folder / name).read_bytes() for name in SCRIPTS)
    versions = (f"python {platform.python_version()} torch {torch.__version__} "
                f"transformers {transformers.__version__} tokenizers {tokenizers.__version__}")
    return f"{blake2b(scripts, digest_size=16).hexdigest()} {versions}\n"


def is_made(out: Path) -> bool:
    """Say whether the folder holds the model that these scripts would make."""
    mark = out / "stamp.txt"
    return mark.is_file() and mark.read_text() == stamp()


def make(folder: Path) -> None:
    """Train tokenizer and model, and save all of it into the folder."""
    mark, began = stamp(), time.perf_counter()  # the stamp of the scripts as they are now, not when all is done
    torch.manual_seed(0)
    texts = documents()
    known = [text for text in texts if not is_held_out(text)]
    held_out = "\n\n".join(text for text in texts if is_held_out(text))
    tokenizer = make_tokenizer([*known, *(f"{question}\n{answer}" for question, answer in chats())])
    tokens, unseen = training_tokens(tokenizer, known), tokens_of(tokenizer, held_out)
    model = make_model(tokenizer)
    print(f"{model.num_parameters():,} weights, {len(tokens):,} tokens to learn from, {len(unseen):,} held out")
    train(model, tokens)
    of_model, of_counts = perplexities(model, tokens_of(tokenizer, "\n\n".join(known)), unseen)
    print(f"held-out perplexity {of_model:.1f}; by the frequency of tokens alone {of_counts:.1f}")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "held_out.txt").write_text(held_out)
    (folder / "stamp.txt").write_text(mark)
    print(f"made in {time.perf_counter() - began:.0f} s, {time.process_time():.0f} s of processor time")


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
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the temporary folder goes then, too
    try:
        made = make_once(options.out)
    except OSError as error:
        print(f"make_tiny_model: {error}", file=sys.stderr)
        return 1
    print(f"{options.out}: {'made' if made else 'already there, nothing to do'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
