"""The smallest changes: each starts, one step less refuses, and what is monotone in vLLM is monotone here."""

from typing import Any

import pytest

from poolroom.vllm.fixes import Fix, fixes_of
from poolroom.vllm.levers import parallel_sizes
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.trial import GIB, Trial, trial, tried
from tests.vllm.plans import asked_by

PLANS = 10_000
FINE = 10_000
STEPPED = ("gpu_memory_utilization", "max_model_len", "max_num_seqs", "max_num_batched_tokens", "in_use_gib")


def starts(at: Trial | None) -> bool:
    """Whether a trial was allowed and does not refuse."""
    return at is not None and at["verdict"]["outcome"] != "refuses"


def base_of(fix: Fix, base: Trial) -> Trial:
    """Where the lever at its boundary begins: for a pair after its other change."""
    others = {name: value for name, value in fix["changes"].items() if name != fix["lever"]}
    at = tried(base, others)
    assert at is not None
    return at


def step_back(fix: Fix, base: Trial) -> list[dict[str, Any]]:
    """The same lever, one step nearer to what was asked; several where a lever has no scale."""
    lever, exact, settings = fix["lever"], fix["exact"], base["settings"]
    if lever == "gpu_memory_utilization":
        at = round(exact * FINE)
        return [{lever: (at - 1 if exact > settings["share"] else at + 1) / FINE}]
    if lever == "in_use_gib":
        return [{lever: (int(exact * GIB) + 1) / GIB}]
    now = {
        "max_model_len": settings["longest"], "max_num_seqs": settings["seats"],
        "max_num_batched_tokens": settings["batched_tokens"],
        "kv_cache_memory_bytes": settings["kv_cache_memory_bytes"],
        "num_gpu_blocks_override": settings["blocks_override"],
        "pipeline_parallel_size": settings["pp"],
    }  # fmt: skip
    if lever in now and now[lever] is not None:
        back = exact - 1 if exact > now[lever] else exact + 1
        return [] if back == now[lever] else [{lever: back}]
    if lever == "tensor_parallel_size":
        nearer = [n for n in parallel_sizes(base) if min(exact, settings["tp"]) < n < max(exact, settings["tp"])]
        return [{lever: n} for n in nearer]
    return []


def check_fix(fix: Fix, base: Trial) -> None:
    """Fail where a change does not start, or where one step less would do."""
    at = base_of(fix, base)
    own = {fix["lever"]: fix["value"]}
    assert starts(tried(at, own)), (base["asked"], fix["changes"])
    assert fix["verdict"]["outcome"] != "refuses"
    if fix["lever"] == "max_model_len" and fix["exact"] > at["settings"]["longest"]:
        return  # V0: the first length that is read in chunks, tested below
    for back in step_back(fix, at):
        other = tried(at, back)
        assert not starts(other), (base["asked"], fix["changes"], back)


def checked(seed: int) -> tuple[str, int]:
    """One plan by chance with all its fixes; its outcome and how many fixes there were."""
    asked = asked_by(seed)
    try:
        base = trial(asked)
    except PlanError:
        return "not allowed", 0
    if starts(base):
        return base["verdict"]["outcome"], 0
    found = fixes_of(base)
    assert found["none"] == (not found["fixes"])
    ranks = [fix["rank"] for fix in found["fixes"]]
    assert ranks == sorted(ranks)
    for fix in found["fixes"]:
        check_fix(fix, base)
    return "refuses", len(found["fixes"])


@pytest.mark.parametrize("part", range(4))
def test_every_fix_starts_and_one_step_less_refuses(part: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: on 10,000 plans by chance every change that is offered starts, and the step before it does not."""
    outcomes: dict[str, int] = {}
    fixes = 0
    for seed in range(part * PLANS // 4, (part + 1) * PLANS // 4):
        outcome, count = checked(seed)
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        fixes += count
    with capsys.disabled():
        print(f"\nplans by chance, part {part + 1} of 4: {outcomes}, {fixes:,} changes at their boundaries")
    assert outcomes["refuses"] > 500 and fixes > 1_000
