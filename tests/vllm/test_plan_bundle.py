"""What the plan page carries of the facts: the engine over them says what it says over all."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bundle import copied
from plan_bundle import PACKED, UNREAD, differing, lean, packed_table, plan_beside
from plan_split import LATE, PAGE, READER, reached, split
from poolroom.vllm.cards import card_names
from poolroom.vllm.config import read_model
from poolroom.vllm.models import model_config, model_names
from poolroom.vllm.plan_facts import CARDS, MODELS
from tests.node import ROOT, run_node
from tests.parity.both import disagreements, of_node, of_python
from tests.parity.inputs_vllm import cards, models, plan

ENGINE = "tests/parity/plan_engine.mjs"
PLANS = range(240)
OTHERS = range(120)
WORDS, LESSON = "sim/poolroom/facts/words", "widget/sim/facts.js"
Tell = Callable[[str], None]


@pytest.fixture(scope="module")
def carried(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The port over what the plan page carries; the lesson's words, which other jobs need, are whole."""
    folder = tmp_path_factory.mktemp("carried")
    plan_beside(copied(ROOT / "widget", folder), ROOT / "site", "plan.js")
    shutil.copytree(ROOT / WORDS, folder / WORDS, dirs_exist_ok=True)
    shutil.copy(ROOT / LESSON, folder / LESSON)
    (folder / "tests").mkdir()
    shutil.copytree(ROOT / "tests" / "parity", folder / "tests" / "parity", ignore=shutil.ignore_patterns("*.py"))
    shutil.copy(ROOT / "package.json", folder)
    return folder


def same(jobs: list[Any], folder: Path) -> None:
    """Compare the reference, which reads all facts, with the port over what the page carries."""
    pythons = [of_python(job) for job in jobs]
    wrong = disagreements(jobs, pythons, of_node(jobs, folder, engine=ENGINE))
    assert not wrong, f"{len(wrong)} of {len(jobs)} jobs disagree\n\n" + "\n\n".join(wrong[:4])


def test_every_model_and_every_card_plans_as_with_all_facts(carried: Path, tell: Tell) -> None:
    """Rule: to the bit, for each model on one card, each card with one model, and plans by chance."""
    asked = [{"model": name, "card": "h200", "tensor_parallel_size": 8} for name in model_names()]
    asked += [{"model": "Qwen/Qwen3-8B", "card": name} for name in card_names()]
    jobs = [{"call": "vllm.plan_words.answer", "args": [each, False]} for each in asked] + plan.jobs(PLANS)
    same(jobs, carried)
    tell(f"plan page: {len(jobs):,} plans over what it carries, 0 differing bits")


def test_every_spelling_leads_to_the_same_model_and_card(carried: Path) -> None:
    """Rule: names, other names, titles, spellings by chance; what is refused is refused with the same names near by."""
    known = [name for facts in CARDS["cards"].values() for name in [facts["title"], *facts.get("aliases", [])]]
    words = [job["args"][0] for job in [*models.jobs(OTHERS), *models.refused()] if job["args"]]
    words += [job["args"][0] for job in [*cards.jobs(OTHERS), *cards.refused()] if job["args"]] + known
    jobs = [{"call": "vllm.models.model_name", "args": [word]} for word in words]
    jobs += [{"call": "vllm.plan.plan", "args": [{"model": "Qwen/Qwen3-8B", "card": word}, False]} for word in words]
    same(jobs, carried)


def test_what_a_plan_refuses_is_refused_alike(carried: Path) -> None:
    """Rule: the same setting is named, with the same rule."""
    same(plan.refused(), carried)


def test_a_carried_config_is_read_as_the_whole_one() -> None:
    """Rule: no model is left out; from each config the engine reads the very same model, or refuses it alike."""
    less = lean("models")["models"]
    assert list(less) == list(MODELS["models"])
    for name in model_names():
        assert reading(less[name]["config"]) == reading(model_config(name)), name
        assert less[name].get("aliases") == MODELS["models"][name].get("aliases")


def reading(config: dict[str, Any]) -> Any:
    """What the engine reads, or why not."""
    try:
        return read_model(config)
    except ValueError as refusal:
        return str(refusal)


CHANGING = {str(i): {"a": part, "same": [1, {"b": 2}], "long": "x" * 99} for i, part in enumerate(
    [1, {"b": 2}, "text", {"b": {"c": 3}}, [4, 5], {"b": 2}, True, {}, {"d": 0}]
)}  # fmt: skip
"""A part that is a table in one entry and none in the next."""


@pytest.mark.parametrize("name", [*PACKED, "changing"])
def test_what_is_packed_comes_out_as_it_was(name: str, tmp_path: Path) -> None:
    """Rule: every entry in its order, with each of its fields; packed it is the smaller."""
    whole = CHANGING if name == "changing" else lean(name)[name]
    packed = packed_table(whole)
    (tmp_path / "packed.json").write_text(json.dumps(packed), "utf-8")
    script = f"""import {{ unpacked }} from {json.dumps((ROOT / "site" / "plan" / "unpacked.js").as_uri())};
    import {{ readFileSync }} from "node:fs";
    process.stdout.write(JSON.stringify(unpacked(JSON.parse(readFileSync("packed.json", "utf8")))));"""
    done = run_node("--input-type=module", "--eval", script, folder=tmp_path)
    found = json.loads(done.stdout or "null")
    assert found == {key: {**entry, "aliases": entry.get("aliases", [])} for key, entry in whole.items()}, done.stderr
    assert list(found) == list(whole)
    assert len(json.dumps(packed)) < len(json.dumps(whole))


def test_a_part_that_goes_is_named_and_one_within_a_part_alone_is_changed() -> None:
    """Rule: worked by hand: what is the same is left out, null is what is gone, tables are told part by part."""
    one = {"a": 1, "b": {"c": 2, "d": 3}, "e": [1, 2]}
    other = {"a": 1, "b": {"c": 4}, "f": {"g": 5}}
    assert differing(one, other) == {"e": None, "b": {"d": None, "c": 4}, "f": {"g": 5}}
    assert differing({"a": [1]}, {"a": {"b": 2}}) == {"a": {"b": 2}} == differing({"a": "text"}, {"a": {"b": 2}})
    assert differing(one, one) == {} and differing({}, one) == one
    table = {"x": one, "y": {**one, "a": 2}, "z": {"h": 1, "aliases": ["u", "w"]}}
    assert packed_table(table) == {"names": "x\ny\nz u w", "back": [0, 1, 0], "otherwise": [one, {"a": 2}, {"h": 1}]}


def test_nothing_of_the_page_reads_what_it_does_not_carry() -> None:
    """Rule: figures of a card that stay behind are named only where cards are made; models are known by config."""
    stay = r"bandwidth\w*|peak_flops|peak_kinds|model_facts|FITTED\.trial"
    assert {"bandwidth", "peak_flops"} == set(UNREAD)
    makers = {"cards.js", "asked_card.js", "models.js"}
    site = ROOT / "site"
    paths = [*(ROOT / "widget" / "sim" / "vllm").glob("*.js"), *(site / "plan").rglob("*.js"), site / "plan.js"]
    for path in paths:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.S)
        assert path.name in makers or not re.findall(rf"\b(?:{stay})\b", text), path.name


def test_two_scripts_share_what_the_page_has() -> None:
    """Rule: the reader takes over modules of the page and has only its own; what the page calls is published."""
    over, late = split(ROOT / "site")
    assert {"rounding.js", "plan_facts.js", "shell.js"} <= {module.name for module in over}
    assert {module.name for module in late} == {*LATE}
    text = (ROOT / "site" / READER).read_text("utf-8")
    published = set(re.findall(r"[A-Za-z_]+", " ".join(re.findall(r"const [A-Z]+ = \{([^}]*)\}", text))))
    assert {name for names in late.values() for name in names} <= published
    both = reached(ROOT / "site" / READER, set()) & reached(ROOT / "site" / PAGE, {*late})
    assert not both & {*late} and {*over} <= both
