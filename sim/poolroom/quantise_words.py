"""What the tool “quantise” answers: a footprint, what it is made of, and the time of a step that reads it."""

from typing import Any

from .checks import MOST_WHOLE, number_between
from .facts import WORDS
from .kv import GIB
from .quantise import FORMATS, Footprint, Shape, footprint, left_parameters, quantised_parameters
from .serving_facts import TOOLS, figure
from .tool import Answer, Row, one_of, said
from .words import commas, whole_number

BITS = {"fp16": 16, "int8": 8, "fp8": 8, "nf4": 4, "nf4_double": 4}
"""Width of a stored weight in each format, in bits; 8 of them are one of the bytes."""


def quantise_answer(settings: dict[str, Any]) -> Answer:
    """The answer to the settings of the tool “quantise”.

    Args:
        settings: model and format by name, bandwidth from 1 to 2^53 − 1 bytes per second

    Returns:
        Sentences, and rows in GB.

    Raises:
        SimError: naming the setting that cannot be used
    """
    model = one_of("model", settings["model"], TOOLS["quantise"]["controls"]["model"]["values"])
    name, bandwidth = settings["format"], number_between("bandwidth", settings["bandwidth"], 1, MOST_WHOLE)
    shape: Shape = figure("quantise", model)
    sizes = {each: footprint(shape, each) for each in FORMATS}
    here = sizes[one_of("format", name, FORMATS)]
    lines = {
        **_size_lines(model, name, shape, here),
        "smaller": _smaller_line(name, here.total_bytes, sizes["fp16"].total_bytes),
        "left": said("quantise", f"lines.left.{'tied' if shape['tied'] else 'untied'}", gb=_gb(here.left_bytes)),
        **_constants_lines(name, here, quantised_parameters(shape)),
        "step": _step_line(name, here.total_bytes, sizes["fp16"].total_bytes, bandwidth),
    }
    if not shape["tied"]:
        lines["table"] = said("quantise", "lines.table")
    if name != "fp16":
        lines["quality"] = said("quantise", "lines.quality")
    return {"lines": lines, "rows": [*_format_rows(name, sizes), *_part_rows(here)], "lanes": []}


def decimals(x: float, scale: int) -> str:
    """A number ≥ 0 with as many decimals as the scale has zeros, halves up, made from an integer.

    Args:
        x: a number, of any unit
        scale: 100 or 1,000, how many parts a unit has

    Returns:
        Digits and separators.
    """
    parts = whole_number(x * float(scale))
    return f"{commas(parts // scale)}{WORDS['numbers']['decimal']}{str(parts % scale + scale)[1:]}"


def _size_lines(model: str, name: str, shape: Shape, here: Footprint) -> dict[str, str]:
    parameters = quantised_parameters(shape) + left_parameters(shape)
    terms = {
        "model": said("quantise", f"controls.model.names.{model}"),
        "format": said("quantise", f"controls.format.names.{name}"),
        "gb": _gb(here.total_bytes),
        "gib": decimals(float(here.total_bytes) / float(GIB), 100),
        "billions": _gb(parameters),
        "bytes": decimals(float(here.total_bytes) / float(parameters), 100),
    }
    return {"footprint": said("quantise", "lines.footprint", **terms)}


def _smaller_line(name: str, total: int, fp16: int) -> str:
    if name == "fp16":
        return said("quantise", "lines.smaller.fp16")
    times, bits = decimals(float(fp16) / float(total), 100), BITS[name]
    return said("quantise", "lines.smaller.other", gb16=_gb(fp16), times=times, bits=bits, ideal=BITS["fp16"] // bits)


def _constants_lines(name: str, here: Footprint, weights: int) -> dict[str, str]:
    if name == "fp16":
        return {}
    bits, mb = 8.0 * float(here.constants_bytes) / float(weights), float(here.constants_bytes) / 1e6
    terms = {"mb": decimals(mb, 100), "bits": decimals(bits, 1000)}
    return {"constants": said("quantise", f"lines.constants.{name}", **terms, count=here.constants_bytes)}


def _step_line(name: str, total: int, fp16: int, bandwidth: float) -> str:
    ms, ms16 = [decimals(1000.0 * (float(size) / bandwidth), 100) for size in (total, fp16)]
    kind, rate = "fp16" if name == "fp16" else "other", whole_number(bandwidth / 1e9)
    return said("quantise", f"lines.step.{kind}", rate=rate, ms=ms, ms16=ms16)


def _format_rows(name: str, sizes: dict[str, Footprint]) -> list[Row]:
    return [
        _row("formats", f"controls.format.names.{each}", size.total_bytes, "good" if each == name else "plain")
        for each, size in sizes.items()
    ]


def _part_rows(here: Footprint) -> list[Row]:
    return [
        _row("parts", "rows.quantised", here.quantised_bytes, "plain"),
        _row("parts", "rows.constants", here.constants_bytes, "cost"),
        _row("parts", "rows.left", here.left_bytes, "plain"),
    ]


def _row(group: str, name: str, size: int, kind: str) -> Row:
    return Row(
        group=said("quantise", f"rows.{group}"),
        name=said("quantise", name),
        amount=float(size) / 1e9,
        text=said("quantise", "rows.size", n=_gb(size)),
        kind=kind,
    )


def _gb(n: int) -> str:
    return decimals(float(n) / 1e9, 100)
