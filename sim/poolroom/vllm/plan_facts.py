"""The only reader of the facts about vLLM, cards and models."""

from typing import Any

from ..facts import load

CARDS: dict[str, Any] = load("vllm/cards")
"""Cards by name: memory, speeds and what they can compute.

Source:
    `facts/vllm/cards.json`, with a source, a date and a kind for each figure.
"""
MODELS: dict[str, Any] = load("vllm/models")
"""Models by name: the fields of their config.json that matter, and how many parameters they have.

Source:
    `facts/vllm/models.json`, with a source, a date and a kind for each model.
"""
VERSIONS: dict[str, Any] = load("vllm/vllm")
"""Defaults and rules of vLLM by version.

Source:
    `facts/vllm/vllm.json`, with a source for each rule.
"""
FITTED: dict[str, Any] = load("vllm/fitted")
"""What is fitted to published start-ups, and what is measured there.

Source:
    `facts/vllm/fitted.json`, with what each figure is fitted on and its spread.
"""
LINES: dict[str, Any] = load("vllm/lines")
"""What vLLM prints at a start, as templates by version."""
WORDS: dict[str, Any] = load("vllm/words")
"""What a plan says in English."""
ALLOWED: dict[str, str] = load("vllm/allowed")
"""What is allowed, by the name of the rule, for refusals."""
FAMILIES: dict[str, Any] = load("vllm/families")
"""What a model type has beyond a Llama, and which fields speak of layers that are not read.

Source:
    `facts/vllm/families.json`.
"""
QUANTISATIONS: dict[str, Any] = load("vllm/quantisations")
"""Bits a weight by the way it is stored.

Source:
    `facts/vllm/quantisations.json`.
"""
