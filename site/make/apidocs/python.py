"""The reference's docstrings and signatures, read by griffe without running them."""

import ast
import re
from pathlib import Path
from typing import Any

import griffe

from .model import PYTHON, Doc, Item, Library, Module, one_line, paragraphs

TWINS = (
    "describe", "budget", "blocks", "chats", "server", "steptime", "sweep", "quote", "words", "facts", "checks",
    "tools", "percentiles", "latencies", "percentiles_words", "floor", "floor_words", "tool", "draws", "serving_facts",
    "window_words", "batching", "arrivals", "cache_words", "response_cache", "lru", "zipf",
    "kv", "kv_words", "quantise", "quantise_words",
)  # fmt: skip
"""The modules that both languages have: every name in them is public."""
PLAN = (
    "plan", "plan_words", "settings", "budget", "verdict", "fixes", "reach", "demand", "upgrade", "command",
    "fix_words", "choices", "shares", "levers", "trial", "refusals", "divided", "pool", "lines", "capacity", "need",
    "layout", "graphs", "reserve", "kept", "weights", "released", "supported", "pages", "stages", "loaded", "config",
    "safetensors", "parameters", "state_tensors", "senses", "modules", "mlps", "lengths", "end_tensors", "architecture",
    "tensors", "states", "mixers", "eyes", "shape", "quantisation_config", "models", "latent", "families", "experts",
    "defaults", "asked_card", "asked", "allocated", "versions", "values", "sums", "rounding", "quantisation", "fields",
    "cards", "search", "names", "refuse", "plan_facts",
)  # fmt: skip
"""The modules of the plan, in the folder `vllm`."""
TOOLS = {"svg": {"svg"}, "check": {"check", "mended", "Report", "Problem"}, "notebook": {"widget", "PoolRoom"}}
"""What stands on top of the reference, and its public names."""
OPTIONS = {"returns_named_value": False, "returns_multiple_items": False, "warnings": False}


def read(folder: Path, package: str = "poolroom") -> Library:
    """Read the package that lies in a folder."""
    found: Any = griffe.load(
        package, search_paths=[str(folder)], allow_inspection=False, docstring_parser="google",
        docstring_options=OPTIONS,
    )
    wanted = {**dict.fromkeys(TWINS), **TOOLS}
    modules = {name: module(found[name], name, names) for name, names in wanted.items() if name in found.members}
    exports = {*map(str, found.exports or ())}
    if "vllm" in found.members:
        plan = found["vllm"]
        modules |= {f"vllm/{name}": module(plan[name], f"vllm/{name}") for name in PLAN}
        exports |= {*map(str, plan.exports or ())}
    return Library(PYTHON, modules, frozenset(exports))


def module(found: Any, place: str, names: set[str] | None = None) -> Module:
    """Read a module: all its public names, or those that are named."""
    docs = {
        name: doc(member, place)
        for name, member in found.members.items()
        if not member.is_alias and (name in names if names else is_public(name, member))
    }
    return Module(place, PYTHON, paragraphs(text_of(found))[0], docs)


def is_public(name: str, member: Any) -> bool:
    """Say whether a name of a module is for others."""
    return not name.startswith("_") and (member.is_function or member.is_class or member.is_attribute)


def doc(member: Any, place: str) -> Doc:
    """Read a function, a class, a constant, or a member of a class."""
    summary, body = paragraphs("\n\n".join(s.value for s in sections(member) if s.kind.value == "text"))
    said = {"summary": summary, "body": body, "source": source(member), "raises": raises(member)}
    if member.is_class:
        return class_doc(member, place, said)
    if member.is_function:
        kind = "method" if member.parent.is_class else "function"
        return Doc(
            member.name, kind, PYTHON, place, **said, parameters=parameters(member, described(member, "parameters")),
            returns=returns(member),
        )
    kind = "property" if "property" in member.labels else "type" if is_type(member) else "constant"
    given, text = type_of(member, kind), returned(member)
    result = Item("", given, text) if text else None
    return Doc(member.name, kind, PYTHON, place, **said, type=given, returns=result)


def class_doc(found: Any, place: str, said: dict[str, Any]) -> Doc:
    """Read a class: a record has fields alone, others have parameters and members too."""
    above = inherited(found)
    fields = (*above, *fields_of(found))
    bases = ", ".join(map(str, found.bases))
    plain = bases == "TypedDict" or "dataclass" in found.labels or bool(above)
    texts = {item.name: item.text for item in fields} | described(found, "parameters")
    members = tuple(doc(member, f"{place}.{found.name}") for member in found.members.values() if is_member(member))
    return Doc(
        found.name, "record" if plain else "class", PYTHON, place, **said, base=bases,
        parameters=() if plain else parameters(found, texts), fields=fields, members=members,
        inherited=frozenset(item.name for item in above),
    )


def is_member(member: Any) -> bool:
    """Say whether something in a class is a method or a property for others."""
    return not member.name.startswith("_") and (member.is_function or "property" in member.labels)


def fields_of(found: Any) -> tuple[Item, ...]:
    """Give what a class holds with what is said of it; what is said of others comes last, without a type."""
    texts = described(found, "attributes")
    given = {parameter.name: written(parameter.annotation) for parameter in found.parameters}
    own = [each for each in found.members.values() if each.is_attribute and "property" not in each.labels]
    fields = [
        Item(each.name, written(each.annotation) or given.get(each.name) or kind_of(each), texts.pop(each.name, ""))
        for each in own if not each.name.startswith("_")
    ]
    return (*fields, *(Item(name, "", text) for name, text in texts.items()))


def inherited(found: Any) -> tuple[Item, ...]:
    """Give the fields of a record that stands in the same module and is extended."""
    there = [found.parent.members.get(name) for name in map(str, found.bases)]
    bases = [base for base in there if base and not base.is_alias and base.is_class]
    return tuple(item for base in bases for item in class_doc(base, "", {}).fields)


def type_of(member: Any, kind: str) -> str:
    """Give the type of a constant or property; of a name for a type, what it stands for."""
    if kind == "type":
        return written(member.value)
    return written(member.annotation) or kind_of(member)


def kind_of(attribute: Any) -> str:
    """Give the type of what is set, where that is a plain number or text, or a record that is made there."""
    made = re.match(r"([A-Z][a-z]\w+)\(", str(attribute.value))
    if made:
        return made[1]
    try:
        return type(ast.literal_eval(str(attribute.value))).__name__
    except (SyntaxError, ValueError):
        return ""


def is_type(member: Any) -> bool:
    """Say whether a module's name stands for a type."""
    return member.annotation is None and member.name.istitle()


def sections(member: Any) -> list[Any]:
    """Give the parts of a docstring."""
    return list(member.docstring.parsed) if member.docstring else []


def text_of(member: Any) -> str:
    """Give a docstring as it is written."""
    return str(member.docstring.value) if member.docstring else ""


def described(member: Any, kind: str) -> dict[str, str]:
    """Give the texts of the parameters, or of the attributes, by name."""
    found = [item for s in sections(member) if s.kind.value == kind for item in s.value]
    return {item.name.lstrip("*"): one_line(item.description) for item in found}


def parameters(member: Any, texts: dict[str, str]) -> tuple[Item, ...]:
    """Give the parameters with what is said of them; what is said of others comes last, without a type."""
    stars = {"variadic positional": "*", "variadic keyword": "**"}
    taken = [
        Item(stars.get(p.kind.value, "") + p.name, written(p.annotation), texts.get(p.name, ""), default(p))
        for p in member.parameters if p.name != "self"
    ]
    strange = set(described(member, "parameters")) - {item.name.lstrip("*") for item in taken}
    return (*taken, *(Item(name, "", texts[name]) for name in sorted(strange)))


def default(parameter: Any) -> str:
    """Give a parameter's default as code."""
    return "" if parameter.default is None or parameter.kind.value.startswith("variadic") else str(parameter.default)


def returns(function: Any) -> Item | None:
    """Say what a function gives back; None where it gives nothing."""
    kind, text = written(function.returns), returned(function)
    return None if kind in ("None", "") and not text else Item("", kind, text)


def returned(member: Any) -> str:
    """Give what is said of what a function, or a property, gives back."""
    found = [item for s in sections(member) if s.kind.value == "returns" for item in s.value]
    return one_line(found[0].description) if found else ""


def raises(member: Any) -> tuple[Item, ...]:
    """Say what is raised, and when."""
    found = [item for s in sections(member) if s.kind.value == "raises" for item in s.value]
    return tuple(Item(str(item.annotation), "", one_line(item.description)) for item in found)


def source(member: Any) -> str:
    """Give the source of a formula or figure."""
    found = [s.value.contents for s in sections(member) if s.kind.value == "admonition" and s.value.kind == "source"]
    return one_line(found[0]) if found else ""


def written(expression: Any) -> str:
    """Give a type as code."""
    return "" if expression is None else str(expression)
