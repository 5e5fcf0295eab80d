"""A job: one prompt on its way through the queue, the batch and the model."""

import math
from dataclasses import dataclass, field
from typing import Literal


class PromptTooLong(ValueError):
    """The prompt and the answer that is asked for do not both fit into the model's context."""

    def __init__(self, prompt_tokens: int, asked_tokens: int, context_tokens: int):
        self.prompt_tokens, self.asked_tokens, self.context_tokens = prompt_tokens, asked_tokens, context_tokens
        super().__init__(f"the prompt has {prompt_tokens} tokens and {asked_tokens} new ones are asked for, together "
                         f"{prompt_tokens + asked_tokens}; the model's context holds {context_tokens}")


@dataclass(frozen=True)
class Sampling:
    """How a token is chosen: the likeliest (temperature 0, called greedy), or by chance."""

    temperature: float = 0.0
    """Below 1 likely tokens become likelier; above 1 all become more alike."""
    top_p: float = 1.0
    """Only the likeliest tokens that together reach this probability can be drawn."""
    seed: int | None = None
    """The same seed draws the same tokens; None draws new ones each time."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.temperature) and self.temperature >= 0):
            raise ValueError(f"temperature is {self.temperature}: allowed are 0 and finite numbers above")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p is {self.top_p}: allowed are numbers above 0, up to 1")

    @property
    def repeatable(self) -> bool:
        """Whether the same prompt gives the same answer again."""
        return self.temperature == 0 or self.seed is not None


@dataclass(eq=False)  # two jobs with the same words are still two jobs
class Job:
    """A prompt, what is asked for it, and what has been written so far."""

    prompt_ids: tuple[int, ...]
    """The prompt in tokens."""
    max_new_tokens: int
    """Most tokens that are written."""
    sampling: Sampling = Sampling()
    """How tokens are chosen."""
    stop: tuple[str, ...] = ()
    """Texts that end the answer; the token that completes one is the last."""
    tokens: list[int] = field(default_factory=list)
    """The tokens written so far; one that ends the text is among them."""
    finish: Literal["stop", "length"] | None = None
    """Why the answer ended: the model or a stop text ended it, or it reached its length. None: it has not."""
    cancelled: bool = False
    """Nobody waits for this job any more: it leaves the queue, or the batch before its next step."""

    def __post_init__(self) -> None:
        if not self.prompt_ids:
            raise ValueError("the prompt has no tokens: at least 1 is needed")
        if self.max_new_tokens < 1:
            raise ValueError(f"max_new_tokens is {self.max_new_tokens}: allowed are whole numbers from 1")
        if "" in self.stop:
            raise ValueError("stop holds an empty text, which would end every answer at once")

    @property
    def running(self) -> bool:
        """Whether there is more to write."""
        return self.finish is None and not self.cancelled
