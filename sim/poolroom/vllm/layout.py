"""How the cache is cut: groups of layers, tokens and bytes of a block, as vLLM makes them by version."""

from typing import TypedDict

from .kept import Kept, caches_of, kept_of
from .pages import backend_tokens, block_tokens_of, bounded, keeps_mla, rounded_up
from .refuse import PlanError
from .settings import Settings
from .versions import at_least


class Group(TypedDict):
    """Layers that share one table of blocks: a chat takes blocks for each group.

    Attributes:
        kind: full, sliding, chunked, mla, cross or mamba
        layers: layers of the group in this stage
        block_tokens: tokens of one block; 0 where a block holds a whole state
        page_bytes: what one block takes in the widest layer, bytes
        window: window or chunk of the attention, tokens; 0 where there is none
    """

    kind: str
    layers: int
    block_tokens: int
    page_bytes: int
    window: int


class Layout(TypedDict):
    """The cache of one stage: what a block is.

    Attributes:
        groups: groups of layers, in the order of their first layers
        block_tokens: tokens of the smallest block, as printed
        block_bytes: what one block of the pool takes on a card of this stage, bytes
        tried_bytes: what one block counts for where one chat is tried against the memory, bytes; 0 where the layers of
            each group are counted as they are
        tried_groups: how many groups count there, as many as there are or the first one alone
        hybrid: whether several groups share the pool
        mamba: whether chats keep states in the pool
        state_blocks: blocks that a chat takes for each group of states; 0 where it keeps one at every full block
    """

    groups: list[Group]
    block_tokens: int
    block_bytes: int
    tried_bytes: int
    tried_groups: int
    hybrid: bool
    mamba: bool
    state_blocks: int


EVERY_STATE = ("Bamba", "FalconH1", "GraniteMoeHybrid", "Jamba", "Mamba", "NemotronH", "Zamba2")
"""Models that from 0.12 to 0.27 keep a state at every full block where prefixes are kept, by the beginning of the
architecture's name.

Source:
    vLLM 0.24.0, `model_executor/models/interfaces.py`, `SupportsMambaPrefixCaching`.
"""


def layout_of(settings: Settings, stage: int) -> Layout:
    """How the cache of one stage is cut.

    Groups are made for the whole model; a stage keeps those of their layers that it has.

    Args:
        settings: the resolved settings
        stage: place of the stage of the pipeline, from 0

    Returns:
        The layout.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly, for more stages than layers, and for a stage
            without any cache

    Source:
        vLLM 0.33.0, `v1/core/kv_cache_planning.py`; 0.8.5 to 0.26.0, `v1/core/kv_cache_utils.py`.
    """
    model = settings["model"]
    specs = [kept_of(settings, kind) for kind in model["kinds"]]
    first, after = caches_of(settings, stage)
    kept = [i for i, kind in enumerate(model["order"]) if specs[kind]["kind"] != ""]
    here = [first <= i < after for i in kept]
    layers = [specs[model["order"][i]] for i in kept]
    if not layers:
        return _layout(settings, [], 0, 0, 0)
    if not any(here):
        raise PlanError("pipeline_parallel_size", settings["pp"], "stage_keeps")
    # Full attention and MLA are of one type: both keep every token.
    types = ["full 0" if layer["kind"] == "mla" else f"{layer['kind']} {layer['window']}" for layer in layers]
    if all(name == types[0] for name in types) or _only_in_full(settings, layers):
        return _together(settings, layers, here)
    return _apart(settings, layers, here)


def _only_in_full(settings: Settings, layers: list[Kept]) -> bool:
    # MLA is never padded: where its page does not go into that of sliding layers, those are kept in full.
    kinds = [layer["kind"] for layer in layers]
    if any(kind not in ("full", "sliding", "mla") for kind in kinds) or "mla" not in kinds:
        return False
    tokens = block_tokens_of(settings)
    pages = [bounded("block_size", tokens * layer["token"]) for layer in layers]
    widest = max(pages)
    return any(kind == "mla" and widest % page != 0 for kind, page in zip(kinds, pages, strict=True))


def _layout(settings: Settings, groups: list[Group], tokens: int, block: int, whole: int) -> Layout:
    # From 0.14 a chat is tried in whole blocks, until 0.16 with the layers of all stages against the memory of one,
    # and until 0.18 of the first group alone.
    order = settings["rules"]["order"]
    tried = 0
    if len(groups) < 2 or at_least(order, "0.14.0"):
        tried = whole if at_least(order, "0.14.0") and not at_least(order, "0.17.0") else block
    first_alone = at_least(order, "0.14.0") and not at_least(order, "0.19.0")
    mamba, states = any(group["kind"] == "mamba" for group in groups), _state_blocks(settings)
    if mamba and states == 1:
        # A state that is kept for a whole chat stands for the longest length.
        tokens = min(tokens, settings["longest"]) if tokens > 0 else settings["longest"]
    return {
        "groups": groups,
        "block_tokens": tokens if tokens > 0 or not mamba else block_tokens_of(settings),
        "block_bytes": bounded("layers", block),
        "tried_bytes": bounded("layers", tried),
        "tried_groups": min(len(groups), 1) if first_alone else len(groups),
        "hybrid": len(groups) > 1,
        "mamba": mamba,
        "state_blocks": states,
    }


def _state_blocks(settings: Settings) -> int:
    # Where prefixes are kept, the state at the last full block is kept beside the running one.
    order, name = settings["rules"]["order"], settings["model"]["architecture"]
    # Beside states, prefixes were kept only where that was asked for, until 0.25.
    keeps = "enable_prefix_caching" in settings["given"] or at_least(order, "0.26.0")
    if not settings["prefix_caching"] or not keeps or not at_least(order, "0.12.0"):
        return 1
    if not at_least(order, "0.28.0") and any(name.startswith(each) for each in EVERY_STATE):
        return 0
    return 2 if at_least(order, "0.15.0") else 1


def _together(settings: Settings, layers: list[Kept], here: list[bool]) -> Layout:
    # One group: each layer has its own page, and a block is a page of each.
    mamba = layers[0]["kind"] == "mamba"
    tokens = 0 if mamba else block_tokens_of(settings)
    pages = [bounded("block_size", layer["state"] + tokens * layer["token"]) for layer in layers]
    block = sum(page for page, mine in zip(pages, here, strict=True) if mine)
    same = all(layer["window"] == layers[0]["window"] for layer in layers)
    group: Group = {
        "kind": layers[0]["kind"] if same else "full",
        "layers": sum(1 for mine in here if mine),
        "block_tokens": tokens,
        "page_bytes": max(pages),
        "window": layers[0]["window"] if same else 0,
    }
    return _layout(settings, [group], tokens, block, sum(pages))


def _apart(settings: Settings, layers: list[Kept], here: list[bool]) -> Layout:
    # Several groups of equally many layers draw pages of one size from one pool.
    page, tokens = _page(settings, layers)
    lists = _lists(layers)
    width = _width(settings, [len(places) for places in lists])
    groups: list[Group] = []
    for places in lists:
        pieces = rounded_up(len(places), width)
        spec = layers[places[0]]
        for piece in range(pieces):
            mine = sum(1 for i in range(piece, len(places), pieces) if here[places[i]])
            groups.append(_group(spec, mine, page, tokens))
    widest = max(group["layers"] for group in groups)
    smallest = min(group["block_tokens"] for group in groups if group["block_tokens"] > 0)
    return _layout(settings, groups, smallest, page * widest, page * width)


def _lists(layers: list[Kept]) -> list[list[int]]:
    # The places of the layers of each kind, in the order in which the kinds come.
    lists: dict[str, list[int]] = {}
    for place, layer in enumerate(layers):
        lists.setdefault(layer["key"], []).append(place)
    return list(lists.values())


def _width(settings: Settings, counts: list[int]) -> int:
    # The smallest kind gives the width, or the largest one where that pads little: 1.25 and later 1.5 times as many.
    order = settings["rules"]["order"]
    few, many = min(counts), max(counts)
    if at_least(order, "0.18.0"):
        return many if 2 * many < 3 * few else few
    return many if at_least(order, "0.12.0") and 4 * many < 5 * few else few


def _group(spec: Kept, layers: int, page: int, tokens: int) -> Group:
    # A page that goes into the common one holds so many times the tokens; any other is padded.
    block = 0
    if spec["kind"] != "mamba":
        own = tokens * spec["token"]
        block = tokens * (page // own) if page % own == 0 else tokens
    return {"kind": spec["kind"], "layers": layers, "block_tokens": block, "page_bytes": page, "window": spec["window"]}


def _page(settings: Settings, layers: list[Kept]) -> tuple[int, int]:
    # Bytes of the common page, and tokens of a block before pages are made equal.
    tokens = block_tokens_of(settings)
    state = max(layer["state"] for layer in layers)
    attention = [layer for layer in layers if layer["kind"] != "mamba"]
    if state > 0:
        # The block is raised until the page of one attention layer holds a state.
        first = next((layer for layer in attention if layer["kind"] in ("full", "mla")), attention[0])
        step = _step(settings, tokens)
        tokens = max(tokens, step * rounded_up(state, step * first["token"]))
    page = max(bounded("block_size", tokens * layer["token"]) for layer in attention)
    return max(page, state), tokens


def _step(settings: Settings, tokens: int) -> int:
    # What a block is raised by: blocks of the backend, from 0.18 those that were asked for, for MLA at least 128.
    order, mla = settings["rules"]["order"], keeps_mla(settings["model"])
    if not at_least(order, "0.18.0"):
        return max(backend_tokens(settings), 64) if mla else backend_tokens(settings)
    return max(tokens, 128) if mla and at_least(order, "0.29.0") else tokens
