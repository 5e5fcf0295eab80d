"""The `openai` package of Python, as its users call it."""

import openai
import pytest
from server_process import Server

MESSAGES = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "What is a dictionary?"}]


@pytest.fixture(scope="module")
def server(tiny_model, tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("openai"), model=tiny_model)
    try:
        yield server.ready()
        assert server.stop() == 0, "with nothing to do, a server ends at once, though a client stays connected"
    finally:
        server.close()


@pytest.fixture(scope="module")
def client(server):
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0) as client:
        yield client


@pytest.fixture(scope="module")
def name(client):
    return client.models.list().data[0].id


def test_the_model_that_is_served_is_listed_and_found_by_its_name(client, name, tiny_model):
    assert name == str(tiny_model)
    assert client.models.retrieve(name).object == "model"


def test_a_completion_says_the_same_as_generate(client, name, server):
    ours = server.post("/generate", prompt="Return the", max_new_tokens=20).json()
    answer = client.completions.create(model=name, prompt="Return the", max_tokens=20, temperature=0)
    assert answer.object == "text_completion" and answer.model == name
    assert answer.choices[0].text == ours["text"] and answer.choices[0].finish_reason == ours["finish_reason"]
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (
        ours["prompt_tokens"],
        ours["output_tokens"],
    )
    assert answer.usage.total_tokens == ours["prompt_tokens"] + ours["output_tokens"]


def test_a_completion_has_sixteen_tokens_unless_more_are_asked_for(client, name):
    answer = client.completions.create(model=name, prompt="Return the", temperature=0)
    assert answer.usage.completion_tokens <= 16


def test_a_streamed_completion_joins_to_the_whole_one_and_counts_its_tokens_at_the_end(client, name):
    asked = {"model": name, "prompt": "Return the", "max_tokens": 20, "temperature": 0}
    whole = client.completions.create(**asked)
    chunks = list(client.completions.create(**asked, stream=True, stream_options={"include_usage": True}))
    assert "".join(chunk.choices[0].text for chunk in chunks[:-1]) == whole.choices[0].text
    assert [chunk.choices[0].finish_reason for chunk in chunks[:-1]] == [None] * (len(chunks) - 2) + [
        whole.choices[0].finish_reason
    ]
    assert chunks[-1].choices == [] and chunks[-1].usage == whole.usage
    assert len({chunk.id for chunk in chunks}) == 1


def test_a_chat_is_rendered_with_the_models_template(client, name, server):
    answer = client.chat.completions.create(model=name, messages=MESSAGES, max_tokens=12, temperature=0)
    assert answer.object == "chat.completion" and answer.choices[0].message.role == "assistant"
    rendered = "".join(f"<|im_start|>{one['role']}\n{one['content']}<|im_end|>\n" for one in MESSAGES)
    ours = server.post("/generate", prompt=rendered + "<|im_start|>assistant\n", max_new_tokens=12).json()
    assert answer.choices[0].message.content == ours["text"]
    assert answer.usage.prompt_tokens == ours["prompt_tokens"]


def test_content_in_parts_is_the_same_chat(client, name):
    parts = [{"role": "user", "content": [{"type": "text", "text": "What is "}, {"type": "text", "text": "a list?"}]}]
    whole = [{"role": "user", "content": "What is a list?"}]
    asked = {"model": name, "max_completion_tokens": 12, "temperature": 0}
    one, other = (client.chat.completions.create(messages=messages, **asked) for messages in (parts, whole))
    assert one.choices == other.choices and one.usage == other.usage


def test_a_streamed_chat_begins_with_the_role_and_joins_to_the_whole_one(client, name):
    asked = {"model": name, "messages": MESSAGES, "max_tokens": 20, "temperature": 0}
    whole = client.chat.completions.create(**asked)
    chunks = list(client.chat.completions.create(**asked, stream=True))
    assert chunks[0].object == "chat.completion.chunk" and chunks[0].choices[0].delta.role == "assistant"
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == whole.choices[0].message.content
    assert chunks[-1].choices[0].finish_reason == whole.choices[0].finish_reason
    assert all(chunk.usage is None for chunk in chunks), "usage is told only to those who ask for it"


def test_a_chat_without_a_limit_ends_by_itself_or_at_the_servers_limit(client, name):
    answer = client.chat.completions.create(model=name, messages=MESSAGES, temperature=0)
    assert answer.choices[0].finish_reason in ("stop", "length")
    assert 1 <= answer.usage.completion_tokens <= 1024


def test_a_seed_makes_a_random_answer_repeatable(client, name):
    asked = {"model": name, "prompt": "Return the", "max_tokens": 24, "temperature": 1.5}
    first, second, other = (client.completions.create(**asked, seed=seed).choices[0].text for seed in (7, 7, 8))
    assert first == second != other


def test_another_model_is_not_found_and_the_served_one_is_named(client, name):
    with pytest.raises(openai.NotFoundError) as refused:
        client.completions.create(model="gpt-4", prompt="x")
    assert refused.value.code == "model_not_found" and refused.value.param == "model"
    assert "gpt-4" in refused.value.message and name in refused.value.message


@pytest.mark.parametrize(
    "asked",
    [
        {"n": 2},
        {"logprobs": 0},
        {"best_of": 3},
        {"echo": True},
        {"suffix": "end"},
        {"frequency_penalty": 0.5},
        {"presence_penalty": -1},
        {"logit_bias": {"5": 100}},
        {"extra_body": {"top_k": 5}},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_what_would_change_a_completion_is_refused_by_name(client, name, asked):
    with pytest.raises(openai.BadRequestError) as refused:
        client.completions.create(model=name, prompt="x", **asked)
    param = next(iter(asked.get("extra_body", asked)))
    assert refused.value.param == param and refused.value.message and param in str(refused.value)


@pytest.mark.parametrize(
    "asked",
    [
        {"n": 2},
        {"logprobs": True},
        {"tools": [{"type": "function", "function": {"name": "f"}}]},
        {"response_format": {"type": "json_object"}},
        {"presence_penalty": 0.1},
        {"reasoning_effort": "low"},
        {"modalities": ["audio"]},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_what_would_change_a_chat_is_refused_by_name(client, name, asked):
    with pytest.raises(openai.BadRequestError) as refused:
        client.chat.completions.create(model=name, messages=MESSAGES, **asked)
    assert refused.value.param == next(iter(asked))


def test_what_changes_nothing_is_let_in(client, name):
    client.completions.create(
        model=name, prompt="x", max_tokens=1, n=1, best_of=1, echo=False, frequency_penalty=0, logit_bias={}, user="me"
    )
    client.chat.completions.create(
        model=name, messages=MESSAGES, max_tokens=1, logprobs=False, response_format={"type": "text"}, tools=[]
    )
