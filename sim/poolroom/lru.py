"""A store of answers that keeps the most recently used ones and drops the rest."""

from collections import OrderedDict
from typing import Any

from .checks import whole


class LRU:
    """Answers by key; when there are more than the capacity, the one that was not used for longest is dropped.

    A capacity of 0 holds nothing, so that every look-up is a miss.

    Args:
        capacity: how many answers it holds at most, 0 or more

    Attributes:
        capacity: how many answers it holds at most
        store: answers by key, the least recently used one first
        hits: how many look-ups found an answer
        misses: how many did not
        evictions: how many answers were dropped to make room

    Raises:
        SimError: for a capacity that is no whole number ≥ 0
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = whole("capacity", capacity)
        self.store: OrderedDict[str, Any] = OrderedDict()
        self.hits = 0
        self.misses = 0
        self.evictions = 0

    def get(self, key: str) -> Any:
        """The answer under a key, which is now the most recently used one.

        Args:
            key: a text

        Returns:
            The answer; None when there is none.
        """
        if key not in self.store:
            self.misses += 1
            return None
        self.hits += 1
        self.store.move_to_end(key)
        return self.store[key]

    def put(self, key: str, value: Any) -> None:
        """Keep an answer as the most recently used one, and drop another where there are too many.

        Args:
            key: a text
            value: the answer
        """
        if self.capacity == 0:
            return
        self.store[key] = value
        self.store.move_to_end(key)
        if len(self.store) > self.capacity:
            self.store.popitem(last=False)
            self.evictions += 1

    @property
    def hit_rate(self) -> float:
        """Hits ÷ look-ups.

        Returns:
            A share, from 0 to 1; 0 before the first look-up.
        """
        total = self.hits + self.misses
        return float(self.hits) / float(total) if total else 0.0
