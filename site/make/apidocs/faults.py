"""What a public name fails to say: its meaning, a unit, an error; and twins that say something different."""

import re
from collections.abc import Iterator

from .model import Doc, Item, Library

UNITS = re.compile(
    r"\b(percent|tokens?|blocks?|bytes|GB|seconds|chats?|steps?|pauses|px|operations|parameters|layers|heads|values"
    r"|characters|milliseconds|requests|lines|ids?|place|number of the step|from 0 to 1|units?|many)\b", re.I,
)  # fmt: skip
NUMBER = re.compile(r"\b(int|float|number)\b")
CODE = re.compile(r"Callable\[.*\]|\([^()]*\) => \w+|\bRecord<.*>|\bMapping\[.*\]|\{.*\}|dict\[.*\]")
"""Types in which a number is somebody else's: of a function, of a record that has texts of its own."""
SENTENCE = re.compile(r"[^.!?]*(?:[.!?](?! [A-Z“\"])[^.!?]*)*[.:]", re.S)


def faults(library: Library) -> list[str]:
    """Name every fault of one language."""
    return [fault for doc in library.docs() for fault in of_name(doc)]


def of_name(doc: Doc) -> Iterator[str]:
    """Name the faults of one name, and of its members."""
    if not doc.summary:
        yield f"{doc} says nothing"
        return
    if not SENTENCE.fullmatch(doc.summary):
        yield f"{doc} does not begin with one sentence: “{doc.summary}”"
    for item in (*doc.parameters, *doc.fields):
        yield from of_item(doc, item)
    yield from of_result(doc)
    if doc.kind == "property" and doc.parameters and not doc.body:
        yield f"{doc} does not say what setting it does"
    for item in doc.raises:
        if not item.name or not item.text:
            yield f"{doc} does not say when it raises {item.name or 'an error'}"
    for member in doc.members:
        yield from of_name(member)


def of_item(doc: Doc, item: Item) -> Iterator[str]:
    """Name the faults of a parameter or a field."""
    if not item.text:
        yield f"{doc} says nothing of {item.name}"
    elif is_number(item.type) and not UNITS.search(item.text):
        yield f"{doc} gives no unit of {item.name}: “{item.text}”"
    if not item.type and doc.kind == "function":
        yield f"{doc} speaks of {item.name}, which it does not take"


def of_result(doc: Doc) -> Iterator[str]:
    """Name what a function does not say of its result, or a constant or property of its unit."""
    if doc.returns is None:
        if is_number(doc.type) and not UNITS.search(f"{doc.summary} {doc.body}"):
            yield f"{doc} gives no unit: “{doc.summary}”"
        return
    if not doc.returns.text:
        yield f"{doc} does not say what it returns"
    elif is_number(doc.returns.type) and not UNITS.search(doc.returns.text):
        yield f"{doc} gives no unit of what it returns: “{doc.returns.text}”"


def is_number(kind: str) -> bool:
    """Say whether a type holds numbers of its own."""
    return NUMBER.search(CODE.sub("", kind)) is not None


def differences(python: Library, script: Library) -> list[str]:
    """Name every place where twins do not say the same in the same words."""
    found = []
    for name in python.modules.keys() & script.modules.keys():
        one, other = python.modules[name], script.modules[name]
        if one.summary != other.summary:
            found.append(f"{name}.py says “{one.summary}”, {name}.js “{other.summary}”")
        for twin in one.docs.keys() & other.docs.keys():
            found += differing(one.docs[twin], other.docs[twin])
    return sorted(found)


def differing(one: Doc, other: Doc) -> Iterator[str]:
    """Compare two names, and the members that both have."""
    mine, its = said(one), said(other)
    for part in mine.keys() & its.keys():
        if mine[part] != its[part]:
            yield f"{one.module}.{one.name}, {part}: Python says “{mine[part]}”, JavaScript “{its[part]}”"
    if one.kind == other.kind and mine.keys() != its.keys():
        yield f"{one.module}.{one.name}: only one language speaks of {', '.join(sorted(mine.keys() ^ its.keys()))}"
    members = {member.name: member for member in other.members}
    for member in one.members:
        if member.name in members:
            yield from differing(member, members[member.name])


def said(doc: Doc) -> dict[str, str]:
    """Give all texts of a name, by what they speak of, as JavaScript would write them."""
    items = {item.name.strip("*?"): item.text for item in (*doc.parameters, *doc.fields)}
    texts = {"its meaning": doc.summary, "its rule": " ".join(doc.body.split()), "its source": doc.source, **items}
    texts |= {item.name: item.text for item in doc.raises}
    texts |= {"its result": doc.returns.text} if doc.returns else {}
    return {part: re.sub(r"\bNone\b", "null", text) for part, text in texts.items()}
