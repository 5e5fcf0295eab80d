"""A server's settings as vLLM resolves them: what was asked, and the version's and the card's default for the rest."""

from typing import Any, Literal, TypedDict, cast

from .asked import asynchronous_of, graphs_counted_of, kv_cache_memory_of, longest_of, measured_of, parallel_of
from .asked_card import card_of, memory_of
from .cards import Card
from .config import Model, Weights, read_model
from .defaults import Dtype, batch_of, block_tokens_of, chunked_of, dtype_of
from .models import model_config
from .plan_facts import VERSIONS
from .quantisation import asked_method, by_name
from .refuse import PlanError, one_of_names
from .values import counted_text, known, share_of, switch_of, switch_or, trimmed, value_or, whole_of
from .versions import Rules, rules_of, runner_of


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
        flashinfer_sampler: whether FlashInfer is installed and samples, where the version would use it
        measured: what was measured, in bytes, where it was given
        given: settings that were given, by vLLM's names
        not_counted: settings that cost memory and are not counted, by vLLM's names
        stored_as: how the checkpoint itself stores its weights, or nothing
        asked_as: another way to store them that was asked for, or nothing
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
    flashinfer_sampler: bool
    measured: Measured
    given: list[str]
    not_counted: list[str]
    stored_as: str
    asked_as: str


def resolve(asked: Any, like: Settings | None = None) -> Settings:
    """Every setting of a server, from what was asked.

    Args:
        asked: settings by vLLM's names; card and model are needed, None is not given
        like: settings with the same version, engine, model, index and quantization, which are then not read again

    Returns:
        All settings; memory in bytes, lengths in tokens.

    Raises:
        PlanError: for an unknown setting, and for a value that cannot be used

    Source:
        `facts/vllm/vllm.json`: each version's rules and defaults, with their sources.
    """
    if not isinstance(asked, dict):
        raise PlanError("settings", asked, "object")
    asked = trimmed(asked)
    given, not_counted = known(asked)
    own = card_of(asked)
    if like is None:
        rules = rules_of(value_or(asked, "version", VERSIONS["default"]), asked.get("engine"))
        plain = _model(asked)
        model = _as_asked(asked, plain)
        stored = plain["quantisation"]
        asked_as = asked_method(asked.get("quantization"), stored)
        rules = _with_runner(rules, model)
    else:
        rules, model = like["rules"], like["model"]
        stored, asked_as = like["stored_as"], like["asked_as"]
    parallel = parallel_of(asked, rules)
    memory = memory_of(asked, own)
    own = {**own, "total_bytes": memory["total_bytes"]}
    longest = longest_of(asked, rules, model["longest"])
    server: Literal["api", "llm"] = "llm" if switch_or(asked, "use_llm_class", False) else "api"
    chunked = chunked_of(rules, model, own, longest["tokens"], switch_of(asked, "enable_chunked_prefill"))
    batch = batch_of(rules, own, model, longest["tokens"], chunked, server, _seats(asked), _tokens(asked))
    eager = switch_or(asked, "enforce_eager", False)
    asynchronous = asynchronous_of(asked, rules, parallel["pp"])
    return {
        "card": own,
        "total_bytes": memory["total_bytes"],
        "in_use_bytes": memory["in_use_bytes"],
        "free_bytes": memory["total_bytes"] - memory["in_use_bytes"],
        "model": model,
        "rules": rules,
        "share": share_of("gpu_memory_utilization", value_or(asked, "gpu_memory_utilization", rules["share"])),
        "longest": longest["tokens"],
        "auto_fit": longest["auto_fit"],
        "seats": batch["seats"],
        "batched_tokens": batch["tokens"],
        "in_flight_tokens": batch["tokens"] * batches_in_flight(rules, parallel["pp"], asynchronous),
        "tp": parallel["tp"],
        "pp": parallel["pp"],
        "dcp": parallel["dcp"],
        "dtype": dtype_of(rules, own, model, asked.get("dtype")),
        "kv_dtype": one_of_names("kv_cache_dtype", value_or(asked, "kv_cache_dtype", "auto"), rules["kv_dtypes"]),
        "block_tokens": block_tokens_of(rules, own, model, asked.get("block_size")),
        "eager": eager,
        "chunked": chunked,
        "asynchronous": asynchronous,
        "prefix_caching": switch_or(asked, "enable_prefix_caching", _keeps_prefixes(rules, model)),
        "kv_cache_memory_bytes": kv_cache_memory_of(asked, rules),
        "blocks_override": _blocks(asked),
        "server": server,
        "graphs_counted": graphs_counted_of(asked, rules, eager),
        "flashinfer_sampler": switch_or(asked, "flashinfer_sampler", False),
        "measured": cast(Measured, measured_of(asked)),
        "given": given,
        "not_counted": not_counted,
        "stored_as": stored,
        "asked_as": asked_as,
    }


def _model(asked: dict[str, Any]) -> Model:
    value = asked.get("model")
    if value is None:
        raise PlanError("model", value, "needed")
    if isinstance(value, str):
        return read_model(model_config(value), None, value)
    return read_model(value, asked.get("index"))


def _as_asked(asked: dict[str, Any], model: Model) -> Model:
    method = asked.get("quantization")
    if method is not None and not isinstance(method, str):
        raise PlanError("quantization", method, "short_text")
    if method is None or model["quantisation"] != "":
        return model
    found = by_name(method)
    weights: Weights = {**model["weights"], "quantisation": found, "index_bytes": 0}
    return {**model, "quantisation": found["method"], "weights": weights}


def _with_runner(rules: Rules, model: Model) -> Rules:
    if rules["engine"] == "V0":
        return rules
    mixture = model["weights"]["expert_number"] > 0
    hybrid = any(kind["kind"] == "mamba" for kind in model["kinds"])
    runner = runner_of(rules["order"], model["architecture"], mixture, model["quantisation"] != "", hybrid)
    return {**rules, "runner": runner, "penalties": runner == "V2"}


def _keeps_prefixes(rules: Rules, model: Model) -> bool:
    if any(kind["kind"] == "mamba" for kind in model["kinds"]):
        return rules["state_prefixes"]
    return rules["prefix_caching"] and model["encoder_tokens"] == 0


def _seats(asked: dict[str, Any]) -> int | None:
    value = asked.get("max_num_seqs")
    return None if value is None else whole_of("max_num_seqs", value, 1, VERSIONS["bounds"]["seats"])


def _tokens(asked: dict[str, Any]) -> int | None:
    name, most = "max_num_batched_tokens", VERSIONS["bounds"]["tokens"]
    return None if asked.get(name) is None else counted_text(name, asked[name], most, "tokens_text")


def _blocks(asked: dict[str, Any]) -> int | None:
    value = asked.get("num_gpu_blocks_override")
    return None if value is None else whole_of("num_gpu_blocks_override", value, 1, VERSIONS["bounds"]["blocks"])


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
        "async_scheduling": asynchronous_of({}, rules, settings["pp"]),
        "enable_prefix_caching": _keeps_prefixes(rules, model),
        "estimate_cudagraphs": rules["graphs"] == "inside", "flashinfer_sampler": False, "use_llm_class": False,
    }  # fmt: skip
