"""From a request to a job for the model: loading, what may be asked, and the end."""

import asyncio
import logging
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from jinja2 import TemplateError

from answers import Answers
from batcher import Batcher
from errors import ApiError
from jobs import Job, Sampling
from metrics import Metrics
from reply import Reply
from settings import Settings

if TYPE_CHECKING:
    from model import Model

log = logging.getLogger("uvicorn.error")
LOADING = "The model is loading."
STOPPING = "The server is stopping."


class Service:
    """The model behind its batcher and its cache, once it is loaded; the reason why not, until then."""

    def __init__(self, settings: Settings, metrics: Metrics):
        self.settings, self.metrics = settings, metrics
        self.problem: str | None = LOADING
        self.model: Model | None = None
        self.loaded_at = 0  # seconds since 1970
        self.ending: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to load in a thread, so that /health answers meanwhile.

        The thread is a daemon: a server told to stop does not wait for gigabytes of weights.
        """
        loop = asyncio.get_running_loop()

        def load() -> None:
            try:
                from model import Model  # here, since importing torch alone takes seconds

                then = (self._loaded, Model.load(self.settings))
            except Exception as error:
                then = (self._failed, error)
            with suppress(RuntimeError):  # the loop ended meanwhile
                loop.call_soon_threadsafe(*then)

        threading.Thread(target=load, name="load", daemon=True).start()

    def _loaded(self, model: "Model") -> None:
        self.batcher = Batcher(model, self.settings)
        self.batcher.on_batch = lambda size, seconds: self.metrics.batch_size.observe(size)
        self.answers = answers = Answers(self.batcher, self.settings)
        self.batcher.start()
        self.metrics.watch("serve_queue_length", "Requests that wait for a batch", lambda: self.batcher.queue_length)
        self.metrics.watch_count("serve_cache_hits", "Answers found in the cache", lambda: answers.hits)
        self.metrics.watch_count("serve_cache_misses", "Answers not found there", lambda: answers.misses)
        self.metrics.watch_count("serve_shared", "Answers shared with an equal request", lambda: answers.shared)
        self.model, self.loaded_at = model, int(time.time())
        if self.problem == LOADING:
            self.problem = None
        else:  # it was told to stop meanwhile
            self.refuse_new()

    def _failed(self, error: Exception) -> None:
        log.error("The model %r cannot be loaded", self.settings.model, exc_info=error)
        self.problem = f"The model {self.settings.model!r} cannot be loaded: {str(error) or type(error).__name__}"

    def refuse_new(self) -> None:
        """Take no more requests; those that run may finish, but not for longer than the settings say."""
        self.problem = STOPPING
        if self.model and not self.ending:
            self.ending = asyncio.get_running_loop().create_task(self.batcher.stop())

    async def stop(self) -> None:
        """Leave nothing running."""
        self.refuse_new()
        if self.ending:
            await self.ending

    def ready(self) -> "Model":
        """The model, or a refusal that says why there is none."""
        if self.problem or self.model is None:
            raise ApiError(503, self.problem or LOADING, code="not_ready", retry_after_seconds=5)
        return self.model

    async def reply(
        self,
        prompt: str | list[dict[str, str]],
        most_tokens: int | None,
        sampling: Sampling,
        stop: Sequence[str],
        name: str = "max_tokens",
    ) -> Reply:
        """Check the request against the model and begin its answer; `name` is what the request calls the limit."""
        model = self.ready()
        limit = self.settings.max_new_tokens
        if most_tokens and most_tokens > limit:
            raise ApiError(400, f"{name} is {most_tokens}; this server allows 1 to {limit}.", param=name)
        encode = model.encode if isinstance(prompt, str) else model.encode_chat
        try:
            ids = await asyncio.to_thread(encode, prompt)  # a long prompt takes longer than others should wait
        except TemplateError as error:  # some models allow only some orders of roles
            raise ApiError(400, f"The model's chat template refuses the messages: {error}", param="messages") from error
        if not ids:
            raise ApiError(400, "The prompt has no tokens: it needs at least one.", param="prompt")
        room = model.context_tokens - len(ids)
        wanted = most_tokens or max(1, min(limit, room))
        job = Job(tuple(ids), wanted, sampling, tuple(stop))
        return Reply(job, self.answers.tokens(job), model.text_stream(), self.metrics)
