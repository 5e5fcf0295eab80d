"""Small records for the tests of the plan: a card, a model, rules and settings, with what matters set by hand."""

from typing import Any

from poolroom.vllm.versions import rules_of

GIB = 2**30


def rules(version: str = "0.33.0", **given: Any) -> dict[str, Any]:
    """The rules of a version, with some of them changed."""
    return {**rules_of(version, given.pop("engine", None)), **given}


def card(**given: Any) -> dict[str, Any]:
    """A Hopper card, unless said otherwise."""
    return {"name": "H100-80GB", "maker": "nvidia", "capability": "9.0", **given}


def kind(name: str = "full", heads: int = 8, size: int = 128, **given: Any) -> Any:
    """One kind of layer."""
    values = 0 if name in ("mla", "mamba", "shared") else size
    return {"kind": name, "kv_heads": heads, "head_dim": size, "head_dim_v": values, "window": 0, "state": [], **given}


def state(*parts: list[int]) -> Any:
    """A kind of layer that keeps a state: pairs of values and bytes of one value."""
    return kind("mamba", 0, 0, state=[list(part) for part in parts])


def model(kinds: list[dict[str, Any]], order: list[int], **given: Any) -> dict[str, Any]:
    """A model by its layers."""
    return {
        "name": "made",
        "architecture": "MadeForCausalLM",
        "dtype": "bfloat16",
        "heads": 32,
        "encoder_tokens": 0,
        "longest": 131_072,
        "kinds": kinds,
        "order": order,
        "weights": {"caches": [1] * len(order)},
        **given,
    }


def dense(layers: int, heads: int, size: int = 128, **given: Any) -> dict[str, Any]:
    """A model of which every layer attends to everything."""
    return model([kind("full", heads, size)], [0] * layers, **given)


def settings(of: dict[str, Any], version: str = "0.33.0", **given: Any) -> Any:
    """Resolved settings for what the cache asks of them; `steps` run at once, as many as the version has by default."""
    made = {
        "card": card(),
        "model": of,
        "rules": rules(version, engine=given.pop("engine", None)),
        "longest": 8_192,
        "seats": 1_024,
        "batched_tokens": 8_192,
        "tp": 1,
        "pp": 1,
        "dcp": 1,
        "dtype": of["dtype"],
        "kv_dtype": "auto",
        "block_tokens": 0,
        "asynchronous": False,
        "prefix_caching": True,
        "flashinfer_sampler": False,
        "given": ["enable_prefix_caching"],
    }
    made |= given
    steps = made["rules"]["async_factor"] if made["asynchronous"] else 1
    return {"in_flight_tokens": made["batched_tokens"] * steps, **made}


LLAMA_8B = dense(32, 8)
LLAMA_70B = dense(80, 8)
QWEN_7B = dense(28, 4)
GEMMA_27B = model([kind("sliding", 16, window=1_024), kind("full", 16)], [0 if (i + 1) % 6 else 1 for i in range(62)])
GPT_OSS_20B = model([kind("sliding", 8, 64, window=128), kind("full", 8, 64)], [0, 1] * 12)
GPT_OSS_120B = model([kind("sliding", 8, 64, window=128), kind("full", 8, 64)], [0, 1] * 18)
MISTRAL_V01 = model([kind("sliding", 8, window=4_096)], [0] * 32)
DEEPSEEK_V3 = model([kind("mla", 1, 576)], [0] * 61, heads=128)
