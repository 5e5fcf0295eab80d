"""Which rules a release follows."""

import itertools
import random
from typing import Any

import pytest

from poolroom.vllm.plan_facts import VERSIONS
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.versions import at_least, read_version, rules_of, runner_of, value_since

READ = VERSIONS["releases"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("0.33", "0.33.0"), ("v0.11.0", "0.11.0"), ("0.6.6.post1", "0.6.6.post1"), ("0.8.5.dev274", "0.8.5.dev274"),
        ("0.19.1rc2", "0.19.1rc2"), ("0.24.0+cu128", "0.24.0"), ("~0.6.4", "0.6.4"), ("0.10.1.1", "0.10.1.1"),
        ("0.15.2rc1.dev93", "0.15.2rc1.dev93"), ("0.4.1.dev0+g73c8d67", "0.4.1.dev0"),
    ],
)  # fmt: skip
def test_forms(text: str, written: str) -> None:
    """Rule: every form that the start-up reports use is read, and what is written is read alike."""
    version = read_version(text)
    assert version["text"] == written
    assert version["about"] == text.startswith("~")
    assert read_version(written)["order"] == version["order"]


def test_order() -> None:
    """Rule: development before release, release before post release, numbers as numbers."""
    rising = [
        "0.2.7",
        "0.6.4.dev8",
        "0.6.4",
        "0.6.4.post1",
        "0.9.2",
        "0.10.0",
        "0.10.1",
        "0.10.1.1",
        "0.11.0",
        "0.15.2rc1.dev93",
    ]
    rising += ["0.15.2", "0.33.0", "0.34.0.dev1", "1.0.0"]
    for one, other in itertools.pairwise(rising):
        assert read_version(one)["order"] < read_version(other)["order"]
        assert at_least(read_version(other)["order"], one) and not at_least(read_version(one)["order"], other)
    assert read_version("0.19.1rc2")["order"] == read_version("0.19.1")["order"]


@pytest.mark.parametrize(
    ("version", "rule", "value"),
    [
        ("0.19.1", "share", 0.9), ("0.20.0", "share", 0.92), ("0.17.1", "graphs", "outside"),
        ("0.18.0", "graphs", "off_by_default"), ("0.20.0", "graphs", "inside"), ("0.28.0", "null_block", False),
        ("0.29.0", "null_block", True), ("0.13.0", "async_default", False), ("0.14.0", "async_default", True),
        ("0.25.1", "async_factor", 1), ("0.26.0", "async_factor", 2), ("0.8.5", "hybrid", False),
        ("0.9.2", "hybrid", True), ("0.7.3", "capacity", "blocks"), ("0.8.5", "capacity", "v1_tokens"),
        ("0.20.0", "capacity", "groups"), ("0.20.1", "capacity", "per_chat"), ("0.13.0", "auto_fit", False),
        ("0.14.0", "auto_fit", True), ("0.10.1.1", "kv_cache_memory", False), ("0.10.2", "kv_cache_memory", True),
        ("0.31.0", "cuts", False), ("0.32.0", "cuts", True), ("0.13.0", "rounding", "fixed"),
        ("0.14.0", "rounding", "round"), ("0.8.5", "counts_others", True), ("0.9.2", "counts_others", False),
        ("0.6.6", "counts_others", False), ("0.19.1", "mamba_seats_check", False),
        ("0.33.0", "mamba_seats_check", True),
        ("0.28.0", "runner", "V1"), ("0.29.0", "runner", "V2"), ("0.7.3", "engine", "V0"), ("0.8.1", "engine", "V1"),
    ],
)  # fmt: skip
def test_rules_change_where_they_were_read_to(version: str, rule: str, value: Any) -> None:
    """Rule: each default changes at the release of vllm.md, section 1.2 and following."""
    assert rules_of(version)[rule] == value  # type: ignore[literal-required]


def test_engines() -> None:
    """Rule: V1 by default from 0.8.0; V0 may be asked for up to 0.10, V1 from 0.6.6."""
    assert rules_of("0.7.3")["engine"] == "V0"
    assert rules_of("0.8")["engine"] == "V1"
    assert rules_of("0.10.2", "V0")["engine"] == "V0"
    assert rules_of("0.7.0.dev5", "V1")["capacity"] == "blocks"
    for version, engine in [("0.11.0", "V0"), ("0.5.5", "V1")]:
        with pytest.raises(PlanError, match=engine):
            rules_of(version, engine)


def test_what_was_not_read_is_said() -> None:
    """Rule: newer than the facts: the newest rules, marked; between two releases: the older one's; old: marked."""
    newer, newest = rules_of("0.40.1"), rules_of("0.33.0")
    assert newer["read"] is False and newer["status"] == "newer" and newer["base"] == "0.33.0"
    same = {name for name in newest if name not in ("version", "order", "status", "read")}
    assert all(newer[name] == newest[name] for name in same)  # type: ignore[literal-required]
    assert (rules_of("0.33.5")["status"], rules_of("0.33.5")["read"]) == ("between", True)
    assert (rules_of("0.20.3")["base"], rules_of("0.20.3")["status"]) == ("0.20.2", "between")
    assert (rules_of("0.6.6.post1")["base"], rules_of("0.6.6.post1")["status"]) == ("0.6.6", "read")
    assert rules_of("0.5.4")["status"] == "old" and rules_of("0.5.4")["share"] == 0.9
    with pytest.raises(PlanError, match=r"0\.2\.6"):
        rules_of("0.2.6")


def test_model_runner() -> None:
    """Rule: V2 for a few architectures from 0.22.1, dense models from 0.26, all from 0.29."""
    order = {version: read_version(version)["order"] for version in READ}
    assert runner_of(order["0.21.0"], "Qwen3ForCausalLM", False, False, False) == "V1"
    assert runner_of(order["0.22.1"], "Qwen3ForCausalLM", False, False, False) == "V2"
    assert runner_of(order["0.22.1"], "Qwen3ForCausalLM", False, True, False) == "V1"
    assert runner_of(order["0.24.0"], "LlamaForCausalLM", False, False, False) == "V2"
    assert runner_of(order["0.26.0"], "GptOssForCausalLM", True, True, False) == "V1"
    assert runner_of(order["0.28.0"], "Qwen3NextForCausalLM", True, False, True) == "V1"
    assert runner_of(order["0.29.0"], "GptOssForCausalLM", True, True, False) == "V2"


def test_every_rule_has_a_source_and_rising_releases() -> None:
    """Rule: each list rises, begins with the oldest release, names releases or reported builds, and has its source."""
    for name, rule in VERSIONS["rules"].items():
        assert rule["source"] and rule["kind"] in ("read", "log", "guessed"), name
        for engine in ("V0", "V1"):
            orders = [read_version(version)["order"] for version, _ in rule[engine]]
            assert rule[engine][0][0] == VERSIONS["oldest"] and orders == sorted(orders), name
            assert {version for version, _ in rule[engine] if ".dev" not in version} <= set(READ), name


def test_value_since_is_a_step() -> None:
    """Rule: a value holds from its release to the one before the next."""
    rng = random.Random(5)
    for _ in range(500):
        chosen = sorted(rng.sample(range(len(READ)), 5))
        since = [[READ[i], i] for i in chosen]
        at = rng.randrange(len(READ))
        held = [i for i in chosen if i <= at]
        assert value_since(since, read_version(READ[at])["order"]) == (held[-1] if held else chosen[0])
