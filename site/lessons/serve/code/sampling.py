"""Choosing a token by chance."""

import torch

from jobs import Sampling


def draw(logits: torch.Tensor, sampling: Sampling, chance: float) -> int:
    """Return the token that `chance` (0 to 1) falls on, when likely tokens have wider places than unlikely ones.

    One number decides, so a job's tokens depend on its own dice and not on who else is in the batch.
    """
    probabilities = torch.softmax(logits.double().cpu() / sampling.temperature, dim=-1)
    likely, tokens = probabilities.sort(descending=True, stable=True)
    reached = likely.cumsum(-1)
    # The likeliest tokens up to the one that reaches top_p; at least one.
    count = min(int((reached < sampling.top_p).sum()) + 1, len(tokens))
    place = int(torch.searchsorted(reached[:count], chance * reached[count - 1].item(), right=True))
    return int(tokens[min(place, count - 1)])
