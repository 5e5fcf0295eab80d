"""The numbers of the truth page: what the plan says of real servers, beside what those servers printed.

`python site/make/truth_numbers.py` works them out by the reference and keeps them in `site/truth/figures.json`.
A test works them out again: where one has moved, it wants the kept ones renewed in the same commit.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import fit
from lesson_numbers import decimals
from poolroom.percentiles import rank
from poolroom.vllm.cards import card
from poolroom.vllm.plan_facts import FITTED
from poolroom.words import commas
from truth_facts import TRUTH
from truth_runs import worked_out

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "site" / "truth" / "figures.json"
MISSES = ROOT / "site" / "truth" / "misses.json"
GROUPS = {
    "counted": "Text models on one card with memory of its own",
    "kept": "The run that nothing was fitted on",
    "several": "Text models on several cards",
    "other": "Models that also take pictures or sound",
}
LARGE = 0.10
"""An error beyond this is a miss, and the page gives its reason; a fraction of what was printed."""
HALF, NINE_TENTHS = 50, 90
COLUMNS = ("weights_gib", "kv_gib", "tokens", "concurrency")
EXACT_COLUMNS = ("blocks", "tokens", "concurrency")


@cache
def facts() -> dict[str, Any]:
    """What the reports ask and print; those that were read again for the fit stand as they are there."""
    table: dict[str, Any] = json.loads(TRUTH.read_text("utf-8"))
    bare = {"assumed": {}, "reported_version": "", "shape": None}
    return {**table, "cases": [{**bare, **case} for case in fit.cases()]}


@cache
def figures() -> dict[str, Any]:
    """Everything that the page shows, worked out by the reference."""
    return worked_out(facts())


def reasons_of_misses() -> dict[str, str]:
    """Why the plan was wrong there, by report."""
    table: dict[str, str] = json.loads(MISSES.read_text("utf-8"))
    return table


# --- one report ---


@dataclass(frozen=True)
class Report:
    """One report: what it asked and printed, and what the plan says."""

    case: dict[str, Any]
    plan: dict[str, Any]

    @property
    def id(self) -> str:
        """Its name here."""
        return str(self.case["id"])

    @property
    def anchor(self) -> str:
        """Its name as a part of an address."""
        return self.id.replace(".", "-")

    @property
    def model(self) -> str:
        """The model, without its owner."""
        return str(self.case["asked"].get("model", "model not named")).split("/")[-1]

    @property
    def cards(self) -> int:
        """How many cards it ran on."""
        asked = self.case["asked"]
        return int(asked.get("tensor_parallel_size", 1)) * int(asked.get("pipeline_parallel_size", 1))

    @property
    def card(self) -> str:
        """The card, and how many of it."""
        name = card_name(self.case["asked"].get("card"))
        return name if self.cards == 1 else f"{self.cards} × {name}"

    @property
    def longest(self) -> str:
        """The longest chat, where the report states it."""
        longest = self.case["asked"].get("max_model_len")
        return f" · {commas(longest)}" if isinstance(longest, int) else ""

    @property
    def version(self) -> str:
        """The version whose rules were taken; an asterisk where the report does not say it."""
        asked, assumed = self.case["asked"], self.case["assumed"]
        return f"{asked.get('version', '?')}{'*' if 'version' in assumed else ''}"

    @property
    def source(self) -> str:
        """Where the report stands, short."""
        return short_source(self.case["source"])

    @property
    def address(self) -> str:
        """The address of the report; empty where it has none of its own."""
        return address_of(self.case["source"])

    @property
    def group(self) -> str:
        """What kind of report it is, a key of GROUPS."""
        if self.case["held_out"]:
            return "kept"
        if self.case["reads"] != "text":
            return "other"
        return "counted" if self.cards == 1 and self.case["memory"] == "discrete" else "several"

    @property
    def error(self) -> float | None:
        """By how much the plan's pool is off, as a fraction of what was printed."""
        value = self.plan.get("error")
        return None if value is None else float(value)

    @property
    def large(self) -> bool:
        """Say whether that is a miss."""
        return self.error is not None and abs(self.error) > LARGE

    @property
    def wrong(self) -> bool:
        """Say whether the plan took a start for a refusal, or a refusal for a start."""
        return self.case["outcome"] in ("starts", "refuses") and self.plan["outcome"] != self.case["outcome"]

    @property
    def missed(self) -> bool:
        """Say whether the page owes a reason."""
        return "outcome" in self.plan and "exact" not in self.plan and (self.large or self.wrong)

    def printed(self, name: str) -> str:
        """A figure as the server printed it."""
        return _figure(name, self.case["printed"].get(name))

    def planned(self, name: str) -> str:
        """The same figure by the plan."""
        return _figure(name, self.plan.get(name))

    @property
    def sized(self) -> str:
        """What the pool is compared in: tokens, or the blocks that older versions print."""
        return "tokens" if "tokens" in self.case["printed"] else "blocks"

    @property
    def started(self) -> str:
        """How it ended, and a cross where the plan says otherwise."""
        ended = {"starts": "yes", "refuses": "no", "dies": "died"}.get(self.case["outcome"], "–")
        return f"{ended} ✕" if self.wrong else ended

    @property
    def fault(self) -> str:
        """What was wrong, in words."""
        if self.plan.get("exact") is False:
            return "it does not follow from the printed pool"
        said = "starts" if self.plan["outcome"] == "starts" else "refuses"
        return f"the plan says that it {said}" if self.wrong else self.off

    @property
    def off(self) -> str:
        """The error, as it is shown: +1.2%."""
        return "–" if self.error is None else signed(self.error)

    @property
    def off_fresh(self) -> str:
        """The same where its own report took no part in the fit."""
        value = self.plan.get("error_fresh")
        return "–" if value is None else signed(value)

    @property
    def kv_gib(self) -> float | None:
        """The KV memory of a card as printed, GiB; by the ratio of the pools where only tokens or blocks are."""
        printed = self.case["printed"].get("kv_gib")
        if printed is not None or self.error is None:
            return printed
        return float(self.plan["kv_gib"]) / (1.0 + self.error)


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    if name in ("tokens", "blocks"):
        return commas(int(value))
    return ("−" if value < 0 else "") + decimals(abs(value), 2)


def signed(part: float) -> str:
    """Write a fraction with its sign, in percent with one decimal: +1.2%."""
    text = decimals(abs(part) * 100, 1)
    return f"{'' if text == '0.0' else '+' if part > 0 else '−'}{text}%"


def signed_tokens(count: int) -> str:
    """Write a difference of tokens with its sign: −3,744."""
    return f"{'−' if count < 0 else '+'}{commas(abs(count))}"


def number(value: float) -> str:
    """Write a fitted figure: large ones with commas, small ones with the digits that they have."""
    return commas(int(value)) if value == int(value) else f"{value:.5f}".rstrip("0")


def percent2(part: float) -> str:
    """Write a fraction in percent with two decimals: 0.02%."""
    return f"{decimals(part * 100, 2)}%"


def percent1(part: float) -> str:
    """Write a fraction in percent with one decimal: 1.2%."""
    return f"{decimals(part * 100, 1)}%"


def card_name(asked: Any) -> str:
    """Name a card without its maker: H100 SXM 80 GB."""
    if asked is None:
        return "card not named"
    title = asked["name"].replace("-", " ") if isinstance(asked, dict) else card(asked)["title"]
    return str(title).removeprefix("NVIDIA ").removeprefix("GeForce ").removeprefix("AMD ")


def short_source(source: str) -> str:
    """Shorten the name of a report: vllm#10517."""
    place = source.partition(" (")[0]
    indexed = re.search(r"text index id ([0-9]+)", source)
    if indexed:
        return f"public file {indexed[1]}"
    return place.split(",")[0].split(":")[0].rsplit("/", 1)[-1]


def address_of(source: str) -> str:
    """Give the address of a thread on GitHub; empty for anything else."""
    place, _, number = source.partition("#")
    return f"https://github.com/{place}/issues/{number}" if number.isdigit() and place.count("/") == 1 else ""


# --- all of them ---


def reports(kind: str = "settings") -> list[Report]:
    """All reports that are predicted in one way: from `settings`, `given_kv`, or their `weights` alone."""
    planned = figures()[kind]
    return [Report(case, planned[case["id"]]) for case in facts()["cases"] if case["id"] in planned]


def groups() -> list[tuple[str, str, list[Report]]]:
    """The reports from settings alone, by kind."""
    there = reports()
    return [(key, title, [one for one in there if one.group == key]) for key, title in GROUPS.items()]


@dataclass(frozen=True)
class Spread:
    """How far off a set of reports is."""

    name: str
    count: int
    median: float | None
    ninetieth: float | None
    right: int
    judged: int


def spread(name: str, some: Iterable[Report], fresh: bool = False) -> Spread:
    """Median and 90th percentile of the errors by nearest rank, and how many outcomes are right."""
    chosen = list(some)
    key = "error_fresh" if fresh else "error"
    errors = sorted(abs(one.plan[key]) for one in chosen if one.plan.get(key) is not None)
    judged = [one for one in chosen if one.case["outcome"] in ("starts", "refuses") and "outcome" in one.plan]
    middle, far = ((errors[rank(len(errors), p) - 1] if errors else None) for p in (HALF, NINE_TENTHS))
    return Spread(name, len(errors), middle, far, sum(not one.wrong for one in judged), len(judged))


def spreads(key: Callable[[Report], str], order: Callable[[str], Any]) -> list[Spread]:
    """One line for each card or version: text models on one card, each without its own report."""
    some = [one for one in reports() if one.group == "counted"]
    names = sorted({key(one) for one in some}, key=order)
    return [spread(name, [one for one in some if key(one) == name], fresh=True) for name in names]


def by_kind() -> list[Spread]:
    """How far off, by kind of report; text models on one card without their own reports."""
    return [spread(title, some, fresh=key == "counted") for key, title, some in groups() if some]


def by_card() -> list[Spread]:
    """How far off, by card."""
    return spreads(lambda one: card_name(one.case["asked"]["card"]), str.casefold)


def by_version() -> list[Spread]:
    """How far off, by minor version."""
    return spreads(minor, lambda name: [int(part) for part in name.split(".")])


def minor(one: Report) -> str:
    """The version without its last part."""
    return ".".join(str(one.case["asked"]["version"]).split(".")[:2])


def overall(fresh: bool = False) -> Spread:
    """How far off the counted reports are: text models on one card."""
    return spread("all", [one for one in reports() if one.group == "counted"], fresh)


def covered() -> tuple[int, int]:
    """In how many of the counted reports the printed pool lies within the plan's own spread, and how many there are."""
    some = [one for one in reports() if one.group == "counted" and one.kv_gib is not None]
    inside = [one.plan["kv_low_gib"] <= (one.kv_gib or 0.0) <= one.plan["kv_high_gib"] for one in some]
    return sum(inside), len(inside)


def outcomes(kind: str = "settings") -> dict[str, dict[str, int]]:
    """Start or refuse: what happened, by what the plan says."""
    judged = [one for one in reports(kind) if one.case["outcome"] in ("starts", "refuses")]
    kinds = ("starts", "refuses")
    ended = [(one.case["outcome"], one.plan["outcome"]) for one in judged]
    return {real: {said: ended.count((real, said)) for said in kinds} for real in kinds}


def kept_run() -> Report:
    """The run that nothing was fitted on."""
    (one,) = [one for one in reports() if one.group == "kept"]
    return one


def fitted() -> list[dict[str, Any]]:
    """What is fitted: the constant, its spread, and the reports that it is fitted on."""
    some = [*facts()["cases"], *fit.read(fit.STARTS)["graph_estimates"]]
    named = {one["id"]: short_source(one["source"]) for one in some}
    return [
        {**one, "name": name, "meaning": typeset(one["meaning"]), "unit": typeset(one["unit"]),
         "sources": counted([named[each] for each in one["fitted_on"]])}
        for name, one in FITTED["constants"].items()
    ]  # fmt: skip


def counted(sources: list[str]) -> list[str]:
    """Name each source once, with how many of its reports there are."""
    return [f"{name} ×{sources.count(name)}" if sources.count(name) > 1 else name for name in dict.fromkeys(sources)]


def typeset(text: str) -> str:
    """Write the apostrophes of a text as the pages do."""
    return text.replace("'", "’")


def pairs() -> list[dict[str, Any]]:
    """Reports that differ in one setting: by how many tokens, printed and planned."""
    return [
        {**found, "reports": [Report(case, {}) for case in facts()["cases"] if case.get("pair") == name]}
        for name, found in figures()["pairs"].items()
    ]


def followed() -> list[tuple[str, list[Report]]]:
    """The reports whose printed figures follow from their pool: from its memory, or from its blocks or tokens."""
    known = [one for one in reports("given_kv") if "kv_gib" in one.case["printed"]]
    others = [one for one in reports("given_kv") if "kv_gib" not in one.case["printed"]]
    return [("From the printed memory", known), ("From printed blocks or tokens, where no memory is printed", others)]


def weights() -> Spread:
    """How far off the weights are where they are printed."""
    return spread("weights", [one for one in reports("weights") if one.error is not None])


def inexact() -> list[Report]:
    """The reports whose printed figures do not follow from their printed memory."""
    return [one for one in reports("given_kv") if not one.plan["exact"]]


def misses() -> list[tuple[Report, str]]:
    """Every miss with its reason."""
    why = reasons_of_misses()
    return [(one, why.get(one.id, "")) for one in [*[one for one in reports() if one.missed], *inexact()]]


def left_out(way: str) -> list[tuple[str, list[Report]]]:
    """The reports that are left out of one way of predicting, by reason."""
    reasons = facts()["reasons"]
    found: dict[str, list[Report]] = {}
    for case in facts()["cases"]:
        if way in case["left_out"]:
            found.setdefault(case["left_out"][way], []).append(Report(case, {}))
    return [(reasons[key], found[key]) for key in sorted(found, key=lambda key: -len(found[key]))]


# --- kept figures ---


def moved(before: Any, after: Any, name: str = "") -> list[str]:
    """Name every figure that differs: where it stands, what was kept, what it is now."""
    if isinstance(after, dict) and isinstance(before, dict | None):
        before = before or {}
        keys = [*before, *[key for key in after if key not in before]]
        return [line for key in keys for line in moved(before.get(key), after.get(key), f"{name}/{key}")]
    return [] if before == after else [f"{name}: kept {before}, now {after}"]


def kept() -> Any:
    """The figures as they were kept."""
    return json.loads(KEPT.read_text("utf-8"))


def text_of(some: dict[str, Any]) -> str:
    """Write the figures: one line a report."""
    parts = [f'  "{kind}": {{\n{_lines(table)}\n  }}' for kind, table in some.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(table: dict[str, Any]) -> str:
    return ",\n".join(f"    {json.dumps(key)}: {json.dumps(one, ensure_ascii=False)}" for key, one in table.items())


def main() -> int:
    """Work out the figures anew, keep them, and say what has moved."""
    before = kept() if KEPT.is_file() else {}
    lines = moved(before, figures())
    KEPT.write_text(text_of(figures()), "utf-8")
    print("\n".join(lines) or "No figure has moved.")
    return 0


TRUTH_GLOBALS: Sequence[Callable[..., Any]] = (
    reports, groups, by_kind, by_card, by_version, overall, covered, outcomes, kept_run, fitted, pairs, followed,
    weights, inexact, misses, left_out, percent1, percent2, number, signed_tokens,
)  # fmt: skip
GLOBALS = {f"truth_{function.__name__}": function for function in TRUTH_GLOBALS} | {
    "truth_facts": facts, "truth_columns": COLUMNS, "truth_exact_columns": EXACT_COLUMNS, "TRUTH_LARGE": LARGE,
}

if __name__ == "__main__":
    sys.exit(main())
