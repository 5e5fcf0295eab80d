"""What the tool “cache” answers: how often it knows the answer, what that is worth, and when it is the wrong one."""

from typing import Any

from .checks import whole
from .floor import ceiling_tokens_per_second, floor_seconds
from .response_cache import KEYS, LONG, Ask, Served, asks, serve_cached, served_rate
from .serving_facts import TOOLS, figure, opening
from .tool import Answer, Row, one_of, said
from .words import percent, tenths, whole_number


def cache_answer(settings: dict[str, Any]) -> Answer:
    """The answer to the settings of the tool “cache”.

    Args:
        settings: capacity in answers, prompts, exponent without unit, key by name

    Returns:
        Sentences, and rows in percent and in requests.

    Raises:
        SimError: naming the setting that cannot be used
    """
    capacity, kind = whole("capacity", settings["capacity"]), one_of("key", settings["key"], list(KEYS))
    row = asks(figure("cache", "requests"), settings["prompts"], settings["exponent"], figure("cache", "sample"))
    keys = [KEYS[kind](ask) for ask in row]
    here, best = serve_cached(row, keys, capacity), serve_cached(row, keys, len(row))
    lines = {
        "hits": said("cache", "lines.hits", n=len(row), hits=here.hits, share=_share(here)),
        "rate": said("cache", "lines.rate", model=whole_number(model_rate()), rate=_rate(here)),
        "best": said("cache", "lines.best", first=best.misses, share=_share(best)),
        "held": said("cache", "lines.held", held=here.held, evictions=here.evictions, kb=_kb(here.held)),
        "wrong": _wrong(here, kind),
    }
    return {"lines": lines, "rows": [*_curve(row, keys, capacity), *_counts(here)], "lanes": []}


def model_rate() -> float:
    """What the model writes without a cache: the ceiling of the tool “floor” as it opens.

    Returns:
        Tokens per second.

    Raises:
        SimError: for facts with which a step takes no time
    """
    at = opening("floor")
    step = floor_seconds(at["parameters"], at["bytes_per_weight"], at["bandwidth"])
    return ceiling_tokens_per_second(step, at["batch"])


def _share(served: Served) -> int:
    return percent(float(served.hits) / float(served.hits + served.misses))


def _rate(served: Served) -> int:
    return whole_number(served_rate(model_rate(), served.hits, served.misses))


def _kb(answers: int) -> str:
    return tenths(float(answers) * float(LONG) * float(figure("cache", "bytes_per_token")) / 1000.0)


def _wrong(served: Served, kind: str) -> str:
    first = served.first_wrong
    if first is None:
        return said("cache", f"lines.right.{kind}")
    asked, got = _named(first.asked), _named(first.got)
    return said("cache", "lines.wrong", wrong=served.wrong, place=first.place, asked=asked, got=got)


def _named(ask: Ask) -> str:
    return said("cache", "lines.ask", system=ask.system, prompt=ask.prompt, tokens=ask.max_new_tokens)


def _curve(row: list[Ask], keys: list[str], chosen: int) -> list[Row]:
    rows = []
    for capacity in sorted({*TOOLS["cache"]["controls"]["capacity"]["values"], chosen}):
        served = serve_cached(row, keys, capacity)
        rows.append(
            Row(
                group=said("cache", "rows.curve"),
                name=said("cache", "rows.capacity", n=capacity),
                amount=100.0 * float(served.hits) / float(len(row)),
                text=said("cache", "rows.percent", share=_share(served)),
                kind="good" if capacity == chosen else "plain",
            )
        )
    return rows


def _counts(served: Served) -> list[Row]:
    counts = {"model": served.misses, "right": served.hits - served.wrong, "wrong": served.wrong}
    kinds = {"model": "plain", "right": "good", "wrong": "cost"}
    return [
        Row(
            group=said("cache", "rows.group"),
            name=said("cache", f"rows.{name}"),
            amount=float(count),
            text=said("cache", "rows.count", n=count),
            kind=kinds[name],
        )
        for name, count in counts.items()
    ]
