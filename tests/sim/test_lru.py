"""The store of answers against the lesson's own, written anew, and against `functools.lru_cache`."""

import functools
from collections import OrderedDict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolroom import SimError
from poolroom.lru import LRU

keys = st.sampled_from("abcdefgh")
streams = st.lists(keys, max_size=80)
capacities = st.integers(0, 9)


class Lessons:
    """The lesson's class, from its description: an ordered dictionary, a used key moves to the end."""

    def __init__(self, capacity: int) -> None:
        self.room, self.kept, self.counts = capacity, OrderedDict[str, Any](), {"hits": 0, "misses": 0}

    def get(self, key: str) -> Any:
        """Look up, and count."""
        found = self.kept.get(key)
        self.counts["misses" if found is None else "hits"] += 1
        if found is not None:
            self.kept.move_to_end(key)
        return found

    def put(self, key: str, value: Any) -> None:
        """Keep, and drop the oldest."""
        self.kept.pop(key, None)
        self.kept[key] = value
        while len(self.kept) > self.room:
            self.kept.popitem(last=False)


def asked(capacity: int, stream: list[str]) -> LRU:
    """A store after a stream of look-ups, each miss put in."""
    store = LRU(capacity)
    for key in stream:
        if store.get(key) is None:
            store.put(key, key.upper())
    return store


def test_by_hand() -> None:
    """Rule: room for two: a b a c drops b, which was not used for longest; so a hits again and b misses."""
    store = asked(2, list("abac"))
    assert (store.hits, store.misses, store.evictions) == (1, 3, 1)
    assert store.get("a") == "A" and store.get("b") is None
    assert list(store.store) == ["c", "a"]
    assert store.hit_rate == 2 / 6


def test_putting_again_is_using() -> None:
    """Rule: a key that is put again is the most recently used one, with its new answer, and drops nobody."""
    store = LRU(2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        store.put(key, value)
    assert dict(store.store) == {"a": 3, "c": 4} and store.evictions == 1


def test_before_the_first_look_up() -> None:
    """Rule: the hit rate is 0 where there is nothing to divide."""
    assert LRU(3).hit_rate == 0.0


def test_no_capacity_holds_nothing() -> None:
    """Rule: with a capacity of 0 each look-up is a miss, and nothing is ever dropped since nothing was kept."""
    store = asked(0, list("aaaa"))
    assert (store.hits, store.misses, store.evictions, len(store.store)) == (0, 4, 0, 0)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), keys, st.integers(1, 9)), max_size=80), capacities)
def test_it_is_the_lessons(moves: list[tuple[bool, str, int]], capacity: int) -> None:
    """Rule: any mix of get and put: the same answers, counts, and the same keys in the same order."""
    ours, theirs = LRU(capacity), Lessons(capacity)
    for looks, key, value in moves:
        if looks:
            assert ours.get(key) == theirs.get(key)
        else:
            ours.put(key, value)
            theirs.put(key, value)
        assert list(ours.store.items()) == list(theirs.kept.items())
    assert {"hits": ours.hits, "misses": ours.misses} == theirs.counts


@settings(deadline=None)
@given(streams, capacities)
def test_it_counts_as_pythons_own(stream: list[str], capacity: int) -> None:
    """Rule: `functools.lru_cache` has the same hits, misses and number of answers on every stream."""
    remembered = functools.lru_cache(maxsize=capacity)(str.upper)
    for key in stream:
        remembered(key)
    store, info = asked(capacity, stream), remembered.cache_info()
    assert (store.hits, store.misses, len(store.store)) == (info.hits, info.misses, info.currsize)


@settings(deadline=None)
@given(streams, capacities)
def test_a_larger_store_holds_what_a_smaller_one_holds(stream: list[str], capacity: int) -> None:
    """Rule: LRU has the inclusion property, after each step; so more capacity never means fewer hits."""
    small, large = LRU(capacity), LRU(capacity + 1)
    for key in stream:
        for store in (small, large):
            if store.get(key) is None:
                store.put(key, key)
        assert set(small.store) <= set(large.store)
    assert small.hits <= large.hits


@settings(deadline=None)
@given(streams, capacities)
def test_what_went_in_is_held_or_dropped(stream: list[str], capacity: int) -> None:
    """Rule: misses = held + dropped, unless the capacity is 0; never more than the capacity is held."""
    store = asked(capacity, stream)
    assert len(store.store) <= capacity
    assert capacity == 0 or store.misses == len(store.store) + store.evictions


@pytest.mark.parametrize("capacity", [-1, 0.5, True, None, "9", [9], float("nan"), float("inf"), 2**53])
def test_a_capacity_that_is_none(capacity: Any) -> None:
    """Rule: a whole number from 0."""
    with pytest.raises(SimError) as refusal:
        LRU(capacity)
    assert refusal.value.setting == "capacity"
