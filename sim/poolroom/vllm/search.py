"""Boundaries: the last whole number that still does, found in few looks from a good guess."""

from collections.abc import Callable, Sequence


def last_that_does(does: Callable[[int], bool], least: int, most: int, guess: int) -> int | None:
    """The largest n from least to most with does(n), where what does ends once and never begins again.

    A guess that is right costs two looks.

    Args:
        does: whether a number, of any unit, does
        least: where to begin, a number of the same unit
        most: where to end, a number of the same unit
        guess: about where the end may be, a number of the same unit

    Returns:
        A number of the same unit, or None when not even the least does.
    """
    if most < least:
        return None
    at = max(least, min(most, guess))
    if does(at):
        good, bad = _upward(does, at, most)
    else:
        good, bad = _downward(does, at, least)
    if good < least:
        return None
    while bad - good > 1:
        middle = (good + bad) // 2
        if does(middle):
            good = middle
        else:
            bad = middle
    return good


def _upward(does: Callable[[int], bool], good: int, most: int) -> tuple[int, int]:
    # Steps of 1, 8, 64 … until one does not; most + 1 never does.
    step = 1
    while good < most:
        at = min(most, good + step)
        if not does(at):
            return good, at
        good = at
        step = step * 8
    return good, most + 1


def _downward(does: Callable[[int], bool], bad: int, least: int) -> tuple[int, int]:
    # The same downward; what is below the least counts as doing, and is told by its place.
    step = 1
    while bad > least:
        at = max(least, bad - step)
        if does(at):
            return at, bad
        bad = at
        step = step * 8
    return least - 1, least


def first_that_does(does: Callable[[int], bool], least: int, most: int, guess: int) -> int | None:
    """The smallest n from least to most with does(n), where what does begins once and never ends again.

    Args:
        does: whether a number, of any unit, does
        least: where to begin, a number of the same unit
        most: where to end, a number of the same unit
        guess: about where it may begin, a number of the same unit

    Returns:
        A number of the same unit, or None when not even the most does.
    """
    found = last_that_does(lambda n: does(-n), -most, -least, -guess)
    return None if found is None else -found


def nearest_that_does(does: Callable[[int], bool], values: Sequence[int]) -> int | None:
    """The first of some numbers that does: for levers where nothing is monotone.

    Args:
        does: whether a number, of any unit, does
        values: numbers of the same unit, the nearest first

    Returns:
        A number of the same unit, or None when none does.
    """
    for value in values:
        if does(value):
            return value
    return None
