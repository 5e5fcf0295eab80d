"""An SVG as a PNG, drawn by resvg: an optional library, since the reference itself needs none."""

from .facts import WORDS


class MissingPart(RuntimeError):
    """A library that is not installed; the message says how to get it."""


def png(picture: str, scale: float = 2.0) -> bytes:
    """The picture with `scale` pixels a px, so that it stays sharp on paper.

    Raises MissingPart where resvg-py is not installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise MissingPart(WORDS["cli"]["no_png"]) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, zoom=scale))
