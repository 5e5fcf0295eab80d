"""The weights before and after the layers."""

from .families import option
from .fields import texts_field, whole_field
from .shape import Shape
from .sums import product, total
from .tensors import Tensor, norm_values, tensor


def first_tensors(shape: Shape) -> list[Tensor]:
    """The tensors before the layers: words, and places where they are learned.

    Args:
        shape: sizes of the model

    Returns:
        The tensors.

    Raises:
        PlanError: for sizes whose product is above 2^53 − 1
    """
    text, family, hidden = shape["text"], shape["family"], shape["hidden"]
    rows = total("vocab_size", shape["vocab"], int(family.get("extra_words", 0)))
    projected = family.get("projected_words", False)
    wide = whole_field(text, "word_embed_proj_dim", 1, otherwise=hidden) if projected else hidden
    out = [tensor("embedding", "embedding", product("vocab_size", rows, wide))]
    if wide != hidden:
        out.append(tensor("project", "plain", whole=product("word_embed_proj_dim", 2, wide, hidden)))
    if family.get("positions", False):
        names = "n_positions max_position_embeddings n_ctx"
        places = whole_field(text, names, 1) + int(family.get("position_offset", 0))
        out.append(tensor("positions", "plain", whole=product("max_position_embeddings", places, hidden)))
    if family.get("word_norm", False):
        out.append(tensor("word_norm", "plain", whole=norm_values(shape, hidden)))
    return out


def last_tensors(shape: Shape) -> list[Tensor]:
    """The tensors after the layers: a norm, and a head where that is not the embedding.

    Args:
        shape: sizes of the model

    Returns:
        The tensors.

    Raises:
        PlanError: for sizes whose product is above 2^53 − 1
    """
    text, family, hidden = shape["text"], shape["family"], shape["hidden"]
    out = [tensor("norm", "plain", whole=norm_values(shape, hidden))]
    if not shape["tied"] and _has_head(shape):
        out.append(tensor("head", "head", product("vocab_size", shape["vocab"], hidden)))
    if option(text, family, "head_bias"):
        out.append(tensor("head_bias", "plain", shape["vocab"]))
    return out


def _has_head(shape: Shape) -> bool:
    # Embedding models name a class without a head; ChatGLM's class has one all the same.
    names = texts_field(shape["outer"], "architectures")
    name = names[0] if len(names) > 0 else ""
    return not name.endswith("Model") or name.endswith("LMHeadModel") or name == "ChatGLMModel"
