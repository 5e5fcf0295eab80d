"""The rows of a running batch: what goes into each step, and who leaves after it."""

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch
from transformers import DynamicCache

from jobs import Job
from sampling import draw
from text import StopSearch

if TYPE_CHECKING:
    from model import Model


class Row:
    """One job in a batch: its dice, and its text as far as stop texts are looked for in it."""

    def __init__(self, job: Job, model: "Model"):
        self.job, self.end_tokens = job, model.end_tokens
        self.dice = random.Random(job.sampling.seed)
        self.text, self.search = model.text_stream(), StopSearch(job.stop)
        for token in job.tokens:  # a job that goes on from where it stood
            self.dice.random()
            self.meets_stop(token)

    def meets_stop(self, token: int) -> bool:
        """Say whether the token completes a stop text."""
        return bool(self.job.stop) and self.search.found(self.text.push(token))

    def add(self, token: int) -> None:
        """Write the token, and finish the job if it was the last."""
        job = self.job
        job.tokens.append(token)
        if token in self.end_tokens or self.meets_stop(token):
            job.finish = "stop"
        elif len(job.tokens) >= job.max_new_tokens:
            job.finish = "length"


class Rows:
    """The tensors of a batch; row i of each belongs to the same job."""

    def __init__(self, model: "Model", jobs: Sequence[Job]):
        self.rows = [Row(job, model) for job in jobs]
        self.device = model.network.device
        self.cache = DynamicCache(config=model.network.config)
        known = [[*job.prompt_ids, *job.tokens] for job in jobs]
        longest = max(map(len, known), default=0)
        # Prompts of different length are filled up on the left, so that each row's last token stands in the last
        # column. The mask hides the filling (whatever token it is), and positions count from the first real token.
        self.ids = self._tensor([[0] * (longest - len(ids)) + ids for ids in known])  # (rows, tokens)
        self.mask = self._tensor([[0] * (longest - len(ids)) + [1] * len(ids) for ids in known])  # (rows, tokens)
        self.positions = (self.mask.cumsum(-1) - 1).clamp(min=0)  # (rows, tokens)

    def __len__(self) -> int:
        return len(self.rows)

    def _tensor(self, values: list[Any]) -> torch.Tensor:
        return torch.tensor(values, device=self.device)

    def step(self) -> dict[str, Any]:
        """Return the input of the next step."""
        return {"input_ids": self.ids, "attention_mask": self.mask, "position_ids": self.positions,
                "cache": self.cache, "use_cache": True}

    def write(self, logits: torch.Tensor, wrote: Callable[[Job, int], None]) -> None:
        """Choose a token for each row (logits: rows × vocabulary), and make them the input of the next step."""
        if logits.isnan().any():
            raise ArithmeticError("the model's logits are not numbers: with float16, try SERVE_DTYPE=bfloat16")
        chosen = logits.argmax(-1).tolist()  # one transfer from the device for all greedy rows
        for place, row in enumerate(self.rows):
            if row.job.sampling.temperature > 0:
                chosen[place] = draw(logits[place], row.job.sampling, row.dice.random())
            row.add(chosen[place])
            wrote(row.job, chosen[place])
        self.ids = self._tensor(chosen)[:, None]
        self.mask = torch.cat([self.mask, torch.ones_like(self.ids)], dim=-1)
        self.positions = self.positions[:, -1:] + 1

    def drop_finished(self) -> None:
        """Take finished and cancelled rows out of every tensor, so that those left run on alone."""
        stay = [place for place, row in enumerate(self.rows) if row.job.running]
        if len(stay) == len(self.rows):
            return
        self.rows = [self.rows[place] for place in stay]
        kept = self._tensor(stay).long()
        self.ids, self.mask, self.positions = self.ids[kept], self.mask[kept], self.positions[kept]
        self.cache.batch_select_indices(kept)
