"""Fit the working reserve to published starts, and try it on each without having seen it.

`python site/make/fit.py` writes `sim/poolroom/facts/vllm/fitted.json` and prints what it predicts, one start left out
of the fit at a time; `--check` writes nothing and ends with 1 where the file holds other figures.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from poolroom.checks import SimError
from poolroom.vllm import plan_facts
from poolroom.vllm.budget import budget, others_bytes, requested_bytes
from poolroom.vllm.graphs import graphs_counted
from poolroom.vllm.reserve import forward_bytes, sampler_of, value_bytes
from poolroom.vllm.settings import resolve

ROOT = Path(__file__).resolve().parents[2]
TRUTH = ROOT / "site" / "truth" / "truth.json"
STARTS = ROOT / "site" / "truth" / "starts.json"
FITTED = ROOT / "sim" / "poolroom" / "facts" / "vllm" / "fitted.json"
GIB = 2**30
MANY = 10
MANY_GRAPHS = 16
SAME = 1.02
UNITS = {
    "sort_bytes": ("bytes for each word of the vocabulary and seat", 2, "Peak while the sampler sorts the vocabulary"),
    "forward_values": ("values for each value of either width and token", 2, "Values alive at once in a layer"),
    "non_torch_share": ("part of the card's memory, from 0 to 1", 5, "Drivers and libraries beside PyTorch"),
    "communication_bytes": ("bytes for each card of several", -6, "Communication between cards"),
    "compile_bytes": ("bytes", -6, "Tried-out kernels while a first start compiles; low is a start from the cache"),
    "graph_bytes": ("bytes for each captured graph", -4, "vLLM's estimate before it captures"),
}
Sample = tuple[str, float]
Case = dict[str, Any]


def read(path: Path) -> dict[str, Any]:
    """Read a file of facts."""
    table: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return table


def cases() -> list[Case]:
    """Read all starts; one that stands in both files counts as it stands in starts.json."""
    more = read(STARTS)["cases"]
    twice = {source for case in more for source in [case["source"].split(",")[0].split(":")[0]] if "index id" in source}
    ids = {text.rsplit(" ", 1)[1] for text in twice}
    first = [case for case in read(TRUTH)["cases"] if not any(i in case["source"] for i in ids)]
    held_out = read(STARTS)["held_out"]
    marked = [(case, "reports") for case in first] + [(case, "found") for case in more]
    return [{**case, "held_out": case["id"] in held_out, "from": place} for case, place in marked]


def settings_of(case: Case) -> Any:
    """Resolve the settings of a start; None where the project cannot."""
    try:
        return resolve(case["asked"])
    except SimError:
        return None


def median(values: list[float]) -> float:
    """Give the middle of some values; of two, their mean."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def rank(values: list[float], percent: int) -> float:
    """Give the nearest rank."""
    return sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]


def spread_of(values: list[float]) -> tuple[float, float]:
    """Give the 10th and the 90th percentile, of few values the least and the most."""
    return (rank(values, 10), rank(values, 90)) if len(values) >= MANY else (min(values), max(values))


# What each start says of each constant ------------------------------------------------------------------------------


def samples(starts: list[Case]) -> dict[str, list[Sample]]:
    """Collect what each start says of each constant, the held-out one never."""
    found: dict[str, list[Sample]] = {name: [] for name in UNITS}
    for case in starts:
        usable = case["reads"] == "text" and case["memory"] == "discrete" and not case["held_out"]
        if not usable or case["left_out"].get("settings") in ("lora", "offload", "contradictory", "machine"):
            continue
        settings = settings_of(case)
        if settings is None:
            continue
        for name, value in said(case, settings):
            found[name].append((case["id"], value))
    for row in read(STARTS)["graph_estimates"]:
        if row["graphs"] >= MANY_GRAPHS:
            found["graph_bytes"].append((row["id"], row["estimated_gib"] * GIB / row["graphs"]))
    return found


def said(case: Case, settings: Any) -> Iterator[Sample]:
    """What one start says."""
    printed, rules = case["printed"], settings["rules"]
    cards = settings["tp"] * settings["pp"]
    if "activation_gib" in printed and rules["consumed"] == "parts":
        yield from of_activation(settings, printed["activation_gib"] * GIB)
    if "non_torch_gib" in printed and rules["consumed"] == "parts" and not rules["counts_others"]:
        rest = printed["non_torch_gib"] * GIB
        share = plan_facts.FITTED["constants"]["non_torch_share"]["value"]
        if cards == 1:
            yield "non_torch_share", rest / settings["total_bytes"]
        elif rest > 0:
            yield "communication_bytes", max(0.0, rest - share * settings["total_bytes"])
    clean = "graphs_estimated_gib" in printed or not graphs_counted(settings)
    if case.get("start") == "first" and cards == 1 and clean:
        yield "compile_bytes", compiled_bytes(case, settings)


def of_activation(settings: Any, peak: float) -> Iterator[Sample]:
    """What a printed activation says, of the sampler where that is larger, else of the forward pass."""
    model, tokens = settings["model"], settings["batched_tokens"]
    each = forward_bytes(settings, 1.0)
    if sampler_of(settings) == "sort" and settings["pp"] == 1 and peak > 3 * SAME * each:
        states = tokens * model["hidden_size"] * value_bytes(settings)
        if settings["seats"] >= MANY_GRAPHS:
            yield "sort_bytes", (peak - states) / (model["vocab_size"] * settings["seats"])
    elif settings["tp"] == 1:
        yield "forward_values", peak / each


def compiled_bytes(case: Case, settings: Any) -> float:
    """What a first start took beside everything that is known of it."""
    printed = case["printed"]
    parts = {part["name"]: part["bytes"] for part in budget(settings)["stages"][0]["parts"]}
    weights = printed["weights_gib"] * GIB if "weights_gib" in printed else parts["weights"]
    estimate = printed["graphs_estimated_gib"] * GIB if graphs_counted(settings) else 0
    known = weights + printed["kv_gib"] * GIB + others_bytes(settings)
    known += forward_bytes(settings, plan_facts.FITTED["constants"]["forward_values"]["value"])
    known += parts["non_torch"] + parts["penalties"] + estimate
    return float(requested_bytes(settings["total_bytes"], settings["share"]) - known)


# The fit ------------------------------------------------------------------------------------------------------------


def constants(found: dict[str, list[Sample]], without: str = "") -> dict[str, Any]:
    """Fit each constant as the median of what the starts say, with a low and a high.

    These are the 10th and 90th percentile, of fewer than ten starts the least and the most. Compiling takes nothing in
    a start whose kernels lie in a cache.
    """
    made: dict[str, Any] = {}
    for name, (unit, digits, meaning) in UNITS.items():
        kept = [(case, value) for case, value in found[name] if case != without]
        values = [value for _, value in kept]
        low, high = spread_of(values)
        spread = [median(values), 0.0 if name == "compile_bytes" else low, high]
        value, least, most = (int(round(each, digits)) if digits < 0 else round(each, digits) for each in spread)
        made[name] = {
            "value": value,
            "low": least,
            "high": most,
            "unit": unit,
            "meaning": meaning,
            "fitted_on": [case for case, _ in kept],
            "kind": "fitted",
        }
    return made


@contextmanager
def fitted(values: dict[str, Any]) -> Iterator[None]:
    """Have the project reckon with other constants for a while."""
    table = plan_facts.FITTED["constants"]
    before = {name: dict(table[name]) for name in table}
    try:
        for name in values:
            table[name].update(values[name])
        yield
    finally:
        for name, old in before.items():
            table[name].clear()
            table[name].update(old)


def refitted(starts: list[Case]) -> dict[str, list[Sample]]:
    """Collect samples twice: what is beside PyTorch, and graphs, are known before what depends on them."""
    with fitted(constants(samples(starts))):
        return samples(starts)


# The trial ----------------------------------------------------------------------------------------------------------


def why_not(case: Case) -> str:
    """Why a start does not count for the goals, or nothing."""
    if case["reads"] != "text" or case["memory"] != "discrete":
        return f"{case['reads']}, {case['memory']} memory"
    if "settings" in case["left_out"]:
        return f"settings: {case['left_out']['settings']}"
    if not {"card", "model", "version"} <= case["asked"].keys():
        return "settings: not known"
    asked = case["asked"]
    if asked.get("tensor_parallel_size", 1) * asked.get("pipeline_parallel_size", 1) > 1:
        return "several cards"
    if not has_cache(case):
        return "no cache printed"
    if settings_of(case) is None:
        return "not in the project's facts"
    return ""


def has_cache(case: Case) -> bool:
    """Whether a start prints a cache of some size."""
    return any(case["printed"].get(name, 0) > 0 for name in ("blocks", "tokens", "kv_gib"))


def error_of(case: Case) -> float:
    """Predicted over printed cache, less 1: by blocks, else by tokens, else by bytes."""
    settings, printed = settings_of(case), case["printed"]
    made = budget(settings)
    if "blocks" in printed:
        return float(made["blocks"] / printed["blocks"] - 1)
    if "tokens" in printed:
        return float(made["capacity"]["tokens"] / printed["tokens"] - 1)
    return float(made["kv_bytes"] / (printed["kv_gib"] * GIB) - 1)


def trial(starts: list[Case]) -> list[tuple[Case, float]]:
    """Predict each start that counts, from its settings alone, with constants fitted without it."""
    found = refitted(starts)
    rows = []
    for case in starts:
        if why_not(case):
            continue
        with fitted(constants(found, without=case["id"])):
            rows.append((case, error_of(case)))
    return rows


def summary(rows: list[tuple[Case, float]], place: str = "") -> dict[str, float]:
    """Median and 90th percentile of the errors of the starts that count and may be fitted on, of all or of one file."""
    errors = [abs(error) for case, error in rows if not case["held_out"] and place in ("", case["from"])]
    return {"count": len(errors), "median": rank(errors, 50), "p90": rank(errors, 90)}


def rounded(end: dict[str, float]) -> dict[str, float]:
    """Round shares to a hundredth of a percent."""
    return {name: value if name == "count" else round(value, 4) for name, value in end.items()}


def text_of(starts: list[Case]) -> str:
    """The file of fitted figures; rules stay as they are."""
    table = read(FITTED)
    table["constants"] = constants(refitted(starts))
    rows = trial(starts)
    table["trial"] = {
        **rounded(summary(rows)),
        "reports": rounded(summary(rows, "reports")),
        "found": rounded(summary(rows, "found")),
        "held_out": {case["id"]: round(error, 4) for case, error in rows if case["held_out"]},
        "errors": {case["id"]: round(error, 4) for case, error in rows if not case["held_out"]},
    }
    return json.dumps(table, ensure_ascii=False, indent=2) + "\n"


def report(starts: list[Case]) -> None:
    """Print the trial and who is not in it."""
    rows = trial(starts)
    for case, error in sorted(rows, key=lambda row: abs(row[1])):
        note = "  (held out)" if case["held_out"] else ""
        print(f"{error:+8.2%}  {case['asked']['version']:>9}  {case['id']}{note}")
    for place in ("", "reports", "found"):
        end = summary(rows, place)
        print(f"{end['count']} starts {place}: median {end['median']:.2%}, 90th percentile {end['p90']:.2%}")
    reasons: dict[str, int] = {}
    for case in starts:
        reason = why_not(case)
        reasons[reason] = reasons.get(reason, 0) + 1
    for reason, count in sorted(reasons.items(), key=lambda row: -row[1]):
        print(f"{count:5}  {reason or 'counted'}")
    for case in starts:
        if why_not(case) == "several cards" and has_cache(case) and settings_of(case) is not None:
            print(f"{error_of(case):+8.2%}  several cards, not counted: {case['id']}")
        if why_not(case) == "not in the project's facts":
            print(f"not in the project's facts: {case['id']}")


def main() -> int:
    """Fit and write, or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where the file differs")
    check = parser.parse_args().check
    starts = cases()
    text = text_of(starts)
    report(starts)
    if check:
        return int(text != FITTED.read_text("utf-8"))
    FITTED.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
