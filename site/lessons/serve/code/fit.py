"""From measured requests to the constants of predict.py, by least squares."""

import statistics
from bisect import bisect_right
from collections.abc import Sequence

from load_request import Row
from predict import Constants


def line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The a and b of y = a + b·x that fit best; where all x are equal, b is 0."""
    x_mean = statistics.fmean(x for x, _ in points)
    y_mean = statistics.fmean(y for _, y in points)
    spread = sum((x - x_mean) ** 2 for x, _ in points)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in points) / spread if spread else 0.0
    return y_mean - slope * x_mean, slope


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


def steps(rows: Sequence[Row]) -> list[tuple[float, float, float]]:
    """For each answer of a run: its steps, the tokens that all rows wrote in them, and the seconds they took.

    A step writes one token for each row of the batch. So the tokens that all clients got between the first and the
    last token of an answer are the rows of its steps, added up: no look into the server is needed.
    """
    written = sorted(moment for row in rows for moment, tokens in row.pieces if tokens)
    found = []
    for row in rows:
        if row.first is not None and row.last is not None and row.tokens > 1:
            tokens = bisect_right(written, row.last) - bisect_right(written, row.first)
            found.append((row.tokens - 1.0, float(tokens), row.last - row.first))
    return found


def fit(alone: Sequence[Sequence[Row]], crowd: Sequence[Sequence[Row]], hits: Sequence[Row],
        hit_cpu_seconds: float) -> Constants:
    """The constants, from three kinds of runs.

    alone: one client and no cache; gives the reading of prompts. crowd: many clients and no cache; gives, with alone,
    steps. hits: one answer from the cache again and again, and what each cost the server's processor; gives what a
    request costs besides the model, since there is nothing else in them.
    """
    singles = [row for rows in alone for row in rows]
    sending = statistics.median(row.done - row.first for row in hits)
    until_first = statistics.median(row.ttft for row in hits)
    desk = min(max(0.0, hit_cpu_seconds - sending), until_first)
    # The least that noise can leave of a time is none: a negative constant would be nonsense.
    base, read_per_token = line([(row.prompt_tokens, row.ttft - until_first) for row in singles])
    step, step_per_row = plane([point for rows in [*alone, *crowd] for point in steps(rows)])
    return Constants(
        away=until_first - desk,
        desk=desk,
        read=max(0.0, base),
        read_per_token=max(0.0, read_per_token),
        step=max(0.0, step),
        step_per_row=max(0.0, step_per_row),
        end=statistics.median(row.done - row.last for row in singles),
        hit_per_token=statistics.median((row.last - row.first) / row.tokens for row in hits),
    )
