"""From measured requests to the constants of predict.py, by least squares. No look into the server is needed.

A step writes one token for each row of its batch. So the tokens that all clients got between the first and the last
token of an answer are the rows of its steps, added up.
"""

import statistics
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from load_request import Row
from predict import Constants

APART_SECONDS = 0.003  # less than reading any prompt, more than the first tokens of one batch are apart


def line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The a and b of y = a + b·x that fit best; where all x are equal, b is 0."""
    x_mean = statistics.fmean(x for x, _ in points)
    y_mean = statistics.fmean(y for _, y in points)
    spread = sum((x - x_mean) ** 2 for x, _ in points)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in points) / spread if spread else 0.0
    return y_mean - slope * x_mean, slope


def cost(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The same for seconds: where noise leaves less than nothing as the fixed part, the line goes through zero."""
    fixed, each = line(points)
    if fixed >= 0:
        return fixed, each
    return 0.0, sum(x * y for x, y in points) / sum(x * x for x, _ in points)


def plane(points: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """The a and b of y = a·u + b·v that fit best."""
    uu = sum(u * u for u, _, _ in points)
    uv = sum(u * v for u, v, _ in points)
    vv = sum(v * v for _, v, _ in points)
    uy = sum(u * y for u, _, y in points)
    vy = sum(v * y for _, v, y in points)
    determinant = uu * vv - uv * uv
    if determinant <= 1e-9 * uu * vv:
        raise ValueError("all batches had one size, so that the cost of a row cannot be told from that of a step")
    return (uy * vv - vy * uv) / determinant, (vy * uu - uy * uv) / determinant


def batches(rows: Sequence[Row]) -> list[list[Row]]:
    """The batches that the rows ran in: one runs at a time, so the next begins when the one before has ended."""
    found: list[list[Row]] = []
    for row in sorted(rows, key=lambda row: row.first):
        if found and row.first < max(other.last for other in found[-1]) + APART_SECONDS:
            found[-1].append(row)
        else:
            found.append([row])
    return found


class Desk:
    """What the event loop did in a run while batches ran: its seconds are not the model's."""

    def __init__(self, rows: Sequence[Row], desk: float, end: float):
        self.asked, self.desk = sorted(row.asked for row in rows), desk
        self.done, self.end = sorted(row.done for row in rows), end

    def without(self, begin: float, finish: float) -> float:
        """Seconds from one moment to another that were left for the model."""
        came = bisect_right(self.asked, finish) - bisect_right(self.asked, begin)
        went = bisect_right(self.done, finish) - bisect_right(self.done, begin)
        return finish - begin - came * self.desk - went * self.end


def steps(batch: Sequence[Row], desk: Desk) -> Iterator[tuple[float, float, float]]:
    """For each answer of a batch: its steps, the rows of these steps added up, and the seconds they took."""
    written = sorted(moment for row in batch for moment, _ in row.pieces)
    for row in batch:
        if row.tokens > 1:
            rows = bisect_right(written, row.last) - bisect_right(written, row.first)
            yield row.tokens - 1.0, float(rows), desk.without(row.first, row.last)


def together(crowds: Sequence[Sequence[Row]], desk: float, end: float) -> tuple[float, float, float, float]:
    """Reading and stepping of batches of two and more: fixed, a token or a row.

    Without a window the next batch starts as soon as one ends: from there to its first tokens it is read.
    """
    reads, stepped = [], []
    for rows in crowds:
        model = Desk(rows, desk, end)
        found = batches(rows)
        for before, batch in zip([None, *found], found, strict=False):
            if len(batch) == 1:
                continue
            stepped += steps(batch, model)
            if before:
                ended, first = max(row.last for row in before), min(row.first for row in batch)
                read_tokens = len(batch) * max(row.prompt_tokens for row in batch)
                reads.append((read_tokens, model.without(ended, first)))
    return *cost(reads), *plane(stepped)


def fit(alone: Sequence[Sequence[Row]], crowds: Sequence[Sequence[Row]], hits: Sequence[Row],
        hit_cpu_seconds: float) -> Constants:
    """The constants, from three kinds of runs, none with a window.

    alone: one client and no cache. crowds: several clients and no cache. hits: one answer from the cache again and
    again, and what each cost the server's processor; gives what a request costs besides the model, since there is
    nothing else in them.
    """
    singles = [row for rows in alone for row in rows]
    sending = statistics.median(row.done - row.first for row in hits)
    until_first = statistics.median(row.ttft for row in hits)
    desk = min(max(0.0, hit_cpu_seconds - sending), until_first)
    end = statistics.median(row.done - row.last for row in singles)
    constants = (
        until_first - desk,
        desk,
        *cost([(row.prompt_tokens, row.ttft - until_first) for row in singles]),
        sum(row.last - row.first for row in singles) / sum(row.tokens - 1 for row in singles),
        *together(crowds, desk, end),
        end,
        statistics.median((row.last - row.first) / row.tokens for row in hits),
    )
    return Constants(*(max(0.0, one) for one in constants))  # noise can leave less than nothing of a short time
