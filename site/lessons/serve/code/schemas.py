"""What a request may say: one class for each kind of body, checked before any work is done.

Strict: no text is read as a number, and a name that is not listed here is refused, so that a misspelt
parameter never changes an answer in silence.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from jobs import Sampling


def several(value: Any) -> Any:
    """A list stays; one text becomes a list of one, so that the rest of the program knows only lists."""
    if value is None or isinstance(value, list):
        return value
    if isinstance(value, str):
        return [value]
    raise PydanticCustomError("text_or_list", "Input should be a text or a list")


def parts(value: Any) -> Any:
    """The same for the content of a message, whose parts are objects."""
    return [{"type": "text", "text": value}] if isinstance(value, str) else several(value)


def only(*allowed: Any) -> Any:
    """The type of a parameter that would change the answer if we knew how: only what changes nothing is let in."""
    words = ", ".join([*map(json.dumps, allowed), "null"])

    def check(value: Any) -> Any:
        kinds = [one for one in (*allowed, None) if isinstance(one, bool) == isinstance(value, bool)]  # 0 is not false
        if value not in kinds:
            raise PydanticCustomError("only", "Allowed is {words}", {"words": words})
        return value

    return Annotated[Any, BeforeValidator(check)]


Text = Annotated[str, Field(min_length=1)]
Temperature = Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)]
TopP = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
Tokens = Annotated[int, Field(ge=1)]
Stops = Annotated[list[Text], Field(max_length=4)]


class Body(BaseModel):
    """A request body that refuses what it does not know."""

    model_config = ConfigDict(extra="forbid", strict=True)


class GenerateRequest(Body):
    """The body of /generate and /stream."""

    prompt: Text
    max_new_tokens: Tokens = 128
    temperature: Temperature = 0.0  # 0: greedy, the likeliest token every time
    top_p: TopP = 1.0
    seed: Seed | None = None
    stop: Annotated[Stops, BeforeValidator(several)] = []

    def sampling(self) -> Sampling:
        """How each token is chosen."""
        return Sampling(self.temperature, self.top_p, self.seed)


class GenerateReply(BaseModel):
    """The answer of /generate."""

    text: str
    prompt_tokens: int
    output_tokens: int
    finish_reason: Literal["stop", "length"]


class StreamOptions(Body):
    """What a stream tells besides its text."""

    include_usage: bool = False
    include_obfuscation: only(False) = None


class OpenAIRequest(Body):
    """What completions and chat completions have in common.

    The second group is known, and would change the answer: only the value that changes nothing is allowed.
    The third group never changes an answer, so any value is.
    """

    model: Text
    max_tokens: Tokens | None = None
    temperature: Temperature | None = None  # left out: 1, as in OpenAI's interface
    top_p: TopP | None = None
    seed: Seed | None = None
    stop: Annotated[Stops | None, BeforeValidator(several)] = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None

    n: only(1) = None
    frequency_penalty: only(0) = None
    presence_penalty: only(0) = None
    logit_bias: only({}) = None

    user: str | None = None
    metadata: dict | None = None

    def sampling(self) -> Sampling:
        """How each token is chosen."""
        temperature = 1.0 if self.temperature is None else self.temperature
        return Sampling(temperature, 1.0 if self.top_p is None else self.top_p, self.seed)

    def limit_name(self) -> str:
        """What the request calls the most tokens that the answer may have."""
        return "max_tokens"

    def wants_usage(self) -> bool:
        """Whether the last piece of a stream counts the tokens."""
        return bool(self.stream_options and self.stream_options.include_usage)


class CompletionRequest(OpenAIRequest):
    """The body of /v1/completions."""

    prompt: Text

    best_of: only(1) = None
    echo: only(False) = None
    logprobs: only() = None  # here even 0 asks for something
    suffix: only("") = None

    def most_tokens(self) -> int:
        """Tokens the answer may have; 16 where nothing is said, as in OpenAI's interface."""
        return self.max_tokens or 16


class TextPart(Body):
    """One part of a message's content; of the kinds that OpenAI knows, only text."""

    type: Literal["text"]
    text: Text


class Message(Body):
    """One turn of a chat."""

    role: Literal["system", "user", "assistant"]
    content: Annotated[list[TextPart], Field(min_length=1), BeforeValidator(parts)]

    def plain(self) -> dict[str, str]:
        """The form that a chat template reads."""
        return {"role": self.role, "content": "".join(part.text for part in self.content)}


class ChatRequest(OpenAIRequest):
    """The body of /v1/chat/completions."""

    messages: Annotated[list[Message], Field(min_length=1)]
    max_completion_tokens: Tokens | None = None  # the newer name of max_tokens

    logprobs: only(False) = None
    top_logprobs: only(0) = None
    response_format: only({"type": "text"}) = None
    tools: only([]) = None
    tool_choice: only("none") = None

    def most_tokens(self) -> int | None:
        """Tokens the answer may have; None: as many as the server allows."""
        return self.max_completion_tokens or self.max_tokens

    def limit_name(self) -> str:
        """The newer name where it was given."""
        return "max_completion_tokens" if self.max_completion_tokens else "max_tokens"
