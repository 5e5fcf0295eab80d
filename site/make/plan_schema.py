"""Write the JSON Schema of `poolroom plan --json` from the types of the plan and what their docstrings say.

`python site/make/plan_schema.py` writes `sim/poolroom/facts/vllm/plan-schema.json`; a test compares it with the types.
"""

import inspect
import json
import re
import sys
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from poolroom.vllm.plan import Plan
from poolroom.vllm.plan_words import Said

SCHEMA = Path(__file__).resolve().parents[2] / "sim" / "poolroom" / "facts" / "vllm" / "plan-schema.json"
ATTRIBUTE = re.compile(r"^ {4}(\w+): (.+?)(?=^ {4}\w+: |^\S|\Z)", re.M | re.S)
SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def schema() -> dict[str, Any]:
    """The schema of the whole answer: a plan, with its sentences beside it."""
    known: dict[str, Any] = {}
    whole = record(Plan, known)
    whole["properties"]["said"] = {"description": "the plan in words, part by part", **of(list[Said], known)}
    whole["required"].append("said")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What poolroom plan --json prints",
        **whole,
        "$defs": dict(sorted(known.items())),
    }


def record(kind: Any, known: dict[str, Any]) -> dict[str, Any]:
    """The schema of a record: each field with what its docstring says of it."""
    says = meanings(kind)
    fields = {name: {"description": says[name], **of(hint, known)} for name, hint in get_type_hints(kind).items()}
    return {
        "description": inspect.getdoc(kind).partition("\n")[0],  # type: ignore[union-attr]
        "type": "object",
        "properties": fields,
        "required": sorted(kind.__required_keys__, key=list(fields).index),
        "additionalProperties": False,
    }


def meanings(kind: Any) -> dict[str, str]:
    """What a record's docstring says of each field."""
    _, _, attributes = (inspect.getdoc(kind) or "").partition("Attributes:\n")
    return {name: " ".join(text.split()) for name, text in ATTRIBUTE.findall(attributes)}


def of(hint: Any, known: dict[str, Any]) -> dict[str, Any]:
    """The schema of one type; records stand by themselves and are named."""
    if is_typeddict(hint):
        if hint.__name__ not in known:
            known[hint.__name__] = {}
            known[hint.__name__] = record(hint, known)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if hint is Any:
        return {}
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    if get_origin(hint) in (Union, UnionType):
        return {"anyOf": [of(each, known) for each in get_args(hint)]}
    if get_origin(hint) is list:
        return {"type": "array", "items": of(get_args(hint)[0], known)}
    if get_origin(hint) is dict:
        return {"type": "object", "additionalProperties": of(get_args(hint)[1], known)}
    return {"type": SIMPLE[hint]}


def text() -> str:
    """The file as it is kept."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """Write it."""
    SCHEMA.write_text(text(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
