"""The only reader of the shared facts: every figure, choice and sentence of both languages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

Words = Mapping[str, Any]
"""A catalogue: every sentence and number format of one language."""

FOLDER = Path(__file__).with_name("facts")
"""Where the files of the facts are."""


def load(name: str) -> Any:
    """Read one JSON file of the facts.

    Args:
        name: name of the file, without its ending

    Returns:
        What the file holds.

    Raises:
        FileNotFoundError: when there is no such file
    """
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Card:
    """A card's memory, in both readings of its label, and its best speeds.

    Attributes:
        name: name of the card
        memory_bytes: memory where GB means billions of bytes, bytes
        memory_bytes_gib: memory where the label means GiB, bytes
        bandwidth_bytes_per_second: bandwidth of the memory, bytes per second
        peak_flops_per_second: peak of arithmetic, operations per second

    Source:
        `facts/lesson.json`, with a source and a date for each figure.
    """

    name: str
    memory_bytes: int
    memory_bytes_gib: int
    bandwidth_bytes_per_second: int
    peak_flops_per_second: int


@dataclass(frozen=True, slots=True)
class Model:
    """A model's shape: how many numbers it has and what one token leaves in the cache.

    Attributes:
        name: name of the model
        parameters: numbers in the weights, parameters
        layers: layers
        kv_heads: heads whose keys and values are kept, heads a layer
        head_size: size of a head, values
        value_bytes: size of a value, bytes

    Source:
        `facts/lesson.json`, with a source and a date for each figure.
    """

    name: str
    parameters: int
    layers: int
    kv_heads: int
    head_size: int
    value_bytes: int

    @property
    def weights_bytes(self) -> int:
        """Bytes of the weights: parameters × bytes a value."""
        return self.parameters * self.value_bytes

    @property
    def kv_bytes_per_token(self) -> int:
        """Bytes of KV cache for one token: 2 (key and value) × layers × KV heads × head size × bytes a value."""
        return 2 * self.layers * self.kv_heads * self.head_size * self.value_bytes

    @property
    def flops_per_token(self) -> int:
        """Floating-point operations for one token: one multiplication and one addition a parameter."""
        return 2 * self.parameters


@dataclass(frozen=True, slots=True)
class Server:
    """The server's own figures: block size, working reserve, and the chat that `room` counts in.

    Attributes:
        block_tokens: size of a block, tokens
        reserve_bytes: working reserve, bytes
        typical_chat_tokens: length of a typical chat, tokens

    Source:
        `facts/lesson.json`, with a source and a date for each figure.
    """

    block_tokens: int
    reserve_bytes: int
    typical_chat_tokens: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What a step costs: the linear terms that `steptime` works with.

    Attributes:
        weights_bytes: read once in every memory-bound step, bytes
        kv_bytes_per_token: read for each token of context, bytes
        flops_per_token: arithmetic for each token read or written, operations
        bandwidth_bytes_per_second: speed of reading, bytes per second
        peak_flops_per_second: speed of arithmetic, operations per second
    """

    weights_bytes: float
    kv_bytes_per_token: float
    flops_per_token: float
    bandwidth_bytes_per_second: float
    peak_flops_per_second: float


def _values(part: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {key: figure["value"] for key, figure in part.items()}


def completed(words: Words, whole: Words) -> dict[str, Any]:
    """A catalogue with every key of another one: what lacks in `words` is taken from `whole`.

    Sections are looked through; a template, with all its plural forms, is taken or left as one.

    Args:
        words: a catalogue that may have gaps
        whole: a catalogue without gaps

    Returns:
        A catalogue without gaps.
    """
    lacking = {key: part for key, part in whole.items() if key not in words}
    own = {
        key: completed(part, whole[key]) if _are_sections(part, whole.get(key)) else part
        for key, part in words.items()
    }
    return own | lacking


def _are_sections(part: Any, other: Any) -> bool:
    return all(isinstance(each, dict) and "by" not in each for each in (part, other))


def _catalogues() -> dict[str, Words]:
    raw = {path.stem: load(f"words/{path.stem}") for path in sorted((FOLDER / "words").glob("*.json"))}
    return {language: completed(words, raw["en"]) for language, words in raw.items()}


LESSON = load("lesson")
"""Card, model, server and chats of the lesson: each figure with its value, unit, source and date."""
CHOICES = load("choices")
"""What each control offers and opens with, with its unit, source and date."""
CHATS = load("chats")
"""The lesson's chats: prompt and reply lengths in tokens, in order.

Source:
    Drawn once by `draw_chats`; a test draws them again.
"""
CONTRACT = load("contract")
"""What an author may write: options, events, and numbers to quote."""
PRESETS: dict[str, dict[str, Any]] = load("presets")
"""Settings with a name, by name."""
COLOURS: dict[str, dict[str, str]] = load("colours")
"""Colours of the picture, by theme; a test compares them with the widget's."""
CATALOGUES: Mapping[str, Words] = MappingProxyType(_catalogues())
"""The catalogues, by language; what one lacks is said in English."""
WORDS = CATALOGUES["en"]
"""The English catalogue, which speaks where no other is given."""

CARD = Card(**_values(LESSON["card"]))
"""The lesson's card.

Source:
    `facts/lesson.json`, with a source and a date for each figure.
"""
MODEL = Model(**_values(LESSON["model"]))
"""The lesson's model.

weights_bytes = parameters × bytes a value; kv_bytes_per_token = 2 (key and value) × layers × KV heads × head size ×
bytes a value; flops_per_token = 2 × parameters (one multiplication and one addition).

Source:
    `facts/lesson.json`, with a source and a date for each figure.
"""
SERVER = Server(**_values(LESSON["server"]))
"""The lesson's server.

Source:
    `facts/lesson.json`, with a source and a date for each figure.
"""
COST = Cost(
    weights_bytes=MODEL.weights_bytes,
    kv_bytes_per_token=MODEL.kv_bytes_per_token,
    flops_per_token=MODEL.flops_per_token,
    bandwidth_bytes_per_second=CARD.bandwidth_bytes_per_second,
    peak_flops_per_second=CARD.peak_flops_per_second,
)
"""What a step costs on the lesson's card with the lesson's model.

Source:
    `facts/lesson.json`, with a source and a date for each figure.
"""
BLOCK_BYTES = SERVER.block_tokens * MODEL.kv_bytes_per_token
"""Size of a block: tokens of a block × bytes of cache a token, in bytes."""
SHARES: list[int] = CHOICES["share"]["values"]
"""The memory shares that the page offers, in percent.

Source:
    `facts/choices.json`.
"""
LONGEST: list[int] = CHOICES["longest"]["values"]
"""The longest chats that the page offers, in tokens.

Source:
    `facts/choices.json`.
"""
CAPS: list[int] = CHOICES["cap"]["values"]
"""The numbers of seats that the page offers, in chats.

Source:
    `facts/choices.json`.
"""
OPENING: dict[str, Any] = {key: CHOICES[key]["opening"] for key in ("share", "longest", "cap", "reserved")}
"""What the page opens with: `share` in percent, `longest` in tokens, `cap` in chats, and whether lengths are
`reserved`.

Source:
    `facts/choices.json`.
"""
KNEE_GAIN: float = CHOICES["knee"]["gain"]
"""How many times the tokens per second a doubled cap must bring to be worth it.

Source:
    `knee` in `facts/choices.json`.
"""
