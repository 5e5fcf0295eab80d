"""From tokens to text, token by token."""

from collections.abc import Callable, Sequence

HALF = "\ufffd"  # what a decoder writes for bytes that are no character, or not yet one
KEEP_TOKENS = 8  # a character has at most 4 bytes, so at most 4 tokens: 8 always begin before an unfinished one


class TextStream:
    """Turns tokens into text as they come; the first bytes of a character wait for the rest of it.

    One character can be spread over several tokens, so each token cannot be decoded alone: the last few are decoded
    again together, and what is new is given out. Unfinished bytes at the end show as exactly one mark, held back.
    """

    def __init__(self, decode: Callable[[list[int]], str]):
        self._decode = decode
        self._tokens: list[int] = []  # the last tokens
        self._given = 0  # characters of their text that have been given out

    def push(self, token: int) -> str:
        """Take a token, return the text that is now certain: whole characters only."""
        self._tokens.append(token)
        text = self._decode(self._tokens)
        certain = len(text) - text.endswith(HALF)
        new = text[self._given : certain]
        self._given = max(self._given, certain)
        if len(self._tokens) > 4 * KEEP_TOKENS:
            self._forget(text.endswith(HALF))
        return new

    def rest(self) -> str:
        """Return what is left when no token comes any more; bytes that never became a character show as a mark."""
        return self._decode(self._tokens)[self._given :]

    def _forget(self, half: bool) -> None:
        """Keep the last tokens only, so that a long answer costs no more a token than a short one."""
        self._tokens = self._tokens[-KEEP_TOKENS:]
        self._given = len(self._decode(self._tokens)) - half


class StopSearch:
    """Watches a growing text for stop texts, also where one comes in pieces."""

    def __init__(self, stops: Sequence[str]):
        self._stops = stops
        self._reach = max(map(len, stops), default=0)
        self._end = ""  # the last characters, too few to hold a stop text

    def found(self, new: str) -> bool:
        """Take more text, say whether a stop text is in it now."""
        seen = self._end + new
        self._end = seen[max(0, len(seen) - self._reach + 1) :]
        return any(stop in seen for stop in self._stops)
