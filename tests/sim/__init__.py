"""Tests of the reference; they need pytest, hypothesis and nothing else."""
