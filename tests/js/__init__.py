"""Tests of the twin under node."""
