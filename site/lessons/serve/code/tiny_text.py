"""The text that the tiny model learns: docstrings of the installed Python, and small chats written here.

Docstrings are read from the interpreter's own standard library when the model is made (PSF licence); none is copied
into this folder. A document belongs to the held-out part by its hash, so the same documents are always left out.
"""

import ast
import sysconfig
from hashlib import blake2b
from pathlib import Path

HELD_OUT_ONE_IN = 20  # documents

ANSWERS = {
    "What is a token?": "A token is a piece of text, often a part of a word. The model reads and writes tokens.",
    "What is a batch?": "A batch is a group of prompts that the model works on in the same step.",
    "Why do servers batch?": "One step reads all weights once. A batch shares that read among many prompts.",
    "What is the window?": "The window is the time that a job waits for others before its batch starts.",
    "What is a cache?": "A cache keeps what was made before, so that it need not be made again.",
    "What is the KV cache?": "The KV cache keeps the keys and values of all tokens so far. It grows with every token.",
    "What is TTFT?": "TTFT is the time to the first token. It has the wait in the queue and the prefill in it.",
    "What is TPOT?": "TPOT is the time for each token after the first. It is the pace of the reply.",
    "What is a queue?": "A queue is a line of jobs that wait for their turn. The first that came is the first served.",
    "What does full mean?": "A full queue takes no more jobs. The server then asks the client to come back later.",
    "What is a prompt?": "A prompt is the text that you give to the model. The model goes on from its end.",
    "What are weights?": "Weights are the numbers that the model has learned. Every step reads all of them.",
    "What is four bit?": "Four bit weights take a quarter of the memory of sixteen bit weights, and lose a little.",
    "What is perplexity?": "Perplexity tells how much a text surprises the model. Lower is better.",
    "What is prefill?": "Prefill is the first step. It reads the whole prompt at once and writes the first token.",
    "What is decoding?": "Decoding writes one token a step, and each step needs the one before.",
    "Hello!": "Hello! How can I help you?",
    "Who are you?": "I am a tiny model. I was made in a minute, so I know very little.",
    "Thank you.": "You are welcome.",
    "Write a long story.": "Once there was a small server. Every day it read its weights, and every day the queue was "
    "long. One day a batch came by and said: come with me, we can share the read. So they went together, and the queue "
    "grew short. The server was glad. At night it counted its tokens, and slept until the next job came.",
}
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
           "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]
THINGS = {"sky": "blue", "grass": "green", "snow": "white", "night": "black", "sun": "yellow", "rose": "red",
          "leaf": "green", "sea": "blue", "coal": "black", "milk": "white", "lemon": "yellow", "cherry": "red"}


def chats() -> list[tuple[str, str]]:
    """Return every pair of question and answer, in one fixed order."""
    pairs = list(ANSWERS.items()) * 6
    for first in range(len(NUMBERS)):
        pairs.append((f"Count to {NUMBERS[first]}.", ", ".join(NUMBERS[: first + 1]) + "."))
        for second in range(len(NUMBERS) - first):
            total = NUMBERS[first + second]
            pairs.append((f"What is {NUMBERS[first]} and {NUMBERS[second]}?", f"It is {total}."))
    for thing, colour in THINGS.items():
        pairs += [(f"What colour is the {thing}?", f"The {thing} is {colour}."),
                  (f"Is the {thing} {colour}?", f"Yes, the {thing} is {colour}."),
                  (f"Name something {colour}.", f"The {thing}.")]
    return pairs


def documents() -> list[str]:
    """Return the docstrings of the standard library's top modules and packages, each once, in the order of names."""
    library = Path(sysconfig.get_paths()["stdlib"])
    files = sorted(library.glob("*.py")) + [file for name in ("asyncio", "collections", "email", "json", "logging")
                                            for file in sorted((library / name).glob("*.py"))]
    found: dict[str, None] = {}  # a dict keeps order and drops what comes twice
    for file in files:
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node) or ""
                if len(text) >= 60 and text.isascii():
                    found[text] = None
    return list(found)


def is_held_out(text: str) -> bool:
    """Say by the text's hash whether it is kept from training."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") % HELD_OUT_ONE_IN == 0
