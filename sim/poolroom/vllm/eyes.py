"""The weights of the eye of a model that sees, by its family; sizes left out are those of its class in transformers."""

from typing import Any

from .fields import field_of, flag_field, has, list_field, text_field, whole_field
from .shape import Shape
from .sums import product, total

_MERGED = (
    "qwen2_vl",
    "qwen2_5_vl",
    "qwen3_vl",
    "qwen3_vl_moe",
    "qwen3_5",
    "qwen3_5_moe",
    "qwen2_5_vl_vision",
    "glm4v",
    "glm4v_moe",
)
_MERGED_EYES = ("qwen3_5_vision", "qwen3_5_moe_vision", "qwen3_vl_vision", "qwen3_vl_moe_vision")
_TOWERS = ("siglip_vision_model", "clip_vision_model", "siglip2_vision_model", "siglip", "clip")
UNSURE = ("siglip2_vision_model", "siglip", "clip")
"""Model types of eyes whose blocks are known, and whose ends are not."""


def eye_of(shape: Shape, config: dict[str, Any], kind: str) -> int | None:
    """How many values an eye has, with what joins it to the language model, or None for an eye that is not known.

    Args:
        shape: sizes of the language model
        config: the eye's own config
        kind: its model type

    Returns:
        Values, or None.

    Raises:
        PlanError: for a field out of range
    """
    own = shape["model_type"]
    if kind in _MERGED or kind in _MERGED_EYES or own in _MERGED:
        return _merged(shape, config)
    if kind == "pixtral":
        return _pixtral(shape, config)
    if kind == "llama4_vision_model" or own == "llama4_text":
        return _llama4(shape, config)
    if kind in ("mllama_vision_model", "mllama_text_model"):
        return _mllama(shape, config)
    if kind in ("gemma4_vision", "gemma4_text"):
        return _gemma4(shape, config)
    return _tower(shape, config) if kind in _TOWERS else None


def block_values(wide: int, inner: int, mats: int, biases: int, norms: int) -> int:
    """How many values one block of an eye or an encoder has.

    Args:
        wide: values of its hidden state
        inner: values of its feed-forward layer
        mats: matrices of its feed-forward layer, without unit
        biases: values of its biases
        norms: values of its norms

    Returns:
        Values.

    Raises:
        PlanError: for a product above 2^53 − 1
    """
    square = total(
        "vision_config", product("hidden_size", 4, wide, wide), product("intermediate_size", mats, wide, inner)
    )
    return total("vision_config", square, biases, norms)


def _merged(shape: Shape, config: dict[str, Any]) -> int:
    # Qwen's eye: patches of two frames, blocks, and a merger of 2 × 2 patches.
    own = shape["model_type"]
    old = has(config, "embed_dim") or own in ("qwen2_vl", "qwen2_vl_text")
    gated = own in ("qwen2_5_vl", "qwen2_5_vl_text")
    usual = 1_280 if old or gated else 1_152
    wide = whole_field(config, "embed_dim" if old else "hidden_size", 1, otherwise=usual)
    deep = whole_field(config, "depth", 1, 1_000, 32 if old or gated else 27)
    inner = whole_field(config, "intermediate_size", 1, otherwise=4 * wide if old else (3_420 if gated else 4_304))
    out = whole_field(config, "hidden_size" if old else "out_hidden_size", 1, otherwise=shape["hidden"])
    patch = whole_field(config, "patch_size spatial_patch_size", 1, 1_024, 14 if old or gated else 16)
    frames = whole_field(config, "temporal_patch_size", 1, 64, 2)
    merge = whole_field(config, "spatial_merge_size", 1, 64, 2)
    newer = not old and not gated
    seen = total("patch_size", product("patch_size", 3, frames, patch, patch, wide), wide if newer else 0)
    rows = whole_field(config, "num_position_embeddings", 0, otherwise=2_304)
    places = product("num_position_embeddings", rows, wide)
    biases = 4 * wide + (2 * inner + wide if gated else inner + wide)
    block = block_values(wide, inner, 3 if gated else 2, biases, 2 * wide if gated else 4 * wide)
    four = product("spatial_merge_size", merge, merge, wide)
    mixed = total(
        "spatial_merge_size",
        product("spatial_merge_size", four, four),
        four,
        product("out_hidden_size", four, out),
        out,
    )
    merger = total("spatial_merge_size", mixed, wide if gated else 2 * wide)
    many = len(list_field(config, "deepstack_visual_indexes"))
    deeper = product("deepstack_visual_indexes", many, total("spatial_merge_size", mixed, 2 * four))
    return total("vision_config", seen, places if newer else 0, product("depth", deep, block), merger, deeper)


def _pixtral(shape: Shape, config: dict[str, Any]) -> int:
    wide = whole_field(config, "hidden_size", 1, otherwise=1_024)
    deep = whole_field(config, "num_hidden_layers", 1, 1_000, 24)
    inner = whole_field(config, "intermediate_size", 1, otherwise=4_096)
    patch = whole_field(config, "patch_size", 1, 1_024, 16)
    seen = total("patch_size", product("patch_size", 3, patch, patch, wide), wide)
    blocks = product("num_hidden_layers", deep, block_values(wide, inner, 3, 0, 2 * wide))
    hidden, outer = shape["hidden"], shape["outer"]
    bias = 2 * hidden if flag_field(outer, "multimodal_projector_bias", shape["model_type"] != "mistral") else 0
    join = total("hidden_size", product("hidden_size", hidden, wide + hidden), bias)
    merge = whole_field(outer, "spatial_merge_size", 1, 64, 2 if field_of(outer, "model_type") == "mistral3" else 1)
    merger = product("spatial_merge_size", merge, merge, wide, wide) + wide if merge > 1 else 0
    return total("vision_config", seen, blocks, join, merger)


def _tower(shape: Shape, config: dict[str, Any]) -> int:
    wide = whole_field(config, "hidden_size", 1, otherwise=768)
    deep = whole_field(config, "num_hidden_layers", 1, 1_000, 12)
    inner = whole_field(config, "intermediate_size", 1, otherwise=3_072)
    patch = whole_field(config, "patch_size", 1, 1_024, 16)
    side = whole_field(config, "image_size", 1, 65_536, 224) // patch
    places = product("image_size", side, side, wide)
    # SigLIP: a bias of its patches and a norm at the end; CLIP: a word for the class, its place, and two norms.
    clip = text_field(config, "model_type").startswith("clip")
    seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places, 6 * wide if clip else 3 * wide)
    blocks = product("num_hidden_layers", deep, block_values(wide, inner, 2, 5 * wide + inner, 4 * wide))
    hidden = shape["hidden"]
    plain = total("hidden_size", product("hidden_size", wide, hidden), wide)
    mixed = total("hidden_size", product("hidden_size", hidden, wide + hidden), 2 * hidden)
    join = plain if shape["model_type"].startswith("gemma3") else mixed
    return total("vision_config", seen, blocks, join)


def _llama4(shape: Shape, config: dict[str, Any]) -> int:
    wide = whole_field(config, "hidden_size", 1, otherwise=1_408)
    deep = whole_field(config, "num_hidden_layers", 1, 1_000, 34)
    inner = whole_field(config, "intermediate_size", 1, otherwise=5_632)
    patch = whole_field(config, "patch_size", 1, 1_024, 14)
    side = whole_field(config, "image_size", 1, 65_536, 336) // patch
    middle = whole_field(config, "projector_input_dim", 1, otherwise=4_096)
    out = whole_field(config, "vision_output_dim projector_output_dim", 1, otherwise=4_096)
    places = product("image_size", product("image_size", side, side) + 1, wide)
    seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places, wide, 4 * wide)
    blocks = product("num_hidden_layers", deep, block_values(wide, inner, 2, 5 * wide + inner, 4 * wide))
    mixed = total(
        "projector_input_dim",
        product("projector_input_dim", inner, middle),
        product("projector_input_dim", middle, out),
    )
    join = product("hidden_size", out, shape["hidden"])
    return total("vision_config", seen, blocks, mixed, join)


def _mllama(shape: Shape, config: dict[str, Any]) -> int:
    wide = whole_field(config, "hidden_size", 1, otherwise=1_280)
    local = whole_field(config, "num_hidden_layers", 1, 1_000, 32)
    world = whole_field(config, "num_global_layers", 0, 1_000, 8)
    inner = whole_field(config, "intermediate_size", 1, otherwise=5_120)
    patch = whole_field(config, "patch_size", 1, 1_024, 14)
    side = whole_field(config, "image_size", 1, 65_536, 448) // patch
    tiles = whole_field(config, "max_num_tiles", 1, 1_024, 4)
    out = whole_field(config, "vision_output_dim", 1, otherwise=7_680)
    ratios = len(list_field(config, "supported_aspect_ratios")) or 8
    places = product("image_size", product("image_size", side, side) + 1, wide)
    tiled = product("max_num_tiles", ratios + 1, tiles, total("max_num_tiles", places, 2 * wide))
    seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places, tiled, 5 * wide, 3)
    blocks = product("num_hidden_layers", local + world, block_values(wide, inner, 2, inner + wide, 4 * wide))
    join = product("vision_output_dim", out + 1, shape["hidden"])
    return total("vision_config", seen, blocks, 2 * world, join)


def _gemma4(shape: Shape, config: dict[str, Any]) -> int:
    wide = whole_field(config, "hidden_size", 1, otherwise=768)
    deep = whole_field(config, "num_hidden_layers", 1, 1_000, 16)
    inner = whole_field(config, "intermediate_size", 1, otherwise=3_072)
    patch = whole_field(config, "patch_size", 1, 1_024, 16)
    head_dim = whole_field(config, "head_dim", 1, otherwise=64)
    places = product(
        "position_embedding_size", 2, whole_field(config, "position_embedding_size", 1, otherwise=10_240), wide
    )
    seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places)
    blocks = product("num_hidden_layers", deep, block_values(wide, inner, 3, 2 * head_dim, 4 * wide))
    join = product("hidden_size", wide, shape["hidden"])
    return total("vision_config", seen, blocks, 2 * wide, join)
