"""What a start needs beside weights and cache: the profile run's peak, tables for each seat, CUDA graphs."""

import math
from typing import Any, Literal, TypedDict

from .pages import bounded
from .plan_facts import FITTED
from .versions import value_since


class Part(TypedDict):
    """One part of the budget of a card.

    Attributes:
        name: weights, activation, non_torch, penalties or graphs
        bytes: what is expected, bytes
        low: what it may be at least, bytes
        high: what it may be at most, bytes
        kind: whether it was measured, follows a rule of vLLM, is fitted to published starts, or is guessed
        source: key of the sentence that says where it comes from
    """

    name: str
    bytes: int
    low: int
    high: int
    kind: Literal["measured", "rule", "fitted", "guessed"]
    source: str


def measured_part(name: str, size: int) -> Part:
    """A part that the user has read from a log.

    Args:
        name: name of the part
        size: what it takes, bytes

    Returns:
        The part, without spread, in bytes.
    """
    return {"name": name, "bytes": size, "low": size, "high": size, "kind": "measured", "source": "measured"}


def value_bytes(settings: Any) -> int:
    """Size of one value of the activations: those of float32 take four bytes, all others two.

    Args:
        settings: the resolved settings

    Returns:
        Bytes.
    """
    return 4 if settings["dtype"] == "float32" else 2


def last_stage(settings: Any, stage: int) -> bool:
    """Whether a stage of the pipeline is the last one, which alone samples.

    Args:
        settings: the resolved settings
        stage: place of the stage, from 0

    Returns:
        Whether it is.

    Source:
        vLLM 0.19.0, `v1/worker/gpu_model_runner.py`, `profile_run`.
    """
    return bool(stage == settings["pp"] - 1)


def forward_bytes(settings: Any, values: float) -> int:
    """Peak of the forward pass of the profile run: tokens × (values × feed-forward + values × hidden) × bytes a value.

    The feed-forward part is divided among the cards of tensor parallel, the hidden part is not.

    Args:
        settings: the resolved settings
        values: values kept for each value of either width and token, a number without units

    Returns:
        Bytes.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly

    Source:
        Fitted to starts of vLLM 0.6.4 at 20,000 and 29,000 tokens, vllm-project/vllm#10517.
    """
    model = settings["model"]
    width = bounded("hidden_size", -(-model["mlp_width"] // settings["tp"]) + model["hidden_size"])
    tokens = bounded("max_num_batched_tokens", settings["batched_tokens"] * width)
    return bounded("max_num_batched_tokens", math.floor(tokens * values * value_bytes(settings)))


def sampler_of(settings: Any) -> str:
    """How the profile run's sampler goes through the vocabulary in this version.

    Args:
        settings: the resolved settings

    Returns:
        “sort”, “probabilities”, “copy”, “logits”, or “none” where V0 with chunks samples nothing.

    Raises:
        PlanError: for a release that is no version

    Source:
        `facts/vllm/fitted.json`, with the releases that were read.
    """
    rules = settings["rules"]
    if rules["engine"] == "V0":
        return "none" if settings["chunked"] else "sort"
    if settings["flashinfer_sampler"] and _flashinfer(settings):
        return "probabilities"
    return str(value_since(FITTED["sampler"][rules["runner"]], rules["order"]))


def word_bytes(settings: Any, sampler: str, sort_bytes: float) -> float:
    """What the sampler takes for one word of the vocabulary and one seat.

    Args:
        settings: the resolved settings
        sampler: how it goes through the vocabulary
        sort_bytes: what sorting takes, bytes a word and seat

    Returns:
        Bytes.
    """
    if sampler == "none":
        return 0.0
    if sampler == "sort":
        return sort_bytes
    return float(value_bytes(settings) + 4 * FITTED["sampler"]["float32_copies"][sampler])


def sampler_bytes(settings: Any, each: float) -> int:
    """Peak of the sampler of the profile run: bytes a word and seat × vocabulary × seats, and the hidden states.

    Args:
        settings: the resolved settings
        each: what it takes for one word and seat, bytes

    Returns:
        Bytes.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly

    Source:
        vLLM 0.19.0, `v1/worker/gpu_model_runner.py`, `_dummy_sampler_run`.
    """
    if each <= 0:
        return 0
    seats = min(settings["seats"], settings["batched_tokens"])
    words = bounded("max_num_seqs", settings["model"]["vocab_size"] * seats)
    states = bounded("max_num_batched_tokens", settings["batched_tokens"] * settings["model"]["hidden_size"])
    peak = math.floor(each * words)
    return bounded("max_num_seqs", peak + bounded("max_num_batched_tokens", states * value_bytes(settings)))


def by_cuda(settings: Any) -> bool:
    """Whether the card's build of vLLM is one whose rules were read: CUDA's, and ROCm's, which is the same code.

    Args:
        settings: the resolved settings

    Returns:
        Whether it is.
    """
    return settings["card"]["maker"] in ("nvidia", "amd")


def compiles(settings: Any) -> bool:
    """Whether a first start compiles kernels and tries them out, which takes memory of its own.

    Args:
        settings: the resolved settings

    Returns:
        Whether it does.

    Raises:
        PlanError: for a release that is no version

    Source:
        vLLM 0.16.0 to 0.28.0, `config/compilation.py`.
    """
    rules = settings["rules"]
    if settings["eager"] or rules["engine"] == "V0" or not by_cuda(settings):
        return False
    return bool(value_since(FITTED["compiles"]["since"], rules["order"]))


def activation(settings: Any, stage: int) -> Part:
    """Peak of the profile run: the larger of forward pass and sampler.

    Args:
        settings: the resolved settings
        stage: place of the stage of the pipeline, from 0

    Returns:
        The part, bytes; low is a start whose kernels were compiled before.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly

    Source:
        `facts/vllm/fitted.json`; shape: vllm-project/vllm#9003 and #48322.
    """
    size = _peak(settings, stage, "value")
    low = min(size, _peak(settings, stage, "low"))
    if _flashinfer(settings):
        low = min(low, _least(settings, stage))
    high = max(size, _peak(settings, stage, "high"))
    return {"name": "activation", "bytes": size, "low": low, "high": high, "kind": "fitted", "source": "activation"}


def _peak(settings: Any, stage: int, side: str) -> int:
    constants = FITTED["constants"]
    forward = forward_bytes(settings, constants["forward_values"][side])
    if compiles(settings):
        forward = bounded("max_num_batched_tokens", forward + constants["compile_bytes"][side])
    if not last_stage(settings, stage):
        return forward
    each = word_bytes(settings, sampler_of(settings), constants["sort_bytes"][side])
    return max(forward, sampler_bytes(settings, each))


def _flashinfer(settings: Any) -> bool:
    rules = settings["rules"]
    return rules["engine"] == "V1" and bool(value_since(FITTED["sampler"]["flashinfer"], rules["order"]))


def _least(settings: Any, stage: int) -> int:
    # Where FlashInfer is installed its sampler sorts nothing.
    forward = forward_bytes(settings, FITTED["constants"]["forward_values"]["low"])
    if not last_stage(settings, stage):
        return forward
    return max(forward, sampler_bytes(settings, word_bytes(settings, "probabilities", 0.0)))


def non_torch(settings: Any) -> Part:
    """What drivers, libraries and communication between cards hold beside PyTorch.

    Args:
        settings: the resolved settings

    Returns:
        The part, bytes.

    Source:
        `facts/vllm/fitted.json`.
    """
    sizes = [_non_torch(settings, side) for side in ("value", "low", "high")]
    return {
        "name": "non_torch",
        "bytes": sizes[0],
        "low": min(sizes),
        "high": max(sizes),
        "kind": "fitted",
        "source": "non_torch",
    }


def _non_torch(settings: Any, side: str) -> int:
    constants = FITTED["constants"]
    own: int = math.floor(settings["total_bytes"] * constants["non_torch_share"][side])
    several = settings["tp"] * settings["pp"] > 1
    return own + (math.floor(constants["communication_bytes"][side]) if several else 0)


def penalties(settings: Any, stage: int) -> Part:
    """Tables that model runner V2 keeps for each seat: a count and a bit for each word of the vocabulary.

    Args:
        settings: the resolved settings
        stage: place of the stage of the pipeline, from 0

    Returns:
        The part, bytes; exact.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly

    Source:
        vLLM 0.28.0, `v1/worker/gpu/sample/penalties.py`.
    """
    size = 0
    if settings["rules"]["penalties"] and last_stage(settings, stage):
        rule, words = FITTED["penalties"], settings["model"]["vocab_size"]
        seat = bounded("vocab_size", words * rule["count_bytes"] + -(-words // rule["mask_words"]) * rule["mask_bytes"])
        size = bounded("max_num_seqs", seat * settings["seats"])
    return {"name": "penalties", "bytes": size, "low": size, "high": size, "kind": "rule", "source": "penalties"}


def multimodal(settings: Any) -> Part:
    """What an encoder of images or sound takes in the profile run: named, not counted.

    Args:
        settings: the resolved settings

    Returns:
        The part, always 0 bytes; its source says whether there is such an encoder.

    Source:
        vLLM 0.19.0, `v1/worker/gpu_model_runner.py`, `profile_run`: published starts of one model differ by its
        limits of images, from 0.4 to 36 GiB (vllm-project/vllm#12126).
    """
    source = "multimodal_not_counted" if settings["model"]["multimodal"] else "multimodal_none"
    return {"name": "multimodal", "bytes": 0, "low": 0, "high": 0, "kind": "guessed", "source": source}
