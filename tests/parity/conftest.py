"""What the tests of parity share."""

from tests.built import answers_kept

__all__ = ["answers_kept"]
