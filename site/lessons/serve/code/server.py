"""The model server: `uvicorn server:app --port 8000`; its settings come from the environment, see settings.py."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST

import errors
import openai_api
from client import DONE, EventStream, event, while_connected
from limits import LimitBody
from metrics import CountRequests, Metrics
from reply import Reply
from schemas import GenerateReply, GenerateRequest
from service import Service
from settings import read_settings
from stopping import on_stop

settings = read_settings()
metrics = Metrics()
service = Service(settings, metrics)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Start to load, serve, and leave nothing running."""
    loop = asyncio.get_running_loop()
    service.start()
    on_stop(lambda: loop.call_soon_threadsafe(service.refuse_new))
    yield
    await service.stop()


# FastAPI's own page of documentation would fetch its scripts from a third party; /openapi.json needs nobody.
app = FastAPI(title="A model server", lifespan=lifespan, docs_url=None, redoc_url=None)
app.state.service = service
errors.install(app)
app.include_router(openai_api.router)


@app.post("/generate")
async def generate(body: GenerateRequest, request: Request) -> GenerateReply:
    """The whole answer at once."""
    reply = await begin(body)
    text = await while_connected(request, reply, reply.whole())
    return GenerateReply(
        text=text,
        prompt_tokens=reply.prompt_tokens,
        output_tokens=reply.output_tokens,
        finish_reason=reply.job.finish,
    )


@app.post("/stream")
async def stream(body: GenerateRequest, request: Request) -> EventStream:
    """The answer as it is written: an event for each token, then one with the usage."""
    reply = await begin(body)
    await while_connected(request, reply, reply.first())
    return EventStream(request, reply, stream_events(reply))


async def stream_events(reply: Reply) -> AsyncIterator[str]:
    """The events of /stream. A token may end inside a character: its text is then empty, and the next has more."""
    async for piece in reply.pieces():
        if piece.text or piece.tokens:
            yield event({"text": piece.text, "tokens": piece.tokens})
    usage = {"prompt_tokens": reply.prompt_tokens, "output_tokens": reply.output_tokens}
    yield event({"usage": usage, "finish_reason": reply.job.finish})
    yield DONE


async def begin(body: GenerateRequest) -> Reply:
    """The answer to a request of our own kind."""
    return await service.reply(body.prompt, body.max_new_tokens, body.sampling(), body.stop, "max_new_tokens")


@app.get("/health")
async def health() -> JSONResponse:
    """200 when requests are answered; 503 with the reason otherwise."""
    if service.problem:
        return JSONResponse({"status": "unavailable", "reason": service.problem}, 503)
    return JSONResponse({"status": "ok", "model": service.model.name})


@app.get("/metrics")
async def all_metrics() -> Response:
    """Everything that is counted, for Prometheus."""
    return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)


ENDPOINTS = ("/generate", "/stream", "/health", "/metrics", *openai_api.ENDPOINTS)
app.add_middleware(LimitBody)
app.add_middleware(CountRequests, metrics=metrics, endpoints=frozenset(ENDPOINTS))
