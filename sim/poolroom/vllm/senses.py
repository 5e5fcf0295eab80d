"""What a model has beside its language model: the eye, the ear, an encoder; counted where its shape is known, else guessed."""

from typing import Any

from .fields import flag_field, has, list_field, product, table_field, text_field, total, whole_field
from .shape import Shape
from .tensors import Tensor, norm_values, tensor, values_of

GUESSED_LEAST = 300_000_000
GUESSED = 600_000_000
GUESSED_MOST = 6_000_000_000
MERGED = ("qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe", "qwen2_5_vl_vision", "glm4v", "glm4v_moe")
MERGED_EYES = ("qwen3_5_vision", "qwen3_5_moe_vision", "qwen3_vl_vision", "qwen3_vl_moe_vision")
TOWERS = ("siglip_vision_model", "clip_vision_model", "siglip2_vision_model", "siglip", "clip")


def senses_of(shape: Shape) -> tuple[list[Tensor], list[str], int, int]:
    """The weights of vision, audio and encoder.

    Args:
        shape: sizes of the model

    Returns:
        The tensors, the keys of what is guessed about them, and the least and the most values that they have.

    Raises:
        PlanError: for a field out of range
    """
    outer, text = shape["outer"], shape["text"]
    if shape["family"].get("hybrid") == "encoder_decoder":
        return _exact(_encoder(shape))
    tensors: list[Tensor] = []
    guesses: list[str] = []
    least = most = 0
    for name in ("vision_config", "audio_config", "vision_tower_config", "speech_config"):
        for holder in (outer, table_field(outer, "thinker_config")):
            if not has(holder, name) or (holder is not outer and has(outer, name)):
                continue
            found, known = _sense(shape, name, table_field(holder, name))
            size = values_of(found)
            tensors += found
            spread = size // 20 if known == 1 else 0
            if known == 0:
                guesses.append(name)
                least, most = least + size // 2, total(name, most, max(2 * size, GUESSED_MOST))
            else:
                guesses += [name] if known == 1 else []
                least, most = least + size - spread, total(name, most, size, spread)
    extra = _extras(shape, text)
    size = values_of(extra)
    return tensors + extra, guesses, least + size, total("parameters", most, size)


def _exact(tensors: list[Tensor]) -> tuple[list[Tensor], list[str], int, int]:
    size = values_of(tensors)
    return tensors, [], size, size


def _sense(shape: Shape, name: str, config: dict[str, Any]) -> tuple[list[Tensor], int]:
    kind = text_field(config, "model_type") or shape["model_type"]
    if name == "vision_config" and (kind in MERGED or kind in MERGED_EYES or shape["model_type"] in MERGED):
        return _merged(shape, config), 2
    if name == "vision_config" and kind == "pixtral":
        return _pixtral(shape, config), 2
    if name == "vision_config" and (kind == "llama4_vision_model" or shape["model_type"] == "llama4_text"):
        return _llama4(shape, config), 2
    if name == "vision_config" and kind in ("mllama_vision_model", "mllama_text_model"):
        return _mllama(shape, config), 2
    if name == "vision_config" and kind in ("gemma4_vision", "gemma4_text"):
        return _gemma4(shape, config), 2
    if name == "vision_config" and kind in TOWERS:
        return _tower(shape, config), 1 if kind != "siglip_vision_model" else 2
    layers = "num_hidden_layers depth num_layers layers encoder_layers num_blocks"
    hidden = "hidden_size embed_dim d_model width"
    if not (_any(config, layers) and _any(config, hidden)):
        return [tensor(name, "vision", GUESSED)], 0
    wide, deep = whole_field(config, hidden, 1), whole_field(config, layers, 1, 1_000)
    inner = whole_field(config, "intermediate_size encoder_ffn_dim", 1, default=product(name, 4, wide))
    block = total(name, product(name, 4, wide, wide), product(name, 2, wide, inner))
    join = product(name, shape["hidden"], wide + shape["hidden"])
    return [tensor(name, "vision", total(name, product(name, deep, block), join))], 0


def _any(config: dict[str, Any], names: str) -> bool:
    return any(has(config, name) for name in names.split(" "))


def _block(wide: int, inner: int, mats: int, biases: int, norms: int) -> int:
    square = total("vision_config", product("hidden_size", 4, wide, wide), product("intermediate_size", mats, wide, inner))
    return total("vision_config", square, biases, norms)


def _merged(shape: Shape, config: dict[str, Any]) -> list[Tensor]:
    # Qwen's eye: patches of two frames, blocks, and a merger of 2 × 2 patches.
    old = has(config, "embed_dim") or shape["model_type"] in ("qwen2_vl", "qwen2_vl_text")
    wide = whole_field(config, "embed_dim" if old else "hidden_size", 1, default=1_280 if old else 1_152)
    wide = wide if old or shape["model_type"] not in ("qwen2_5_vl",) else whole_field(config, "hidden_size", 1, default=1_280)
    gated = shape["model_type"] in ("qwen2_5_vl", "qwen2_5_vl_text")
    deep = whole_field(config, "depth", 1, 1_000, 27 if not old and not gated else 32)
    inner = whole_field(config, "intermediate_size", 1, default=4 * wide if old else (3_420 if gated else 4_304))
    out = whole_field(config, "hidden_size" if old else "out_hidden_size", 1, default=shape["hidden"])
    patch = whole_field(config, "patch_size spatial_patch_size", 1, 1_024, 14 if old or gated else 16)
    frames = whole_field(config, "temporal_patch_size", 1, 64, 2)
    merge = whole_field(config, "spatial_merge_size", 1, 64, 2)
    newer = not old and not gated
    seen = total("patch_size", product("patch_size", 3, frames, patch, patch, wide), wide if newer else 0)
    places = product("num_position_embeddings", whole_field(config, "num_position_embeddings", 0, default=2_304), wide)
    biases = 4 * wide + (2 * inner + wide if gated else inner + wide)
    block = _block(wide, inner, 3 if gated else 2, biases, 2 * wide if gated else 4 * wide)
    four = product("spatial_merge_size", merge, merge, wide)
    mixed = total("spatial_merge_size", product("spatial_merge_size", four, four), four, product("out_hidden_size", four, out), out)
    merger = total("spatial_merge_size", mixed, wide if gated else 2 * wide)
    deeper = product("deepstack_visual_indexes", len(list_field(config, "deepstack_visual_indexes")), total("x", mixed, 2 * four))
    size = total("vision_config", seen, places if newer else 0, product("depth", deep, block), merger, deeper)
    return [tensor("vision", "vision", size)]


def _pixtral(shape: Shape, config: dict[str, Any]) -> list[Tensor]:
    wide = whole_field(config, "hidden_size", 1, default=1_024)
    deep = whole_field(config, "num_hidden_layers", 1, 1_000, 24)
    inner = whole_field(config, "intermediate_size", 1, default=4_096)
    patch = whole_field(config, "patch_size", 1, 1_024, 16)
    seen = total("patch_size", product("patch_size", 3, patch, patch, wide), wide)
    blocks = product("num_hidden_layers", deep, _block(wide, inner, 3, 0, 2 * wide))
    hidden, outer = shape["hidden"], shape["outer"]
    bias = 2 * hidden if flag_field(outer, "multimodal_projector_bias", shape["model_type"] != "mistral") else 0
    join = total("hidden_size", product("hidden_size", hidden, wide + hidden), bias)
    merge = whole_field(outer, "spatial_merge_size", 1, 64, 2 if outer.get("model_type") == "mistral3" else 1)
    merger = product("spatial_merge_size", merge, merge, wide, wide) + wide if merge > 1 else 0
    return [tensor("vision", "vision", total("vision_config", seen, blocks, join, merger))]


def _tower(shape: Shape, config: dict[str, Any]) -> list[Tensor]:
    wide = whole_field(config, "hidden_size", 1, default=768)
    deep = whole_field(config, "num_hidden_layers", 1, 1_000, 12)
    inner = whole_field(config, "intermediate_size", 1, default=3_072)
    patch = whole_field(config, "patch_size", 1, 1_024, 16)
    side = whole_field(config, "image_size", 1, 65_536, 224) // patch
    seen = total("patch_size", product("patch_size", 3, patch, patch, wide), wide, product("image_size", side, side, wide))
    blocks = product("num_hidden_layers", deep, _block(wide, inner, 2, 5 * wide + inner, 4 * wide))
    hidden = shape["hidden"]
    if shape["model_type"].startswith("gemma3"):
        join = total("hidden_size", product("hidden_size", wide, hidden), wide)
    else:
        join = total("hidden_size", product("hidden_size", hidden, wide + hidden), 2 * hidden)
    return [tensor("vision", "vision", total("vision_config", seen, blocks, 2 * wide, join))]


def _llama4(shape: Shape, config: dict[str, Any]) -> list[Tensor]:
    wide = whole_field(config, "hidden_size", 1, default=1_408)
    deep = whole_field(config, "num_hidden_layers", 1, 1_000, 34)
    inner = whole_field(config, "intermediate_size", 1, default=5_632)
    patch = whole_field(config, "patch_size", 1, 1_024, 14)
    side = whole_field(config, "image_size", 1, 65_536, 336) // patch
    middle = whole_field(config, "projector_input_dim", 1, default=4_096)
    out = whole_field(config, "vision_output_dim projector_output_dim", 1, default=4_096)
    places = product("image_size", product("image_size", side, side) + 1, wide)
    seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places, wide, 4 * wide)
    blocks = product("num_hidden_layers", deep, _block(wide, inner, 2, 5 * wide + inner, 4 * wide))
    mixed = total("projector_input_dim", product("projector_input_dim", inner, middle), product("projector_input_dim", middle, out))
    join = product("hidden_size", out, shape["hidden"])
    return [tensor("vision", "vision", total("vision_config", seen, blocks, mixed, join))]


def _mllama(shape: Shape, config: dict[str, Any]) -> list[Tensor]:
    wide = whole_field(config, "hidden_size", 1, default=1_280)
    local = whole_field(config, "num_hidden_layers", 1, 1_000, 32)
    world = whole_field(config, "num_global_layers", 0, 1_000, 8)
    inner = whole_field(config, "intermediate_size", 1, default=5_120)
    patch = whole_field(config, "patch_size", 1, 1_024, 14)
    side = whole_field(config, "image_size", 1, 65_536, 448) // patch
    tiles = whole_field(config, "max_num_tiles", 1, 1_024, 4)
    out = whole_field(config, "vision_output_dim", 1, default=7_680)
    ratios = len(list_field(config, "supported_aspect_ratios")) or 8
    places = product("image_size", product("image_size", side, side) + 1, wide)
    tiled = product("max_num_tiles", ratios + 1, tiles, total("max_num_tiles", places, 2 * wide))
    seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places, tiled, 5 * wide, 3)
    blocks = product("num_hidden_layers", local + world, _block(wide, inner, 2, inner + wide, 4 * wide))
    join = product("vision_output_dim", out + 1, shape["hidden"])
    return [tensor("vision", "vision", total("vision_config", seen, blocks, 2 * world, join))]


def _gemma4(shape: Shape, config: dict[str, Any]) -> list[Tensor]:
    wide = whole_field(config, "hidden_size", 1, default=768)
    deep = whole_field(config, "num_hidden_layers", 1, 1_000, 16)
    inner = whole_field(config, "intermediate_size", 1, default=3_072)
    patch = whole_field(config, "patch_size", 1, 1_024, 16)
    head_dim = whole_field(config, "head_dim", 1, default=64)
    places = product("position_embedding_size", 2, whole_field(config, "position_embedding_size", 1, default=10_240), wide)
    seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places)
    blocks = product("num_hidden_layers", deep, _block(wide, inner, 3, 2 * head_dim, 4 * wide))
    join = product("hidden_size", wide, shape["hidden"])
    return [tensor("vision", "vision", total("vision_config", seen, blocks, 2 * wide, join))]


def _encoder(shape: Shape) -> list[Tensor]:
    # Whisper: two convolutions, sinusoids or learned places, blocks; keys have no bias.
    text, wide = shape["text"], shape["hidden"]
    deep = whole_field(text, "encoder_layers", 1, 1_000)
    inner = whole_field(text, "encoder_ffn_dim", 1)
    mels = whole_field(text, "num_mel_bins", 1, 4_096, 80)
    heard = total("num_mel_bins", product("num_mel_bins", 3, mels, wide), wide, product("d_model", 3, wide, wide), wide)
    places = product("max_source_positions", whole_field(text, "max_source_positions", 1, default=1_500), wide)
    words = product("max_target_positions", whole_field(text, "max_target_positions", 1, default=448), wide)
    block = _block(wide, inner, 2, 4 * wide + inner, 2 * norm_values(shape, wide))
    size = total("encoder_layers", heard, places, product("encoder_layers", deep, block), norm_values(shape, wide))
    return [tensor("encoder", "vision", size), tensor("positions", "plain", whole=words)]


def _extras(shape: Shape, text: dict[str, Any]) -> list[Tensor]:
    if shape["family"].get("extras") != "gemma3n":
        return []
    # Gemma 3n: per-layer embeddings, LAuReL, AltUp.
    layers, hidden = shape["layers"], shape["hidden"]
    per_layer = whole_field(text, "hidden_size_per_layer_input", 1, default=256)
    words = whole_field(text, "vocab_size_per_layer_input", 1, default=262_144)
    rank = whole_field(text, "laurel_rank", 1, default=64)
    ways = whole_field(text, "altup_num_inputs", 1, 64, 4)
    table = product("vocab_size_per_layer_input", words, layers, per_layer)
    into = total("hidden_size_per_layer_input", product("hidden_size_per_layer_input", hidden, layers, per_layer), per_layer)
    gates = total("hidden_size_per_layer_input", product("hidden_size", 2, hidden, per_layer), hidden)
    laurel = total("laurel_rank", product("laurel_rank", 2, hidden, rank), hidden)
    altup = total("altup_num_inputs", product("altup_num_inputs", ways, ways, ways + 1), product("hidden_size", ways + 2, hidden))
    each = product("num_hidden_layers", layers, total("num_hidden_layers", gates, laurel, altup))
    mixing = product("altup_num_inputs", 2 * (ways - 1), hidden, hidden)
    return [tensor("per_layer_words", "embedding", table), tensor("extras", "plain", whole=total("extras", into, each, mixing))]
