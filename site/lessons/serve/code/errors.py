"""Every way to say no, in one shape: {"error": {"message", "type", "param", "code"}}, which OpenAI's clients read.

What a client is told is plain and its own to mend; what went wrong inside is logged and never sent.
"""

import json
import logging
import math
import re

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from batcher import QueueFull, Stopping
from jobs import PromptTooLong

log = logging.getLogger("uvicorn.error")
SHOWN_CHARACTERS = 60  # of a refused value
TYPES = {429: "rate_limit_error", 500: "server_error", 503: "service_unavailable_error"}
FAILED = "The server failed while it wrote the answer. Its log says why."
CODES = {
    "json_invalid": "invalid_json",
    "missing": "missing_parameter",
    "extra_forbidden": "unknown_parameter",
}


class ApiError(Exception):
    """A refusal with its HTTP status, the parameter that it is about and seconds after which to try again."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        retry_after_seconds: float | None = None,
    ):
        super().__init__(message)
        self.status, self.param, self.code = status, param, code
        self.retry_after_seconds = retry_after_seconds

    def body(self) -> dict:
        """The JSON that the client reads."""
        kind = TYPES.get(self.status, "invalid_request_error")
        return {"error": {"message": str(self), "type": kind, "param": self.param, "code": self.code}}

    def response(self) -> JSONResponse:
        """The whole HTTP answer."""
        headers = {}
        if self.retry_after_seconds is not None:
            headers["Retry-After"] = str(max(1, math.ceil(self.retry_after_seconds)))
        return JSONResponse(self.body(), self.status, headers)


class ClientGone(ApiError):
    """The client hung up before its answer was complete."""

    def __init__(self) -> None:
        super().__init__(499, "The client hung up.")  # the status that proxies note; nobody reads it


def as_api_error(error: Exception) -> ApiError:
    """What the client is told about an exception; one that we did not expect is logged with its trace."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, QueueFull):
        seconds = error.retry_after_seconds
        message = f"The queue is full. Try again in about {max(1, math.ceil(seconds))} s."
        return ApiError(503, message, code="queue_full", retry_after_seconds=seconds)
    if isinstance(error, Stopping):
        return ApiError(503, sentence(error), code="stopping")
    if isinstance(error, PromptTooLong):
        return ApiError(400, sentence(error), param="prompt", code="context_length_exceeded")
    log.error("A request failed", exc_info=error)
    return ApiError(500, FAILED, code="internal_error")


def sentence(error: Exception) -> str:
    """An exception's text, written as a sentence."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."


def name_of(place: tuple[str | int, ...]) -> str:
    """The parameter's name as one would write it: messages[0].content."""
    name = ""
    for step in place:
        name += f"[{step}]" if isinstance(step, int) else f".{step}" if name else step
    return name


def shown(value: object) -> str:
    """The value as it was sent, cut where it is long."""
    text = json.dumps(value, default=str)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}… ({len(text)} characters)"


def refused(error: RequestValidationError) -> ApiError:
    """The first thing that is wrong with a body: which parameter, its value, what is allowed."""
    first = error.errors()[0]
    kind, place = first["type"], first["loc"][1:]  # the first step is the word "body"
    code = CODES.get(kind, "invalid_value")
    if kind == "json_invalid":
        return ApiError(400, f"The body is not JSON: {first['ctx']['error']}, at character {place[0]}.", code=code)
    if not place:
        return ApiError(400, "The body must be a JSON object, sent with Content-Type: application/json.", code=code)
    name = name_of(place)
    if kind == "missing":
        message = f"{name} is missing."
    elif kind == "extra_forbidden":
        message = f"{name} is not a parameter that this server knows; it was sent as {shown(first['input'])}."
    else:
        allowed = re.sub(r"^(Input|String|List) ", "It ", first["msg"]).replace(" after validation", "")
        message = f"{name} is {shown(first['input'])}. {allowed}."
    return ApiError(400, message, param=name, code=code)


def install(app: FastAPI) -> None:
    """Have the app answer every exception in the one shape."""

    def expected(_: Request, error: Exception) -> JSONResponse:
        return as_api_error(error).response()

    def by_validation(_: Request, error: RequestValidationError) -> JSONResponse:
        return refused(error).response()

    def unexpected(_: Request, error: Exception) -> JSONResponse:
        return ApiError(500, FAILED, code="internal_error").response()  # uvicorn logs the trace

    def by_http(request: Request, error: HTTPException) -> JSONResponse:
        message = f"{request.method} {request.url.path}: {error.detail}."
        return JSONResponse(ApiError(error.status_code, message).body(), error.status_code, error.headers)

    for kind in (ApiError, QueueFull, Stopping, PromptTooLong):
        app.add_exception_handler(kind, expected)
    app.add_exception_handler(RequestValidationError, by_validation)
    app.add_exception_handler(HTTPException, by_http)
    app.add_exception_handler(Exception, unexpected)
