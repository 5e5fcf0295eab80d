"""A server's settings as vLLM resolves them: what was asked, and the version's and the card's default for the rest."""

from typing import Any, Literal, TypedDict

from .cards import Card, card
from .config import Model, read_model
from .defaults import Dtype, batch_of, block_tokens_of, chunked_of, dtype_of
from .models import model_config
from .plan_facts import VERSIONS
from .refuse import PlanError, one_of_names
from .rounding import bytes_of_gib
from .values import MOST_BYTES, counted_text, known, number_of, share_of, whole_of, yes_no_of
from .versions import Rules, rules_of, runner_of

MEASURED = ("weights", "activation", "non_torch", "graphs", "kv")
"""Parts that a start-up prints, which may be given as measured."""


class Measured(TypedDict, total=False):
    """What was measured on a real start, where it was given.

    Attributes:
        weights_bytes: weights of one card, bytes
        activation_bytes: peak of the forward pass or the sampler, bytes
        non_torch_bytes: what lies outside PyTorch, bytes
        graphs_bytes: CUDA graphs, bytes
        kv_bytes: room for the cache, bytes; may be below 0
    """

    weights_bytes: int
    activation_bytes: int
    non_torch_bytes: int
    graphs_bytes: int
    kv_bytes: int


class Settings(TypedDict):
    """What a server starts with.

    Attributes:
        card: the card
        total_bytes: memory of one card as its driver reports it, bytes
        in_use_bytes: what is taken of it before the server's own part, bytes
        free_bytes: what is free when the server looks, bytes
        model: the model
        rules: rules of the version
        share: memory share, from 0 to 1
        longest: longest chat, tokens; with `auto_fit` the model's own longest
        auto_fit: whether vLLM lowers the longest until it fits
        seats: most chats at once
        batched_tokens: most tokens of a step
        in_flight_tokens: most tokens of the steps that run at once, for which a sliding window keeps room
        tp: cards that share each layer, tensor parallel, as many
        pp: stages of layers, pipeline parallel, as many
        dcp: cards that share each chat's cache, as many
        dtype: type of computing
        kv_dtype: type of the cache, by vLLM's name
        block_tokens: tokens of a block; 0 where the backend decides
        eager: whether there are no CUDA graphs
        chunked: whether prompts are cut into chunks
        asynchronous: whether a step is planned while another runs
        prefix_caching: whether prefixes are kept
        kv_cache_memory_bytes: room for the cache that was set, bytes, or None
        blocks_override: number of blocks that was set, or None
        server: “api” for the server, “llm” for the class LLM
        graphs_counted: whether CUDA graphs count inside the share
        measured: what was measured, in bytes, where it was given
        given: settings that were given, by vLLM's names
        not_counted: settings that cost memory and are not counted, by vLLM's names
    """

    card: Card
    total_bytes: int
    in_use_bytes: int
    free_bytes: int
    model: Model
    rules: Rules
    share: float
    longest: int
    auto_fit: bool
    seats: int
    batched_tokens: int
    in_flight_tokens: int
    tp: int
    pp: int
    dcp: int
    dtype: Dtype
    kv_dtype: str
    block_tokens: int
    eager: bool
    chunked: bool
    asynchronous: bool
    prefix_caching: bool
    kv_cache_memory_bytes: int | None
    blocks_override: int | None
    server: Literal["api", "llm"]
    graphs_counted: bool
    measured: Measured
    given: list[str]
    not_counted: list[str]


def resolve(asked: Any) -> Settings:
    """Every setting of a server, from what was asked.

    Args:
        asked: settings by vLLM's names; card and model are needed, None is not given

    Returns:
        All settings; memory in bytes, lengths in tokens.

    Raises:
        PlanError: for an unknown setting, and for a value that cannot be used

    Source:
        `facts/vllm/vllm.json`: each version's rules and defaults, with their sources.
    """
    if not isinstance(asked, dict):
        raise PlanError("settings", asked, "object")
    given, not_counted = known(asked)
    rules = rules_of(_or(asked, "version", VERSIONS["default"]), asked.get("engine"))
    model = _model(asked)
    rules = _with_runner(rules, model)
    own = _card(asked)
    total, in_use = _memory(asked, own)
    parallel = _parallel(asked, rules)
    longest, auto_fit = _longest(asked, rules, model)
    server: Literal["api", "llm"] = "llm" if _switch(asked, "use_llm_class", False) else "api"
    chunked = chunked_of(rules, model, own, longest, _asked_switch(asked, "enable_chunked_prefill"))
    seats, tokens = _batch_asked(asked)
    batch = batch_of(rules, own, model, longest, chunked, server, seats, tokens)
    eager = _switch(asked, "enforce_eager", False)
    asynchronous = _asynchronous(asked, rules, parallel[1])
    return {
        "card": own, "total_bytes": total, "in_use_bytes": in_use, "free_bytes": total - in_use, "model": model,
        "rules": rules,
        "share": share_of("gpu_memory_utilization", _or(asked, "gpu_memory_utilization", rules["share"])),
        "longest": longest, "auto_fit": auto_fit, "seats": batch["seats"], "batched_tokens": batch["tokens"],
        "in_flight_tokens": batch["tokens"] * batches_in_flight(rules, parallel[1], asynchronous),
        "tp": parallel[0], "pp": parallel[1], "dcp": parallel[2], "dtype": dtype_of(rules, own, model, asked.get("dtype")),
        "kv_dtype": one_of_names("kv_cache_dtype", _or(asked, "kv_cache_dtype", "auto"), rules["kv_dtypes"]),
        "block_tokens": block_tokens_of(rules, asked.get("block_size")), "eager": eager, "chunked": chunked,
        "asynchronous": asynchronous, "prefix_caching": _switch(asked, "enable_prefix_caching", rules["prefix_caching"]),
        "kv_cache_memory_bytes": _kv_cache_memory(asked, rules), "blocks_override": _blocks(asked), "server": server,
        "graphs_counted": _graphs_counted(asked, rules) and not eager, "measured": _measured(asked), "given": given,
        "not_counted": not_counted,
    }  # fmt: skip


def _or(asked: dict[str, Any], name: str, default: Any) -> Any:
    value = asked.get(name)
    return default if value is None else value


def _asked_switch(asked: dict[str, Any], name: str) -> bool | None:
    value = asked.get(name)
    return None if value is None else yes_no_of(name, value)


def _switch(asked: dict[str, Any], name: str, default: bool) -> bool:
    value = _asked_switch(asked, name)
    return default if value is None else value


def _model(asked: dict[str, Any]) -> Model:
    value = asked.get("model")
    if value is None:
        raise PlanError("model", value, "needed")
    return read_model(model_config(value) if isinstance(value, str) else value, asked.get("index"))


def _with_runner(rules: Rules, model: Model) -> Rules:
    if rules["engine"] == "V0":
        return rules
    mixture = any(part in model["architecture"] for part in VERSIONS["mixtures"]["names"])
    hybrid = any(kind["kind"] == "mamba" for kind in model["kinds"])
    runner = runner_of(rules["order"], model["architecture"], mixture, model["quantisation"] != "", hybrid)
    return {**rules, "runner": runner, "penalties": runner == "V2"}


def _card(asked: dict[str, Any]) -> Card:
    value = asked.get("card")
    if value is None:
        raise PlanError("card", value, "needed")
    return card(value)


def _memory(asked: dict[str, Any], own: Card) -> tuple[int, int]:
    most = VERSIONS["bounds"]["gib"]
    total = own["total_bytes"]
    if asked.get("total_gib") is not None:
        number_of("total_gib", asked["total_gib"], 1, most)
        total = bytes_of_gib(asked["total_gib"])
    default = VERSIONS["in_use"]["unified_gib" if own["unified"] else "discrete_gib"]
    if asked.get("in_use_gib") is None:
        return total, min(bytes_of_gib(default), total)
    in_use = bytes_of_gib(number_of("in_use_gib", asked["in_use_gib"], 0, most))
    if in_use > total:
        raise PlanError("in_use_gib", asked["in_use_gib"], "within_total", total=total // 1_073_741_824)
    return total, in_use


def _parallel(asked: dict[str, Any], rules: Rules) -> tuple[int, int, int]:
    most = VERSIONS["bounds"]["cards"]
    tp = whole_of("tensor_parallel_size", _or(asked, "tensor_parallel_size", 1), 1, most)
    pp = whole_of("pipeline_parallel_size", _or(asked, "pipeline_parallel_size", 1), 1, most)
    dcp = whole_of("decode_context_parallel_size", _or(asked, "decode_context_parallel_size", 1), 1, most)
    if dcp > 1 and not rules["context_parallel"]:
        raise _too_early("decode_context_parallel_size", dcp, rules, "context_parallel")
    if tp % dcp:
        raise PlanError("decode_context_parallel_size", dcp, "divisor_of", whole=tp)
    return tp, pp, dcp


def _longest(asked: dict[str, Any], rules: Rules, model: Model) -> tuple[int, bool]:
    value = asked.get("max_model_len")
    own = model["longest"]
    fits = value == -1 or (isinstance(value, str) and value in ("-1", "auto", "Auto", "AUTO"))
    if value is None or fits:
        if fits and not rules["auto_fit"]:
            raise PlanError("max_model_len", value, "auto_from", version=_first("auto_fit"))
        if own < 1:
            raise PlanError("max_model_len", value, "length_known")
        return own, fits
    return counted_text("max_model_len", value, VERSIONS["bounds"]["tokens"], "tokens_text"), False


def _batch_asked(asked: dict[str, Any]) -> tuple[int | None, int | None]:
    bounds = VERSIONS["bounds"]
    seats, tokens = asked.get("max_num_seqs"), asked.get("max_num_batched_tokens")
    if seats is not None:
        seats = whole_of("max_num_seqs", seats, 1, bounds["seats"])
    if tokens is not None:
        tokens = counted_text("max_num_batched_tokens", tokens, bounds["tokens"], "tokens_text")
    return seats, tokens


def _asynchronous(asked: dict[str, Any], rules: Rules, pp: int) -> bool:
    does = pp == 1 or (rules["async_pipeline"] and rules["runner"] == "V2")
    value = _asked_switch(asked, "async_scheduling")
    if value and not does:
        raise PlanError("async_scheduling", value, "async_pipeline")
    return (rules["async_default"] if value is None else value) and does


def batches_in_flight(rules: Rules, pp: int, asynchronous: bool) -> int:
    """How many steps may run at once, for which a sliding window keeps room.

    Args:
        rules: of the version
        pp: stages of the pipeline, as many
        asynchronous: whether a step is planned while another runs

    Returns:
        Steps.

    Source:
        vLLM 0.26.0 and 0.33.0, config/vllm.py, `max_concurrent_batches`; before, one.
    """
    if rules["async_factor"] == 1:
        return 1
    if not asynchronous:
        return pp
    return pp + 1 if rules["runner"] == "V2" or pp == 1 else pp


def _kv_cache_memory(asked: dict[str, Any], rules: Rules) -> int | None:
    value = asked.get("kv_cache_memory_bytes")
    if value is None:
        return None
    if not rules["kv_cache_memory"]:
        raise _too_early("kv_cache_memory_bytes", value, rules, "kv_cache_memory")
    return counted_text("kv_cache_memory_bytes", value, MOST_BYTES, "bytes_text")


def _blocks(asked: dict[str, Any]) -> int | None:
    value = asked.get("num_gpu_blocks_override")
    return None if value is None else whole_of("num_gpu_blocks_override", value, 1, VERSIONS["bounds"]["blocks"])


def _graphs_counted(asked: dict[str, Any], rules: Rules) -> bool:
    value = _asked_switch(asked, "estimate_cudagraphs")
    if value and rules["graphs"] == "outside":
        raise PlanError("estimate_cudagraphs", value, "estimate_from", has=rules["version"], version="0.18.0")
    return rules["graphs"] == "inside" if value is None else value


def _measured(asked: dict[str, Any]) -> Measured:
    most = VERSIONS["bounds"]["gib"]
    found: Any = {}
    for part in MEASURED:
        value = asked.get(f"measured_{part}_gib")
        if value is not None:
            least = 0 if part in ("weights", "activation") else -most
            found[f"{part}_bytes"] = bytes_of_gib(number_of(f"measured_{part}_gib", value, least, most))
    measured: Measured = found
    return measured


def _first(rule: str) -> str:
    # The release that brought something.
    return str(VERSIONS["rules"][rule]["V1"][1][0])


def _too_early(setting: str, value: Any, rules: Rules, rule: str) -> PlanError:
    return PlanError(setting, value, "setting_from", has=rules["version"], version=_first(rule))


def default_of(name: Any, settings: Settings) -> Any:
    """What vLLM would take for a setting if it were not given, all others as they are.

    Args:
        name: name of the setting, as vLLM names it
        settings: as resolved

    Returns:
        The default in the setting's own unit; None where there is none.

    Raises:
        PlanError: for a name that is no setting
    """
    one_of_names("setting", name, [setting["name"] for setting in VERSIONS["settings"]])
    rules, given = settings["rules"], settings["given"]
    if name in ("max_num_seqs", "max_num_batched_tokens"):
        seats = settings["seats"] if "max_num_seqs" in given and name != "max_num_seqs" else None
        own = "max_num_batched_tokens" in given and name != "max_num_batched_tokens"
        tokens = settings["batched_tokens"] if own else None
        batch = batch_of(
            rules, settings["card"], settings["model"], settings["longest"], settings["chunked"], settings["server"],
            seats, tokens,
        )  # fmt: skip
        return batch["seats"] if name == "max_num_seqs" else batch["tokens"]
    return _defaults(settings).get(name)


def _defaults(settings: Settings) -> dict[str, Any]:
    rules, card_, model = settings["rules"], settings["card"], settings["model"]
    return {
        "version": VERSIONS["default"], "engine": rules_of(rules["version"])["engine"],
        "gpu_memory_utilization": rules["share"], "max_model_len": model["longest"], "tensor_parallel_size": 1,
        "pipeline_parallel_size": 1, "decode_context_parallel_size": 1,
        "dtype": dtype_of(rules, card_, model, None), "kv_cache_dtype": "auto", "block_size": 0, "enforce_eager": False,
        "enable_chunked_prefill": chunked_of(rules, model, card_, settings["longest"], None),
        "async_scheduling": _asynchronous({}, rules, settings["pp"]), "enable_prefix_caching": rules["prefix_caching"],
        "estimate_cudagraphs": rules["graphs"] == "inside", "use_llm_class": False,
    }  # fmt: skip
