"""Two versions, one plan: what changes, part by part, with the rule that changed."""

import pytest

from poolroom.vllm.plan_words import upgrade_text
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.rounding import GIB_BYTES as GIB
from poolroom.vllm.trial import trial
from poolroom.vllm.upgrade import BY_RULES, PARTS, Upgrade, compare
from poolroom.vllm.versions import Rules

LLAMA = {"card": "h100-80gb", "model": "meta-llama/Llama-3.1-8B-Instruct"}


def part(found: Upgrade, name: str) -> dict[str, object]:
    """One part of the comparison."""
    return next(dict(each) for each in found["parts"] if each["name"] == name)


def test_every_rule_that_is_named_is_one() -> None:
    """Rule: the rules behind a part or a setting are rules of the version."""
    named = {rule for rules in (*PARTS.values(), *BY_RULES.values()) for rule in rules}
    assert named <= set(Rules.__annotations__)


def test_the_share_and_the_graphs_of_0_20() -> None:
    """Rule: 0.20.0 raised the share to 0.92 and counts the graphs inside."""
    found = compare(LLAMA, "0.19.1", "0.20.0")
    assert {"name": "share", "before": 0.9, "after": 0.92, "rule": "share"} in found["settings"]
    assert part(found, "requested")["rule"] == "share" and part(found, "graphs")["rule"] == "graphs"
    assert {"share", "graphs", "mamba_seats_check"} <= set(found["rules"])
    text = upgrade_text(found)
    assert "From 0.19.1 to 0.20.0:" in text and "by the rule “the default memory share changed”" in text


def test_the_parts_close() -> None:
    """Rule: what the pool gains is what the share gains and the parts lose."""
    for before, after in (("0.19.1", "0.20.0"), ("0.11.0", "0.33.0"), ("0.28.0", "0.29.0"), ("0.33.0", "0.9.2")):
        found = compare(LLAMA, before, after)
        others = sum(int(str(each["more"])) for each in found["parts"] if each["name"] not in ("requested", "kv"))
        assert part(found, "kv")["more"] == int(str(part(found, "requested")["more"])) - others


def test_the_tables_of_the_second_runner() -> None:
    """Rule: model runner V2 keeps 4.125 bytes a word and seat: 0.50 GiB for Llama at 1,024 seats."""
    found = compare(LLAMA, "0.22.1", "0.33.0")
    assert part(found, "penalties")["after"] == pytest.approx(0.5 * GIB, rel=0.02)
    assert part(found, "penalties")["rule"] == "penalties"


def test_the_null_block_of_0_29() -> None:
    """Rule: a pool of just one longest chat starts in 0.28.0 and is refused in 0.29.0, with a fix."""
    asked = {**LLAMA, "max_model_len": 8_192, "kv_cache_memory_bytes": 512 * 2_097_152}
    found = compare(asked, "0.28.0", "0.29.0")
    assert found["outcomes"] == ["starts", "refuses"] and "null_block" in found["rules"]
    assert found["fixes"] is not None
    values = {fix["lever"]: fix["value"] for fix in found["fixes"]["fixes"]}
    assert values["kv_cache_memory_bytes"] == 513 * 2_097_152 and values["max_model_len"] == 8_176


def test_what_was_measured_is_carried_over() -> None:
    """Rule: a pool measured in the first version moves by as many bytes as the calculated one."""
    asked = {**LLAMA, "max_model_len": 8_192}
    plain = compare(asked, "0.19.1", "0.20.0")
    measured = compare({**asked, "measured_kv_gib": 50.0}, "0.19.1", "0.20.0")
    assert part(measured, "kv")["before"] == 50 * GIB
    assert abs(int(str(part(measured, "kv")["more"])) - int(str(part(plain, "kv")["more"]))) <= 1


def test_the_same_version() -> None:
    """Rule: nothing changes, and that is said."""
    found = compare(LLAMA, "0.33.0", "0.33.0")
    assert all(each["more"] == 0 for each in found["parts"]) and found["rules"] == [] and found["settings"] == []
    assert "Nothing changes." in upgrade_text(found)


def test_what_cannot_be_compared() -> None:
    """Rule: a setting that one of the versions lacks is refused by its name."""
    with pytest.raises(PlanError) as refusal:
        compare({**LLAMA, "kv_cache_memory_bytes": 10**10}, "0.33.0", "0.9.2")
    assert refusal.value.setting == "kv_cache_memory_bytes"
    with pytest.raises(PlanError):
        compare(LLAMA, "0.33.0", "0.1.1")
    assert trial({**LLAMA, "version": "0.33.0"})["verdict"]["outcome"] == "starts"
