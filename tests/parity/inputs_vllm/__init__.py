"""Inputs by chance for each module of the plan: `jobs(seeds)`, and values to refuse: `refused()`."""
