"""The plan page: its HTML, its fields by hand and by keys, what it refuses, its address, its words, its weight."""

import gzip
import json
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from plan_scene import PAGE
from poolroom.vllm.plan import plan
from poolroom.vllm.refuse import PlanError
from serve import serving
from tests.browser.conftest import STRICT, SUB_PATH, Bench, Benches, Open
from tests.browser.engines import NO_MEDIA, NO_SHIFTS, only
from tests.browser.focus import awake
from tests.browser.html import read
from tests.browser.plan import PATH, PLANS, Plan, asked_of, differences, expected
from tests.browser.test_actions import REFUSING
from tests.browser.test_layout import SPACING, assert_fits
from tests.browser.test_pages import SHIFTS
from tests.browser.test_serve_page import ADD_SHEET
from tests.browser.test_theme import AXE
from tests.browser.widget import two_frames

MOST_BYTES, MOST_READER, MOST_SHIFT, FRAME_MS = 90_000, 27_000, 0.1, 1000 / 60
OWN_FILES = {PATH, "page.css", "plan.css", "plan.js", "plan-paste.js"}
ERROR = (
    "ValueError: To serve at least one request with the models's max seq len (40960), (5.62 GiB KV cache is needed, "
    "which is larger than the available KV cache memory (4.12 GiB). Based on the available memory, the estimated "
    "maximum model length is 30000. Try increasing `gpu_memory_utilization` or decreasing `max_model_len`."
)
GIVEN = """(text) => {
  const area = document.querySelector('#paste');
  area.value = text;
  area.dispatchEvent(new Event('input', {bubbles: true}));
}"""
"""Put a text into the box without the focus."""
EARLY = """new MutationObserver((_, watch) => {
  const area = document.querySelector('#paste');
  if (area === null) return;
  area.value = globalThis.early;
  watch.disconnect();
}).observe(document, {childList: true, subtree: true});"""
COMMAND = "vllm serve Qwen/Qwen3-8B --max-model-len 4k --gpu-memory-utilization=0.85 --enforce-eager --foo 3"


@pytest.fixture
def page_of(bench: Bench, site: str) -> Any:
    """The page as it opens, on a shared page; nothing may go wrong there."""
    yield opened(bench, site)
    bench[1].assert_quiet()


def opened(bench: Bench, site: str) -> Plan:
    """Open the page anew on a shared page."""
    page, watch = bench
    watch.troubles.clear()
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(media="null", color_scheme="null", reduced_motion="null", forced_colors="null")
    found = Plan(page, site)
    found.open()
    assert awake(page)
    return found


# --- the opening ---


def test_what_the_build_writes_is_what_the_script_paints(open_page: Open, scriptless: Callable[[str], Page]) -> None:
    """Rule: the opening plan stands in the HTML as the reference says it, and the script paints the same."""
    page = scriptless(PATH)
    found = Plan(page, "")
    assert differences(found.painted(), {}) == {}
    expect(page.locator("noscript").first).to_be_visible()
    for hidden in ("#paste", "#settings", ".command .action"):
        expect(page.locator(hidden).first).to_be_hidden()
    alive = open_page(PATH)
    alive.locator("main[data-tried=yes]").wait_for()
    assert differences(Plan(alive, "").painted(), {}) == {}


@only("chromium", NO_SHIFTS)
@pytest.mark.parametrize("width", [1280, 360])
def test_the_script_takes_over_without_moving_the_page(open_page: Open, site: str, width: int) -> None:
    """Rule: less than a tenth of the page moves when the script comes."""
    page = open_page(script=SHIFTS, viewport={"width": width, "height": 720})
    page.goto(site + PATH)
    page.locator("main[data-tried=yes]").wait_for()
    two_frames(page)
    assert page.evaluate("() => window.shifted") < MOST_SHIFT


def test_the_script_weighs_at_most_90_kB(open_page: Open, dist: Path, tell: Callable[[str], None]) -> None:
    """Rule: all scripts that the page opens with, gzipped; the reader of pastes comes when something may be read."""
    asked: list[str] = []
    page = open_page(PATH, before=lambda page: page.on("request", lambda request: asked.append(request.url)))
    page.locator("main[data-tried=yes]").wait_for()
    page.wait_for_load_state("networkidle")
    opening = weights(dist, asked)
    assert set(opening) == {"plan.js"}
    assert sum(opening.values()) <= MOST_BYTES
    asked.clear()
    page.locator("#paste").focus()
    page.wait_for_function("() => globalThis.poolroom_paste !== undefined")
    reader = weights(dist, asked)
    assert set(reader) == {"plan-paste.js"}
    assert sum(reader.values()) <= MOST_READER
    tell(f"the plan page opens with {sum(opening.values()):,} bytes of script, gzipped; "
         f"the reader of pastes adds {sum(reader.values()):,} when it is needed")  # fmt: skip


def weights(dist: Path, asked: list[str]) -> dict[str, int]:
    """How much each script weighs that was asked for, gzipped, in bytes."""
    names = {Path(urlsplit(url).path).name for url in asked}
    scripts = sorted(name for name in names if name.endswith(".js"))
    return {name: len(gzip.compress((dist / name).read_bytes(), mtime=0)) for name in scripts}


def test_every_setting_has_a_field_with_a_name(dist: Path) -> None:
    """Rule: each field has a label, a help, a place for its error; vLLM's own settings show vLLM's name."""
    page = read(dist / PATH)
    nodes = [node for node in page.all() if "data-setting" in node.attributes]
    assert [node.attributes["data-setting"] for node in nodes] == [field["name"] for field in PAGE["fields"]]
    labels = {node.attributes.get("for") for node in page.find("label")}
    ids = {node.attributes.get("id") for node in page.all()}
    for field in PAGE["fields"]:
        name = field["name"]
        assert name in labels and {f"{name}-help", f"{name}-error"} <= ids
    named = {node.text for node in page.find("code")}
    assert {field["name"] for field in PAGE["fields"] if not field.get("own")} <= named


# --- the fields ---


@pytest.mark.parametrize("name", PLANS)
def test_settings_typed_by_hand_show_what_the_reference_says(page_of: Plan, name: str) -> None:
    """Rule: verdict, sentence, command, bar, table, lines, levers, rooms, formulas, ticket: all, to the letter."""
    page_of.set(PLANS[name])
    assert differences(page_of.painted(), PLANS[name]) == {}


def test_start_again_brings_back_the_opening(page_of: Plan) -> None:
    """Rule: one click after any move, with one sentence; fields and address as at first."""
    page_of.set(PLANS["120B on one card"])
    page_of.start_again()
    assert differences(page_of.painted(), {}) == {}
    expect(page_of.page.locator("[role=status]")).to_have_text(PAGE["settings"]["reset_said"])
    page_of.page.wait_for_function("() => location.search === ''")


def test_an_empty_field_shows_the_default_in_force(page_of: Plan) -> None:
    """Rule: as a placeholder, for the version, the card and the model that stand there."""
    for moved in ({}, PLANS["29,000 in V0"], PLANS["the old engine"]):
        page_of.start_again()
        page_of.set(moved)
        defaults = expected(moved)["defaults"]
        for name in ("max_num_seqs", "max_num_batched_tokens", "max_model_len", "in_use_gib", "total_gib"):
            if name not in moved:
                assert page_of.field(name).get_attribute("placeholder") == defaults[name]


def test_the_bars_own_slider_moves_the_share(page_of: Plan) -> None:
    """Rule: its thumb stands at the end of the share, to scale with the bar; a key moves field and plan."""
    slider = page_of.page.locator("#share-slider")
    slider.focus()
    page_of.page.keyboard.press("ArrowLeft")
    page_of.settled()
    assert page_of.field("gpu_memory_utilization").input_value() == "0.91"
    assert differences(page_of.painted(), {"gpu_memory_utilization": 0.91}) == {}
    edge, thumb = page_of.page.evaluate(
        """() => {
          const box = document.querySelector('.card-bar').getBoundingClientRect();
          const slider = document.querySelector('#share-slider').getBoundingClientRect();
          const share = Number(document.querySelector('#share-slider').value);
          const edge = parseFloat(document.querySelector('.edge').getAttribute('x1')) / 100;
          return [box.left + box.width * edge, slider.left + 6 + (slider.width - 12) * (share - 0.01) / 0.99];
        }"""
    )
    assert abs(edge - thumb) < 12


# --- what cannot be used ---

BAD = {
    "share above one": {"gpu_memory_utilization": "1.5"},
    "share in percent": {"gpu_memory_utilization": "90%"},
    "no seats": {"max_num_seqs": "0"},
    "half a seat": {"max_num_seqs": "1.5"},
    "a word for tokens": {"max_num_batched_tokens": "many"},
    "an unknown model": {"model": "nobody/nothing-8B"},
    "no model": {"model": ""},
    "an old version": {"version": "0.1.1"},
    "markup": {"version": "<b>9</b>"},
    "no cards": {"tensor_parallel_size": "0"},
    "more held than there is": {"in_use_gib": "500"},
    "chats": {"require_chats": "8 by 32000"},
    "a length": {"max_model_len": "12 kilo"},
    "a flag of a newer version": {"version": "0.6.4", "kv_cache_memory_bytes": "1000000"},
    "a negative size": {"measured_weights_gib": "-1"},
}


def refusal_of(moved: dict[str, Any]) -> str:
    """What the reference says of settings that cannot be used."""
    with pytest.raises(PlanError) as refused:
        plan(asked_of(moved), False)
    return str(refused.value)


def read_as_typed(moved: dict[str, str]) -> dict[str, Any]:
    """Settings as the page reads them: plain numbers are numbers, all else stays as it was typed."""
    found: dict[str, Any] = {}
    for name, text in moved.items():
        try:
            found[name] = json.loads(text) if name != "version" else text
        except ValueError:
            found[name] = text or None
    return found


@pytest.mark.parametrize("name", BAD)
def test_a_value_that_cannot_be_used_is_named_at_its_field(page_of: Plan, name: str) -> None:
    """Rule: setting, value and what is allowed, in the reference's words; the last answer stays, and says so."""
    before = page_of.painted()
    moved = BAD[name]
    for setting, text in moved.items():
        if setting == "version" and len(moved) > 1:
            page_of.set({setting: text})
            before = page_of.painted()
        else:
            page_of.type(setting, text)
    setting = list(moved)[-1]
    message = refusal_of(read_as_typed(moved))
    expect(page_of.page.locator(f"#{setting}-error")).to_have_text(message)
    expect(page_of.field(setting)).to_have_attribute("aria-invalid", "true")
    expect(page_of.field(setting)).to_have_value(moved[setting])
    expect(page_of.out("stale")).to_be_visible()
    assert page_of.painted() == before
    page_of.type(setting, str(PAGE["opening"].get(setting, "")))
    expect(page_of.page.locator(f"#{setting}-error")).to_be_hidden()
    expect(page_of.out("stale")).to_be_hidden()


def test_two_bad_fields_have_an_error_each(page_of: Plan) -> None:
    """Rule: one error does not hide another."""
    page_of.type("max_num_seqs", "0")
    page_of.type("gpu_memory_utilization", "2")
    for name in ("max_num_seqs", "gpu_memory_utilization"):
        expect(page_of.page.locator(f"#{name}-error")).to_be_visible()


# --- changes that are offered ---


@pytest.mark.parametrize("name", ["29,000 in V0", "120B on one card", "another server on the card", "measured"])
def test_use_this_sets_what_it_says_and_it_starts(page_of: Plan, name: str) -> None:
    """Rule: each change that is offered ends in a server that starts, with the command that was shown."""
    page_of.set(PLANS[name])
    command = page_of.out("command").inner_text()
    page_of.out("first").locator("button").click()
    page_of.settled()
    expect(page_of.out("verdict")).not_to_have_text(PAGE["badge"]["refuses"])
    assert page_of.out("command").inner_text() == command


# --- pasted text ---


def test_a_pasted_command_fills_the_fields(page_of: Plan) -> None:
    """Rule: what it says stands in the fields, what is unknown is named, and the plan is of that."""
    page_of.page.fill("#paste", COMMAND)
    expect(page_of.field("model")).to_have_value("Qwen/Qwen3-8B")
    page_of.settled()
    moved = {"model": "Qwen/Qwen3-8B", "max_model_len": 4000, "gpu_memory_utilization": 0.85, "enforce_eager": True}
    different = differences(page_of.painted(), moved)
    assert set(different) == {"verdict", "sentence", "caption"}, different
    expect(page_of.out("verdict")).to_have_text(PAGE["alone"]["badge_flags"])
    expect(page_of.out("sentence")).to_contain_text("--foo")
    expect(page_of.page.locator("#reading")).to_contain_text("--foo")


def test_pasted_flags_that_are_not_counted_stay(page_of: Plan) -> None:
    """Rule: they are named, and stand in the command, its other forms and the link."""
    page_of.page.fill("#paste", "vllm serve Qwen/Qwen3-8B -dp 2 -ep --cpu-offload-gb 4 --max-num-seqs 8")
    flags = ["--data-parallel-size 2", "--enable-expert-parallel", "--cpu-offload-gb 4"]
    for flag in flags:
        expect(page_of.out("command")).to_contain_text(flag)
    told = "data_parallel_size may cost memory of the card and is not counted here"
    expect(page_of.page.locator("#reading")).to_contain_text(told)
    for form in ("docker", "kubernetes"):
        page_of.page.locator(f"[data-form={form}]").click()
        for word in " ".join(flags).split():
            expect(page_of.out("command")).to_contain_text(word)
    page_of.page.wait_for_url("**data_parallel_size=2**")


def test_a_bare_error_is_answered_from_its_own_figures(page_of: Plan) -> None:
    """Rule: no model is made up: the answer says what the text says, and which length starts."""
    page_of.page.set_viewport_size({"width": 1280, "height": 800})
    page_of.page.fill("#paste", ERROR)
    expect(page_of.out("verdict")).to_have_text(PAGE["badge"]["refuses"])
    expect(page_of.out("sentence")).to_contain_text("1.50 GiB too little")
    expect(page_of.out("command")).to_contain_text("--max-model-len 30000")
    box = page_of.page.locator("[data-copy=command]").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 800


def test_a_pasted_config_is_used_and_stands_in_the_link(page_of: Plan) -> None:
    """Rule: a model that no list has, from its config.json; the address carries it."""
    config = {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16,
        "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256,
        "max_position_embeddings": 8192, "torch_dtype": "bfloat16",
    }  # fmt: skip
    page_of.page.fill("#paste", json.dumps(config))
    expect(page_of.field("model")).to_have_value(PAGE["settings"]["own_model"])
    page_of.settled()
    assert differences(page_of.painted(), {"model": config}) == {}
    page_of.page.wait_for_url("**#config=*")
    address = page_of.page.url
    page_of.page.goto("about:blank")
    page_of.page.goto(address)
    page_of.settled()
    assert differences(page_of.painted(), {"model": config}) == {}


def test_markup_in_a_paste_stays_text(page_of: Plan) -> None:
    """Rule: nothing that is pasted becomes an element."""
    page_of.page.fill("#paste", f"vllm serve Qwen/Qwen3-8B --<img/src=x> 1\n<script>alert(1)</script>\n{ERROR}")
    page_of.settled()
    assert page_of.page.locator("main img, main script:not(#plan-words)").count() == 0


@pytest.mark.parametrize("way", ["focus", "pointer", "drag", "text"])
def test_the_reader_comes_when_something_may_be_read(open_page: Open, way: str) -> None:
    """Rule: by the focus, the pointer, a drag over the box, or a text in it; once, and not before."""
    asked: list[str] = []
    page = open_page(PATH, before=lambda page: page.on("request", lambda request: asked.append(request.url)))
    page.locator("main[data-tried=yes]").wait_for()
    readers = [url for url in asked if "plan-paste" in url]
    assert readers == []
    if way == "focus":
        page.locator("#paste-clear").focus()
    elif way == "pointer":
        page.locator("#box label").first.hover()
    elif way == "drag":
        page.locator("#box").dispatch_event("dragenter")
    else:
        page.evaluate(GIVEN, ERROR)
        expect(page.locator("[data-out=verdict]")).to_have_text(PAGE["badge"]["refuses"])
    page.wait_for_function("() => globalThis.poolroom_paste !== undefined")
    page.locator("#paste").fill(COMMAND)
    expect(page.locator("[data-out=verdict]")).to_have_text(PAGE["alone"]["badge_flags"])
    assert len([url for url in asked if "plan-paste" in url]) == 1


def test_a_text_that_is_there_before_the_reader_is_read_when_it_comes(open_page: Open) -> None:
    """Rule: the last one of two; meanwhile the page says that it waits."""
    held: list[Route] = []
    page = open_page(PATH, before=lambda page: page.route("**/plan-paste.js", lambda route: held.append(route)))
    page.evaluate(GIVEN, COMMAND)
    page.evaluate(GIVEN, ERROR)
    expect(page.locator("[data-out=paste_status]")).to_have_text(PAGE["paste"]["coming"])
    expect(page.locator("[data-out=verdict]")).to_have_text(PAGE["badge"]["starts"])
    (route,) = held
    route.continue_()
    expect(page.locator("[data-out=verdict]")).to_have_text(PAGE["badge"]["refuses"])
    expect(page.locator("[data-out=sentence]")).to_contain_text("1.50 GiB too little")
    assert page.locator("#paste").input_value() == ERROR


def test_a_text_that_is_there_before_the_page_is_alive_is_read(open_page: Open) -> None:
    """Rule: who pastes while the page loads has an answer."""
    page = open_page(PATH, script=f"globalThis.early = {json.dumps(ERROR)};{EARLY}")
    expect(page.locator("[data-out=sentence]")).to_contain_text("1.50 GiB too little")


def test_a_reader_that_does_not_come_can_be_tried_again(browser: Browser, site: str) -> None:
    """Rule: that nothing was read is said, with no answer of before; the button reads the same text."""
    context = browser.new_context()
    page = context.new_page()
    page.route("**/plan-paste.js", lambda route: route.abort())
    page.goto(site + PATH)
    page.locator("main[data-tried=yes]").wait_for()
    page.evaluate(GIVEN, ERROR)
    expect(page.locator("[data-out=paste_status]")).to_have_text(PAGE["paste"]["not_loaded"])
    expect(page.locator("[data-out=verdict]")).to_have_text(PAGE["alone"]["badge_unread"])
    page.locator("#reading button").click()
    expect(page.locator("[data-out=paste_status]")).to_have_text(PAGE["paste"]["not_loaded"])
    page.unroute("**/plan-paste.js")
    page.locator("#reading button").click()
    expect(page.locator("[data-out=sentence]")).to_contain_text("1.50 GiB too little")
    expect(page.locator("#reading button")).to_have_count(0)
    context.close()


def test_clear_takes_the_text_away_and_all_that_it_set(page_of: Plan) -> None:
    """Rule: the box is empty, what was read is gone, the fields are as before the paste."""
    page_of.set({"max_num_seqs": 64})
    page_of.page.fill("#paste", COMMAND)
    expect(page_of.field("model")).to_have_value("Qwen/Qwen3-8B")
    page_of.page.click("#paste-clear")
    expect(page_of.page.locator("#paste")).to_have_value("")
    expect(page_of.page.locator("#reading")).to_be_hidden()
    page_of.settled()
    assert differences(page_of.painted(), {"max_num_seqs": 64}) == {}


# --- command, copies, address ---


def test_the_command_has_three_forms(page_of: Plan) -> None:
    """Rule: for a shell, for Docker, for Kubernetes with the time that a start may take."""
    page_of.set({"max_num_seqs": 64})
    for form, text in (("docker", "docker run"), ("kubernetes", "startupProbe"), ("serve", "vllm serve")):
        page_of.page.locator(f"[data-form={form}]").click()
        expect(page_of.out("command")).to_contain_text(text)
        expect(page_of.out("command")).to_contain_text("--max-num-seqs")
        expect(page_of.page.locator(f"[data-form={form}]")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("what", ["command", "link", "ticket"])
def test_a_copy_that_is_refused_leaves_a_field_to_copy_from(page_of: Plan, what: str) -> None:
    """Rule: the whole text, selected."""
    page_of.page.evaluate(REFUSING["asked and refused"])
    page_of.page.locator("details.ticket").evaluate("(node) => { node.open = true; }")
    page_of.page.locator(f"[data-copy={what}]").click()
    field = page_of.page.locator(".copy-field:focus")
    expect(field).to_be_visible()
    start, end, value = field.evaluate("(f) => [f.selectionStart, f.selectionEnd, f.value]")
    assert ((start, end) == (0, len(value)) and "vllm" in value) or what == "link"


@only("chromium", "Firefox's driver grants no clipboard")
def test_copy_copies_the_command(page_of: Plan) -> None:
    """Rule: exactly what is shown, and it says so."""
    page_of.page.locator("[data-copy=command]").click()
    expect(page_of.page.locator("[role=status]")).to_have_text(PAGE["answer"]["copied_said"])
    assert page_of.page.evaluate("() => navigator.clipboard.readText()") == page_of.out("command").inner_text()


@pytest.mark.parametrize("name", list(PLANS)[1:12])
def test_an_address_opens_the_same_plan(page_of: Plan, name: str) -> None:
    """Rule: what was given alone stands in the address, by vLLM's names; a reload shows the same."""
    page_of.set(PLANS[name])
    page_of.page.wait_for_function("() => location.search !== ''")
    page_of.page.wait_for_timeout(400)
    given = dict(parse_qsl(urlsplit(page_of.page.url).query))
    assert given == {key: str(value).lower() if isinstance(value, bool) else str(value)
                     for key, value in asked_of(PLANS[name]).items()}  # fmt: skip
    page_of.page.reload()
    page_of.settled()
    assert differences(page_of.painted(), PLANS[name]) == {}


def test_presets_set_everything_in_place_and_back_undoes_it(page_of: Plan) -> None:
    """Rule: each question's plan, without loading the page again."""
    page_of.page.evaluate("() => { window.stays = true; }")
    for item in PAGE["presets"]["items"]:
        page_of.page.get_by_role("link", name=item["name"]).click()
        page_of.settled()
        assert page_of.out("sentence").inner_text() == expected(item["asked"])["answer"]["sentence"].replace("*", "")
    assert page_of.page.evaluate("() => window.stays")
    for _ in PAGE["presets"]["items"]:
        page_of.page.go_back()
    page_of.page.wait_for_function("() => location.search === ''")
    page_of.settled()
    assert differences(page_of.painted(), {}) == {}


def test_a_bad_link_says_so(page_of: Plan) -> None:
    """Rule: the field's own error and a notice; the opening's answer stays."""
    page_of.open("?card=h100&model=nobody/none&speculative=3")
    notices = page_of.page.locator("#notices li")
    assert notices.count() >= 1
    expect(page_of.page.locator("#model-error")).to_be_visible()
    expect(page_of.page.locator("#notices")).to_contain_text("nobody/none")


# --- two plans ---


def test_another_version_stands_beside(page_of: Plan) -> None:
    """Rule: both bars, and what differs with the rule that changed it."""
    page_of.set({"card": "rtx-3090", "model": "Qwen/Qwen3-8B-AWQ", "version": "0.17.1"})
    page_of.page.select_option("#compare-version", "0.20.0")
    page_of.settled()
    rows = page_of.out("compare").locator("tbody tr")
    expect(rows.locator("th", has_text=PAGE["parts"]["graphs"])).to_have_count(1)
    assert page_of.out("compare").locator(".small-bar").count() == 2
    page_of.page.wait_for_url("**compare=0.20.0*")


def test_a_kept_plan_stands_beside_the_present_one(page_of: Plan) -> None:
    """Rule: kept by a button, compared after the next move, and gone by another button."""
    page_of.page.click("[data-action=pin]")
    expect(page_of.out("compare")).to_contain_text(PAGE["compare"]["same"])
    page_of.set({"max_num_seqs": 64})
    expect(page_of.out("compare").locator("tbody tr").filter(has_text="max_num_seqs")).to_have_count(1)
    page_of.page.click("[data-action=unpin]")
    expect(page_of.out("compare")).to_be_empty()


# --- everybody ---


def test_the_keyboard_alone_is_enough(page_of: Plan) -> None:
    """Rule: from the box to the end every control is reached in the order of the page, with a ring; keys move them."""
    page, seen = page_of.page, []
    page.locator("#paste").focus()
    for _ in range(120):
        seen.append(page.evaluate(STOP))
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.closest('main') === null"):
            break
    assert [stop["place"] for stop in seen] == sorted(stop["place"] for stop in seen)
    assert all(stop["ring"] for stop in seen), [stop for stop in seen if not stop["ring"]]
    ends = {"paste", "paste-file", "paste-clear", "model", "max_model_len", "share-slider", "compare-version"}
    assert ends <= {stop["name"] for stop in seen}
    page_of.field("max_num_seqs").focus()
    page.keyboard.type("64")
    page_of.settled()
    assert differences(page_of.painted(), {"max_num_seqs": 64}) == {}


STOP = """() => {
  const node = document.activeElement;
  const ring = getComputedStyle(node.matches('#paste-file') ? node.nextElementSibling : node).outlineStyle !== 'none';
  return {place: [...document.querySelectorAll('main *')].indexOf(node), name: node.id,
    html: node.outerHTML.slice(0, 60),
    ring: ring || node.matches('.share, .ask, #paste-file')};
}"""


def test_one_sentence_after_a_move(page_of: Plan) -> None:
    """Rule: the status is silent while somebody types, then says verdict and sentence once."""
    page_of.field("max_num_seqs").fill("64")
    status = page_of.page.locator("[role=status]")
    answer = expected({"max_num_seqs": 64})["answer"]
    expect(status).to_have_text(f"{answer['badge']}. {answer['sentence'].replace('*', '')}")


def strain(found: Plan) -> None:
    """Show what needs most room: everything open, an error, a long reading, two plans."""
    found.open("?card=h100&model=openai/gpt-oss-120b&version=0.10.1.1&compare=0.33.0")
    page = found.page
    page.fill("#paste", f"{ERROR}\nINFO Loading vllm==0.11.0\nvllm serve Qwen/Qwen3-8B --foo-bar-baz 3")
    page.locator("#reading details").first.wait_for()
    page.locator(".ask").evaluate_all("(asks) => asks.forEach((ask) => ask.click())")
    page.locator("details").evaluate_all("(all) => all.forEach((each) => { each.open = true; })")
    found.type("max_num_seqs", "0")


def test_everything_open_fits_at_every_width(page_of: Plan) -> None:
    """Rule: no scrolling sideways and nothing cut off, from 320 px up."""
    strain(page_of)
    for width in (320, 360, 480, 600, 899, 900, 1280):
        page_of.page.set_viewport_size({"width": width, "height": 640})
        assert_fits(page_of.page)


@pytest.mark.parametrize("width", [320, 1280])
def test_wider_spacing_cuts_nothing_off(page_of: Plan, width: int) -> None:
    """Rule: WCAG 1.4.12."""
    page_of.page.set_viewport_size({"width": width, "height": 640})
    strain(page_of)
    page_of.page.evaluate(ADD_SHEET, SPACING)
    assert_fits(page_of.page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_wrong(open_page: Open, site: str, theme: Any) -> None:
    """Rule: everything open, an error, a refusal and two plans, in both themes."""
    page = open_page(PATH, bypass_csp=True, color_scheme=theme)
    strain(Plan(page, site))
    page.evaluate("(theme) => { document.documentElement.style.colorScheme = theme; }", theme)  # for Firefox
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations)")
    assert [f"{each['id']}: {node['target']}" for each in found for node in each["nodes"]] == []


@only("chromium", NO_MEDIA)
def test_print_shows_the_plan_and_no_controls(page_of: Plan) -> None:
    """Rule: on paper answer, command, settings, bar and table, and nothing to press."""
    page_of.page.emulate_media(media="print")
    for shown in ("#answer", "[data-out=command]", ".card-bar", ".sizes", "#max_num_seqs"):
        expect(page_of.page.locator(shown).first).to_be_visible()
    for hidden in ("#paste", "[data-action=reset]", "#share-slider", "#compare"):
        expect(page_of.page.locator(hidden)).to_be_hidden()


def test_nothing_moves_by_itself(page_of: Plan) -> None:
    """Rule: no transition and no animation, whatever the reader wishes."""
    page_of.set({"max_num_seqs": 64})
    assert page_of.page.evaluate("() => document.getAnimations().length") == 0


def test_forced_colours_keep_the_parts_apart(benches: Benches, browser_name: str, site: str) -> None:
    """Rule: the parts' patterns are there in the reader's own colours."""
    wishes: dict[str, str] = {"forced_colors": "active"}
    found = opened(benches(browser_name, **(wishes if browser_name == "firefox" else {})), site)
    found.page.emulate_media(**wishes)  # type: ignore[arg-type]
    fills = found.page.evaluate(
        """() => [...document.querySelectorAll('.card-bar .piece')].map((piece) =>
          [...piece.children].map((rect) => getComputedStyle(rect).fill).join(' '))"""
    )
    assert len(set(fills)) >= 6
    found.page.emulate_media(forced_colors="null")


# --- what it asks for, and how long it takes ---


def test_under_the_strictest_policy_it_fetches_its_own_files_alone(open_page: Open, folder: Path) -> None:
    """Rule: settings, a paste, a comparison: no violation, and nothing asked for but the page's own files."""
    with serving(folder / SUB_PATH, headers=STRICT) as home:
        page = open_page(PATH, home=home)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        found = Plan(page, home)
        strain(found)
        page.wait_for_load_state("networkidle")
    assert {urlsplit(each).path.lstrip("/") for each in asked if not each.startswith("data:")} == OWN_FILES


MOVES = """(texts) => {
  const field = document.querySelector('[data-setting=max_num_seqs]'), times = [];
  for (const text of texts) {
    const start = performance.now();
    field.value = text;
    field.dispatchEvent(new Event('input'));
    document.body.getBoundingClientRect(); // layout too
    times.push(performance.now() - start);
  }
  return times;
}"""


def test_a_move_takes_less_than_a_frame(page_of: Plan, browser_name: str, tell: Callable[[str], None]) -> None:
    """Rule: from the event to the end of layout; how long that takes is told, not judged."""
    times = page_of.page.evaluate(MOVES, [str(16 + number) for number in range(60)])
    tell(f"a move of the plan takes {statistics.median(times):.1f} ms, at most {max(times):.1f} ms ({browser_name}); "
         f"a frame is {FRAME_MS:.1f} ms")  # fmt: skip
    assert len(times) == 60
