"""What a model has beside its language model: eye, ear, encoder; counted where the shape is known, else guessed."""

from typing import Any

from .eyes import UNSURE, block_values, eye_of
from .fields import has, table_field, text_field, whole_field
from .shape import Shape
from .sums import product, total
from .tensors import Tensor, tensor, values_of

_EARS = ("qwen2_audio_encoder",)
_GUESSED = 600_000_000
_GUESSED_MOST = 6_000_000_000


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
            many = values_of(found)
            tensors.extend(found)
            spread = many // 20 if known == 1 else 0
            if known == 0:
                guesses.append(name)
                far = _GUESSED_MOST if many == _GUESSED else 2 * many
                least, most = least + many // 2, total(name, most, far)
            else:
                guesses.extend([name] if known == 1 else [])
                least, most = least + many - spread, total(name, most, many, spread)
    extra = _extras(shape, text)
    size = values_of(extra)
    return [*tensors, *extra], guesses, least + size, total("parameters", most, size)


def _exact(tensors: list[Tensor]) -> tuple[list[Tensor], list[str], int, int]:
    size = values_of(tensors)
    return tensors, [], size, size


def _sense(shape: Shape, name: str, config: dict[str, Any]) -> tuple[list[Tensor], int]:
    kind = text_field(config, "model_type") or shape["model_type"]
    eye = eye_of(shape, config, kind) if name == "vision_config" else None
    if eye is not None:
        return [tensor("vision", "vision", eye)], 1 if kind in UNSURE else 2
    if name == "audio_config" and kind in _EARS:
        heard = encoder_values(config, whole_field(config, "d_model", 1), 2)
        joined = product("d_model", shape["hidden"], whole_field(config, "d_model", 1) + 1)
        return [tensor("audio", "vision", total("audio_config", heard, joined))], 2
    layers = "num_hidden_layers depth num_layers layers encoder_layers num_blocks"
    hidden = "hidden_size embed_dim d_model width"
    if not (_any(config, layers) and _any(config, hidden)):
        return [tensor(name, "vision", _GUESSED)], 0
    wide, deep = whole_field(config, hidden, 1), whole_field(config, layers, 1, 1_000)
    inner = whole_field(config, "intermediate_size encoder_ffn_dim", 1, otherwise=product(name, 4, wide))
    block = total(name, product(name, 4, wide, wide), product(name, 2, wide, inner))
    join = product(name, shape["hidden"], wide + shape["hidden"])
    return [tensor(name, "vision", total(name, product(name, deep, block), join))], 0


def _any(config: dict[str, Any], names: str) -> bool:
    return len([name for name in names.split(" ") if has(config, name)]) > 0


def encoder_values(config: dict[str, Any], wide: int, per_norm: int) -> int:
    """How many values Whisper's encoder has: two convolutions, places, blocks; keys have no bias.

    Args:
        config: the config that names its layers
        wide: values of its hidden state
        per_norm: values of a norm for each value that it normalises

    Returns:
        Values.

    Raises:
        PlanError: for a field that is missing or out of range
    """
    deep = whole_field(config, "encoder_layers", 1, 1_000)
    inner = whole_field(config, "encoder_ffn_dim", 1)
    mels = whole_field(config, "num_mel_bins", 1, 4_096, 80)
    heard = total("num_mel_bins", product("d_model", 3, mels + wide, wide), 2 * wide)
    places = product("max_source_positions", whole_field(config, "max_source_positions", 1, otherwise=1_500), wide)
    block = block_values(wide, inner, 2, 4 * wide + inner, 2 * per_norm * wide)
    return total("encoder_layers", heard, places, product("encoder_layers", deep, block), per_norm * wide)


def _encoder(shape: Shape) -> list[Tensor]:
    text, wide = shape["text"], shape["hidden"]
    words = product("max_target_positions", whole_field(text, "max_target_positions", 1, otherwise=448), wide)
    encoder = encoder_values(text, wide, 2)
    return [tensor("encoder", "vision", encoder), tensor("positions", "plain", whole=words)]


def _extras(shape: Shape, text: dict[str, Any]) -> list[Tensor]:
    # Gemma 3n and the small Gemma 4: words once more for each layer.
    kind, layers, hidden = shape["family"].get("extras", ""), shape["layers"], shape["hidden"]
    per_layer = whole_field(text, "hidden_size_per_layer_input", 0, otherwise=256)
    if not kind or not per_layer:
        return []
    words = whole_field(text, "vocab_size_per_layer_input", 1, otherwise=262_144)
    name = "hidden_size_per_layer_input"
    into = total(name, product(name, hidden, layers, per_layer), per_layer)
    gates = product(name, layers, total(name, product(name, 2, hidden, per_layer), hidden))
    mixing = _mixing(shape, text) if kind == "gemma3n" else 0
    return [
        tensor("per_layer_words", "embedding", product(name, words, layers, per_layer)),
        tensor("extras", "plain", whole=total(name, into, gates, mixing)),
    ]


def _mixing(shape: Shape, text: dict[str, Any]) -> int:
    # Gemma 3n: a way around each layer of a lower rank (LAuReL), and several hidden states at once (AltUp).
    hidden = shape["hidden"]
    rank = whole_field(text, "laurel_rank", 1, otherwise=64)
    ways = whole_field(text, "altup_num_inputs", 1, 64, 4)
    laurel = total("laurel_rank", product("laurel_rank", 2, hidden, rank), hidden)
    altup = total("altup_num_inputs", ways * ways * (ways + 1), product("altup_num_inputs", ways + 2, hidden))
    each = product("num_hidden_layers", shape["layers"], total("altup_num_inputs", laurel, altup))
    return total("altup_num_inputs", each, product("altup_num_inputs", 2 * (ways - 1), hidden, hidden))
