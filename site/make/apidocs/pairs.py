"""Twins side by side: the names of both languages as one list, module by module."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .model import PYTHON, SCRIPT, Doc, Item, Library, Module
from .text import fits, taken


@dataclass(frozen=True)
class Entry:
    """A name with what each language says of it; one of the two may lack."""

    python: Doc | None
    script: Doc | None
    within: str = ""

    @property
    def doc(self) -> Doc:
        """The reference's word, or the port's where there is no other."""
        found = self.python or self.script
        assert found is not None
        return found

    @property
    def name(self) -> str:
        """The name alone."""
        return self.doc.name

    @property
    def anchor(self) -> str:
        """Where the page shows it."""
        return re.sub(r"\W+", "-", f"{self.within}.{self.name}".strip(". ")).strip("-")

    @property
    def only(self) -> str:
        """The one language that has it, if it is one."""
        return "" if self.python and self.script else PYTHON if self.python else SCRIPT

    @property
    def docs(self) -> list[Doc]:
        """What there is, the reference's first."""
        return [doc for doc in (self.python, self.script) if doc]

    @property
    def is_record(self) -> bool:
        """Whether it is a record and nothing that is called."""
        return all(doc.kind == "record" for doc in self.docs)

    @property
    def kind(self) -> str:
        """What it is, in a word."""
        return self.docs[-1].kind

    @property
    def broken(self) -> bool:
        """Whether each parameter gets a line of its own, in both languages."""
        return not all(map(fits, self.docs))

    @property
    def items(self) -> list[Item]:
        """What is handed over: parameters, or fields where it is made from them."""
        told = {item.name for item, _ in self.fields}
        return [] if self.is_record else [item for item in taken(self.doc) if item.name not in told]

    @property
    def fields(self) -> list[tuple[Item, list[str]]]:
        """What it holds itself: each field, with its type in each language."""
        if self.kind == "function":
            return []
        types = [{item.name: item.type for item in doc.fields} for doc in self.docs]
        own = [item for item in self.doc.fields if item.name not in self.doc.inherited]
        return [(item, [each.get(item.name, "") for each in types]) for item in own]

    @property
    def returns(self) -> str:
        """What is given back, in words."""
        return self.doc.returns.text if self.doc.returns else ""

    @property
    def members(self) -> list["Entry"]:
        """Methods and properties, paired too."""
        one = self.python.members if self.python else ()
        other = self.script.members if self.script else ()
        return list(paired({doc.name: doc for doc in one}, {doc.name: doc for doc in other}, self.name))


@dataclass(frozen=True)
class Chapter:
    """A module of both languages: what it is for, the names that are exported, and the others."""

    name: str
    summary: str
    files: tuple[str, ...]
    first: list[Entry]
    others: list[Entry]

    @property
    def anchor(self) -> str:
        """Where the page shows it; a function may have the same name."""
        return f"module-{self.name.replace('/', '-')}"

    @property
    def entries(self) -> list[Entry]:
        """Every name of the module."""
        return [*self.first, *self.others]


def chapters(python: Library, script: Library) -> list[Chapter]:
    """Pair all modules, the reference's in their order, then what only the port has; of the plan's what is exported."""
    mine = [name for name in python.modules if name != "notebook"]
    its = [name for name in script.modules if name not in python.modules and name not in ("element", "value")]
    wanted = python.exported | script.exported
    known = {name: paired_module(name, python, script) for name in (*mine, *its)}
    wanted |= shapes([entry for entries in known.values() for entry in entries], wanted)
    made = [chapter(name, known[name], wanted, python, script) for name in known]
    in_folder = [replace(each, others=[]) for each in made if "/" in each.name and each.first]
    return [*(each for each in made if "/" not in each.name), *in_folder]


def chapter(name: str, entries: list[Entry], wanted: frozenset[str], python: Library, script: Library) -> Chapter:
    """Part the names of a module into those that are exported and the others."""
    there = [library.modules[name] for library in (python, script) if name in library.modules]
    files = tuple(file_of(module) for module in there)
    first = [entry for entry in entries if entry.name in wanted]
    return Chapter(name, there[0].summary, files, first, [entry for entry in entries if entry not in first])


def file_of(module: Module) -> str:
    """Name the file of a module."""
    return f"sim/poolroom/{module.name}.py" if module.language == PYTHON else f"widget/sim/{module.name}.js"


def paired_module(name: str, python: Library, script: Library) -> list[Entry]:
    """Pair the names of a module, functions before the records that they take and give."""
    docs = [library.modules[name].docs if name in library.modules else {} for library in (python, script)]
    entries = list(paired(*docs))
    return sorted(entries, key=lambda entry: entry.doc.kind in ("record", "type"))


def paired(one: dict[str, Doc], other: dict[str, Doc], within: str = "") -> Iterator[Entry]:
    """Pair names: the first language's in its order, then those that only the other has."""
    for name, doc in one.items():
        yield Entry(doc, other.get(name), within)
    for name, doc in other.items():
        if name not in one:
            yield Entry(None, doc, within)


def shapes(entries: list[Entry], wanted: frozenset[str]) -> frozenset[str]:
    """Name the records and types that exported names speak of, and those that these speak of."""
    by_name = {entry.name: entry for entry in entries if entry.doc.kind in ("record", "type")}
    found: set[str] = set()
    asked = [entry for entry in entries if entry.name in wanted]
    while asked:
        new = {name for entry in asked for name in names_in(entry)} & by_name.keys() - found
        found |= new
        asked = [by_name[name] for name in new]
    return frozenset(found)


def names_in(entry: Entry) -> set[str]:
    """Give the words of a name's types."""
    docs = [doc for doc in (entry.python, entry.script) if doc]
    items = [item for doc in docs for item in (*doc.parameters, *doc.fields, *([doc.returns] if doc.returns else []))]
    types = [item.type for item in items] + [doc.type for doc in docs] + [doc.base for doc in docs]
    return set(re.findall(r"\w+", " ".join(types)))
