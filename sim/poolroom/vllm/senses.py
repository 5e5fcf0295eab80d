"""What a model has beside its language model: eye, ear, encoder; counted where the shape is known, else guessed."""

from typing import Any

from .eyes import UNSURE, block_values, eye_of
from .fields import has, table_field, text_field, whole_field
from .shape import Shape
from .sums import product, total
from .tensors import Tensor, norm_values, tensor, values_of

GUESSED_LEAST = 300_000_000
GUESSED = 600_000_000
GUESSED_MOST = 6_000_000_000


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
    eye = eye_of(shape, config, kind) if name == "vision_config" else None
    if eye is not None:
        return [tensor("vision", "vision", eye)], 1 if kind in UNSURE else 2
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


def _encoder(shape: Shape) -> list[Tensor]:
    # Whisper: two convolutions, sinusoids or learned places, blocks; keys have no bias.
    text, wide = shape["text"], shape["hidden"]
    deep = whole_field(text, "encoder_layers", 1, 1_000)
    inner = whole_field(text, "encoder_ffn_dim", 1)
    mels = whole_field(text, "num_mel_bins", 1, 4_096, 80)
    heard = total("num_mel_bins", product("num_mel_bins", 3, mels, wide), wide, product("d_model", 3, wide, wide), wide)
    places = product("max_source_positions", whole_field(text, "max_source_positions", 1, default=1_500), wide)
    words = product("max_target_positions", whole_field(text, "max_target_positions", 1, default=448), wide)
    block = block_values(wide, inner, 2, 4 * wide + inner, 2 * norm_values(shape, wide))
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
    into = total(
        "hidden_size_per_layer_input", product("hidden_size_per_layer_input", hidden, layers, per_layer), per_layer
    )
    gates = total("hidden_size_per_layer_input", product("hidden_size", 2, hidden, per_layer), hidden)
    laurel = total("laurel_rank", product("laurel_rank", 2, hidden, rank), hidden)
    altup = total(
        "altup_num_inputs", product("altup_num_inputs", ways, ways, ways + 1), product("hidden_size", ways + 2, hidden)
    )
    each = product("num_hidden_layers", layers, total("num_hidden_layers", gates, laurel, altup))
    mixing = product("altup_num_inputs", 2 * (ways - 1), hidden, hidden)
    return [
        tensor("per_layer_words", "embedding", table),
        tensor("extras", "plain", whole=total("extras", into, each, mixing)),
    ]
