"""The model itself: loading it, and running a batch of jobs token by token."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from jobs import Job, PromptTooLong
from rows import Rows
from settings import Settings
from text import TextStream


class Model:
    """A language model and its tokenizer. One thread at a time may call `run`; all else may be called from anywhere."""

    def __init__(self, name: str, network: Any, tokenizer: Any):
        self.name = name
        self.network, self.tokenizer = network, tokenizer
        self.context_tokens: int = network.config.max_position_embeddings
        self.vocabulary: int = network.get_input_embeddings().num_embeddings  # tokens
        self.end_tokens = end_tokens(network, tokenizer)
        revision, four_bit = getattr(network.config, "_commit_hash", None), getattr(network, "is_loaded_in_4bit", False)
        self.identity = repr((name, revision, network.dtype, four_bit))  # what changes answers, for the cache's keys

    @classmethod
    def load(cls, settings: Settings) -> "Model":
        """Load the model that the settings name. Takes seconds to minutes."""
        device = settings.device if settings.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
        usual = "float32" if device == "cpu" else "float16"
        dtype = getattr(torch, usual if settings.dtype == "auto" else settings.dtype)
        tokenizer = AutoTokenizer.from_pretrained(settings.model)
        options = {}
        if settings.four_bit:
            from four_bit import config  # here, since it needs bitsandbytes, which others can do without

            options = {"quantization_config": config(dtype)}
        network = AutoModelForCausalLM.from_pretrained(settings.model, dtype=dtype, device_map=device, **options)
        return cls(settings.model, network.eval(), tokenizer)

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        return self.tokenizer(text).input_ids

    def encode_chat(self, messages: Sequence[dict[str, str]]) -> list[int]:
        """Return the tokens of a chat, up to where the model's turn begins."""
        if self.tokenizer.chat_template:
            return self.tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=True).input_ids
        lines = [f"{message['role']}: {message['content']}" for message in messages]
        return self.encode("\n".join([*lines, "assistant:"]))  # a plain form, for models that were not taught one

    def text_stream(self) -> TextStream:
        """Return what turns the tokens of one answer into text."""
        return TextStream(lambda tokens: self.tokenizer.decode(tokens, skip_special_tokens=True,
                                                               clean_up_tokenization_spaces=False))

    def check(self, job: Job) -> None:
        """Refuse a job that this model cannot finish."""
        if not 0 <= min(job.prompt_ids) <= max(job.prompt_ids) < self.vocabulary:  # a GPU would fail for good
            raise ValueError(f"the prompt has tokens from {min(job.prompt_ids)} to {max(job.prompt_ids)}: "
                             f"allowed are 0 to {self.vocabulary - 1}")
        if len(job.prompt_ids) + job.max_new_tokens > self.context_tokens:
            raise PromptTooLong(len(job.prompt_ids), job.max_new_tokens, self.context_tokens)

    @torch.inference_mode()
    def run(self, jobs: Sequence[Job], wrote: Callable[[Job, int], None]) -> None:
        """Run the jobs together until each is finished or cancelled; call `wrote` for each token as it is chosen.

        The first step reads whole prompts, each later one the token before. A job whose tokens are partly written goes
        on from there. When `wrote` is called, the token is in `job.tokens`, and `job.finish` is set if it is the last.
        """
        rows = Rows(self, [job for job in jobs if job.running])
        while rows:
            logits = self.network(**rows.step(), logits_to_keep=1).logits[:, -1]
            rows.write(logits.float(), wrote)
            rows.drop_finished()


def end_tokens(network: Any, tokenizer: Any) -> frozenset[int]:
    """Return every token that ends a text: a model may have several (end of the turn, end of the document)."""
    listed = network.generation_config.eos_token_id
    listed = listed if isinstance(listed, list) else [listed]
    return frozenset(token for token in (*listed, tokenizer.eos_token_id) if token is not None)
