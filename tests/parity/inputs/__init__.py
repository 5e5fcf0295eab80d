"""Inputs of the tools: a module for each, with `jobs(seeds)`, one job a seed at least, and `refused()`."""
