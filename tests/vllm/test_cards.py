"""The cards: how many, how sure, how plausible, and what real start-ups print."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from poolroom.vllm.cards import card, card_names
from poolroom.vllm.names import near_names, squashed
from poolroom.vllm.plan_facts import CARDS
from poolroom.vllm.refuse import PlanError

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT.parent / "shared" / "facts" / "start-logs.jsonl"
GIB = 2**30
KINDS = {"log", "documentation", "unverified"}
SURE = ("memory_kind", "total_kind", "bandwidth_kind")
LIST = """T4, V100-16GB, V100-32GB, RTX 2080 Ti, RTX 3060, RTX 3080, RTX 3090, RTX 4060 Ti, RTX 4070, RTX 4070 Ti SUPER,
RTX 4080, RTX 4090, RTX 5060 Ti, RTX 5070 Ti, RTX 5080, RTX 5090, A10, A10G, A16, A30, A40, RTX A5000, RTX A6000,
RTX 6000 Ada, L4, L20, L40, L40S, A100-40GB, A100-80GB, A100-PCIE-40GB, A100 80GB PCIe, H100 PCIe, H100 SXM, H100 NVL,
H200, H20, H800, GH200, GB10, B200, B300, GB200, RTX PRO 6000, MI210, MI250X, MI300X, MI325X, MI355X, RX 7900 XTX,
RX 7900 XT, Arc Pro B60, Arc Pro B70, Max 1550, Gaudi 2, Gaudi 3, TPU v5e, TPU v5p, TPU v6e, TPU v7"""
OF_DRIVERS = {
    "NVIDIA H100 80GB HBM3": "h100-sxm-80gb",
    "NVIDIA A100-SXM4-80GB": "a100-sxm-80gb",
    "NVIDIA A100-SXM4-40GB": "a100-sxm-40gb",
    "NVIDIA A100 80GB PCIe": "a100-pcie-80gb",
    "NVIDIA GeForce RTX 4090": "rtx-4090",
    "NVIDIA RTX PRO 6000 Blackwell Workstation Edition": "rtx-pro-6000",
    "NVIDIA RTX 6000 Ada Generation": "rtx-6000-ada",
    "Tesla V100-SXM2-16GB": "v100-16gb",
    "NVIDIA GH200 480GB": "gh200",
    "Intel(R) Data Center GPU Max 1550": "max-1550",
    "AMD Instinct MI300X OAM": "mi300x",
    "AMD Radeon RX 7900 XTX": "rx-7900-xtx",
}
"""How drivers spell a name."""


def figures(facts: dict[str, Any]) -> dict[str, list[Any]]:
    """Every figure of a card: a value and the key of its source."""
    found = {key: facts[key] for key in ("memory_gb", "total_bytes", "bandwidth", "held_bytes") if key in facts}
    found |= {f"peak {dtype}": figure for dtype, figure in facts["peak_flops"].items()}
    return found | {f"also {i}": figure for i, figure in enumerate(facts.get("also", []))}


def test_every_figure_says_where_it_is_from() -> None:
    """Rule: a whole number in a unit, with source, date and kind; every source is used."""
    used = {CARDS["held_bytes"][1]}
    for name, facts in CARDS["cards"].items():
        for key, (value, source) in figures(facts).items():
            assert isinstance(value, int) and value > 0, (name, key)
            assert key.split()[0].replace("peak", "peak_flops") in CARDS["units"], (name, key)
            used.add(source)
    assert used == set(CARDS["sources"])
    for source in CARDS["sources"].values():
        assert source["kind"] in KINDS and len(source["source"]) > 8 and re.fullmatch(r"20[0-9-]+", source["date"])


def test_there_are_enough_cards_and_they_are_sure(tell: Callable[[str], None]) -> None:
    """Rule: at least 46 cards, 40 of them with memory, reported total and bandwidth read somewhere."""
    cards = [card(name) for name in card_names()]
    sure = [each for each in cards if all(dict(each)[kind] != "unverified" for kind in SURE)]
    logged = [each for each in cards if each["total_kind"] == "log"]
    tell(
        f"plan: {len(cards)} cards, {len(sure)} with no unverified memory or bandwidth, {len(logged)} totals from logs"
    )
    assert len(cards) >= 46 and len(sure) >= 40 and len(logged) >= 40


@pytest.mark.parametrize("name", [name.strip() for name in LIST.split(",")])
def test_the_cards_that_were_asked_for(name: str) -> None:
    """Rule: each is there, under the name people use."""
    assert card(name)["name"] in card_names()


def test_figures_are_plausible() -> None:
    """Rule: the total is 0.9 to 1 of the label, speeds lie where memory can, a faster dtype is not slower."""
    for name in card_names():
        each = card(name)
        for total in [each["total_bytes"], *each["other_totals_bytes"]]:
            assert 0.9 <= total / GIB / each["memory_gb"] <= 1, name
        assert 10**11 <= each["bandwidth_bytes_per_second"] <= 10**13, name
        assert each["peak_flops"].keys() == each["peak_kinds"].keys(), name
        assert all(10**12 <= peak <= 2 * 10**16 for peak in each["peak_flops"].values()), name
        peaks = each["peak_flops"]
        assert peaks.get("float32", 0) <= peaks.get("float16", peaks.get("bfloat16", 0)), name
        assert peaks.get("bfloat16", 0) <= peaks.get("fp8", 10**17) <= peaks.get("fp4", 10**17), name
        assert 0 < each["held_bytes"] < each["total_bytes"] // 8, name
        assert (
            re.fullmatch(r"[0-9]+[.][0-9]", each["capability"]) if each["maker"] == "nvidia" else not each["capability"]
        )


def test_old_cards_have_no_bfloat16() -> None:
    """Rule: below compute capability 8.0 no peak for bfloat16."""
    old = [each for each in map(card, card_names()) if each["capability"] and float(each["capability"]) < 8]
    assert {each["name"] for each in old} >= {"t4", "v100-16gb", "v100-32gb", "rtx-2080-ti"}
    assert all("bfloat16" not in each["peak_flops"] for each in old)


def test_a_name_is_found_however_it_is_spelt() -> None:
    """Rule: capitals, dashes, spaces and the maker's name do not matter; no spelling means two cards."""
    for name in card_names():
        title = card(name)["title"]
        for each in (name.upper(), name.replace("-", " "), name.replace("-", "_"), name.replace("-", ""), title):
            assert card(each)["name"] == name
    assert {each: card(each)["name"] for each in OF_DRIVERS} == OF_DRIVERS
    spelt = [
        squashed(each, CARDS["ignored"])
        for name, facts in CARDS["cards"].items()
        for each in {squashed(one, CARDS["ignored"]) for one in [name, facts["title"], *facts.get("aliases", [])]}
    ]
    assert len(spelt) == len(set(spelt))


def test_an_unknown_card_is_refused_with_those_near_it() -> None:
    """Rule: the refusal names the setting, the value and the nearest names, or all where none is near."""
    with pytest.raises(PlanError, match=r"card is “h100-96gb”, but must be .*near it: h100-sxm-80gb|h100-pcie-80gb"):
        card("h100-96gb")
    with pytest.raises(PlanError, match="the name of a card: t4, v100-16gb"):
        card("")
    for wrong in (None, 5, 1.5, True, [], {}, ["t4"], "nvidia", "\ud800", "ｈ100"):
        with pytest.raises(PlanError) as caught:
            card(wrong)
        assert caught.value.setting == "card"
    assert near_names("rtx 4090 d", card_names(), 2)[0] == "rtx-4090"


def of_log(gpu: str) -> str:
    """The card of a report, by what it says of its card."""
    text = re.sub(r"[(].*|8GB$|22GB$|80GB$|96GB$|48GB$|24GB$|10GB$", "", gpu).strip()
    special = {"H100 80GB": "h100", "RTX 2080 Ti 22GB": "rtx-2080-ti-22gb", "A100 80GB PCIe": "a100-pcie-80gb"}
    return special.get(gpu, text)


NOT_NAMED = {139.72: "h200", 14.56: "t4", 21.95: "", 79.19: "h100", 79.25: "a100-pcie-80gb", 184.31: "gb200"}
NOT_NAMED |= {276.62: "gb300", 23.53: "rtx-4090", 23.99: "", 24.0: "", 16.0: "", 80.0: "", 63.98: "", 61.27: ""}
"""Totals of reports that name no card, or another; "" where none of ours is meant."""


def test_totals_of_real_start_ups(tell: Callable[[str], None]) -> None:
    """Rule: what vLLM printed for a card is within 1 % of a total that we have for it."""
    if not LOGS.is_file():
        tell("plan: no start-up reports here, the cards' totals are not compared with them")
        return
    compared = 0
    for line in LOGS.read_text("utf-8").splitlines():
        report = json.loads(line)
        printed, gpu = report["gpu_mem_gib_reported"], report["gpu"]
        name = NOT_NAMED.get(printed) if printed in NOT_NAMED else of_log(gpu or "")
        if printed is None or not name:
            continue
        each = card(name)
        totals = [each["total_bytes"], *each["other_totals_bytes"]]
        assert min(abs(total / GIB / printed - 1) for total in totals) <= 0.01, (report["id"], gpu, printed)
        compared += 1
    tell(f"plan: {compared} printed totals within 1 % of the cards'")
    assert compared >= 40
