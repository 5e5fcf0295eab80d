"""What pools hold: blocks of a chat, bytes, lengths that fit and printed figures, for plans by chance."""

import random
from collections.abc import Iterable
from typing import Any

from poolroom.vllm.layout import Layout, layout_of
from poolroom.vllm.refuse import PlanError
from tests.parity.calls import Job
from tests.parity.inputs_vllm.layout import a_plan
from tests.vllm import factories as make

SEEDS = 1_600


def with_layout(seed: int) -> tuple[Any, Layout]:
    """Settings and the layout of their first stage; where that is refused, those of a dense model."""
    settings = a_plan(seed)
    try:
        return settings, layout_of(settings, 0)
    except PlanError:
        settings = make.settings(make.LLAMA_8B, version=settings["rules"]["version"])
        return settings, layout_of(settings, 0)


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Each function in turn."""
    made: list[Job] = []
    for seed in seeds:
        settings, layout = with_layout(seed)
        draw = random.Random(seed)
        blocks = draw.choice((0, 1, draw.randrange(1_000), draw.randrange(10**6)))
        tokens = draw.choice((1, draw.randrange(1, 5_000), draw.randrange(1, 2_000_000)))
        kv_bytes = blocks * layout["block_bytes"] + draw.randrange(max(1, layout["block_bytes"]))
        chats = [[draw.randrange(100), draw.randrange(1, 100_000)] for _ in range(draw.randrange(4))]
        calls: list[tuple[str, list[Any]]] = [
            ("capacity", [settings, layout, blocks]),
            ("capacity", [settings, layout, draw.randrange(10**6)]),
            ("estimated_longest", [settings, layout, kv_bytes]),
            ("chat_bytes", [settings, layout, tokens]),
            ("blocks_per_chat", [settings, layout, tokens]),
            ("chats_of", [settings, layout, blocks, tokens]),
            ("required_blocks_for", [settings, layout, chats]),
            ("blocks_of", [layout, kv_bytes - draw.choice((0, 2**40))]),
            ("usable_blocks", [settings, blocks]),
            ("room_for_chats", [settings, layout, kv_bytes]),
            ("fits", [settings, layout, kv_bytes, tokens]),
        ]
        name, args = calls[seed % len(calls)]
        made.append({"call": f"vllm.capacity.{name}", "args": args})
        if layout["groups"] and seed % 4 == 0:
            group = draw.choice(layout["groups"])
            made.append({"call": "vllm.need.blocks_in", "args": [settings, layout, group, tokens]})
    return made


def refused() -> list[Job]:
    """Chats and pools beyond what both languages hold."""
    settings = make.settings(make.LLAMA_8B)
    layout = layout_of(settings, 0)
    old = make.settings(make.GEMMA_27B, version="0.11.0")
    return [
        {"call": "vllm.capacity.required_blocks_for", "args": [settings, layout, [[2**40, 2**40]]]},
        {"call": "vllm.capacity.required_blocks_for", "args": [settings, layout, [[1, 16], [2**40, 2**30]]]},
        {"call": "vllm.capacity.chat_bytes", "args": [settings, layout, 2**50]},
        {"call": "vllm.capacity.chat_bytes", "args": [old, layout_of(old, 0), 2**50]},
        {"call": "vllm.capacity.fits", "args": [settings, layout, 2**40, 2**50]},
        {"call": "vllm.capacity.capacity", "args": [make.settings(make.LLAMA_8B, version="0.6.6"), layout, 2**51]},
        {"call": "vllm.capacity.capacity", "args": [make.settings(make.LLAMA_8B, version="0.11.0"), layout, 2**51]},
    ]
