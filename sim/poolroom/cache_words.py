"""What the tool “cache” answers: how often it knows the answer, what that is worth, and when it is the wrong one."""

from typing import Any

from .checks import whole
from .floor import ceiling_tokens_per_second, floor_seconds
from .response_cache import KEYS, LONG, Ask, Served, asks, hits_by_capacity, serve_cached, served_rate
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
    here, hits = serve_cached(row, keys, capacity), hits_by_capacity(keys)
    lines = {
        "hits": _said("lines.hits", n=len(row), hits=here.hits, share=_share(here.hits, row)),
        "rate": _said("lines.rate", model=whole_number(model_rate()), rate=_rate(here)),
        "best": _said("lines.best", first=len(row) - hits[-1], share=_share(hits[-1], row)),
        "held": _said("lines.held", held=here.held, evictions=here.evictions, kb=_kb(here.held)),
        "wrong": _wrong(here, kind),
    }
    return {"lines": lines, "rows": [*_curve(row, hits, capacity), *_counts(here)], "lanes": []}


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


def _said(name: str, **terms: int | str) -> str:
    return said("cache", name, **terms)


def _share(hits: int, row: list[Ask]) -> int:
    return percent(float(hits) / float(len(row)))


def _rate(served: Served) -> int:
    return whole_number(served_rate(model_rate(), served.hits, served.misses))


def _kb(answers: int) -> str:
    return tenths(float(answers) * float(LONG) * float(figure("cache", "bytes_per_token")) / 1000.0)


def _wrong(served: Served, kind: str) -> str:
    first = served.first_wrong
    if first is None:
        return _said("lines.right" if kind == "whole" else "lines.luck")
    asked, got = _named(first.asked), _named(first.got)
    return _said("lines.wrong", wrong=served.wrong, place=first.place, asked=asked, got=got)


def _named(ask: Ask) -> str:
    return _said("lines.ask", system=ask.system, prompt=ask.prompt, tokens=ask.max_new_tokens)


def _curve(row: list[Ask], hits: list[int], chosen: int) -> list[Row]:
    rows = []
    for capacity in sorted({*TOOLS["cache"]["controls"]["capacity"]["values"], chosen}):
        here = hits[min(capacity, len(hits) - 1)]
        name, text = _said("controls.capacity.value", n=capacity), _said("rows.percent", share=_share(here, row))
        amount = 100.0 * float(here) / float(len(row))
        rows.append(_row("curve", name, amount, text, "good" if capacity == chosen else "plain"))
    return rows


def _counts(served: Served) -> list[Row]:
    model, right = _count("model", served.misses, "plain"), _count("right", served.hits - served.wrong, "good")
    return [model, right, _count("wrong", served.wrong, "cost")]


def _count(name: str, n: int, kind: str) -> Row:
    return _row("group", _said(f"rows.{name}"), float(n), _said("rows.count", n=n), kind)


def _row(group: str, name: str, amount: float, text: str, kind: str) -> Row:
    return Row(group=_said(f"rows.{group}"), name=name, amount=amount, text=text, kind=kind)
