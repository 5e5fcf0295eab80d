"""Which rules a release of vLLM follows: its number is read, and every rule that depends on it is looked up."""

import re
from typing import Any, Literal, TypedDict, cast

from .plan_facts import VERSIONS
from .refuse import PlanError, one_of_names

Capacity = Literal["blocks", "v1_tokens", "groups", "per_chat"]
"""How a version counts the tokens that it prints."""


class Version(TypedDict):
    """The number of a release, taken apart.

    Attributes:
        text: the number as it is written, with two points at least
        order: numbers without unit that put releases in order; of two versions the one with the larger list is newer
        about: whether it was given as “about”, with a ~
    """

    text: str
    order: list[int]
    about: bool


class Rules(TypedDict):
    """What depends on the version.

    Attributes:
        version: the version as it was read
        order: numbers without unit that put releases in order
        base: the release whose rules these are
        status: “read” for a release that was read, “between” for one between two of those, “newer” for one that is
            newer than all of them, “old” for one of which little is known
        read: false for a version that is newer than the facts
        engine: V0 or V1
        runner: model runner of most models, V1 or V2
        penalties: whether that runner keeps a table of penalties for each seat
        share: default of gpu_memory_utilization, from 0 to 1
        graphs: whether CUDA graphs are counted: “outside”, “off_by_default” or “inside”
        null_block: whether one block is kept back in the test at the start
        override_fits: whether num_gpu_blocks_override counts in that test
        chunked: whether prompts are cut into chunks by default
        chunked_above_tokens: length above which V0 does so by itself, tokens; 0 is never
        chunked_tokens: default of max_num_batched_tokens of V0 with chunks, tokens
        multimodal_tokens: least default of max_num_batched_tokens of V0 for images, tokens
        prefix_caching: whether prefixes are kept by default
        state_prefixes: whether that is so for models that keep states
        async_default: whether a step is planned while another runs, by default
        async_factor: batches in flight for which a sliding window keeps room then, as a whole number without unit
        async_pipeline: whether that works with pipeline parallel
        hybrid: whether layers of several kinds have groups of their own in the cache
        capacity: how tokens and concurrency are printed
        counts_others: whether what others hold on the card is taken from the share
        free_check: whether free memory must hold the share at the start
        auto_fit: whether the longest may be “auto”
        kv_cache_memory: whether the setting kv_cache_memory_bytes exists
        mamba_seats_check: whether seats above the Mamba blocks are refused
        cuts: whether an answer that would pass the longest is cut, not refused
        consumed: how memory that stays is measured: “parts” or “free”
        tiers: which cards have more seats and tokens by default
        tokens_within_seats: whether default tokens a step are at most seats × longest
        seats_within_tokens: whether default seats are at most tokens a step
        chunked_fixed: whether V1 cuts prompts into chunks whatever was asked
        context_parallel: whether decode context parallel exists
        float32_to: what float32 weights become: “float16” or “preferred”
        dtype_falls_back: whether dtype auto avoids what the card cannot do
        block_sizes: block sizes that are allowed, tokens; an empty list allows all
        block_multiple: whose blocks are multiples of 16 tokens: “mla” for latent attention, “all” for any, or nothing
        kv_dtypes: types of the cache that are counted
        rounding: how GiB are printed: “round” or “fixed”
    """

    version: str
    order: list[int]
    base: str
    status: Literal["read", "between", "newer", "old"]
    read: bool
    engine: Literal["V0", "V1"]
    runner: Literal["V1", "V2"]
    penalties: bool
    share: float
    graphs: Literal["outside", "off_by_default", "inside"]
    null_block: bool
    override_fits: bool
    chunked: bool
    chunked_above_tokens: int
    chunked_tokens: int
    multimodal_tokens: int
    prefix_caching: bool
    state_prefixes: bool
    async_default: bool
    async_factor: int
    async_pipeline: bool
    hybrid: bool
    capacity: Capacity
    counts_others: bool
    free_check: bool
    auto_fit: bool
    kv_cache_memory: bool
    mamba_seats_check: bool
    cuts: bool
    consumed: Literal["parts", "free"]
    tiers: str
    tokens_within_seats: bool
    seats_within_tokens: bool
    chunked_fixed: bool
    context_parallel: bool
    float32_to: Literal["float16", "preferred"]
    dtype_falls_back: bool
    block_sizes: list[int]
    block_multiple: Literal["", "mla", "all"]
    kv_dtypes: list[str]
    rounding: Literal["round", "fixed"]


# ~0.6.4, v0.11.0, 0.6.6.post1, 0.15.2rc1.dev93, 0.24.0+cu128: Python's own form of versions, without epochs.
_FORM = re.compile(
    r"(~?)v?([0-9]{1,6})\.([0-9]{1,6})(?:\.([0-9]{1,6}))?(?:\.([0-9]{1,6}))?"
    r"(?:\.?(a|b|rc)([0-9]{1,6}))?(?:\.?post([0-9]{1,6}))?(?:\.?dev([0-9]{1,9}))?(?:\+[0-9A-Za-z.]{1,60})?"
)
_STAGES = ["", "a", "b", "rc"]
_FINAL = 4


def read_version(text: Any) -> Version:
    """The number of a release from its text: 0.33, v0.11.0, 0.6.6.post1, 0.8.5.dev274, 0.24.0+cu128, ~0.6.4.

    A development version comes before its release, as Python orders versions; a release candidate counts as its
    release, since it has its rules.

    Args:
        text: the version as somebody wrote it

    Returns:
        Its parts; numbers without unit.

    Raises:
        PlanError: for anything else

    Source:
        Python's version scheme, PEP 440.
    """
    match = _FORM.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise PlanError("version", text, "version")
    about, *numbers = match.groups()
    release = [int(number or 0) for number in numbers[:4]]
    stage, stage_number, post, dev = numbers[4:]
    candidate = [_STAGES.index(stage), int(stage_number)] if stage and dev is not None else [_FINAL, 0]
    before = stage is None and post is None and dev is not None
    order = [*release, *([0, 0] if before else candidate), int(post or 0), int(dev is None), int(dev or 0)]
    return {"text": _written(numbers, release), "order": order, "about": about == "~"}


def _written(numbers: list[str | None], release: list[int]) -> str:
    text = ".".join(str(number) for number in (release if numbers[3] is not None else release[:3]))
    stage, stage_number, post, dev = numbers[4:]
    if stage:
        text += f"{stage}{int(stage_number or 0)}"
    if post is not None:
        text += f".post{int(post)}"
    return text if dev is None else f"{text}.dev{int(dev)}"


def at_least(order: list[int], version: str) -> bool:
    """Whether a version is some release or newer.

    Args:
        order: numbers without unit that put the version in order
        version: number of the release

    Returns:
        Whether it is.

    Raises:
        PlanError: for a release that is no version
    """
    return not _before(order, _order_of(version))


def is_release(order: list[int]) -> bool:
    """Whether a version is a release and no development version, of which nobody knows what it has.

    Args:
        order: numbers without unit that put the version in order

    Returns:
        Whether it is.
    """
    return order[7] == 1


def _before(one: list[int], other: list[int]) -> bool:
    for a, b in zip(one, other, strict=True):
        if a != b:
            return a < b
    return False


def value_since(since: list[Any], order: list[int]) -> Any:
    """The value that holds at a version, from a list of [release, value], the oldest first.

    Args:
        since: releases and the value that each brought
        order: numbers without unit that put the version in order

    Returns:
        The value of the newest release in the list that is not newer than the version; the first one's before it.

    Raises:
        PlanError: for a release that is no version
    """
    found = since[0][1]
    for version, value in since:
        if not _before(order, _order_of(version)):
            found = value
    return found


_ORDERS: dict[str, list[int]] = {}


def _order_of(version: str) -> list[int]:
    # Every plan asks for the same few dozen releases.
    if version not in _ORDERS:
        _ORDERS[version] = read_version(version)["order"]
    return _ORDERS[version]


def rules_of(version: Any, engine: Any = None) -> Rules:
    """The rules of a version; of one that was not read those of the nearest older release.

    Args:
        version: the version as somebody wrote it
        engine: V0 or V1 to have the other engine where a version has both; None for its default

    Returns:
        Every rule that depends on the version; the length that V0 cuts at in tokens.

    Raises:
        PlanError: for a version that is none or older than the facts, and for an engine that it does not have

    Source:
        `facts/vllm/vllm.json`, with a source for each rule.
    """
    number = read_version(version)
    order = number["order"]
    if not at_least(order, VERSIONS["oldest"]):
        raise PlanError("version", version, "version_from", oldest=VERSIONS["oldest"])
    which = _engine(order, number["text"], engine)
    base, status = _base(order)
    runner = runner_of(order, "", True, False, False)
    held = {name: value_since(rule[which], order) for name, rule in VERSIONS["rules"].items()}
    rules = {
        "version": number["text"],
        "order": order,
        "base": base,
        "status": status,
        "read": status != "newer",
        "engine": which,
        "runner": runner if which == "V1" else "V1",
        "penalties": which == "V1" and runner == "V2",
        **held,
    }
    return cast(Rules, rules)


def _engine(order: list[int], text: str, engine: Any) -> str:
    facts = VERSIONS["engines"]
    possible = []
    if not at_least(order, facts["v0_gone"]):
        possible.append("V0")
    if at_least(order, facts["v1_possible"]):
        possible.append("V1")
    if engine is None:
        return "V1" if at_least(order, facts["v1_default"]) else "V0"
    one_of_names("engine", engine, ["V0", "V1"])
    if engine not in possible:
        raise PlanError("engine", engine, "engine_of", version=text, names=", ".join(possible))
    return str(engine)


def _base(order: list[int]) -> tuple[str, str]:
    base = value_since([[release, release] for release in VERSIONS["releases"]], order)
    # A post release has the rules of its release; a development version is not the release.
    same = _order_of(base)[:6] == order[:6] and order[7] == 1
    newest = _order_of(VERSIONS["newest"])
    if not _before(order, newest) and order[:2] != newest[:2]:
        return base, "newer"
    if not at_least(order, VERSIONS["well_known"]):
        return base, "old"
    return base, "read" if same else "between"


def runner_of(order: list[int], architecture: str, mixture: bool, quantised: bool, hybrid: bool) -> Literal["V1", "V2"]:
    """The model runner that a version takes for a model, V1 or V2.

    Args:
        order: numbers without unit that put the version in order
        architecture: name of the model's class in its config.json
        mixture: whether it is a mixture of experts
        quantised: whether its weights are quantised
        hybrid: whether it has layers that keep a state

    Returns:
        V1 or V2.

    Raises:
        PlanError: for a release that is no version

    Source:
        `facts/vllm/vllm.json`, section `runner`.
    """
    rule = value_since(VERSIONS["runner"]["since"], order)
    if rule["all"]:
        return "V2"
    if quantised and not rule["quantised"]:
        return "V1"
    if architecture in rule["names"]:
        return "V2"
    return "V2" if rule["dense"] and not mixture and not hybrid else "V1"
