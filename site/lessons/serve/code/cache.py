"""The response cache: the answers used last, under keys that hold everything that changes an answer."""

import struct
from collections import OrderedDict
from hashlib import blake2b
from typing import Generic, TypeVar

from jobs import Job

Value = TypeVar("Value")


class LRU(Generic[Value]):
    """Keeps the entries used last; when it is full, the one unused for longest goes."""

    def __init__(self, capacity: int):
        self.capacity = capacity  # entries; 0 keeps nothing
        self._entries: OrderedDict[bytes, Value] = OrderedDict()  # the one used last comes last

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: bytes) -> Value | None:
        """Return the entry, which counts as a use, or None."""
        if key in self._entries:
            self._entries.move_to_end(key)
        return self._entries.get(key)

    def put(self, key: bytes, value: Value) -> None:
        """Store an entry as the one used last."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self.capacity:
            self._entries.popitem(last=False)


def cache_key(model: str, job: Job) -> bytes:
    """Return a key that two jobs share only if they get the same answer.

    Each part is hashed behind its own length, so no two lists of parts look alike: with a separator between them,
    ("a|b", "c") and ("a", "b|c") would. Prompts are tokens here, which hold all that a template made of the text.
    """
    sampling = job.sampling
    parts = [model.encode(), struct.pack(f"<{len(job.prompt_ids)}q", *job.prompt_ids), str(job.max_new_tokens).encode()]
    if sampling.temperature == 0:
        parts.append(b"greedy")  # top_p and seed change nothing then
    else:
        parts.append(repr((sampling.temperature, sampling.top_p, sampling.seed)).encode())
    parts += [stop.encode("utf-8", "surrogatepass") for stop in sorted(set(job.stop))]  # their order changes nothing
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.digest()
