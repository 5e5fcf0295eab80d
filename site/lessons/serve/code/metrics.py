"""What the server counts, in the text form that Prometheus reads."""

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, Metric
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BATCH_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128)
TTFT_BUCKETS_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
TPOT_BUCKETS_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1)


class Metrics:
    """All counters of one server; each app has its own registry, so that two apps do not share counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "serve_requests", "Requests, by endpoint and outcome", ["endpoint", "outcome"], registry=self.registry
        )
        self.open_requests = Gauge("serve_open_requests", "Requests not yet answered", registry=self.registry)
        self.tokens = Counter("serve_tokens", "Tokens of finished answers", ["kind"], registry=self.registry)
        self.batch_size = Histogram(
            "serve_batch_size", "Requests in a batch", buckets=BATCH_BUCKETS, registry=self.registry
        )
        self.ttft_seconds = Histogram(
            "serve_ttft_seconds",
            "From a request to its first token",
            buckets=TTFT_BUCKETS_SECONDS,
            registry=self.registry,
        )
        self.tpot_seconds = Histogram(
            "serve_tpot_seconds",
            "Mean time of an answer's tokens after the first",
            buckets=TPOT_BUCKETS_SECONDS,
            registry=self.registry,
        )

    def watch(self, name: str, help: str, read: Callable[[], float]) -> None:
        """A gauge whose value is read when somebody asks."""
        Gauge(name, help, registry=self.registry).set_function(read)

    def watch_count(self, name: str, help: str, read: Callable[[], float]) -> None:
        """A counter that somebody else counts, read when somebody asks."""
        self.registry.register(CountedElsewhere(name, help, read))

    def finished(self, prompt_tokens: int, output_tokens: int, ttft_seconds: float, after_first_seconds: float) -> None:
        """One answer reached its end."""
        self.tokens.labels("prompt").inc(prompt_tokens)
        self.tokens.labels("output").inc(output_tokens)
        self.ttft_seconds.observe(ttft_seconds)
        if output_tokens > 1:  # with one token there is no time between tokens
            self.tpot_seconds.observe(after_first_seconds / (output_tokens - 1))

    def text(self) -> bytes:
        """Everything, for /metrics."""
        return generate_latest(self.registry)


class CountedElsewhere:
    """A collector for one count that another object keeps."""

    def __init__(self, name: str, help: str, read: Callable[[], float]):
        self.name, self.help, self.read = name, help, read

    def describe(self) -> Iterator[Metric]:
        """The counter without its value."""
        yield CounterMetricFamily(self.name, self.help)

    def collect(self) -> Iterator[Metric]:
        """The counter as it stands now."""
        yield CounterMetricFamily(self.name, self.help, value=self.read())


class CountRequests:
    """ASGI layer around the whole app: each request is counted once, when it is over.

    A stream's status is sent long before its end, so the routes may write a better outcome into the
    request's state: "failed" or "gone".
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, endpoints: frozenset[str]):
        self.app, self.metrics, self.endpoints = app, metrics, endpoints

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer, then count."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        status = 500  # unless an answer starts

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        state = scope.setdefault("state", {})
        # Any other path would let a stranger fill the memory with names.
        endpoint = scope["path"] if scope["path"] in self.endpoints else "other"
        try:
            with self.metrics.open_requests.track_inprogress():
                await self.app(scope, receive, noting)
        finally:
            self.metrics.requests.labels(endpoint, state.get("outcome") or outcome(status)).inc()


def outcome(status: int) -> str:
    """The word for an HTTP status."""
    if status == 503:
        return "unavailable"
    if status >= 500:
        return "failed"
    return "refused" if status >= 400 else "ok"
