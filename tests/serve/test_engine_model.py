"""The model's batches: equal to single runs, and no longer than needed."""

import random

import pytest
import torch
from engine import alone, never_ending, random_jobs, rows_of_steps

from jobs import Job, Sampling
from rows import Rows
from sampling import draw

TIE = 1e-4  # two logits this near may change places when rows are computed together


def mixed_jobs(model, tiny_model) -> list[Job]:
    """100 greedy jobs of mixed length: random tokens, and pieces of the held-out text."""
    dice = random.Random(11)
    text = model.encode((tiny_model / "held_out.txt").read_text()[:30000])
    starts = [dice.randrange(len(text) - 200) for _ in range(50)]
    return random_jobs(50, seed=12, most_prompt_tokens=200, most_new_tokens=32) + [
        Job(tuple(text[start : start + dice.randint(1, 200)]), dice.randint(1, 32)) for start in starts
    ]


def gap_of_top_two(model, ids: list[int]) -> float:
    with torch.inference_mode():
        best = model.network(torch.tensor([ids])).logits[0, -1].topk(2).values
    return float(best[0] - best[1])


def test_batched_greedy_equals_single_greedy(model, tiny_model, capsys):
    """Rule: 100 prompts in batches of 1 to 16 give the tokens they give alone, but for ties within 1e-4."""
    jobs = mixed_jobs(model, tiny_model)
    dice = random.Random(13)
    dice.shuffle(jobs)
    left, sizes, ties = list(jobs), [], 0
    while left:
        batch = [left.pop() for _ in range(min(len(left), dice.randint(1, 16)))]
        sizes.append(len(batch))
        model.run(batch, lambda job, token: None)
    for job in jobs:
        single = alone(model, job)
        if job.tokens != single.tokens:
            same = next(i for i, pair in enumerate(zip(job.tokens, single.tokens, strict=False)) if pair[0] != pair[1])
            assert gap_of_top_two(model, [*job.prompt_ids, *single.tokens[:same]]) <= TIE
            ties += 1
        else:
            assert job.finish == single.finish
    with capsys.disabled():
        print(f"\n100 prompts, batches of {sizes}: {100 - ties} equal, {ties} part at a tie")
    assert ties <= 5


def test_single_greedy_equals_generate(model):
    """Rule: our decode loop writes what the library's own writes."""
    for job in random_jobs(5, seed=14):
        single = alone(model, job)
        prompt = torch.tensor([job.prompt_ids])
        out = model.network.generate(
            prompt, attention_mask=torch.ones_like(prompt), do_sample=False, max_new_tokens=job.max_new_tokens
        )
        assert out[0, len(job.prompt_ids) :].tolist() == single.tokens


def test_prompts_are_filled_up_on_the_left(model):
    """Rule: the mask hides the filling, positions count from the first real token, last tokens share a column."""
    step = Rows(model, [Job((40, 50, 60), 2), Job((70,), 2, tokens=[80])]).step()
    assert step["input_ids"][:, -1].tolist() == [60, 80]
    assert step["attention_mask"].tolist() == [[1, 1, 1], [0, 1, 1]]
    assert step["position_ids"].tolist() == [[0, 1, 2], [0, 0, 1]]


def test_each_row_leaves_when_it_is_finished(model):
    """Rule: a job stops at its own length, and later steps are without its row."""
    jobs = [Job((40, 50), 2), Job((60,), 5), Job((70, 80, 90), 9)]
    with rows_of_steps(model) as rows:
        never_ending(model).run(jobs, lambda job, token: None)
    assert rows == [3, 3, 2, 2, 2, 1, 1, 1, 1]
    assert [len(job.tokens) for job in jobs] == [2, 5, 9]
    assert {job.finish for job in jobs} == {"length"}


def test_chat_ends_at_an_end_token(model):
    """Rule: the model's end tokens end an answer; the one that did is its last token and no text."""
    job = Job(tuple(model.encode_chat([{"role": "user", "content": "Hello!"}])), 200)
    model.run([job], lambda job, token: None)
    assert job.finish == "stop" and job.tokens[-1] in model.end_tokens
    assert not model.end_tokens & set(job.tokens[:-1])
    stream = model.text_stream()
    text = "".join(map(stream.push, job.tokens)) + stream.rest()
    assert text and "<|" not in text


def test_every_end_token_counts(model):
    """Rule: a model may have several end tokens, those of its generation settings and of its tokenizer."""
    names = ["<|endoftext|>", "<|im_end|>"]
    assert model.end_tokens == set(model.tokenizer.convert_tokens_to_ids(names))


def test_stop_text_ends_a_job(model):
    """Rule: a stop text ends the job with the token that completes it, also where it spans several tokens."""
    never = never_ending(model)
    whole = alone(never, Job((50, 60, 70), 40))
    stream = model.text_stream()
    texts = []
    for token in whole.tokens:
        texts.append((texts[-1] if texts else "") + stream.push(token))
    spanning = texts[11][len(texts[8]) - 1 : len(texts[11])]  # from within the ninth token to the end of the twelfth
    first = next(i for i, text in enumerate(texts) if spanning in text)
    job = Job(whole.prompt_ids, 40, stop=("never written \x00", spanning))
    never.run([job], lambda job, token: None)
    assert job.finish == "stop" and job.tokens == whole.tokens[: first + 1]
    assert len(spanning) > 2


def test_cancelled_job_is_not_begun(model):
    """Rule: a job that is cancelled before its batch starts costs no step."""
    job = Job((40,), 5, cancelled=True)
    with rows_of_steps(model) as rows:
        model.run([job], lambda job, token: None)
    assert rows == [] and job.tokens == []


def test_seeded_sampling_is_the_same_in_a_batch(model):
    """Rule: a job's dice are its own: the same seed gives the same tokens alone and among others."""
    never = never_ending(model)
    jobs = [Job((50, 60, 70), 20, Sampling(temperature=0.9, top_p=0.95, seed=seed)) for seed in (1, 2, 3)]
    others = random_jobs(3, seed=15, sampling=Sampling(temperature=1.0))
    never.run([*jobs, *others], lambda job, token: None)
    assert [job.tokens for job in jobs] == [alone(never, job).tokens for job in jobs]
    assert len({tuple(job.tokens) for job in jobs}) == 3, "other seeds give other tokens"


def test_draw_follows_the_probabilities():
    """Rule: over all chances each token comes as often as its probability says."""
    chances = [(i + 0.5) / 1000 for i in range(1000)]
    logits = torch.tensor([0.1, 0.6, 0.3]).log()
    drawn = [draw(logits, Sampling(temperature=1.0), chance) for chance in chances]
    assert [drawn.count(token) for token in range(3)] == [100, 600, 300]
    squared = [draw(logits, Sampling(temperature=0.5), chance) for chance in chances]  # 1 : 36 : 9
    assert [squared.count(token) for token in range(3)] == pytest.approx([1000 / 46, 36000 / 46, 9000 / 46], abs=1)


def test_top_p_leaves_out_unlikely_tokens():
    """Rule: only the likeliest tokens that together reach top_p are drawn, at least one, in their proportions."""
    chances = [(i + 0.5) / 900 for i in range(900)]
    logits = torch.tensor([0.1, 0.6, 0.3]).log()
    drawn = [draw(logits, Sampling(temperature=1.0, top_p=0.7), chance) for chance in chances]
    assert [drawn.count(token) for token in range(3)] == [0, 600, 300]
    assert {draw(logits, Sampling(temperature=1.0, top_p=0.01), chance) for chance in chances} == {1}


def test_logits_that_are_not_numbers_fail(model):
    """Rule: where the model computes no numbers the job fails, instead of writing the token that happens to come."""
    hook = model.network.lm_head.register_forward_hook(lambda module, arguments, output: output * float("nan"))
    try:
        with pytest.raises(ArithmeticError, match="not numbers"):
            alone(model, Job((5,), 2))
    finally:
        hook.remove()


def test_token_out_of_the_vocabulary_is_refused(model):
    """Rule: tokens that the model does not know are refused with the range, before they reach a GPU."""
    with pytest.raises(ValueError, match=r"from 5 to 5000: allowed are 0 to 999"):
        model.check(Job((5, 5000), 1))


def test_chat_without_a_template_is_plain_text(model):
    """Rule: a model that was taught no chat form gets the roles as plain lines."""
    template, model.tokenizer.chat_template = model.tokenizer.chat_template, None
    try:
        ids = model.encode_chat([{"role": "user", "content": "Hello!"}])
    finally:
        model.tokenizer.chat_template = template
    assert model.tokenizer.decode(ids) == "user: Hello!\nassistant:"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (lambda: Sampling(temperature=-1), "temperature is -1"),
        (lambda: Sampling(temperature=float("nan")), "temperature is nan"),
        (lambda: Sampling(top_p=0), "top_p is 0"),
        (lambda: Sampling(top_p=1.5), "top_p is 1.5"),
        (lambda: Job((), 5), "prompt has no tokens"),
        (lambda: Job((1,), 0), "max_new_tokens is 0"),
        (lambda: Job((1,), 1, stop=("",)), "stop holds an empty text"),
    ],
)
def test_bad_jobs_are_refused_by_name(bad, message):
    """Rule: a value that is not allowed is refused with its name and value."""
    with pytest.raises(ValueError, match=message):
        bad()
