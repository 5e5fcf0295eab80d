"""What a server refuses, in which words, and that a refusal harms nobody else."""

import re

import httpx
import pytest
from server_process import Server

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def server(tiny_model, tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("refusals"), model=tiny_model, max_new_tokens=300)
    yield server.ready()
    assert server.post("/generate", prompt="Still there?", max_new_tokens=2).status_code == 200
    assert "Traceback" not in server.log
    server.close()


def error_of(answer: httpx.Response) -> dict:
    """The error of an answer, in the one shape that every refusal has."""
    assert set(answer.json()) == {"error"} and set(answer.json()["error"]) == {"message", "type", "param", "code"}
    return answer.json()["error"]


@pytest.mark.parametrize("path", ["/generate", "/stream"])
@pytest.mark.parametrize(
    ("body", "param", "said"),
    [
        ({}, "prompt", ["missing"]),
        ({"prompt": ""}, "prompt", ['""', "at least 1"]),
        ({"prompt": 5}, "prompt", ["5", "string"]),
        ({"prompt": None}, "prompt", ["null", "string"]),
        ({"prompt": "x", "max_new_tokens": "5"}, "max_new_tokens", ['"5"', "integer"]),
        ({"prompt": "x", "max_new_tokens": True}, "max_new_tokens", ["true", "integer"]),
        ({"prompt": "x", "max_new_tokens": 0}, "max_new_tokens", ["0", "1"]),
        ({"prompt": "x", "max_new_tokens": 301}, "max_new_tokens", ["301", "1 to 300"]),
        ({"prompt": "x", "temperature": -1}, "temperature", ["-1", "0"]),
        ({"prompt": "x", "top_p": 0}, "top_p", ["0", "greater than 0"]),
        ({"prompt": "x", "stop": ["a"] * 5}, "stop", ["at most 4"]),
        ({"prompt": "x", "max_tokens": 5}, "max_tokens", ["5", "not a parameter"]),
    ],
)
def test_a_wrong_field_is_named_with_its_value_and_what_is_allowed(server, path, body, param, said):
    answer = server.post(path, **body)
    error = error_of(answer)
    assert answer.status_code == 400 and error["type"] == "invalid_request_error" and error["param"] == param
    assert all(word in error["message"] for word in [param, *said]), error["message"]


NO_OBJECTS = {
    "cut": b'{"prompt": "x"',
    "empty": b"",
    "not UTF-8": b"\xff\xfe\x00",
    "list": b"[1, 2]",
    "text": b'"x"',
    "deep": b"[" * 100_000,
    "long number": b'{"prompt": "x", "seed": %s}' % (b"9" * 5000),
}


@pytest.mark.parametrize("raw", NO_OBJECTS.values(), ids=NO_OBJECTS)
def test_what_is_not_a_json_object_is_refused(server, raw):
    for path in ("/generate", "/stream", "/v1/completions", "/v1/chat/completions"):
        answer = server.client.post(path, content=raw, headers=JSON)
        assert answer.status_code == 400 and error_of(answer)["message"]


def test_a_form_is_told_which_content_type_is_read(server):
    answer = server.client.post("/generate", data={"prompt": "x"})
    assert answer.status_code == 400 and "Content-Type: application/json" in error_of(answer)["message"]


@pytest.mark.parametrize("value", [rb'"\ud800"', b"NaN", b"1e999"])
def test_what_json_lets_pass_and_no_model_can_read_is_refused(server, value):
    field = b"prompt" if value.startswith(b'"') else b"temperature"
    raw = b'{"prompt": "x", "%s": %s}' % (field, value)
    answer = server.client.post("/generate", content=raw, headers=JSON)
    assert answer.status_code == 400 and error_of(answer)["param"] == field.decode()


@pytest.mark.parametrize("path", ["/generate", "/stream", "/v1/completions"])
def test_a_prompt_that_leaves_no_room_is_refused_with_the_three_numbers(server, path):
    limit = {"model": server.client.get("/health").json()["model"], "max_tokens": 100}
    limit = limit if path.startswith("/v1") else {"max_new_tokens": 100}
    short = server.post("/generate", prompt="word " * 40, max_new_tokens=1).json()["prompt_tokens"]
    answer = server.post(path, prompt="word " * 4000, **limit)
    error = error_of(answer)
    assert answer.status_code == 400 and error["code"] == "context_length_exceeded" and error["param"] == "prompt"
    prompt_tokens, wanted, together, context = map(int, re.findall(r"\d+", error["message"]))
    assert prompt_tokens > 50 * short and wanted == 100 and together == prompt_tokens + 100 and context == 2048


def test_a_prompt_fits_to_the_last_token_and_not_one_more(server):
    one, two = (
        server.post("/generate", prompt="word" + " word" * more, max_new_tokens=1).json()["prompt_tokens"]
        for more in (100, 101)
    )
    room = (2048 - 1 - one) // (two - one)  # more words that leave room for one token
    words = "word" + " word" * (100 + room)
    left = 2048 - (one + room * (two - one))
    assert server.post("/generate", prompt=words, max_new_tokens=left).status_code == 200
    assert server.post("/generate", prompt=words, max_new_tokens=left + 1).status_code == 400


@pytest.mark.parametrize("said", [True, False], ids=["length said", "chunked"])
@pytest.mark.parametrize("path", ["/generate", "/v1/chat/completions"])
def test_a_body_above_a_million_bytes_is_refused(server, path, said):
    raw = b'{"prompt": "%s"}' % (b"x" * 3_000_000)
    content = raw if said else (raw[at : at + 65536] for at in range(0, len(raw), 65536))
    answer = server.client.post(path, content=content, headers=JSON)
    assert answer.status_code == 413 and "1000000 bytes" in error_of(answer)["message"]


def test_a_body_of_a_million_bytes_is_read_and_others_do_not_wait_for_it(server):
    raw = b'{"prompt": "%s"}' % (b"word " * 199_990)
    answer = server.client.post("/generate", content=raw, headers=JSON)
    assert answer.status_code == 400 and error_of(answer)["code"] == "context_length_exceeded"


def test_other_paths_and_methods_have_the_same_shape(server):
    for answer, status in [(server.client.get("/nothing"), 404), (server.client.get("/generate"), 405)]:
        assert answer.status_code == status and error_of(answer)["message"]


def test_the_shape_of_a_message_is_checked_to_its_depth(server):
    model = server.client.get("/health").json()["model"]
    for messages, param in [
        ([], "messages"),
        ([{"role": "tool", "content": "x"}], "messages[0].role"),
        ([{"role": "user", "content": "x"}, {"role": "user", "content": 7}], "messages[1].content"),
        ([{"role": "user", "content": [{"type": "image_url"}]}], "messages[0].content[0].type"),
    ]:
        answer = server.post("/v1/chat/completions", model=model, messages=messages)
        assert answer.status_code == 400 and error_of(answer)["param"] == param, answer.text
