"""Whole numbers that look like chance and are the same in both languages."""

import math

from .checks import whole

MODULUS = 2**31 - 1
"""The generator's states run from 1 to this less 1, a number without unit."""
MULTIPLIER = 48271
"""What each state is multiplied by, a number without unit."""
MOST_CHOICES = 2**20
"""The most numbers to choose from; above it, a rounded quotient could reach the next whole number."""


class Draws:
    """A row of draws: each state is the one before × 48,271, modulo 2^31 − 1.

    Every product stays below 2^53, so that both languages compute it exactly.

    Args:
        seed: where the row starts, a whole number from 1 to 2^31 − 2, without unit

    Attributes:
        state: where the row stands, without unit

    Raises:
        SimError: for any other seed

    Source:
        S. K. Park, K. W. Miller, P. K. Stockmeyer, CACM 36(7), 1993: the multiplier that they advise (MINSTD).
    """

    def __init__(self, seed: int) -> None:
        self.state = whole("seed", seed, 1, MODULUS - 1)

    def below(self, n: int) -> int:
        """The next draw: a whole number from 0 to n − 1, each as likely as the next to within 1 in 2,000.

        Args:
            n: how many numbers there are to choose from, at most 2^20

        Returns:
            A whole number without unit.

        Raises:
            SimError: for any other n
        """
        whole("n", n, 1, MOST_CHOICES)
        self.state = self.state * MULTIPLIER % MODULUS
        return math.floor(float(self.state) * float(n) / float(MODULUS))
