"""The only reader of ``facts/``: every figure, choice and sentence that both languages share."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

Words = Mapping[str, Any]
"""A catalogue: every sentence and number format of one language."""

FOLDER = Path(__file__).with_name("facts")


def load(name: str) -> Any:
    """Read one JSON file of ``facts/`` by its name without the ending.

    Raises FileNotFoundError when there is no such file.
    """
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Card:
    """A card's memory (bytes, in both readings of its label) and its best speeds."""

    name: str
    memory_bytes: int
    memory_bytes_gib: int
    bandwidth_bytes_per_second: int
    peak_flops_per_second: int


@dataclass(frozen=True, slots=True)
class Model:
    """A model's shape: how many numbers it has and what one token leaves in the cache."""

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
    """The server's own figures: block size, working reserve, and the chat that `room` counts in."""

    block_tokens: int
    reserve_bytes: int
    typical_chat_tokens: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What a step costs: the linear terms that `steptime` works with, in bytes, FLOP and seconds."""

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
CHOICES = load("choices")
CHATS = load("chats")
CONTRACT = load("contract")
PRESETS: dict[str, dict[str, Any]] = load("presets")
COLOURS: dict[str, dict[str, str]] = load("colours")
CATALOGUES: Mapping[str, Words] = MappingProxyType(_catalogues())
WORDS = CATALOGUES["en"]

CARD = Card(**_values(LESSON["card"]))
MODEL = Model(**_values(LESSON["model"]))
SERVER = Server(**_values(LESSON["server"]))
COST = Cost(
    weights_bytes=MODEL.weights_bytes,
    kv_bytes_per_token=MODEL.kv_bytes_per_token,
    flops_per_token=MODEL.flops_per_token,
    bandwidth_bytes_per_second=CARD.bandwidth_bytes_per_second,
    peak_flops_per_second=CARD.peak_flops_per_second,
)
BLOCK_BYTES = SERVER.block_tokens * MODEL.kv_bytes_per_token
SHARES: list[int] = CHOICES["share"]["values"]
LONGEST: list[int] = CHOICES["longest"]["values"]
CAPS: list[int] = CHOICES["cap"]["values"]
OPENING: dict[str, Any] = {key: CHOICES[key]["opening"] for key in ("share", "longest", "cap", "reserved")}
KNEE_GAIN: float = CHOICES["knee"]["gain"]
