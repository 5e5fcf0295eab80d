"""What a name says of itself, in either language."""

from dataclasses import dataclass, field

PYTHON, SCRIPT = "Python", "JavaScript"


@dataclass(frozen=True)
class Item:
    """A parameter, a field, what is returned or what is raised: its name, type, text and default."""

    name: str
    type: str
    text: str
    default: str = ""


@dataclass(frozen=True)
class Doc:
    """One public name: where it is, what it is, and what its docstring or JSDoc says."""

    name: str
    kind: str  # function, method, property, class, record, constant, type
    language: str
    module: str
    summary: str = ""
    body: str = ""
    type: str = ""
    base: str = ""
    inherited: frozenset[str] = frozenset()
    parameters: tuple[Item, ...] = ()
    fields: tuple[Item, ...] = ()
    members: tuple["Doc", ...] = ()
    returns: Item | None = None
    raises: tuple[Item, ...] = ()
    source: str = ""

    def __str__(self) -> str:
        """Name the place, for a message."""
        return f"{self.language}: {self.module}.{self.name}"


@dataclass(frozen=True)
class Module:
    """A file of the reference or of the port: what it is for, and its public names in their order."""

    name: str
    language: str
    summary: str
    docs: dict[str, Doc] = field(default_factory=dict)


@dataclass(frozen=True)
class Library:
    """Everything that one language has: its modules, and the names that a user imports without naming a module."""

    language: str
    modules: dict[str, Module]
    exported: frozenset[str]

    def docs(self) -> list[Doc]:
        """Every name, in order."""
        return [doc for module in self.modules.values() for doc in module.docs.values()]


def paragraphs(text: str) -> tuple[str, str]:
    """Split a text into its first paragraph, as one line, and the rest."""
    first, _, rest = text.strip().partition("\n\n")
    return " ".join(first.split()), rest.strip()


def one_line(text: str) -> str:
    """Give a text without its line ends."""
    return " ".join(text.split())
