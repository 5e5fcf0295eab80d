"""Tests: the reference, the twin, the proof that they agree, and what a browser makes of it."""
