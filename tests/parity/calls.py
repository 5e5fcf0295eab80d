"""Jobs as data: what to call with which arguments, answered by the reference. The twin of this file is calls.mjs.

A job is {"call": "budget.room", "args": [90, 8000, false]}. An argument that JSON has no word for is an object:
{"$requests": [[arrival, prompt, reply], …]}, {"$list": "lesson"}, {"$cost": [five numbers]}, {"$float": "nan"},
{"$measured": [arguments of measure]}, {"$words": "de"}, {"$ask": [three parts of a request to the cache]},
{"$watch": true} (then the answer is {"run": …, "steps": […]}).
"""

import importlib
import json
import struct
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import lru_cache, partial
from typing import Any

import poolroom
from tests.parity import remembered

Job = dict[str, Any]
facts = importlib.import_module("poolroom.facts")
describe = importlib.import_module("poolroom.describe")
words = importlib.import_module("poolroom.words")
response_cache = importlib.import_module("poolroom.response_cache")


def decode(value: Any) -> Any:
    """An argument as the reference takes it."""
    if isinstance(value, list):
        return [decode(part) for part in value]
    if not isinstance(value, dict):
        return value
    for kind, make in KINDS.items():
        if kind in value:
            return make(value[kind])
    return {key: decode(part) for key, part in value.items()}


@lru_cache(maxsize=4)
def _measured(text: str) -> Any:
    return remembered.measured(*decode(json.loads(text)))


KINDS: dict[str, Callable[[Any], Any]] = {
    "$requests": lambda rows: [poolroom.Request(*decode(row)) for row in rows],
    "$list": poolroom.chat_list,
    "$cost": lambda numbers: poolroom.Cost(*decode(numbers)),
    "$float": float,
    "$measured": lambda arguments: _measured(json.dumps(arguments)),
    "$words": words.catalogue,
    "$ask": lambda parts: response_cache.Ask(*decode(parts)),
}


def encode(value: Any) -> Any:
    """An answer with every number as the 16 hex digits of its double, so that bits are compared."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return bits(value)
    if isinstance(value, (list, tuple)):
        return [encode(part) for part in value]
    if is_dataclass(value):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    return {key: encode(part) for key, part in value.items()}


def bits(value: float) -> str:
    """A number as 16 hex digits; a whole number that no double holds is shown as such."""
    if isinstance(value, int) and int(float(value)) != value:
        return f"no double: {value}"
    return "#" + struct.pack(">d", float(value)).hex()


def answer(job: Job) -> Any:
    """What the reference says to a job; a refusal is an answer too."""
    return answer_of(lambda: call(job["call"], job["args"]))


def answer_of(ask: Callable[[], Any]) -> Any:
    """What a call gives, or by which rule it refuses."""
    try:
        return ask()
    except poolroom.SimError as refusal:
        return {"$refused": {"setting": refusal.setting, "allowed": refusal.allowed}}


def call(name: str, arguments: list[Any]) -> Any:
    """Call a function by its name, decoded arguments in order."""
    if name in COMPOSITES:
        return COMPOSITES[name](*decode(arguments))
    if any(isinstance(value, dict) and "$watch" in value for value in arguments):
        steps: list[Any] = []
        before = decode(arguments[:-1])
        return {"run": poolroom.serve(*before, watch=steps.append), "steps": steps}
    module, _, function = name.rpartition(".")
    return getattr(importlib.import_module(f"poolroom.{module}"), function)(*decode(arguments))


def everything(measured: Any, before: Any, said_in: Any = facts.WORDS) -> Any:
    """All that is said about one measured setting in one language, and the numbers themselves."""
    here, run = measured.room, measured.run
    return {
        "measured": measured,
        "describe": describe.describe_measured(measured, said_in),
        "page": describe.page_words(measured, before, said_in),
        "status": describe.status_line(measured, before, said_in),
        "text": describe.as_text(measured, said_in),
        "fixes": describe.fixes(measured),
        "same": describe.same_line(before, measured, said_in) if before else "",
        "room": words.room_sentences(here, measured.longest, measured.reserved, said_in),
        "run": words.run_sentences(run, measured.cap, measured.longest, said_in) if run else None,
        "extra": words.extra_sentences(run, said_in) if run else None,
        "first": words.first_word_sentences(run, measured.first_word_seconds, said_in) if run else None,
        "short": words.short_sentences(here, said_in),
        "legend": words.legend(here, said_in),
        "values": [
            words.share_value(here, measured.share, said_in),
            words.longest_value(here, measured.longest, said_in),
            words.cap_value(measured.cap, said_in),
        ],
    }


def digest(*arguments: Any) -> Any:
    """A run's totals, and every 100th step, so that a mismatch says where."""
    marks: list[Any] = []

    def watch(step: poolroom.Step) -> None:
        if step.number % 100 == 0:
            marks.append([step.number, step.now, len(step.running), step.free_blocks, step.context_tokens])

    run = dict(poolroom.serve(*arguments, watch=watch))
    firsts, lasts = run.pop("first_token"), run.pop("finished")
    return {**run, "first_token_of_the_last": firsts[-1], "finished_of_the_first": lasts[0], "every_100": marks}


def line(name: str, *arguments: Any) -> Any:
    """One of the three lines for a run of its own: the arguments of serve, then those of the line."""
    run = poolroom.serve(*arguments[0])
    return getattr(words, name)(run, *arguments[1:])


def quotes(measured: Any, said_in: Any = facts.WORDS) -> Any:
    """Every number that can be quoted; a name without a value is a refusal of its own."""
    names = [*poolroom.QUOTES, "nonsense"]
    return [[name, answer_of(partial(poolroom.quote, measured, name, said_in))] for name in names]


COMPOSITES: dict[str, Callable[..., Any]] = {"everything": everything, "digest": digest, "line": line, "quotes": quotes}
