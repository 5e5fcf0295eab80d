"""The plan page as a reader meets it: its fields, its address, its box, and what the reference says of the plan."""

import random
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page

from plan_explain import back_lines, explain_scene
from plan_scene import PAGE, levers_scene, scene
from poolroom.vllm.cards import card_names
from poolroom.vllm.plan import plan
from poolroom.vllm.plan_facts import MODELS, VERSIONS
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.trial import trial

PATH = "plan.html"
Form = dict[str, str]
KINDS: dict[str, str] = {field["name"]: field["kind"] for field in PAGE["fields"]}
OPENING: Form = {name: str(value) for name, value in PAGE["opening"].items()}
LISTS = ("cards", "switch", "dtypes", "engines", "kv_dtypes", "quantisations")
"""Kinds of fields that are lists; the others are typed into."""
READY = "() => document.querySelector('main').dataset.tried !== 'no'"
SHOWN = """() => {
  const out = (name) => document.querySelector(`[data-out="${name}"]`);
  const text = (name) => (out(name).hidden ? null : out(name).textContent);
  const list = (name) => [...out(name).children].map((node) => node.textContent);
  const cells = (name) => [...out(name).children].map((row) => [...row.children].map((cell) => cell.textContent));
  const bar = document.querySelector('#bar');
  const numbers = [...out('numbers').children].map((node) => [node.querySelector('b').textContent, node.querySelector('.formula').textContent]);
  const errors = [...document.querySelectorAll('.setting .error')].filter((node) => !node.hidden);
  return {
    outcome: document.querySelector('#answer').dataset.outcome,
    badge: text('verdict'), sentence: text('sentence'), about: text('about'), notes: list('notes'), command: text('command'),
    caption: text('command_caption'), stale: text('stale') !== null,
    pieces: [...bar.querySelectorAll('.piece')].map((node) => [node.dataset.part, node.getAttribute('x'), node.getAttribute('width')]),
    legend: [...out('legend').children].filter((node) => !node.hidden).map((node) => [node.dataset.part, node.querySelector('b').textContent]),
    share: text('share_text'), end: text('bar_end'), need: out('need').hidden ? null : out('need').textContent,
    table: cells('table'), lines: text('lines'), rooms: cells('rooms'), rooms_lead: text('rooms_lead'), rooms_notes: list('rooms_notes'),
    levers: text('levers_title'), levers_notes: list('levers_notes'),
    fixes: [...out('fixes').children].map((node) => node.querySelector('p').textContent),
    reach: cells('reach'), one_chat: text('one_chat'), holds: list('holds'), back: list('back'), numbers, ticket: text('ticket'),
    errors: Object.fromEntries(errors.map((node) => [node.id.replace(/-error$/, ''), node.textContent])),
  };
}"""  # noqa: E501


class PlanPage:
    """The page, and what stands in its fields."""

    def __init__(self, page: Page, site: str, path: str = PATH) -> None:
        self.page, self.address = page, f"{site}{path}"
        self.form: Form = {}

    def open(self, form: Form | None = None, hash_: str = "") -> None:
        """Open the page at the address of a plan."""
        self.page.goto(f"{self.address}{query_of(form or {})}{hash_}")
        self.page.wait_for_selector("main[data-ready=yes]")
        self.form = dict(form or OPENING)

    def put(self, form: Form) -> None:
        """Bring every field to what the form says: lists are chosen from, the others typed into."""
        self.page.evaluate("() => document.querySelectorAll('details.group').forEach((each) => { each.open = true; })")
        measured = {name: text for name, text in form.items() if name.startswith("measured_")}
        for name in {**{name: "" for name in {**self.form, **form} if name not in measured}, **measured}:
            # What a log measured goes when what it was measured with moves: it is typed last, and again.
            if self.form.get(name, "") == form.get(name, "") and name not in measured:
                continue
            field = self.page.locator(f"[data-setting={name}]")
            if KINDS[name] in LISTS:
                field.select_option(form.get(name, ""))
            else:
                field.fill(form.get(name, ""))
        self.form = dict(form)

    def paste(self, text: str) -> None:
        """Put a text into the box, as pasting does, and wait for the answer."""
        self.page.locator("#paste").fill(text)
        self.page.wait_for_selector("#reading:not([hidden])")
        self.settled()

    def settled(self) -> None:
        """Wait until fixes and reaches are there."""
        self.page.wait_for_function(READY)

    def shown(self) -> dict[str, Any]:
        """Everything that the page says of the plan."""
        self.settled()
        return dict(self.page.evaluate(SHOWN))

    def out(self, name: str) -> str:
        """One output."""
        return self.page.locator(f"[data-out={name}]").text_content() or ""

    def fields(self) -> Form:
        """What stands in the fields that are not empty."""
        found = self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('[data-setting]')]"
            ".filter((node) => node.value !== '').map((node) => [node.dataset.setting, node.value]))"
        )
        return dict(found)


def query_of(form: Form) -> str:
    """The address of a plan: what is given."""
    return "?" + urlencode(form) if form else ""


def asked_of(form: Form) -> dict[str, Any]:
    """What a form's texts stand for."""
    return {name: value_of(name, text) for name, text in form.items()}


def value_of(name: str, text: str) -> Any:
    """What a field's text stands for: a number where it is one, on or off, or the text itself."""
    if KINDS[name] == "switch":
        return text == "true"
    if KINDS[name] != "number":
        return text
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text


def plain(text: str) -> str:
    """A sentence without the marks of its outcomes."""
    return text.replace("*", "")


def expected(form: Form) -> dict[str, Any] | str:
    """What the reference says of a plan, as the page has to show it; or the sentence of a refused setting."""
    asked = asked_of(form)
    try:
        found, at = plan(asked), trial({name: value for name, value in asked.items() if name != "require_chats"})
    except PlanError as error:
        return str(error)
    whole, levers, explain = scene(found, at), levers_scene(found, at), explain_scene(found, at)
    answer, bar, first = whole["answer"], whole["bar"], levers["first"]
    return {
        "outcome": found["verdict"]["outcome"],
        "badge": answer["badge"],
        "sentence": plain(answer["sentence"]),
        "about": answer["about"],
        "notes": answer["notes"],
        "command": first["command"] if first else found["command"],
        "caption": first["caption"] if first else answer["caption"],
        "stale": False,
        "pieces": [[piece["name"], piece["x"], piece["width"]] for piece in bar["pieces"]],
        "legend": [[piece["name"], piece["text"]] for piece in bar["pieces"] if piece["there"]],
        "share": bar["share_text"],
        "end": bar["end"],
        "need": bar["need"] and bar["need"]["text"],
        "table": [[row[key] for key in ("label", "text", "spread", "kind", "source")] for row in whole["table"]],
        "lines": "\n".join(found["verdict"]["lines"]),
        "rooms": [[row["tokens"], row["chats"]] for row in whole["rooms"]["rows"]],
        "rooms_lead": plain(whole["rooms"]["lead"]),
        "rooms_notes": whole["rooms"]["notes"],
        "levers": levers["title"],
        "levers_notes": levers["notes"],
        "fixes": [fix["text"] for fix in levers["fixes"]],
        "reach": [[f"{way['lever']} {way['setting']}", *(way[key] for key in ("now", "least", "most", "stops"))]
                  for way in levers["ways"]],
        "one_chat": levers["one_chat"],
        "holds": explain["holds"],
        "back": back_lines(at),
        "numbers": [[number["value"], number["formula"]] for number in explain["numbers"]],
        "ticket": explain["ticket"],
        "errors": {},
    }  # fmt: skip


def mismatches(shown: dict[str, Any], form: Form) -> list[str]:
    """Where the page and the reference differ; of a refused setting the page says why, and shows the last answer."""
    wanted = expected(form)
    if isinstance(wanted, str):
        right = wanted in shown["errors"].values() and shown["stale"]
        return [] if right else [f"{form}: {shown['errors']} is not {wanted!r}"]
    return [f"{form} {key}: {shown[key]!r} is not {part!r}" for key, part in wanted.items() if shown[key] != part]


SOME: dict[str, list[str]] = {
    "gpu_memory_utilization": ["0.5", "0.8", "0.9", "0.95", "0.97", "0.3", "1"],
    "max_model_len": ["1024", "4096", "8192", "32768", "131072", "4k", "4K", "auto", "29000"],
    "max_num_seqs": ["1", "8", "32", "64", "256", "1024", "969"],
    "max_num_batched_tokens": ["512", "2048", "8192", "8224", "32768"],
    "kv_cache_dtype": ["auto", "fp8", "fp8_e5m2"],
    "in_use_gib": ["0.5", "1.5", "12", "40"],
    "require_chats": ["8x4000", "4x8000,20x2000", "64x1000"],
    "quantization": ["fp8", "awq", "bitsandbytes"],
    "total_gib": ["23.58", "79.25", "47.4"],
    "dtype": ["bfloat16", "float16", "float32"],
    "block_size": ["16", "32"],
    "tensor_parallel_size": ["1", "2", "4", "8"],
    "pipeline_parallel_size": ["1", "2"],
    "enforce_eager": ["true", "false"],
    "enable_chunked_prefill": ["true", "false"],
    "enable_prefix_caching": ["true", "false"],
    "async_scheduling": ["true", "false"],
    "estimate_cudagraphs": ["true", "false"],
    "kv_cache_memory_bytes": ["2000000000", "16G", "119275520"],
    "num_gpu_blocks_override": ["1000", "20000"],
    "engine": ["V0", "V1"],
    "use_llm_class": ["true", "false"],
    "measured_weights_gib": ["14.99", "5.71"],
    "measured_activation_gib": ["1.21", "5.3"],
    "measured_non_torch_gib": ["0.14"],
    "measured_graphs_gib": ["0.62"],
    "measured_kv_gib": ["2.89", "50.2"],
}
"""What a reader might put into a field."""
OFTEN = ("gpu_memory_utilization", "max_model_len", "max_num_seqs", "max_num_batched_tokens")


def form_by_chance(rng: random.Random) -> Form:
    """A card, a model, a version, and some settings; most can be used, some are refused."""
    form = {
        "card": rng.choice(card_names()),
        "model": rng.choice(list(MODELS["models"])),
        "version": rng.choice([str(release) for release in VERSIONS["releases"]]),
    }
    if rng.random() < 0.4:
        form["version"] = rng.choice(["0.33.0", "0.25.1", "0.20.0", "0.11.0", "0.8.5"])
    rare = rng.sample([name for name in SOME if name not in OFTEN], rng.choice([0, 1, 1, 2, 3]))
    for name in [*rng.sample(OFTEN, rng.choice([0, 1, 2, 3])), *rare]:
        form[name] = rng.choice(SOME[name])
    return form


def forms(seed: str, count: int) -> list[Form]:
    """Plans by chance."""
    rng = random.Random(seed)
    return [form_by_chance(rng) for _ in range(count)]


def shared_page(bench: tuple[Page, Any], site: str) -> PlanPage:
    """The page as it opens, on a page that tests share."""
    page, watch = bench
    watch.troubles.clear()
    page.set_viewport_size({"width": 1280, "height": 800})
    found = PlanPage(page, site)
    found.open()
    return found
