"""What a healthy server answers, and what it counts meanwhile."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from prometheus_client.parser import text_string_to_metric_families
from server_process import Server, streamed

PROMPT = "Return the number of"


@pytest.fixture(scope="module")
def server(tiny_model, tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("answers"), model=tiny_model, window_seconds=0.2)
    yield server.ready()
    server.close()


@pytest.fixture(scope="module")
def parrot(tiny_model, tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("parrot"), app="parrot:app", model=tiny_model)
    yield server.ready()
    server.close()


def counts(server: Server) -> dict[tuple, float]:
    """Every sample of /metrics by its name and labels, once the last batch is counted, which comes after its answers.

    All requests here are greedy or have a seed, so those that no cache answered are those in batches.
    """

    def settled() -> dict[tuple, float] | None:
        families = text_string_to_metric_families(server.client.get("/metrics").text)
        all_ = {(one.name, *sorted(one.labels.items())): one.value for family in families for one in family.samples}
        return all_ if all_["serve_batch_size_sum",] == all_["serve_cache_misses_total",] else None

    return server.until(settled)


def test_a_whole_answer_has_its_text_and_its_tokens(server):
    answer = server.post("/generate", prompt=PROMPT, max_new_tokens=9)
    assert answer.status_code == 200
    body = answer.json()
    assert set(body) == {"text", "prompt_tokens", "output_tokens", "finish_reason"}
    assert body["text"] and 1 <= body["output_tokens"] <= 9 and body["prompt_tokens"] >= 1
    assert body["finish_reason"] == "stop" or (body["finish_reason"] == "length" and body["output_tokens"] == 9)


def test_a_stream_has_an_event_a_token_then_the_usage_then_the_end(server):
    whole = server.post("/generate", prompt=PROMPT, max_new_tokens=30).json()
    *pieces, usage, done = streamed(server, "/stream", prompt=PROMPT, max_new_tokens=30)
    assert done == "[DONE]"
    assert usage == {
        "usage": {"prompt_tokens": whole["prompt_tokens"], "output_tokens": whole["output_tokens"]},
        "finish_reason": whole["finish_reason"],
    }
    assert "".join(piece["text"] for piece in pieces) == whole["text"]
    assert [piece["tokens"] for piece in pieces if piece["tokens"]] == [1] * whole["output_tokens"]


TEXTS = [
    "naïve café",
    "日本語のテキスト",
    "🙂👩\u200d👩\u200d👧 family",
    "x\u0301 and \u2028 a line\x85 end",
    "\r\ndata: [DONE]\n\n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_no_character_is_cut_where_its_tokens_are(parrot, text):
    whole = parrot.post("/generate", prompt=text).json()
    *pieces, usage, done = streamed(parrot, "/stream", prompt=text)
    assert whole["text"] == "".join(piece["text"] for piece in pieces) == text
    assert usage["usage"]["output_tokens"] == whole["prompt_tokens"] == sum(piece["tokens"] for piece in pieces)
    assert not any("\ufffd" in piece["text"] for piece in pieces) and done == "[DONE]"


def test_the_unicode_test_bites_some_tokens_end_inside_a_character(parrot):
    *pieces, _, _ = streamed(parrot, "/stream", prompt="日本語")
    assert any(piece["tokens"] == 1 and piece["text"] == "" for piece in pieces)


def test_a_stop_text_ends_the_answer_and_is_not_shown(server):
    text = server.post("/generate", prompt=PROMPT, max_new_tokens=60).json()["text"]
    stop = text[len(text) // 2 :][:6]
    answer = server.post("/generate", prompt=PROMPT, max_new_tokens=60, stop=stop).json()
    *pieces, usage, _ = streamed(server, "/stream", prompt=PROMPT, max_new_tokens=60, stop=[stop])
    assert answer["text"] == "".join(piece["text"] for piece in pieces) == text[: text.index(stop)]
    assert answer["finish_reason"] == usage["finish_reason"] == "stop"


def test_an_end_that_only_begins_a_stop_text_is_shown(parrot):
    answer = parrot.post("/generate", prompt="one two thr", stop=["three", "zzz"]).json()
    assert answer["text"] == "one two thr"


def test_the_second_equal_request_comes_from_the_cache_and_another_limit_does_not(server):
    asked = {"prompt": "A question that is asked twice", "max_new_tokens": 11}
    before = counts(server)
    first, second = server.post("/generate", **asked).json(), server.post("/generate", **asked).json()
    longer = server.post("/generate", prompt=asked["prompt"], max_new_tokens=12).json()
    after = counts(server)
    assert first == second
    assert longer["output_tokens"] == 12 or longer["finish_reason"] == "stop"
    assert after["serve_cache_hits_total",] - before["serve_cache_hits_total",] == 1
    assert after["serve_cache_misses_total",] - before["serve_cache_misses_total",] == 2
    assert after["serve_batch_size_count",] - before["serve_batch_size_count",] == 2


def test_a_separator_in_a_prompt_is_not_taken_for_another_parameter(server):
    before = server.metric("serve_cache_hits_total")
    server.post("/generate", prompt="a|5", max_new_tokens=5)
    server.post("/generate", prompt="a", max_new_tokens=5, stop=["5"])
    server.post("/generate", prompt="a|5|greedy", max_new_tokens=5)
    assert server.metric("serve_cache_hits_total") == before


def test_equal_requests_in_flight_are_computed_once(server):
    asked = {"prompt": "A question that many ask at once", "max_new_tokens": 40}
    before = counts(server)
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda _: server.post("/generate", **asked).text, range(8)))
    after = counts(server)
    assert len(set(answers)) == 1

    def more(name: str) -> float:
        return after[name,] - before[name,]

    assert more("serve_cache_misses_total") == 1 and more("serve_batch_size_sum") == 1
    assert more("serve_shared_total") + more("serve_cache_hits_total") == 7
    assert more("serve_shared_total") >= 1


def test_sixteen_requests_at_one_time_run_in_few_batches(server):
    before = counts(server)
    with ThreadPoolExecutor(16) as clients:
        asked = [{"prompt": f"Question {number} of the sixteen", "max_new_tokens": 10} for number in range(16)]
        answers = list(clients.map(lambda one: server.post("/generate", **one), asked))
    after = counts(server)
    assert all(answer.status_code == 200 for answer in answers)
    assert after["serve_batch_size_sum",] - before["serve_batch_size_sum",] == 16
    assert after["serve_batch_size_count",] - before["serve_batch_size_count",] <= 4


def test_metrics_say_what_was_sent(server):
    before = counts(server)
    ours = [server.post("/generate", prompt=f"Metrics {number}", max_new_tokens=6).json() for number in range(3)]
    *_, usage, _ = streamed(server, "/stream", prompt="Metrics of a stream", max_new_tokens=6)
    server.post("/generate", prompt="")
    server.client.get("/no/such/page")
    after = counts(server)

    def more(name: str, **labels: str) -> float:
        key = (name, *sorted(labels.items()))
        return after.get(key, 0) - before.get(key, 0)

    written = sum(one["output_tokens"] for one in ours) + usage["usage"]["output_tokens"]
    read = sum(one["prompt_tokens"] for one in ours) + usage["usage"]["prompt_tokens"]
    assert more("serve_requests_total", endpoint="/generate", outcome="ok") == 3
    assert more("serve_requests_total", endpoint="/generate", outcome="refused") == 1
    assert more("serve_requests_total", endpoint="/stream", outcome="ok") == 1
    assert more("serve_requests_total", endpoint="other", outcome="refused") == 1
    assert more("serve_tokens_total", kind="output") == written
    assert more("serve_tokens_total", kind="prompt") == read
    assert more("serve_ttft_seconds_count") == 4 and more("serve_tpot_seconds_count") == 4
    assert 0 < more("serve_tpot_seconds_sum") < more("serve_ttft_seconds_sum") < 60
    assert after["serve_queue_length",] == 0
    assert after["serve_open_requests",] == 1, "the one that asks"


def test_health_names_the_model(server, tiny_model):
    assert server.client.get("/health").json() == {"status": "ok", "model": str(tiny_model)}
