"""What a load run came to: percentiles, throughput and errors, as numbers and as a table."""

import sys
from collections import Counter
from collections.abc import Sequence

from load_request import Row

PERCENTS = (50, 95, 99)


def nearest_rank(values: Sequence[float], percent: int) -> float | None:
    """The smallest value that at least `percent` of the values do not exceed: a request that really happened."""
    if not values:
        return None
    rank = max(1, -(-percent * len(values) // 100))  # rounded up, in whole numbers: 7 / 100 * 100 is more than 7
    return sorted(values)[rank - 1]


def percentiles(values: Sequence[float | None]) -> dict[str, float | None]:
    """Each percentile of the values that are there."""
    known = [value for value in values if value is not None]
    return {f"p{percent}": nearest_rank(known, percent) for percent in PERCENTS}


def summary(rows: Sequence[Row], asked: int, seconds: float) -> dict:
    """All figures of a run; times in seconds. Only whole answers count for times and throughput."""
    good = [row for row in rows if row.error is None]
    tokens = sum(row.tokens for row in good)
    return {
        "asked": asked,
        "answered": len(good),
        "unfinished": asked - len(rows),
        "errors": dict(sorted(Counter(row.error for row in rows if row.error).items())),
        "seconds": seconds,
        "tokens": tokens,
        "counts": "tokens" if all(row.counts_tokens for row in good) else "chunks, not tokens",
        "tokens_per_second": tokens / seconds if seconds > 0 else None,
        "requests_per_second": len(good) / seconds if seconds > 0 else None,
        "ttft_seconds": percentiles([row.ttft for row in good]),
        "tpot_seconds": percentiles([row.tpot for row in good]),
        "e2e_seconds": percentiles([row.e2e for row in good]),
    }


def milliseconds(seconds: float | None) -> str:
    """A time for the table."""
    return "–" if seconds is None else f"{seconds * 1000:.1f}"


def table(figures: dict) -> str:
    """The figures of one run for people."""
    lines = [f"{'ms':<6}" + "".join(f"{f'p{percent}':>10}" for percent in PERCENTS)]
    for name in ("ttft", "tpot", "e2e"):
        lines.append(f"{name:<6}" + "".join(f"{milliseconds(t):>10}" for t in figures[f"{name}_seconds"].values()))
    rate = figures["tokens_per_second"]
    lines.append(f"{figures['tokens']} {figures['counts']} in {figures['seconds']:.2f} s: "
                 + ("–" if rate is None else f"{rate:.1f} a second"))
    counted = f"{figures['answered']} of {figures['asked']} requests answered"
    errors = [f"{count} × {kind}" for kind, count in figures["errors"].items()]
    if figures["unfinished"]:
        errors.append(f"{figures['unfinished']} × unfinished")
    return "\n".join([*lines, "; ".join([counted, *errors])])


class Progress:
    """A bar on the terminal, and nothing where errors go to a file."""

    def __init__(self, total: int, width: int = 30):
        self.total, self.width, self.shown = total, width, sys.stderr.isatty()

    def __call__(self, rows: Sequence[Row]) -> None:
        """Draw how far the run is."""
        if not self.shown:
            return
        full = self.width * len(rows) // self.total
        failed = sum(row.error is not None for row in rows)
        print(f"\r[{'#' * full:<{self.width}}] {len(rows)}/{self.total}, {failed} failed", end="", file=sys.stderr)

    def end(self) -> None:
        """Leave the bar's line."""
        if self.shown:
            print(file=sys.stderr)
