"""Read a screenshot's pixels."""

import struct
import zlib
from collections.abc import Iterator
from functools import cache
from itertools import accumulate

Pixel = tuple[int, int, int]
Picture = list[list[Pixel]]
CHANNELS = {2: 3, 6: 4}  # by PNG's colour type: RGB, RGBA


def pixels(png: bytes) -> Picture:
    """Give the rows of a PNG of 8 bits a channel, as browsers write it."""
    chunks = list(chunks_of(png))
    width, height, depth, kind, *_, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (depth, interlace) == (8, 0)
    size = CHANNELS[kind]
    data = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    stride, above, rows = width * size, bytes(width * size), []
    for y in range(height):
        start = y * (stride + 1)
        above = unfiltered(data[start], bytearray(data[start + 1 : start + 1 + stride]), above, size)
        rows.append(list(zip(above[::size], above[1::size], above[2::size], strict=True)))
    return rows


def chunks_of(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Give the chunks' names and bodies."""
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def unfiltered(kind: int, row: bytearray, above: bytes, size: int) -> bytes:
    """Undo the filter of one row: none, from the left, from above, or from both."""
    if kind == 1:
        for channel in range(size):
            row[channel::size] = bytes(total & 255 for total in accumulate(row[channel::size]))
    elif kind == 2:
        return bytes((one + other) & 255 for one, other in zip(row, above, strict=True))
    elif kind:
        guess = mean if kind == 3 else paeth
        for i in range(len(row)):
            left, corner = (row[i - size], above[i - size]) if i >= size else (0, 0)
            row[i] = (row[i] + guess(left, above[i], corner)) & 255
    return bytes(row)


def mean(left: int, up: int, _: int) -> int:
    """Half of the neighbours at the left and above."""
    return (left + up) // 2


def paeth(left: int, up: int, corner: int) -> int:
    """Choose the neighbour nearest to left + up - corner."""
    by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if by_left <= by_up and by_left <= by_corner:
        return left
    return up if by_up <= by_corner else corner


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
