"""How the cache is cut: groups of layers, tokens and bytes of a block, as vLLM makes them by version."""

from typing import Any, TypedDict

from .pages import ATTENTION, backend_tokens, block_tokens_of, bounded, state_bytes, token_bytes
from .refuse import PlanError


class Group(TypedDict):
    """Layers that share one table of blocks: a chat takes blocks for each group.

    Attributes:
        kind: full, sliding, chunked, mla, cross or mamba
        layers: layers of the group in this stage
        block_tokens: tokens of one block; 0 where a block holds a whole state
        page_bytes: what one block takes in one layer, bytes
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
        whole_bytes: what one block would take if this stage had every layer of the model, bytes
        hybrid: whether groups of more than one kind share the pool
        mamba: whether chats keep states in the pool
        state_blocks: blocks that a chat takes for each group of states
    """

    groups: list[Group]
    block_tokens: int
    block_bytes: int
    whole_bytes: int
    hybrid: bool
    mamba: bool
    state_blocks: int


class _Spec(TypedDict):
    """A layer as the cache sees it."""

    kind: str
    window: int
    token: int
    state: int
    key: str


def stage_layers(layers: int, pp: int, stage: int) -> list[int]:
    """First layer of a stage of the pipeline, and the first one after it; what is left over goes to the last but one.

    Args:
        layers: layers of the model
        pp: stages of the pipeline, a number without units
        stage: place of the stage, from 0

    Returns:
        Two places of layers, from 0.

    Source:
        vLLM 0.33.0, `distributed/utils.py`, `get_pp_indices`.
    """
    each, left = layers // pp, layers % pp
    start, size = 0, 0
    for place in range(stage + 1):
        start += size
        size = each + (1 if pp - 1 - left <= place < pp - 1 else 0)
    return [start, start + size]


def layout_of(settings: Any, stage: int) -> Layout:
    """How the cache of one stage is cut.

    Groups are made for the whole model; a stage keeps those of their layers that it has.

    Args:
        settings: the resolved settings
        stage: place of the stage of the pipeline, from 0

    Returns:
        The layout.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly, and for a stage without any cache

    Source:
        vLLM 0.33.0, `v1/core/kv_cache_planning.py`; 0.11.0 and 0.8.5, `v1/core/kv_cache_utils.py`.
    """
    model = settings["model"]
    specs = [_spec(settings, kind) for kind in model["kinds"]]
    first, after = stage_layers(len(model["order"]), settings["pp"], stage)
    kept = [i for i, kind in enumerate(model["order"]) if specs[kind]["kind"] != ""]
    here = [first <= i < after for i in kept]
    layers = [specs[model["order"][i]] for i in kept]
    if not layers:
        return _nothing()
    if not any(here):
        raise PlanError("pipeline_parallel_size", settings["pp"], "stage_keeps")
    if _one_type(layers):
        return _together(settings, layers, here)
    return _apart(settings, layers, here)


def _nothing() -> Layout:
    # A model that keeps nothing for a chat.
    return {
        "groups": [],
        "block_tokens": 0,
        "block_bytes": 0,
        "whole_bytes": 0,
        "hybrid": False,
        "mamba": False,
        "state_blocks": 0,
    }


def _spec(settings: Any, kind: Any) -> _Spec:
    name, window = _seen(settings, kind)
    state = state_bytes(settings, kind) if name == "mamba" else 0
    token = token_bytes(settings, kind)
    if token + state == 0:
        name = ""
    key = f"{name} {window} {token} {state} {kind['kv_heads']} {kind['head_dim']} {kind['head_dim_v']}"
    return {"kind": name, "window": window, "token": token, "state": state, "key": key}


def _seen(settings: Any, kind: Any) -> tuple[str, int]:
    # The kind and the window that the cache of this version sees.
    rules, name = settings["rules"], kind["kind"]
    plain = rules["engine"] == "V0" or not rules["hybrid"]
    if name not in (*ATTENTION, "mamba") or (name == "mamba" and plain):
        return "", 0  # Without a hybrid manager, states are kept outside the pool.
    if name not in ("sliding", "chunked"):
        return ("full" if name == "cross" and plain else name), 0
    if kind["window"] <= 0 or (plain and (rules["engine"] == "V0" or _mixed(settings["model"]))):
        return "full", 0
    return name, kind["window"]


def _mixed(model: Any) -> bool:
    kinds = [model["kinds"][i] for i in model["order"]]
    names = [f"{kind['kind']} {kind['window']}" for kind in kinds if kind["kind"] in ATTENTION]
    return any(name != names[0] for name in names)


def _one_type(layers: list[_Spec]) -> bool:
    # Full attention and MLA are of one type: both keep every token.
    names = [_type(layer) for layer in layers]
    return all(name == names[0] for name in names)


def _type(layer: _Spec) -> str:
    return "full" if layer["kind"] in ("full", "mla") else f"{layer['kind']} {layer['window']}"


def _together(settings: Any, layers: list[_Spec], here: list[bool]) -> Layout:
    # One group: each layer has its own page, and a block is a page of each.
    tokens = 0 if layers[0]["kind"] == "mamba" else block_tokens_of(settings)
    pages = [bounded("block_size", layer["state"] + tokens * layer["token"]) for layer in layers]
    whole = sum(pages)
    block = sum(page for page, mine in zip(pages, here, strict=True) if mine)
    group: Group = {
        "kind": layers[0]["kind"],
        "layers": sum(1 for mine in here if mine),
        "block_tokens": tokens,
        "page_bytes": max(pages),
        "window": layers[0]["window"],
    }
    mamba = layers[0]["kind"] == "mamba"
    return {
        "groups": [group],
        "block_tokens": settings["longest"] if mamba else tokens,
        "block_bytes": bounded("layers", block),
        "whole_bytes": bounded("layers", whole),
        "hybrid": False,
        "mamba": mamba,
        "state_blocks": _state_blocks(settings),
    }


def _state_blocks(settings: Any) -> int:
    # With prefix caching the state at the last full block is kept beside the running one.
    return 2 if settings["prefix_caching"] else 1


def _apart(settings: Any, layers: list[_Spec], here: list[bool]) -> Layout:
    # Several groups of equally many layers draw pages of one size from one pool.
    page, tokens = _page(settings, layers)
    lists = _lists(layers)
    counts = [len(places) for places in lists]
    width = min(counts)
    if 2 * max(counts) < 3 * width:
        width = max(counts)
    groups: list[Group] = []
    for places in lists:
        pieces = -(-len(places) // width)
        spec = layers[places[0]]
        for piece in range(pieces):
            mine = sum(1 for i in range(piece, len(places), pieces) if here[places[i]])
            groups.append(_group(spec, mine, page, tokens))
    widest = max(group["layers"] for group in groups)
    smallest = min(group["block_tokens"] for group in groups if group["block_tokens"] > 0)
    return {
        "groups": groups,
        "block_tokens": smallest,
        "block_bytes": bounded("layers", page * widest),
        "whole_bytes": bounded("layers", page * width),
        "hybrid": True,
        "mamba": any(layer["kind"] == "mamba" for layer in layers),
        "state_blocks": _state_blocks(settings),
    }


def _lists(layers: list[_Spec]) -> list[list[int]]:
    # The places of the layers of each kind, in the order in which the kinds come.
    keys: list[str] = []
    lists: list[list[int]] = []
    for place, layer in enumerate(layers):
        if layer["key"] not in keys:
            keys.append(layer["key"])
            lists.append([])
        lists[keys.index(layer["key"])].append(place)
    return lists


def _group(spec: _Spec, layers: int, page: int, tokens: int) -> Group:
    # A smaller page holds more tokens, or is padded where it does not go into the larger one.
    block = 0
    if spec["kind"] != "mamba":
        block = tokens * max(1, page // (tokens * spec["token"]))
    return {"kind": spec["kind"], "layers": layers, "block_tokens": block, "page_bytes": page, "window": spec["window"]}


def _page(settings: Any, layers: list[_Spec]) -> tuple[int, int]:
    # Bytes of the common page, and tokens of a block before pages are made equal.
    tokens = block_tokens_of(settings)
    state = max(layer["state"] for layer in layers)
    attention = [layer for layer in layers if layer["kind"] != "mamba"]
    if state > 0:
        # The block is raised until the page of one attention layer holds a state.
        first = next((layer for layer in attention if layer["kind"] in ("full", "mla")), attention[0])
        step = backend_tokens(settings)
        tokens = max(tokens, step * -(-state // (step * first["token"])))
    page = max(bounded("block_size", tokens * layer["token"]) for layer in attention)
    return max(page, state), tokens
