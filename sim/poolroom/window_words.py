"""What the tool “window” answers: how long requests wait in batches, and how long when served continuously."""

from collections.abc import Iterable
from typing import Any

from .arrivals import arriving, drawn
from .batching import Batched, batch_window, continuous, most_batched, without_token
from .chats import Request
from .checks import number_between, whole
from .draws import Draws
from .percentiles import nearest_rank
from .serving_facts import figure
from .tool import Answer, Lane, Row, Span, one_of, said
from .words import percent, tenths, whole_number

PERCENTILES = (50, 95, 99)
"""The percentiles that are told, in percent."""


def window_answer(settings: dict[str, Any]) -> Answer:
    """The answer to the settings of the tool “window”.

    Args:
        settings: rate in requests per second, 0.001 to 1,000; window_ms in milliseconds, 0 to 60,000; max_batch in
            chats; lengths, "equal" or "mixed"

    Returns:
        Sentences, rows in seconds and in tokens per second, and lanes in seconds.

    Raises:
        SimError: naming the setting that cannot be used
    """
    requests = window_requests(settings["rate"], settings["lengths"])
    seconds = number_between("window_ms", settings["window_ms"], 0, 60_000) / 1000.0
    most = whole("max_batch", settings["max_batch"], 1)
    run, other = batch_window(requests, seconds, most), continuous(requests, most)
    ends = [finished or 0.0 for finished in other["finished"]]
    others = [end - request.arrival for end, request in zip(ends, requests, strict=True)]
    rates = {"batches": run["tokens_per_second"] or 0.0, "continuous": other["tokens_per_second"] or 0.0}
    told = {"batches": _told(run["latencies"]), "continuous": _told(others)}
    lines = {
        "batches": said("window", "lines.batches", **_seconds(told["batches"])),
        "continuous": said("window", "lines.continuous", **_seconds(told["continuous"])),
        "pace": said(
            "window",
            "lines.pace",
            mean=tenths(run["mean_batch"] or 0.0),
            rate=whole_number(rates["batches"]),
            other=whole_number(rates["continuous"]),
        ),
        "waste": said(
            "window", "lines.waste", pad=percent(run["pad_share"] or 0.0), held=percent(run["held_share"] or 0.0)
        ),
        "zero": _zero(requests, seconds, most),
        "load": _load(requests, settings["rate"], seconds, most),
        "waiting": said(
            "window",
            "lines.waiting",
            count=len(requests),
            batches=without_token(requests, run["first_token"]),
            continuous=without_token(requests, other["first_token"]),
        ),
    }
    lanes = [*_lanes(requests, run), *_other_lanes(requests, other["first_token"], ends)]
    return {"lines": lines, "rows": _rows(told, rates), "lanes": lanes}


def window_requests(rate: float, lengths: str) -> list[Request]:
    """The tool's made-up requests: the same gaps and lengths in the same order, at any rate.

    Args:
        rate: requests per second on average, from 0.001 to 1,000 of this unit
        lengths: whether replies are "equal" or "mixed"

    Returns:
        Requests in the order in which they arrive.

    Raises:
        SimError: naming the setting that cannot be used
    """
    number_between("rate", rate, 0.001, 1000)
    replies = figure("window", "replies")
    choices = replies[one_of("lengths", lengths, list(replies))]
    count, draws = figure("window", "requests"), Draws(figure("window", "seed"))
    gaps = drawn(figure("window", "gaps"), count, draws)
    prompts = drawn(figure("window", "prompts"), count, draws)
    return arriving(rate, gaps, prompts, drawn(choices, count, draws))


def _told(latencies: list[float]) -> dict[int, float]:
    return {p: nearest_rank(latencies, p) for p in PERCENTILES}


def _seconds(told: dict[int, float]) -> dict[str, str]:
    return {f"p{p}": tenths(seconds) for p, seconds in told.items()}


def _zero(requests: list[Request], seconds: float, most: int) -> str:
    if seconds == 0.0:
        return said("window", "lines.zero.now")
    alone = batch_window(requests, 0.0, most)["latencies"]
    return said("window", "lines.zero.else", p50=tenths(nearest_rank(alone, 50)))


def _load(requests: list[Request], rate: float, seconds: float, most: int) -> str:
    tokens = 0
    for request in requests:
        tokens += request.reply
    asked = float(rate) * (float(tokens) / float(len(requests)))
    most_tokens = most_batched(requests, seconds, most) or 0.0
    key = "keeps" if asked <= most_tokens else "grows"
    return said("window", f"lines.load.{key}", asked=whole_number(asked), most=whole_number(most_tokens))


def _rows(told: dict[str, dict[int, float]], rates: dict[str, float]) -> list[Row]:
    kinds = {"batches": "cost", "continuous": "good"}
    rows = [
        Row(
            group=said("window", "rows.latency"),
            name=said("window", f"rows.{scheme}", p=p),
            amount=told[scheme][p],
            text=said("window", "rows.seconds", n=tenths(told[scheme][p])),
            kind=kind,
        )
        for p in PERCENTILES
        for scheme, kind in kinds.items()
    ]
    return rows + [
        Row(
            group=said("window", "rows.pace"),
            name=said("window", f"lanes.{scheme}"),
            amount=rates[scheme],
            text=said("window", "rows.rate", n=whole_number(rates[scheme])),
            kind=kind,
        )
        for scheme, kind in kinds.items()
    ]


def _lanes(requests: list[Request], run: Batched) -> list[Lane]:
    lanes = []
    for batch in run["batches"]:
        for i in range(batch["first"], min(batch["first"] + batch["size"], figure("window", "lanes"))):
            ends = {
                "queues": batch["opened"],
                "collects": batch["started"],
                "writes": run["written"][i],
                "held": batch["finished"],
            }
            lanes.append(_lane("batches", i, requests[i].arrival, ends.items()))
    return lanes


def _other_lanes(requests: list[Request], first_token: list[float | None], ends: list[float]) -> list[Lane]:
    # What one waits for here is the first token: the step that reads the prompt writes it.
    return [
        _lane("continuous", i, requests[i].arrival, [("queues", first_token[i] or 0.0), ("writes", ends[i])])
        for i in range(figure("window", "lanes"))
    ]


def _lane(scheme: str, i: int, arrival: float, ends: Iterable[tuple[str, float]]) -> Lane:
    # Who comes while a batch is open does not queue, and who has the longest reply is not held: no stretch for these.
    spans, start = [], arrival
    for kind, end in ends:
        if end > start:
            spans.append(Span(start=start, end=end, kind=kind))
            start = end
    return Lane(group=said("window", f"lanes.{scheme}"), name=said("window", "lanes.name", n=i + 1), spans=spans)
