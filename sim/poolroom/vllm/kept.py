"""Which layers keep something, and what of it the cache of a version sees."""

from typing import TypedDict

from .architecture import Kind
from .config import Model
from .pages import ATTENTION, heads_here, state_bytes, token_bytes
from .settings import Settings
from .stages import stages_of
from .versions import at_least


class Kept(TypedDict):
    """A layer as the cache sees it.

    Attributes:
        kind: full, sliding, chunked, mla, cross or mamba; "" where nothing is kept in the pool
        window: window or chunk of the attention, tokens; 0 where there is none
        token: what one token takes, bytes
        state: what one state takes, bytes
        key: text that is the same for layers that may be in one group
    """

    kind: str
    window: int
    token: int
    state: int
    key: str


def caches_of(settings: Settings, stage: int) -> tuple[int, int]:
    """The first cache of a stage of the pipeline, and the first one after it: a layer may have none, or more than one.

    Args:
        settings: the resolved settings
        stage: place of the stage, from 0

    Returns:
        The place of each of the two caches, from 0.

    Raises:
        PlanError: for more stages than layers
    """
    caches = settings["model"]["weights"]["caches"]
    stages = stages_of(len(caches), settings["pp"], not at_least(settings["rules"]["order"], "0.7.0"))
    start = sum(stages[:stage])
    first = sum(caches[:start])
    return first, first + sum(caches[start : start + stages[stage]])


def kept_of(settings: Settings, kind: Kind) -> Kept:
    """What a kind of layer keeps in the pool.

    Before there was a hybrid manager, and in V0, layers of several kinds are all kept in full, and states outside.

    Args:
        settings: the resolved settings
        kind: the kind of layer

    Returns:
        What it keeps.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly

    Source:
        vLLM 0.33.0, `v1/core/kv_cache_planning.py`; 0.8.5, `v1/core/kv_cache_utils.py`; 0.6.6,
        `worker/cache_engine.py`.
    """
    name, window = _seen(settings, kind)
    state = state_bytes(settings, kind) if name == "mamba" else 0
    token = token_bytes(settings, kind)
    if token + state == 0:
        name = ""
    heads = heads_here(settings, kind["kv_heads"])
    key = f"{name} {window} {token} {state} {heads} {kind['head_dim']} {kind['head_dim_v']}"
    return {"kind": name, "window": window, "token": token, "state": state, "key": key}


def _seen(settings: Settings, kind: Kind) -> tuple[str, int]:
    # The kind and the window that the cache of this version sees.
    name, old = kind["kind"], settings["rules"]["engine"] == "V0"
    plain = old or not settings["rules"]["hybrid"]
    if name not in (*ATTENTION, "mamba") or (name == "mamba" and plain):
        return "", 0
    if name not in ("sliding", "chunked"):
        return ("full" if name == "cross" and plain else name), 0
    if kind["window"] <= 0 or old or (plain and _mixed(settings["model"])):
        return "full", 0
    return name, kind["window"]


def _mixed(model: Model) -> bool:
    kinds = [model["kinds"][i] for i in model["order"]]
    names = [f"{kind['kind']} {kind['window']}" for kind in kinds if kind["kind"] in ATTENTION]
    return any(name != names[0] for name in names)
