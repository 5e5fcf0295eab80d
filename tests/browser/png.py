"""Read a screenshot's pixels."""

from functools import cache
from io import BytesIO

from PIL import Image

Pixel = tuple[int, int, int]
Picture = list[list[Pixel]]


def pixels(png: bytes) -> Picture:
    """Give the rows of a PNG."""
    with Image.open(BytesIO(png)) as picture:
        flat = picture.convert("RGB").get_flattened_data()
        return [list(flat[start : start + picture.width]) for start in range(0, len(flat), picture.width)]


@cache
def luminance(pixel: Pixel) -> float:
    """WCAG's relative luminance."""
    parts = [c / 255 for c in pixel]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@cache
def contrast(one: Pixel, other: Pixel) -> float:
    """WCAG's contrast ratio, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
