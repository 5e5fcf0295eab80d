"""The port's JSDoc and signatures, as TypeDoc tells them."""

from dataclasses import replace
from typing import Any

from .model import SCRIPT, Doc, Item, Library, Module, one_line, paragraphs

MODULE, VARIABLE, FUNCTION, CLASS, INTERFACE = 2, 32, 64, 128, 256
CONSTRUCTOR, PROPERTY, METHOD, ACCESSOR, ALIAS, REFERENCE = 512, 1024, 2048, 262144, 2097152, 4194304
DOORS = ("index", "plan")
"""Modules that hold nothing of their own: what they export is for others."""
BROWSERS_OWN = {"observedAttributes", "connectedCallback", "disconnectedCallback", "attributeChangedCallback", "name"}
"""Members that the browser, or JavaScript itself, asks for."""


def read(project: dict[str, Any]) -> Library:
    """Read all modules of a project of TypeDoc."""
    found = {each["name"].removeprefix("sim/"): each for each in project["children"]}
    names = [each["name"] for door in DOORS for each in found[door]["children"]]
    modules = {name: module(name, each) for name, each in found.items() if name not in DOORS}
    return Library(SCRIPT, modules, frozenset(names))


def module(name: str, found: dict[str, Any]) -> Module:
    """Read a module; a function and a type of one name are one."""
    docs: dict[str, Doc] = {}
    for each in found.get("children", ()):
        if each["kind"] == REFERENCE:
            continue
        new = doc(each, name)
        old = docs.get(new.name)
        docs[new.name] = new if old is None else both(old, new)
    return Module(name, SCRIPT, paragraphs(summary(found))[0], docs)


def both(one: Doc, other: Doc) -> Doc:
    """Give a function the fields of the record that it makes and that has its name."""
    made, record = (one, other) if one.kind == "function" else (other, one)
    return replace(made, fields=record.fields)


def doc(found: dict[str, Any], place: str) -> Doc:
    """Read one name."""
    kind, name = found["kind"], found["name"]
    if kind in (FUNCTION, METHOD):
        return callable_doc(found["signatures"][0], name, "method" if kind == METHOD else "function", place)
    first, rest = paragraphs(summary(found))
    said = {"summary": first, "body": rest, "source": block(found, "@source")}
    if kind == CLASS:
        return class_doc(found, place, said)
    if kind == INTERFACE:
        return Doc(name, "record", SCRIPT, place, **said, fields=fields(found))
    return Doc(name, "type" if kind == ALIAS else "constant", SCRIPT, place, **said, type=written(found))


def callable_doc(signature: dict[str, Any], name: str, kind: str, place: str) -> Doc:
    """Read a function, a method or an accessor from its signature."""
    first, rest = paragraphs(summary(signature))
    given, text = written(signature), block(signature, "@returns")
    return Doc(
        name, kind, SCRIPT, place, first, rest, type=given if kind == "property" else "",
        parameters=parameters(signature), raises=raises(signature), source=block(signature, "@source"),
        returns=None if given in ("void", "") and not text else Item("", given, text),
    )


def class_doc(found: dict[str, Any], place: str, said: dict[str, Any]) -> Doc:
    """Read a class with its constructor, fields, accessors and methods."""
    name, inside = found["name"], f"{place}.{found['name']}"
    children = [each for each in found.get("children", ()) if each["name"] not in BROWSERS_OWN]
    made = next((each["signatures"][0] for each in children if each["kind"] == CONSTRUCTOR), {})
    members = [member for each in children for member in members_of(each, inside)]
    return Doc(
        name, "class", SCRIPT, place, **said, base=base(found), parameters=parameters(made), raises=raises(made),
        fields=fields({**found, "children": children}), members=tuple(members),
    )


def members_of(found: dict[str, Any], inside: str) -> list[Doc]:
    """Read a method, or an accessor with its two sides as one property."""
    if found["kind"] == METHOD:
        return [doc(found, inside)]
    if found["kind"] != ACCESSOR:
        return []
    got = callable_doc(found["getSignature"], found["name"], "property", inside)
    if "setSignature" not in found:
        return [got]
    put = callable_doc(found["setSignature"], found["name"], "property", inside)
    return [replace(got, body=put.summary, parameters=put.parameters, raises=put.raises)]


def base(found: dict[str, Any]) -> str:
    """Name the class that a class extends."""
    return ", ".join(each["name"] for each in found.get("extendedTypes", ()))


def fields(found: dict[str, Any]) -> tuple[Item, ...]:
    """Give the fields of a record, or of a class."""
    children = [each for each in found.get("children", ()) if each["kind"] == PROPERTY]
    return tuple(Item(each["name"], written(each), one_line(summary(each))) for each in children)


def parameters(signature: dict[str, Any]) -> tuple[Item, ...]:
    """Give the parameters of a signature."""
    return tuple(parameter(each) for each in signature.get("parameters", ()))


def parameter(found: dict[str, Any]) -> Item:
    """Read one parameter; one that may be left out has a default or a question mark."""
    default, free = found.get("defaultValue", ""), found["flags"].get("isOptional")
    name = found["name"] + ("?" if free and not default else "")
    return Item(name, written(found), one_line(summary(found)), default)


def raises(found: dict[str, Any]) -> tuple[Item, ...]:
    """Say what is thrown, and when."""
    tags = [tag for tag in found.get("comment", {}).get("blockTags", ()) if tag["tag"] == "@throws"]
    return tuple(Item(tag.get("typeAnnotation", "").strip("{}"), "", one_line(parts(tag["content"]))) for tag in tags)


def summary(found: dict[str, Any]) -> str:
    """Give the text above the tags."""
    return parts(found.get("comment", {}).get("summary", ()))


def block(found: dict[str, Any], tag: str) -> str:
    """Give the text of a tag."""
    tags = found.get("comment", {}).get("blockTags", ())
    return one_line(" ".join(parts(each["content"]) for each in tags if each["tag"] == tag))


def parts(content: Any) -> str:
    """Join the pieces of a comment."""
    return "".join(piece["text"] for piece in content)


def written(found: dict[str, Any]) -> str:
    """Give a type as its author wrote it."""
    return str(found.get("type", {}).get("name", ""))
