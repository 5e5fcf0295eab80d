"""The smallest changes: each starts, one step less refuses, and what is monotone in vLLM is monotone here."""

import random
from typing import Any

import pytest

from poolroom.vllm.choices import BY_REFUSAL, ORDER
from poolroom.vllm.fix_words import fix_line
from poolroom.vllm.fixes import CARDS, ORDINARY, Fix, fixes_of
from poolroom.vllm.levers import parallel_sizes
from poolroom.vllm.plan import plan
from poolroom.vllm.plan_facts import WORDS
from poolroom.vllm.plan_words import as_text
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.rounding import GIB_BYTES as GIB
from poolroom.vllm.search import first_that_does, last_that_does
from poolroom.vllm.trial import Trial, carried_from, trial, tried
from tests.vllm.plans import asked_by

PLANS = 10_000
FINE = 10_000
STEPPED = ("gpu_memory_utilization", "max_model_len", "max_num_seqs", "max_num_batched_tokens", "in_use_gib")
SHARED_OUT = {"tensor_parallel_size", "pipeline_parallel_size"}


def starts(at: Trial | None) -> bool:
    """Whether a trial was allowed and does not refuse."""
    return at is not None and at["verdict"]["outcome"] != "refuses"


def goes_on(at: Trial) -> bool:
    """Whether each card holds its weights."""
    budget = at["budget"]
    return all(stage["parts"][0]["bytes"] <= budget["total_bytes"] for stage in budget["stages"])


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
    then = tried(at, own)
    assert then is not None and starts(then), (base["asked"], fix["changes"])
    assert goes_on(then) or not SHARED_OUT & set(fix["changes"]), (base["asked"], fix["changes"])
    assert fix["verdict"]["outcome"] != "refuses"
    if fix["lever"] == "max_model_len" and fix["exact"] > at["settings"]["longest"]:
        return  # V0: the first length that is read in chunks, tested below
    if "allocating" in (at["verdict"]["refusal"] or {"terms": {}})["terms"] and fix["lever"] != "in_use_gib":
        return  # a step beyond starts too, but leaves no room for the working reserve
    if fix["costs"] == ["all_cards"]:
        return  # no boundary: as many cards as there are
    for back in step_back(fix, at):
        other = tried(at, back)
        if other is not None and fix["lever"] in SHARED_OUT and not goes_on(other):
            continue  # a pool that was given says that it starts, but no card holds its weights
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


def test_what_is_monotone_in_vllm_is_monotone_here() -> None:
    """Rule: a shorter longest chat, fewer seats or tokens a step never end a start; shares that do are one run."""
    checked = 0
    for seed in range(20_000, 21_200):
        chance = random.Random(seed)
        try:
            base = trial(asked_by(seed))
        except PlanError:
            continue
        settings = base["settings"]
        if settings["rules"]["engine"] == "V0" or settings["auto_fit"]:
            continue
        longest = settings["model"]["longest"] or 131_072
        least = settings["seats"] if settings["chunked"] else max(settings["seats"], settings["longest"])
        for lever, low, high in (
            ("max_model_len", 1, longest),
            ("max_num_seqs", 1, settings["batched_tokens"]),
            ("max_num_batched_tokens", least, least + 40_000),
        ):
            small, large = sorted((chance.randint(low, high), chance.randint(low, high)))
            if starts(tried(base, {lever: large})):
                assert starts(tried(base, {lever: small})), (base["asked"], lever, small, large)
                checked += 1
        shares = sorted(chance.randint(1, FINE) / FINE for _ in range(4))
        does = [starts(tried(base, {"gpu_memory_utilization": share})) for share in shares]
        assert "".join("x" if each else " " for each in does).strip().count(" ") == 0, (base["asked"], shares, does)
    assert checked > 800


def test_nothing_starts_it_is_said() -> None:
    """Rule: a refusal has a change that starts it, or the sentence that nothing does."""
    none = plan({"card": "t4", "model": "deepseek-ai/DeepSeek-V3", "max_model_len": 1_024})
    assert none["fixes"] is not None and none["fixes"]["none"] and WORDS["none"] in as_text(none)
    for seed in range(300):
        try:
            found = plan(asked_by(seed))
        except PlanError:
            continue
        if found["verdict"]["outcome"] == "refuses":
            assert found["fixes"] is not None
            assert found["fixes"]["fixes"] or WORDS["none"] in as_text(found)


@pytest.mark.parametrize("end", [1, 2, 7, 100, 9_999, 10_000])
@pytest.mark.parametrize("guess", [-5, 1, 6, 7, 8, 99, 10_001])
def test_the_search_finds_the_end(end: int, guess: int) -> None:
    """Rule: whatever the guess, the last number that does is found, and the first one the other way."""
    assert last_that_does(lambda n: n <= end, 1, 10_000, guess) == end
    assert first_that_does(lambda n: n >= end, 1, 10_000, guess) == end
    assert last_that_does(lambda n: False, 1, 10_000, guess) is None
    assert first_that_does(lambda n: False, 1, 10_000, guess) is None
    assert last_that_does(lambda n: True, 5, 4, guess) is None


def test_a_good_guess_costs_two_looks() -> None:
    """Rule: the search looks twice where the guess is right, and seldom more than thirty times."""
    looks = 0

    def does(n: int) -> bool:
        nonlocal looks
        looks += 1
        return n <= 777_777

    assert last_that_does(does, 1, 2**30, 777_777) == 777_777 and looks == 2
    looks = 0
    assert last_that_does(does, 1, 2**30, 1) == 777_777 and looks < 35


def test_the_order_is_by_cost() -> None:
    """Rule: what nobody notices first, more cards last; what goes very far costs more."""
    asked = {"card": "rtx-4090", "model": "Qwen/Qwen3-8B", "version": "0.19.1"}
    levers = [fix["lever"] for fix in fixes_of(trial(asked))["fixes"]]
    assert levers[:2] == ["gpu_memory_utilization", "max_model_len"]
    assert levers[-2:] == ["tensor_parallel_size", "pipeline_parallel_size"]
    assert set(BY_REFUSAL[""]) == set(ORDER)


FULL = {"card": "rtx-4090", "model": "Qwen/Qwen3-8B", "in_use_gib": 20.91}
"""A second server on a card that another one fills."""


def test_what_an_idle_card_holds_is_nobodys_to_give_back() -> None:
    """Rule: no change asks for less held than an idle card holds, the server's own CUDA context above all; where the
    share asks for it, a smaller share is the one change, and no pair."""
    whole = {
        "card": "rtx-4090", "model": "mistralai/Mistral-7B-Instruct-v0.3", "gpu_memory_utilization": 1,
        "enforce_eager": True,
    }  # fmt: skip
    assert [fix["changes"] for fix in fixes_of(trial(whole))["fixes"]] == [{"gpu_memory_utilization": 0.97}]
    seen = 0
    for asked in (FULL, {**FULL, "version": "0.8.5", "gpu_memory_utilization": 0.95}, *map(asked_by, range(600))):
        try:
            base = trial(asked)
        except PlanError:
            continue
        for fix in [] if starts(base) else fixes_of(base)["fixes"]:
            if "in_use_gib" in fix["changes"]:
                seen += 1
                assert fix["changes"]["in_use_gib"] * GIB >= base["settings"]["card"]["held_bytes"], asked
    assert seen > 20


@pytest.mark.parametrize("more", [{}, {"version": "0.8.5", "gpu_memory_utilization": 0.95}])
def test_another_process_is_stopped_first(more: dict[str, Any]) -> None:
    """Rule: a full card has a way out, whether the share is held against what is free or the weights do not go onto it;
    its command is said to start only after the other process was stopped."""
    found = plan({**FULL, **more})
    assert found["fixes"] is not None and "in_use_gib" in found["fixes"]["fixes"][0]["changes"]
    text = as_text(found)
    assert f"{WORDS['freed_command']}\n  {found['fixed_command']}\n" in text
    assert WORDS["fixed_command"] not in text


def test_a_larger_share_is_not_said_first_to_a_large_one() -> None:
    """Rule: who has a share of 0.95 or more hears of a larger one after everything else on the cards there are."""
    seen = 0
    for seed in range(2_500):
        asked = {**asked_by(seed), "gpu_memory_utilization": 0.95 + seed % 3 / 100}
        try:
            base = trial(asked)
        except PlanError:
            continue
        fixes = [] if starts(base) else fixes_of(base)["fixes"]
        own = [cards_of(asked, fix["changes"]) <= cards_of(asked, {}) and len(fix["changes"]) == 1 for fix in fixes]
        larger = [fix["changes"].get("gpu_memory_utilization", 0) > base["settings"]["share"] for fix in fixes]
        if any(larger):
            seen += 1
            assert not any(own[larger.index(True) + 1 :]), (asked, [fix["changes"] for fix in fixes])
    assert seen > 5


def test_a_pool_below_nothing_is_not_mended_by_shorter_chats() -> None:
    """Rule: V1 tries a step of as many tokens whatever the longest chat, so a shorter one makes no room for a pool."""
    asked = {
        "card": "rtx-4090", "model": "Qwen/Qwen3-8B", "version": "0.10.2", "gpu_memory_utilization": 0.7,
        "max_num_batched_tokens": 2_048, "max_num_seqs": 256,
    }  # fmt: skip
    base = trial(asked)
    assert base["verdict"]["refusal"] and base["verdict"]["refusal"]["key"] == "no_blocks"
    fixes = fixes_of(base)["fixes"]
    assert fixes and not any(list(fix["changes"]) == ["max_model_len"] for fix in fixes)


@pytest.mark.parametrize(("model", "cards", "kept"), [
    ("Qwen/Qwen2.5-7B-Instruct", 3, [1, 3]), ("Qwen/Qwen2.5-72B-Instruct", 6, [2, 3]),
    ("Qwen/Qwen2.5-7B-Instruct", 7, [1, 7]),
])  # fmt: skip
def test_all_cards_are_kept(model: str, cards: int, kept: list[int]) -> None:
    """Rule: where heads do not divide over all cards, stages of layers take them all, beside fewer cards a layer."""
    asked = {"card": "a100-sxm-80gb", "model": model, "tensor_parallel_size": cards}
    found = fixes_of(trial(asked))["fixes"]
    size, stages = kept
    changes = {"tensor_parallel_size": size, "pipeline_parallel_size": stages}
    mine = [fix for fix in found if fix["changes"] == changes]
    assert len(mine) == 1 and cards_of(asked, changes) == cards and starts(tried(trial(asked), changes))
    assert mine[0]["costs"] == ["all_cards"] and list(found[0]["changes"]) == ["tensor_parallel_size"]


@pytest.mark.parametrize(("version", "apart"), [("0.27.1", False), ("0.28.0", True), ("0.33.0", True)])
def test_bitsandbytes_is_a_plugin(version: str, apart: bool) -> None:
    """Rule: from 0.28.0 on a change to bitsandbytes says which plugin it needs."""
    asked = {"card": "rtx-4090", "model": "Qwen/Qwen2.5-14B-Instruct", "version": version}
    lines = [fix_line(fix) for fix in fixes_of(trial(asked))["fixes"] if "bitsandbytes" in fix["changes"].values()]
    assert lines and all(("vllm-bnb-plugin" in line) is apart for line in lines)


def cards_of(asked: dict[str, Any], changes: dict[str, Any]) -> int:
    """How many cards a server takes."""
    now = {**asked, **changes}
    return int(now.get("tensor_parallel_size", 1)) * int(now.get("pipeline_parallel_size", 1))


def test_more_cards_are_bought_last() -> None:
    """Rule: whatever the cards there are can do, one change or two, risky or not, comes before more cards."""
    before = after = 0
    for seed in range(30_000, 30_900):
        asked = asked_by(seed)
        try:
            base = trial(asked)
        except PlanError:
            continue
        if starts(base):
            continue
        more = [(cards_of(asked, fix["changes"]) > cards_of(asked, {}), fix["rank"]) for fix in fixes_of(base)["fixes"]]
        assert [each for each, _ in more] == sorted(each for each, _ in more), asked
        assert all(bought == (rank >= CARDS) for bought, rank in more), (asked, more)
        before += len([each for each, _ in more if not each])
        after += len([each for each, _ in more if each])
    assert before > 200 and after > 200


def test_a_pair_on_the_one_card_there_is() -> None:
    """Rule: Gemma 3 27B on one RTX 4090 starts in 4 bits with short chats; that is said before four cards are."""
    found = plan({"card": "rtx-4090", "model": "google/gemma-3-27b-it"})
    assert found["fixes"] is not None
    assert [list(fix["changes"]) for fix in found["fixes"]["fixes"]] == [
        ["quantization", "max_model_len"], ["tensor_parallel_size"], ["pipeline_parallel_size"],
    ]  # fmt: skip
    assert "--quantization bitsandbytes" in found["fixed_command"] and "parallel" not in found["fixed_command"]


def test_what_nobody_asked_for_is_shortened_first() -> None:
    """Rule: the model's own longest chat, which nobody asked for, is shortened before answers are touched, as long as
    ordinary chats fit; a length that was asked for is not cut to less than an eighth while there is another way."""
    asked = {"card": "b200", "model": "meta-llama/Llama-3.3-70B-Instruct", "gpu_memory_utilization": 0.8}
    own = fixes_of(trial(asked))["fixes"]
    assert [list(fix["changes"]) for fix in own[:2]] == [["max_model_len"], ["quantization"]]
    assert ORDINARY <= own[0]["value"] < 131_072 // 8
    given = fixes_of(trial({**asked, "max_model_len": 131_072}))["fixes"]
    assert list(given[0]["changes"]) == ["quantization"] and not any(fix["lever"] == "max_model_len" and
        len(fix["changes"]) == 1 for fix in given)  # fmt: skip


def test_rounded_weights_leave_the_longest_chat() -> None:
    """Rule: each way to round the weights is tried with the longest chat that it leaves: 4 bits leave more than 8."""
    found = plan({"card": "h100-80gb", "model": "meta-llama/Llama-3.3-70B-Instruct"})["fixes"]
    assert found is not None
    changes = [fix["changes"] for fix in found["fixes"]]
    lengths = {each["quantization"]: each["max_model_len"] for each in changes if "max_model_len" in each}
    assert lengths["bitsandbytes"] > 10 * lengths["fp8"] and changes[0]["quantization"] == "bitsandbytes"


@pytest.mark.parametrize("name", ["data_parallel_size", "enable_expert_parallel"])
def test_more_cards_beside_what_is_not_counted(name: str) -> None:
    """Rule: where data or expert parallel was asked for, more cards come with the word that it is not counted."""
    asked = {"card": "rtx-4090", "model": "Qwen/Qwen3-8B"}
    words = WORDS["cost"]["not_counted"]
    for each, said in ((asked, False), ({**asked, name: True if name.startswith("enable") else 2}, True)):
        for fix in fixes_of(trial(each))["fixes"]:
            assert (words in fix_line(fix)) is (said and cards_of(each, fix["changes"]) > 1), fix["changes"]


def test_what_a_log_measured_stands_in_no_fix() -> None:
    """Rule: a fix holds what a user sets, never a figure of a log, though that figure is moved to try the fix."""
    asked = {
        "card": "rtx-3090", "model": "Qwen/Qwen3-8B", "version": "0.19.1", "max_model_len": 32_768,
        "measured_kv_gib": 2.5, "measured_activation_gib": 1.4,
    }  # fmt: skip
    found = plan(asked)["fixes"]
    assert found and found["fixes"]
    for fix in found["fixes"]:
        assert not any(name.startswith("measured_") for name in fix["changes"]), fix["changes"]
    seen = 0
    for seed in range(300):
        try:
            fixes = plan(asked_by(seed))["fixes"]
        except PlanError:
            continue
        for fix in fixes["fixes"] if fixes else []:
            seen += 1
            assert set(fix["changes"]) <= set(ORDER), fix["changes"]
    assert seen > 100


def test_what_is_carried_over_is_not_measured() -> None:
    """Rule: a measured figure that the rules moved to other settings is called carried; with its own it is measured."""
    base = trial({"card": "rtx-3090", "model": "Qwen/Qwen3-8B", "measured_activation_gib": 1.4, "measured_kv_gib": 2.5})
    at = tried(base, {"max_num_seqs": 16})
    assert base["carried"] == [] and at is not None and at["carried"] == carried_from(base) == ["activation", "kv"]

    def told(one: Trial) -> list[str]:
        return [f"{part['kind']} {part['source']}" for part in one["budget"]["stages"][0]["parts"]]

    assert told(base)[1] == "measured measured" and told(at)[1] == "fitted carried"
    assert told(base)[0] == told(at)[0] and WORDS["source"]["carried"] == "your log's figure, moved by the rules"


SECOND = {
    "card": "rtx-a6000", "model": "Qwen/Qwen2.5-0.5B-Instruct-AWQ", "version": "0.8.3", "gpu_memory_utilization": 0.1,
    "in_use_gib": 4.79, "max_model_len": 512, "max_num_seqs": 1, "total_gib": 44.55,
}  # fmt: skip
"""The second server of vllm#16141, beside one that holds 4.79 GiB."""


@pytest.mark.parametrize("measured", [
    {}, {"measured_kv_gib": -0.9},
    {"measured_weights_gib": 0.43, "measured_activation_gib": 0.07, "measured_non_torch_gib": 4.85},
])  # fmt: skip
def test_others_that_count_may_shrink(measured: dict[str, float]) -> None:
    """Rule: where others count in the share (V1 up to 0.8.5), a refused pool is their doing, and is said to be; both
    a larger share and freeing memory are offered."""
    found = plan({**SECOND, **measured})
    assert found["verdict"]["refusal"] and found["verdict"]["refusal"]["key"] == "no_blocks"
    changes = [list(fix["changes"]) for fix in found["fixes"]["fixes"]] if found["fixes"] else []
    assert ["gpu_memory_utilization"] in changes and ["in_use_gib"] in changes
    assert "others on the card already hold 4.79: this version counts them" in as_text(found)
    alone = plan({**SECOND, "in_use_gib": 0})
    assert alone["verdict"]["outcome"] == "starts"


def test_others_are_not_blamed_for_what_is_too_large_anyway() -> None:
    """Rule: where there would be no pool without the others either, or they do not count, nothing is said of them."""
    assert "already hold" not in as_text(plan({**SECOND, "gpu_memory_utilization": 0.01}))
    assert "already hold" not in as_text(plan({**SECOND, "version": "0.9.1", "gpu_memory_utilization": 0.01}))
