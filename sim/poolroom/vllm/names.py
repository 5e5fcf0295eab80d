"""Names of cards and models: spelling that does not matter, and the names that come near."""

import re
from collections.abc import Collection, Sequence

MOST_NEAR = 6
"""How many near names a refusal shows, names."""


def name_words(text: str) -> list[str]:
    """The words of a name in lower case: runs of letters, figures and points.

    Args:
        text: a name as somebody writes it

    Returns:
        Words, text.
    """
    return [word.lower() for word in re.findall(r"[A-Za-z0-9.]+", text)]


def squashed(text: str, ignored: Collection[str] = ()) -> str:
    """A name without what does not matter: its words in lower case, written together.

    Args:
        text: a name as somebody writes it
        ignored: words that say nothing, such as the maker's name, in lower case

    Returns:
        Text; empty where no word is left.
    """
    return "".join(word for word in name_words(text) if word not in ignored)


def near_names(asked: str, names: Sequence[str], most: int) -> list[str]:
    """The names that share words with what was asked, those that share most first.

    Args:
        asked: a name that is not among them
        names: the names that there are
        most: how many are wanted at most, names

    Returns:
        Names, text; none where no word is shared and no name holds another.
    """
    words, whole = set(name_words(asked)), squashed(asked)
    scores = [(_score(words, whole, name), name) for name in names]
    found = sorted((pair for pair in scores if pair[0] > 0), key=lambda pair: -pair[0])
    return [name for _, name in found[:most]]


def _score(words: set[str], whole: str, name: str) -> int:
    own, shared = squashed(name), len(words & set(name_words(name)))
    holds = len(whole) >= 3 and (whole in own or own in whole)
    return 2 * shared + int(holds)
