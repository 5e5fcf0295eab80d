"""The page on which a plan runs: the lesson's widget with a plan's figures, held to the reference with them."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from poolroom.facts import CAPS, CARD, LONGEST, MODEL, SERVER, SHARES
from poolroom.vllm.plan_facts import CARDS
from poolroom.vllm.trial import trial
from serve import serving
from tests.browser.conftest import STRICT, SUB_PATH, Bench, Open
from tests.browser.plain_model import answers, copied, figures_of, links
from tests.browser.test_layout import assert_fits
from tests.browser.test_theme import AXE
from tests.browser.widget import LINES, START, STATES, Widget, lines_of, of_reference
from tests.node import ROOT

PATH = "watch.html"
WORDS = json.loads((ROOT / "site" / "watch" / "words.json").read_text("utf-8"))
NUMBERS = "(host) => JSON.parse(JSON.stringify(host.result.numbers))"
VIOLATIONS = """() => axe.run(document, {resultTypes: ['violations']}).then(({violations}) =>
  violations.flatMap(({id, nodes}) => nodes.map(({target, failureSummary}) => `${id}: ${target} ${failureSummary}`)))"""
MARKUP = "<img src=x onerror=alert(1)>"
PLANS: list[dict[str, Any]] = [
    {"card": "h100-80gb", "model": "Qwen/Qwen3-8B"},
    {"card": "h100-80gb", "model": "openai/gpt-oss-120b", "tensor_parallel_size": 2, "max_num_seqs": 256},
    {"card": "a100-80gb", "model": "deepseek-ai/DeepSeek-V3", "tensor_parallel_size": 16},
    {"card": "rtx-3090", "model": "Qwen/Qwen3-8B-AWQ", "gpu_memory_utilization": 0.925, "max_model_len": 8192},
    {"card": "l4", "model": "meta-llama/Llama-3.2-3B-Instruct", "version": "0.11.0", "max_model_len": 8192},
    {"card": "rtx-3090", "model": "Qwen/Qwen3-8B", "max_model_len": 40960},
    {"card": "a100-80gb", "model": "meta-llama/Llama-3.3-70B-Instruct", "tensor_parallel_size": 2,
     "pipeline_parallel_size": 2, "max_model_len": 32768},
    {"card": "rtx-4090", "model": "Qwen/Qwen3-8B", "max_num_batched_tokens": 8192, "max_model_len": 16384},
    {"card": "rtx-3090", "model": "Qwen/Qwen3-1.7B", "max_num_seqs": 1, "max_model_len": 1024,
     "kv_cache_memory_bytes": 2000000000},
]  # fmt: skip
"""Plans of each kind: plain, several cards, experts, MLA, quantised, refused, in stages, with a pool that is set."""


def some_plans(count: int) -> list[dict[str, Any]]:
    """Plans by chance, each of which the engine can judge."""
    rng, found = random.Random("watch"), list(PLANS)
    models = [
        "Qwen/Qwen3-8B",
        "meta-llama/Llama-3.1-8B-Instruct",
        "Qwen/Qwen3-1.7B",
        "mistralai/Mistral-7B-Instruct-v0.3",
    ]
    names = [name for name in CARDS["cards"] if CARDS["cards"][name]["memory_gb"][0] >= 24]
    while len(found) < count:
        found.append({
            "card": rng.choice(names), "model": rng.choice(models), "max_num_seqs": rng.choice([1, 7, 48, 64, 300]),
            "gpu_memory_utilization": rng.choice([0.5, 0.75, 0.9, 0.97]), "max_model_len": rng.randrange(500, 30000),
        })  # fmt: skip
    return found


@pytest.fixture(scope="session")
def plans(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[dict[str, Any], str]]:
    """Plans with their links."""
    asked = some_plans(24)
    return list(zip(asked, links(tmp_path_factory.mktemp("links"), asked), strict=True))


@pytest.fixture(scope="session")
def expected(plans: Any, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, dict[str, Any]]]:
    """For each plan two addresses, its own and one with other settings, with the reference's answers."""
    rng, found, jobs = random.Random("settings"), [], []
    for _, link in plans:
        figures = figures_of(link)
        own = {"share": figures["plan_share"], "longest": figures["plan_longest"], "cap": figures["plan_cap"]}
        other = {"share": rng.choice(SHARES), "longest": rng.choice(LONGEST), "cap": rng.choice(CAPS)}
        for settings, address in ((own, link), (other, f"{link}&{urlencode(other)}")):
            found.append(address)
            jobs.append({"figures": figures, **settings})
    return list(zip(found, answers(copied(tmp_path_factory.mktemp("reference")), jobs), strict=True))


@pytest.fixture
def shown(bench: Bench, site: str) -> Any:
    """Give a function that opens the page at an address; nothing may go wrong there."""
    page, watch = bench
    watch.troubles.clear()

    def shown(query: str = "") -> Widget:
        page.goto(site + PATH + (query and f"?{query.split('?')[-1]}"))
        page.wait_for_selector("main[data-ready=yes]")
        return Widget(page)

    yield shown
    watch.assert_quiet()


def test_the_page_says_what_the_reference_says_of_the_plan(
    shown: Any, expected: Any, browser_name: str, tell: Callable[[str], None]
) -> None:
    """Rule: every number and every line, bit for bit, for the plan's own settings and for others."""
    wrong = []
    for address, answer in expected:
        widget = shown(address)
        measured = answer["measured"]
        wanted = {name: measured[name] for name in ("room", "run", "first_word_seconds")}
        if widget.host.evaluate(NUMBERS) != json.loads(json.dumps(wanted)):
            wrong.append(f"numbers at {address}")
        lines = {**answer["shown"], **answer["beside"], "first-word": answer["beside"]["first_word"]}
        seen = dict(widget.host.evaluate(LINES))
        if any(seen.get(name, "") != lines[name] for name in ("room", "run", "extra", "short", "first-word")):
            wrong.append(f"lines at {address}: {seen}")
        if seen["caveat"] != WORDS["words"]["caveat"].replace("{chats}", "600"):
            wrong.append(f"caveat at {address}")
    assert wrong == []
    plans = len(expected) // 2
    assert plans >= 20
    tell(f"watch page: {plans} plans at {len(expected)} settings in {browser_name}, 0 mismatches")


def test_the_link_has_the_plans_figures(plans: Any) -> None:
    """Rule: memory, weights and reserve of all cards; the simple model's pool is the plan's, but for rounding."""
    for asked, link in plans:
        figures, at = figures_of(link), trial(asked)
        settings, budget = at["settings"], at["budget"]
        cards = settings["tp"] * settings["pp"]
        assert figures["memory_bytes"] == budget["total_bytes"] * cards
        assert figures["bandwidth"] == settings["card"]["bandwidth_bytes_per_second"] * settings["tp"]
        weights = sum(stage["parts"][0]["bytes"] for stage in budget["stages"]) * settings["tp"]
        assert figures["weights_bytes"] == weights and figures["parameters"] == settings["model"]["parameters"]
        assert figures["plan_longest"] == settings["longest"] and figures["plan_cap"] == settings["seats"]
        pool = sum(max(0, stage["kv_bytes"]) for stage in budget["stages"]) * settings["tp"]
        allowed = figures["memory_bytes"] * figures["plan_share"] // 100
        here = max(0, allowed - figures["weights_bytes"] - figures["reserve_bytes"])
        percent = figures["memory_bytes"] / 100 if "exact_share" in figures or "pool" in figures.get("notes", "") else 0
        assert abs(here - pool) <= percent + 1e6 * cards, (asked, here, pool)


def test_the_plan_page_leads_here(shown: Any, plans: Any, site: str) -> None:
    """Rule: the plan page's link carries the plan that stands there, and the page here shows it."""
    page = shown().page
    for asked, link in plans[:8]:
        page.goto(f"{site}plan.html?{urlencode(asked)}")
        page.wait_for_selector("main[data-ready=yes]")
        assert page.locator("[data-out=watch]").get_attribute("href") == link
    page.locator("[data-out=watch]").click()
    page.wait_for_selector("main[data-ready=yes] pool-room .context")
    assert page.url == f"{site}{plans[7][1]}"


def test_notes_say_what_the_simple_model_does_not_hold(plans: Any, shown: Any) -> None:
    """Rule: experts, MLA, mixed layers, quantised weights, several cards, a share between percents: each is named."""
    notes = [set(parse_qs(urlsplit(link).query).get("notes", [""])[0].split(",")) for _, link in plans[:9]]
    assert {"hybrid", "experts", "quantised", "cards", "seats"} - {"seats"} <= notes[1]
    assert {"mla", "experts"} <= notes[2] and {"share", "quantised"} <= notes[3] and "refused" in notes[5]
    assert {"stages", "cards"} <= notes[6] and "pool" in notes[8]
    widget = shown(plans[3][1])
    texts = widget.page.locator("#notes li").all_text_contents()
    assert any("0.925" in text and "92" in text for text in texts) and len(texts) == len(notes[3])
    expect(widget.page.locator("#not-held")).to_be_visible()
    for _, link in plans:
        assert set(parse_qs(urlsplit(link).query).get("notes", [""])[0].split(",")) - {""} <= WORDS["notes"].keys()


LESSON = urlencode({
    "card": CARD.name, "memory_bytes": CARD.memory_bytes, "bandwidth": CARD.bandwidth_bytes_per_second,
    "peak": CARD.peak_flops_per_second, "model": MODEL.name, "parameters": MODEL.parameters,
    "value_bytes": MODEL.value_bytes, "layers": MODEL.layers, "kv_heads": MODEL.kv_heads,
    "head_size": MODEL.head_size, "reserve_bytes": SERVER.reserve_bytes,
})  # fmt: skip
TEXTS = """(host) => {
  const root = host.shadowRoot;
  const shown = root.querySelector('.widget').cloneNode(true);
  for (const link of shown.querySelectorAll('.print')) link.remove(); // says this page's own address
  return [host.result, shown.textContent,
    [...root.querySelectorAll('[aria-label], [aria-valuetext]')].map((node) =>
      [node.getAttribute('aria-label'), node.getAttribute('aria-valuetext')])];
}"""


@pytest.mark.parametrize("query", ["", LESSON], ids=["nothing", "the lesson's figures"])
def test_at_the_lessons_figures_it_is_the_lesson(shown: Any, site: str, query: str) -> None:
    """Rule: at the lesson's own figures the widget says exactly what the lesson's page and the reference say."""
    for state in STATES:
        settings = urlencode({key: int(value) if value is True else value for key, value in state.items()})
        widget = shown("&".join(filter(None, [query, settings])))
        here = widget.host.evaluate(TEXTS)
        assert widget.lines() == lines_of(of_reference(**state)) and widget.settings() == {**START, **state}
        told = widget.page.locator("#notices li").all_text_contents()
        assert told == ([] if query else [WORDS["unplanned"]])
        widget.page.goto(f"{site}index.html?{settings}")
        assert Widget(widget.page).host.evaluate(TEXTS) == here


BAD = [
    ({"memory_bytes": "80 GB"}, "memory_bytes=80 GB"), ({"memory_bytes": "0"}, "memory_bytes=0"),
    ({"bandwidth": "NaN"}, "bandwidth=NaN"), ({"peak": "-1"}, "peak=-1"), ({"parameters": "8e9"}, "parameters=8e9"),
    ({"value_bytes": "17"}, "value_bytes=17"), ({"layers": "1.5"}, "layers=1.5"), ({"kv_heads": ""}, "kv_heads="),
    ({"head_size": "९"}, "head_size=९"), ({"weights_bytes": "1" * 30}, "weights_bytes=1111"),
    ({"kv_bytes_per_token": MARKUP}, f"kv_bytes_per_token={MARKUP}"),
    ({"reserve_bytes": "Infinity"}, "reserve_bytes=Inf"),
    ({"plan_share": "101"}, "plan_share=101"), ({"plan_longest": "12345678"}, "plan_longest=12345678"),
    ({"gpu": "Voodoo 2"}, "“Voodoo 2”"), ({"plan_cap": "0"}, "plan_cap=0"), ({"cards": "two"}, "cards=two"),
    ({"notes": f"mla,{MARKUP}"}, MARKUP),
]  # fmt: skip


@pytest.mark.parametrize(("given", "named"), BAD, ids=[next(iter(given)) + str(i) for i, (given, _) in enumerate(BAD)])
def test_a_bad_figure_is_named_and_the_lessons_own_stands(shown: Any, given: dict[str, str], named: str) -> None:
    """Rule: a notice names what cannot be used and what stands instead; the lesson's answer is shown."""
    texts = dict(pair.split("=") for pair in LESSON.split("&"))
    rest = {key: parse_qs(f"{key}={text}")[key][0] for key, text in texts.items() if key not in given}
    widget = shown(urlencode({**rest, **given}))
    told = widget.page.locator("#notices li").all_text_contents()
    assert len(told) == 1 and named in told[0], told
    assert widget.lines() == lines_of(of_reference())
    assert widget.page.locator("main img").count() == 0


def test_missing_figures_are_named_together(shown: Any) -> None:
    """Rule: what the address does not say is named once, with what stands instead."""
    widget = shown("card=H100&memory_bytes=85000000000")
    (told,) = widget.page.locator("#notices li").all_text_contents()
    for name in ("bandwidth", "peak", "model", "parameters", "weights_bytes", "kv_bytes_per_token", "reserve_bytes"):
        assert name in told
    assert "memory_bytes" not in told and "2,039,000,000,000" in told


def test_what_no_card_can_hold_is_said(shown: Any) -> None:
    """Rule: weights and reserve above the card's memory leave the lesson's own, and say so."""
    widget = shown(f"{LESSON}&weights_bytes=90000000000&plan_share=90")
    (told,) = widget.page.locator("#notices li").all_text_contents()
    assert "92.0 GB" in told and "80.0 GB" in told
    assert widget.lines() == lines_of(of_reference())


def test_names_are_text_and_at_most_80_characters(shown: Any) -> None:
    """Rule: names come as text, without control characters, cut at 80 characters with a notice."""
    query = urlencode({"card": MARKUP, "model": "\u202ex\n" + "m" * 100})
    widget = shown(f"{query}&{LESSON.split('&', 1)[1].replace('model=', 'other=')}")
    page = widget.page
    assert page.locator("main img").count() == 0 and widget.host.locator("img").count() == 0
    plan = page.locator("#plan").text_content() or ""
    assert MARKUP in plan and "m" * 78 + "…" not in plan and "\u202e" not in plan
    told = page.locator("#notices li").all_text_contents()
    assert any("80 characters" in text for text in told)
    assert widget.told() == []
    assert MARKUP in (widget.host.locator(".context").text_content() or "")


def test_sliders_stand_at_the_plans_own_settings(shown: Any, plans: Any) -> None:
    """Rule: the plan's share, longest and seats are choices; reset and a reloaded address keep them."""
    link = plans[3][1] + "&plan_cap=300"
    link = link.replace("plan_cap=256&", "").replace("plan_share=92", "plan_share=20")
    widget = shown(link)
    start = widget.settings()
    assert (start["share"], start["longest"], start["cap"]) == (20, 8192, 300)
    widget.press("share", "ArrowRight")
    assert widget.settings()["share"] == 21
    page = widget.page
    page.wait_for_function("() => location.search.includes('share=21')")
    page.reload()
    page.wait_for_selector("main[data-ready=yes]")
    widget = Widget(page)
    assert widget.settings() == {**start, "share": 21} and widget.told() == []
    widget.host.get_by_role("button", name="Start again").click()
    assert widget.settings() == start
    page.goto(page.url.split("?")[0] + "?longest=5000&cap=77&share=12")
    assert {**Widget(page).settings()} == {**START, "longest": 5000, "cap": 77, "share": 12}


def test_words_of_the_lessons_card_are_the_plans(shown: Any, plans: Any) -> None:
    """Rule: no sentence of the widget names the lesson's card, model or figures."""
    for i in (0, 1, 6):
        widget = shown(plans[i][1])
        said = " ".join(map(str, widget.host.evaluate(TEXTS)[1:])) + (widget.page.locator("#plan").text_content() or "")
        assert "A100 80GB" not in said and "Llama-3.1-8B" not in said and "8 billion" not in said
        assert "made this number up" not in said and "One 2" not in said and "one 2" not in said
    widget = shown(plans[1][1])
    assert (
        widget.host.locator(".context").text_content() == "2 × NVIDIA H100 SXM 80 GB run openai/gpt-oss-120b together."
    )


def test_the_simple_model_is_named_on_top(shown: Any) -> None:
    """Rule: before anything else the page says what it is and what it is not."""
    lead = shown().page.locator(".lead").first.text_content()
    assert lead == (
        "The simple model: 600 made-up chats, the lesson’s rules, an ideal chip. It is not vLLM’s scheduler."
    )


def test_it_works_under_the_strictest_policy_and_from_disk(
    open_page: Open, folder: Path, dist: Path, plans: Any
) -> None:
    """Rule: a server may forbid all but its own files; from disk it works too, and the address is read there."""
    query = plans[1][1].split("?")[1]
    with serving(folder / SUB_PATH, headers=STRICT) as home:
        page = open_page(f"{PATH}?{query}", home=home)
        expect(page.locator("pool-room .context")).to_contain_text("gpt-oss-120b")
    home = f"{dist.as_uri()}/"
    page = open_page(f"{PATH}?{query}", home=home)
    expect(page.locator("pool-room .context")).to_contain_text("gpt-oss-120b")


def test_without_scripts_it_is_the_lessons_answer(scriptless: Callable[[str], Page]) -> None:
    """Rule: without scripts the page shows the lesson's answer, says that it is the lesson's, and why."""
    page = scriptless(PATH)
    expect(page.locator("#plan")).to_have_text(WORDS["lesson"])
    expect(page.locator("pool-room noscript")).to_be_visible()
    wanted = lines_of(of_reference())
    assert page.locator("pool-room .line").all_inner_texts()[0] == wanted["room"]


@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_and_reflow(open_page: Open, plans: Any, width: int, dark: bool) -> None:
    """Rule: no finding of axe, nothing cut off, at both ends of width; with notices, notes and a long name."""
    scheme: Any = "dark" if dark else "light"
    link = plans[1][1].replace("card=2", "card=" + "W" * 60 + "2") + "&peak=1&notes=x"
    page = open_page(
        f"{PATH}?{link.split('?')[1]}", viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True
    )
    page.wait_for_selector("main[data-ready=yes]")
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(VIOLATIONS) == []
    assert_fits(page)
