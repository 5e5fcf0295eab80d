"""Measure the server on this machine, and compare with what was predicted.

    python measure.py --model build/tiny-model --out measured.json

Constants are fitted on one setting and on answers from the cache; all others are predicted from them, with the
lengths of prompts and answers given. Each run is repeated, all of them in turn, so that a slow minute of the machine
does not fall on one alone.
"""

import argparse
import json
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import four_bit
from fit import fit
from load_report import nearest_rank
from measured_runs import CONCURRENCIES, DISTINCT, MAX_TOKENS, PROMPT_WORDS, SETTINGS, Hits, Outcome, Run, outcomes
from predict import ClosedLoop, Constants, Times

CHARACTERS = 30_000  # of the held-out text, for perplexity
WINDOW = 256  # tokens
PACKAGES = ("torch", "transformers", "tokenizers", "fastapi", "uvicorn", "httpx", "bitsandbytes")


def processor() -> str:
    """The processor's name."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text().splitlines() if listed.is_file() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def machine() -> dict:
    """What the figures were measured on."""
    return {"processor": processor(), "cores": os.cpu_count(), "system": platform.system(),
            "architecture": platform.machine(), "server_threads": 1}


def figures(times: Sequence[Times], tokens: Sequence[int], seconds: float) -> dict[str, float]:
    """The figures that are compared; a measured row has the same names as one on paper."""
    per_token = [(one.last - one.first) / (count - 1) for one, count in zip(times, tokens, strict=True) if count > 1]
    whole = [one.done - one.asked for one in times]
    return {
        "tokens_per_second": sum(tokens) / seconds,
        "ttft_p50_seconds": nearest_rank([one.first - one.asked for one in times], 50),
        "ttft_p95_seconds": nearest_rank([one.first - one.asked for one in times], 95),
        "tpot_p50_seconds": nearest_rank(per_token, 50),
        "e2e_p50_seconds": nearest_rank(whole, 50),
        "e2e_p95_seconds": nearest_rank(whole, 95),
    }


def measured(outcome: Outcome) -> dict[str, float]:
    """The figures of a run that happened."""
    return figures(outcome.rows, [row.tokens for row in outcome.rows], outcome.seconds)


def predicted(run: Run, outcome: Outcome, constants: Constants) -> dict[str, float]:
    """The figures of the same run on paper."""
    work = outcome.work()
    times = ClosedLoop(work, run.concurrency, run.setting.policy, constants).run()
    return figures(times, [one.tokens for one in work], max(one.done for one in times))


def compared(run: Run, repeats: Sequence[Outcome], constants: Constants) -> dict:
    """Measured beside predicted: the median of the repeats with the least and the most, and how far off paper is."""
    each = [measured(outcome) for outcome in repeats]
    medians = {name: statistics.median(one[name] for one in each) for name in each[0]}
    paper = predicted(run, repeats[0], constants)
    return {
        "concurrency": run.concurrency,
        "window_seconds": run.setting.window_seconds,
        "max_batch": run.setting.max_batch,
        "cache": run.setting.cache,
        "fitted": run.fitted,
        "requests": len(repeats[0].asked),
        "tokens": sum(row.tokens for row in repeats[0].rows),
        "measured": {name: {"median": medians[name], "least": min(one[name] for one in each),
                            "most": max(one[name] for one in each)} for name in medians},
        "predicted": paper,
        "error": {name: paper[name] / medians[name] - 1 for name in medians},
    }


def fit_on(found: dict[Run, list[Outcome]], hits: Sequence[Hits]) -> Constants:
    """The constants, from the runs set apart for that."""
    fitted = {run.concurrency: [outcome.rows for outcome in found[run]] for run in found if run.fitted}
    crowds = [rows for concurrency in fitted if concurrency > 1 for rows in fitted[concurrency]]
    rows = [row for one in hits for row in one.rows]
    return fit(fitted[1], crowds, rows, sum(one.cpu_seconds for one in hits) / len(rows))


def weighed(model: Path) -> dict:
    """The model in 4 bits beside full precision and the prediction."""
    comparison = four_bit.compare(str(model), (model / "held_out.txt").read_text("utf-8")[:CHARACTERS], WINDOW)
    return {"window": WINDOW, **asdict(comparison), "error": comparison.error}


def line(one: dict) -> str:
    """A run for people."""
    rate, error = one["measured"]["tokens_per_second"], one["error"]
    return (f"{one['concurrency']:>11}  {one['window_seconds'] * 1000:>6.0f}  {one['max_batch']:>5}  "
            f"{'on' if one['cache'] else 'off':>5}  {rate['median']:>8.1f} ({rate['least']:.1f}–{rate['most']:.1f})  "
            f"{one['predicted']['tokens_per_second']:>8.1f}  {error['tokens_per_second']:>+7.1%}  "
            f"{error['ttft_p50_seconds']:>+7.1%}  {error['tpot_p50_seconds']:>+7.1%}  {error['e2e_p95_seconds']:>+7.1%}"
            + ("  fitted" if one["fitted"] else ""))


def measure(model: Path, requests: int, repeats: int) -> dict:
    """Do all runs, fit, predict, and put everything together."""
    found: dict[Run, list[Outcome]] = {}
    hits: list[Hits] = []
    for repeat in range(repeats):
        for place, setting in enumerate(SETTINGS):
            print(f"repeat {repeat + 1} of {repeats}, setting {place + 1} of {len(SETTINGS)}", file=sys.stderr)
            each, from_cache = outcomes(setting, model, requests)
            hits += [from_cache] if from_cache else []
            for run, outcome in each.items():
                found.setdefault(run, []).append(outcome)
    constants = fit_on(found, hits)
    runs = [compared(run, found[run], constants) for run in found]
    held_out = [abs(one["error"]["tokens_per_second"]) for one in runs if not one["fitted"]]
    return {
        "made": "make measure",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
        "model": json.loads((model / "config.json").read_text()),
        "load": {"concurrencies": CONCURRENCIES, "requests": requests, "repeats": repeats, "distinct_share": DISTINCT,
                 "prompt_words": PROMPT_WORDS, "max_tokens": MAX_TOKENS},
        "load_average": os.getloadavg()[0],
        "constants_seconds": asdict(constants),
        "worst_held_out_error": max(held_out),
        "runs": runs,
        "four_bit": weighed(model),
    }


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="measure.py", description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True, help="folder of the model")
    parser.add_argument("--out", type=Path, required=True, help="file to write, JSON")
    parser.add_argument("--requests", type=int, default=48, help="of each run (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="of each run (default: %(default)s)")
    options = parser.parse_args(words)
    if options.requests < 4 or options.repeats < 1:
        parser.error("at least 4 requests and 1 repeat are needed")
    if not (options.model / "config.json").is_file():
        parser.error(f"--model {options.model} holds no model: python make_tiny_model.py --out {options.model}")
    options.model = options.model.absolute()  # the server runs in another folder
    return options


def main(words: Sequence[str]) -> int:
    """Run the command line."""
    options = parse(words)
    try:
        everything = measure(options.model, options.requests, options.repeats)
    except (RuntimeError, ValueError) as error:
        print(f"measure: {error}", file=sys.stderr)
        return 1
    options.out.write_text(json.dumps(everything, indent=1, ensure_ascii=False) + "\n")
    print("concurrency  window  batch  cache  tokens/s measured  predicted    error     ttft     tpot  e2e p95")
    print("\n".join(line(one) for one in everything["runs"]))
    print(f"worst error of throughput among runs that were not fitted: {everything['worst_held_out_error']:.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
