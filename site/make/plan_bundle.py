"""What the plan page's scripts carry of the facts: what a program of that page reads, and no more."""

import copy
import functools
import json
import shutil
from pathlib import Path
from typing import Any

from plan_split import PAGE, READER, hand_over, take_over
from poolroom.checks import SimError
from poolroom.vllm.config import read_model
from poolroom.vllm.names import squashed

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "sim" / "poolroom" / "facts"
DOCUMENTS = ("source", "about", "date", "says", "fitted_on", "meaning", "kind", "unit", "words")
"""Keys of the facts about vLLM that no program reads."""
MEMORY = ("memory_gb", "total_bytes", "held_bytes")
"""Figures of a card that the page reads."""
UNREAD = {"bandwidth": [0, "log"], "peak_flops": {}}
"""Figures of a card that the page never reads, and what stands in their place."""
WORDS = 'import WORDS from "../../sim/poolroom/facts/words/en.json";\nexport { WORDS };\n'
"""What stands in the place of the lesson's facts: the plan knows of them how a refusal is said."""
SAID = ("allowed", "shown", "refused_value")
QUIET = "quiet"
"""Flags that change no memory: the reader of pasted text alone knows them."""
QUIETLY = """import {{ quiet }} from "../../../sim/poolroom/facts/vllm/vllm.json";
{text}VERSIONS = {{ ...VERSIONS, quiet }};
"""
"""What stands in the place of that reader's facts: the page's, and those flags."""
PACKED = ("cards", "models")
"""Facts in which one entry is much like another."""
UNPACKED = 'import { unpacked } from "../../../site/plan/unpacked.js";\n'


def plan_beside(copied: Path, site: Path, script: str) -> Path:
    """Put a script of the plan page beside a copy of the widget, and leave of the facts what that script reads."""
    pasted = script == READER
    if pasted:  # what the page hands over stands there in place of modules: in a copy of its own
        shutil.copytree(copied, copied.parent / "pasted" / copied.name)
        copied = copied.parent / "pasted" / copied.name
    facts = copied.parent / FACTS.relative_to(ROOT)
    folder = copied.parent / site.name
    for name in ("plan", "serve"):
        shutil.copytree(site / name, folder / name, dirs_exist_ok=True)
    for name in (PAGE, READER):
        shutil.copy(site / name, folder)
    said = json.loads((FACTS / "words" / "en.json").read_text("utf-8"))
    said = {**{key: said[key] for key in SAID}, "allowed": {"yes_no": said["allowed"]["yes_no"]}}
    written(facts / "words" / "en.json", said)
    (copied / "sim" / "facts.js").write_text(WORDS, "utf-8")
    reader = copied / "sim" / "vllm" / "plan_facts.js"
    if pasted:
        written(facts / "vllm" / "vllm.json", {QUIET: lean("vllm")[QUIET]})
        take_over(folder)
        text = reader.read_text("utf-8").replace("const {", "let {")
        reader.write_text(QUIETLY.format(text=text), "utf-8")
        return folder
    for path in (FACTS / "vllm").glob("*.json"):
        written(facts / "vllm" / path.name, lean(path.stem))
    written(facts / "vllm" / "vllm.json", {key: part for key, part in lean("vllm").items() if key != QUIET})
    pack(reader, facts / "vllm")
    hand_over(folder)
    return folder


def written(path: Path, facts: Any) -> None:
    """Write facts where a copy reads them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(facts, ensure_ascii=False), "utf-8")


def pack(reader: Path, facts: Path) -> None:
    """Pack the tables of cards and models in a copy, whose reader of the facts unpacks them."""
    text = UNPACKED + reader.read_text("utf-8")
    for name in PACKED:
        whole = lean(name)
        packed = {**whole, name: packed_table(whole[name])}
        written(facts / f"{name}.json", packed)
        plain = f"export const {name.upper()} = {name};"
        if plain not in text:
            raise LookupError(f"plan_facts.js has no line {plain}")
        text = text.replace(plain, plain.replace(f"= {name}", f"= {{ ...{name}, {name}: unpacked({name}.{name}) }}"))
    reader.write_text(text, "utf-8")


def packed_table(table: dict[str, Any]) -> dict[str, Any]:
    """Give each entry as what is otherwise in it than in that of those before it which it is most like."""
    entries = [{key: part for key, part in entry.items() if key != "aliases"} for entry in table.values()]
    back, otherwise = [], []
    for at, entry in enumerate(entries):
        ways = [(differing(entries[at - steps] if steps else {}, entry), steps) for steps in range(at + 1)]
        least, steps = min(ways, key=lambda way: (len(json.dumps(way[0])) + (way[1] > 1), way[1]))
        back.append(steps)
        otherwise.append(least)
    names = "\n".join(" ".join([name, *entry.get("aliases", [])]) for name, entry in table.items())
    return {"names": names, "back": back, "otherwise": otherwise}


def differing(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Give what is otherwise in another table, tables in it part by part; null for what it has no more."""
    changes: dict[str, Any] = {key: None for key in one if key not in other}
    for key, part in other.items():
        if key not in one or one[key] != part:
            was = one.get(key)
            changes[key] = differing(was if isinstance(was, dict) else {}, part) if isinstance(part, dict) else part
    return changes


@functools.cache
def lean(name: str) -> Any:
    """Give what the page reads of a file of facts about vLLM, by its name."""
    facts = json.loads((FACTS / "vllm" / f"{name}.json").read_text("utf-8"))
    return LEAN.get(name, lambda whole: whole)(facts)


def undocumented(facts: Any) -> Any:
    """Give facts about vLLM without what documents them: no program reads it, and the page says it in its own words."""
    if isinstance(facts, dict):
        return {key: undocumented(part) for key, part in facts.items() if key not in DOCUMENTS}
    return [undocumented(part) for part in facts] if isinstance(facts, list) else facts


def lean_fitted(facts: Any) -> Any:
    """Give what is fitted, without how well it fits: the truth page tells that."""
    return undocumented({key: part for key, part in facts.items() if key != "trial"})


def lean_cards(facts: Any) -> Any:
    """Give cards with how sure each figure is in place of its source, and without spellings that lead nowhere new."""
    sources = facts["sources"]
    cards: dict[str, Any] = {}
    spelt: set[str] = set()
    for name, card in facts["cards"].items():
        figures = {key: lean_figure(card[key], sources) for key in MEMORY if key in card}
        cards[name] = {**{key: card[key] for key in card if key not in ("also", "aliases")}, **figures, **UNREAD}
        spelt |= {squashed(each, facts["ignored"]) for each in (name, card["title"])}
        others = {squashed(each, facts["ignored"]): each for each in card.get("aliases", [])}
        fresh = [each for key, each in others.items() if key not in spelt]
        spelt |= set(others)
        if fresh:
            cards[name]["aliases"] = fresh
    kinds = kinds_of(sources)
    held = lean_figure(facts["held_bytes"], sources)
    return {"ignored": facts["ignored"], "held_bytes": held, "sources": kinds, "cards": cards}


def kinds_of(sources: dict[str, Any]) -> dict[str, Any]:
    """Give one source for each kind: how sure a figure is, is shown; where it was read, is documentation."""
    kinds = sorted({each["kind"] for each in sources.values()})
    return {kind: {"source": "", "date": "", "kind": kind} for kind in kinds}


def lean_figure(figure: list[Any], sources: dict[str, Any]) -> list[Any]:
    """Give a figure with how sure it is in place of its source."""
    return [figure[0], sources[figure[1]]["kind"]]


def lean_models(facts: Any) -> Any:
    """Give models with what of their configs changes how they are read; the engine counts their parameters itself."""
    models = {}
    for name, model in facts["models"].items():
        models[name] = {"config": lean_config(model["config"])}
        if "aliases" in model:
            models[name]["aliases"] = model["aliases"]
    return {"models": models}


def lean_config(config: dict[str, Any]) -> dict[str, Any]:
    """Give a config without each field without which the engine reads the very same model, or refuses it as before."""
    less = copy.deepcopy(config)
    whole = model_read(config)

    def leave_out(table: dict[str, Any]) -> None:
        # What stays is put back at the end, each in its turn: at last all are in their order again.
        for key in list(table):
            part = table.pop(key)
            if model_read(less) == whole:
                continue
            table[key] = part
            if isinstance(part, dict):
                leave_out(part)

    leave_out(less)
    return less


def model_read(config: dict[str, Any]) -> Any:
    """Give what the engine reads from a listed model's config, or its refusal."""
    try:
        return read_model(config)
    except SimError as refusal:
        return str(refusal)


LEAN = {
    "cards": lean_cards,
    "families": undocumented,
    "fitted": lean_fitted,
    "lines": undocumented,
    "models": lean_models,
    "page": lambda _: {},
    "plan-schema": lambda _: {},
    "quantisations": undocumented,
    "vllm": undocumented,
}
"""What the plan page's script carries of each file of facts about vLLM; of the others all."""
