"""The same answers in the shapes of OpenAI's interface, so that its clients work."""

import time
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request

from client import DONE, EventStream, event, while_connected
from errors import ApiError
from reply import Reply
from schemas import ChatRequest, CompletionRequest
from service import Service

router = APIRouter(prefix="/v1")
ENDPOINTS = ("/v1/models", "/v1/completions", "/v1/chat/completions")
Json = dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """What differs between a completion and a chat: names, and the key under which a choice holds its text."""

    prefix: str  # of the answer's id
    kind: str
    chunk_kind: str
    opening: Json | None = None  # the choice of a stream's first chunk, where there is one without text

    def whole(self, text: str) -> Json:
        """A complete choice."""
        return {"text": text}

    def piece(self, text: str) -> Json:
        """A choice of a stream; the last one has no text."""
        return {"text": text}


class ChatShape(Shape):
    """A chat's choices hold messages, or what is to be added to one."""

    def whole(self, text: str) -> Json:
        """A complete choice."""
        return {"message": {"role": "assistant", "content": text}}

    def piece(self, text: str) -> Json:
        """A choice of a stream: what is added to the message."""
        return {"delta": {"content": text} if text else {}}


COMPLETION = Shape("cmpl", "text_completion", "text_completion")
CHAT = ChatShape(
    "chatcmpl", "chat.completion", "chat.completion.chunk", {"delta": {"role": "assistant", "content": ""}}
)


@router.get("/models")
async def models(request: Request) -> Json:
    """The one model that is served."""
    return {"object": "list", "data": [described(request.app.state.service)]}


@router.get("/models/{name:path}")
async def model(name: str, request: Request) -> Json:
    """The model of this name, if it is the one."""
    check_model(request.app.state.service, name)
    return described(request.app.state.service)


@router.post("/completions", response_model=None)
async def completions(body: CompletionRequest, request: Request) -> Json | EventStream:
    """Text that goes on where the prompt ends."""
    return await answer(request, body, body.prompt, COMPLETION)


@router.post("/chat/completions", response_model=None)
async def chat(body: ChatRequest, request: Request) -> Json | EventStream:
    """The next turn of a chat."""
    return await answer(request, body, [message.plain() for message in body.messages], CHAT)


async def answer(
    request: Request, body: CompletionRequest | ChatRequest, prompt: str | list[dict[str, str]], shape: Shape
) -> Json | EventStream:
    """The answer in one piece or as a stream."""
    service: Service = request.app.state.service
    check_model(service, body.model)
    reply = await service.reply(prompt, body.most_tokens(), body.sampling(), body.stop or [], body.limit_name())
    head = {"id": f"{shape.prefix}-{uuid.uuid4().hex}", "created": int(time.time()), "model": body.model}
    if body.stream:
        await while_connected(request, reply, reply.first())
        return EventStream(request, reply, chunks(reply, shape, head, body.wants_usage()))
    text = await while_connected(request, reply, reply.whole())
    one = choice(shape.whole(text), reply.job.finish)
    return {**head, "object": shape.kind, "choices": [one], "usage": usage(reply)}


async def chunks(reply: Reply, shape: Shape, head: Json, with_usage: bool) -> AsyncIterator[str]:
    """The events of a stream: one for each piece of text, one with the reason of the end, one with the usage."""
    head = {**head, "object": shape.chunk_kind, **({"usage": None} if with_usage else {})}
    if shape.opening:
        yield event({**head, "choices": [choice(shape.opening)]})
    async for piece in reply.pieces():
        if piece.text:
            yield event({**head, "choices": [choice(shape.piece(piece.text))]})
    yield event({**head, "choices": [choice(shape.piece(""), reply.job.finish)]})
    if with_usage:
        yield event({**head, "choices": [], "usage": usage(reply)})
    yield DONE


def choice(content: Json, finish_reason: str | None = None) -> Json:
    """The only choice: more than one is refused."""
    return {"index": 0, **content, "logprobs": None, "finish_reason": finish_reason}


def usage(reply: Reply) -> Json:
    """Tokens read, written and both."""
    read, written = reply.prompt_tokens, reply.output_tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def check_model(service: Service, name: str) -> None:
    """Refuse a request that is meant for another model."""
    served = service.ready().name
    if name != served:
        message = f"The model {name!r} is not served here; this server has {served!r}."
        raise ApiError(404, message, param="model", code="model_not_found")


def described(service: Service) -> Json:
    """The model, in OpenAI's words."""
    name = service.ready().name
    return {"id": name, "object": "model", "created": service.loaded_at, "owned_by": "this server"}
