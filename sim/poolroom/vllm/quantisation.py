"""How weights are stored: bits a weight with its scales and zero points, and which weights are left as they are."""

from typing import TypedDict

from .plan_facts import QUANTISATIONS
from .refuse import one_of_names

_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOWER = "abcdefghijklmnopqrstuvwxyz"


def lowered(text: str) -> str:
    """A text with its Latin capitals made small, and nothing else changed.

    Args:
        text: any text

    Returns:
        The text, without unit.
    """
    return "".join([_LOWER[_UPPER.index(each)] if each in _UPPER else each for each in [*text]])


class Scheme(TypedDict):
    """How some weights are stored.

    Attributes:
        targets: names of modules that it is for; none: all that can be quantised, without unit
        hundredths: hundredths of bits that a weight takes, a unit of its own
        group: values that share a scale; 0: a row shares it, which counts as nothing
        group_bits: how many bits scale and zero point of one group take
        block: rows and columns, both in values, that share a scale; none where it is no block
    """

    targets: list[str]
    hundredths: int
    group: int
    group_bits: int
    block: list[int]


class Quantisation(TypedDict):
    """How the weights of a checkpoint are stored.

    Attributes:
        method: its name in vLLM; "" for weights that are not quantised, without unit
        schemes: how the weights are stored, the first that fits counts
        ignore: names of modules that are left as they are, without unit
        experts_only: whether only experts are stored so, true or false
        words: whether embedding and head are stored so too, true or false
        padded: values to whose multiple the widths of experts are filled up; 0: none
    """

    method: str
    schemes: list[Scheme]
    ignore: list[str]
    experts_only: bool
    words: bool
    padded: int


def none_of_it() -> Quantisation:
    """Weights that are not quantised.

    Returns:
        A record without schemes.
    """
    return {"method": "", "schemes": [], "ignore": [], "experts_only": False, "words": False, "padded": 0}


def plain_scheme(method: str, hundredths: int, group: int = 0, group_bits: int = 0) -> Quantisation:
    """All weights that can be quantised, stored in one way.

    Args:
        method: its name in vLLM
        hundredths: hundredths of bits that a weight takes, a unit of its own
        group: values that share a scale; 0: nothing that counts
        group_bits: how many bits scale and zero point of one group take

    Returns:
        How the weights are stored.
    """
    scheme: Scheme = {"targets": [], "hundredths": hundredths, "group": group, "group_bits": group_bits, "block": []}
    found = none_of_it()
    found["method"] = method
    found["schemes"] = [scheme]
    return found


def by_name(method: str) -> Quantisation:
    """A way to store weights that is asked for by its name, for a checkpoint that is not quantised.

    Args:
        method: a name as in `--quantization`, or a GGUF type such as "Q4_K_M"

    Returns:
        How the weights are stored.

    Raises:
        PlanError: for a name that is not known
    """
    if method in ("", "none"):
        return none_of_it()
    gguf_types = QUANTISATIONS["gguf"]
    if method in gguf_types:
        return _gguf_of(gguf_types[method])
    one_of_names("quantization", method, list(QUANTISATIONS["methods"]))
    known = QUANTISATIONS["methods"][method]
    found = plain_scheme(known["method"], known["hundredths"], known["group"], known["group_bits"])
    found["experts_only"] = known.get("experts_only", False)
    found["padded"] = known.get("padded", 0)
    return found


def _gguf_of(hundredths: int) -> Quantisation:
    found = plain_scheme("gguf", hundredths)
    found["words"] = True
    return found


def asked_method(method: str | None, stored: str) -> str:
    """What `--quantization` asks for beyond what the checkpoint is: nothing where both are the same.

    Args:
        method: as asked, or None
        stored: how the checkpoint stores its weights, or nothing

    Returns:
        The name as asked, without unit, or nothing.
    """
    if method is None or method in ("", "none"):
        return ""
    lower = lowered(method)
    known = QUANTISATIONS["methods"].get(lower, {"method": lower})["method"]
    same = (lower, known, QUANTISATIONS["aliases"].get(lower, lower))
    return "" if stored and stored in same else method
