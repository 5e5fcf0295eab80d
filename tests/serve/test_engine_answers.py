"""Answers: what is kept, what is shared, and who may go away."""

import asyncio
import itertools
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from engine import Gate, alone, batcher, in_loop, never_ending, read, rows_of_steps, stumbling, until

from answers import Answers
from batcher import QueueFull
from cache import LRU, cache_key
from jobs import Job, PromptTooLong, Sampling


def job(new_tokens: int = 12, first: int = 50, **named) -> Job:
    return Job((first, 60, 70), new_tokens, **named)


@asynccontextmanager
async def answers(model, **settings):
    async with batcher(model, **settings) as one:
        yield Answers(one, one.settings)


def counts(one: Answers) -> tuple[int, int, int]:
    return one.hits, one.misses, one.shared


@in_loop
async def test_known_answer_costs_no_step(model):
    """Rule: an equal greedy request gets the kept answer, with its tokens and its reason to end."""
    never = never_ending(model)
    async with answers(never) as one:
        first, again = job(), job()
        tokens = await read(one.tokens(first))
        with rows_of_steps(model) as rows:
            assert await read(one.tokens(again)) == tokens
    assert rows == []
    assert again.tokens == tokens == alone(never, job()).tokens
    assert again.finish == first.finish == "length"
    assert counts(one) == (1, 1, 0)


@in_loop
async def test_equal_requests_in_flight_compute_once(model):
    """Rule: equal requests share one job, and one that comes later gets what is there and then goes along."""
    gate = Gate(never_ending(model), tokens=5)
    async with answers(gate.model, window_seconds=0) as one:
        first = one.tokens(job())
        begun = [await anext(first) for _ in range(5)]
        late = one.tokens(job())
        assert [await anext(late) for _ in range(5)] == begun
        gate.open()
        rest, more = await asyncio.gather(read(first), read(late))
    assert rest == more and len(rest) == 7
    assert late.job.tokens == first.job.tokens == begun + rest
    assert late.job.finish == "length"
    assert one.batcher.sizes == [1] and counts(one) == (0, 1, 1)


@in_loop
async def test_leader_may_leave(model):
    """Rule: when the one that began goes away, the job goes on for those who joined."""
    never = never_ending(model)
    gate = Gate(never, tokens=3)
    async with answers(gate.model, window_seconds=0) as one:
        leader, follower = one.tokens(job()), one.tokens(job())
        await anext(leader)
        await leader.aclose()
        gate.open()
        assert await read(follower) == alone(never, job()).tokens
    assert follower.job.finish == "length" and leader.job.cancelled
    assert one.batcher.sizes == [1]


@in_loop
async def test_job_ends_when_all_have_left(model):
    """Rule: when the last reader goes away the job is cancelled, nothing is kept, and an equal one starts anew."""
    never = never_ending(model)
    gate = Gate(never, tokens=3)
    async with answers(gate.model, window_seconds=0) as one:
        with rows_of_steps(model) as rows:
            both = [one.tokens(job(300)), one.tokens(job(300))]
            for _ in range(3):
                await anext(both[0])
            for stream in both:
                await stream.aclose()
            gate.open()
            await until(lambda: one.batcher.sizes)
        assert len(rows) == 3
        anew = job(300)
        assert len(await read(one.tokens(anew))) == 300
    assert counts(one) == (0, 2, 1)


@in_loop
async def test_all_leave_the_queue(model):
    """Rule: a shared job that still waits leaves the queue with its last reader."""
    gate = Gate(model)
    async with answers(gate.model, window_seconds=0) as one:
        running = one.tokens(job())
        await until(lambda: one.batcher.queue_length == 0)
        waiting = [one.tokens(job(first=90)) for _ in range(2)]
        assert one.batcher.queue_length == 1
        await waiting[0].aclose()
        assert one.batcher.queue_length == 1
        await waiting[1].aclose()
        assert one.batcher.queue_length == 0
        gate.open()
        await read(running)


@in_loop
async def test_only_repeatable_answers_are_kept(model):
    """Rule: answers by chance are kept and shared only if they have a seed."""
    async with answers(never_ending(model)) as one:
        by_chance = [job(sampling=Sampling(temperature=1.5)) for _ in range(2)]
        seeded = [job(sampling=Sampling(temperature=1.5, seed=4)) for _ in range(2)]
        streams = [one.tokens(each) for each in (*by_chance, *seeded)]
        await asyncio.gather(*map(read, streams))
    assert by_chance[0].tokens != by_chance[1].tokens
    assert seeded[0].tokens == seeded[1].tokens
    assert counts(one) == (0, 1, 1) and one.batcher.sizes == [3]


@in_loop
async def test_failed_answer_is_not_kept(model):
    """Rule: an error reaches every reader, is not kept, and the next equal request is computed."""
    never, fails = never_ending(model), [True, False]  # batch by batch
    broken = never_ending(model)
    broken.run = lambda jobs, wrote: stumbling(never, jobs[0], 4 if fails.pop(0) else 100).run(jobs, wrote)
    async with answers(broken, window_seconds=0) as one:
        both = await asyncio.gather(*(read(one.tokens(job())) for _ in range(2)), return_exceptions=True)
        assert [str(error) for error in both] == ["stumbled"] * 2
        assert await read(one.tokens(job())) == alone(never, job()).tokens
    assert counts(one) == (0, 2, 1)


@in_loop
async def test_cache_off_computes_each(model):
    """Rule: with cache_entries 0 nothing is kept and nothing is shared."""
    async with answers(model, cache_entries=0) as one:
        await asyncio.gather(*(read(one.tokens(job(3))) for _ in range(2)))
        await read(one.tokens(job(3)))
    assert one.batcher.sizes == [2, 1] and counts(one) == (0, 0, 0)


@in_loop
async def test_refusals_come_before_anything_is_shared(model):
    """Rule: a refused request leaves nothing behind that a later one would wait for."""
    gate = Gate(model)
    async with answers(gate.model, window_seconds=0, max_queue=1) as one:
        with pytest.raises(PromptTooLong):
            one.tokens(job(5000))
        streams = [one.tokens(job())]
        await until(lambda: one.batcher.queue_length == 0)
        streams.append(one.tokens(job(first=90)))
        with pytest.raises(QueueFull):
            one.tokens(job(first=91))
        streams.append(one.tokens(job(first=90)))  # needs no place: it shares one
        gate.open()
        await asyncio.gather(*map(read, streams))
        assert await read(one.tokens(job(first=91)))
    assert counts(one) == (0, 3, 1)


def test_key_holds_all_that_changes_the_answer():
    """Rule: two requests that differ in anything that changes the answer have different keys."""
    sampled = Sampling(temperature=1.0, seed=1)
    jobs = [
        Job((1, 2), 5),
        Job((1, 3), 5),
        Job((1, 2), 6),
        Job((1, 2), 5, stop=("a",)),
        Job((1, 2), 5, stop=("a", "b")),
        *(
            Job((1, 2), 5, each)
            for each in (
                sampled,
                replace(sampled, temperature=0.5),
                replace(sampled, top_p=0.5),
                replace(sampled, seed=2),
            )
        ),
    ]
    keys = [cache_key(model, each) for model in ("model a", "model b") for each in jobs]
    assert len(set(keys)) == len(keys) == 18


def test_key_leaves_out_what_changes_nothing():
    """Rule: the seed of a greedy request and the order of stop texts make no other key."""
    assert cache_key("m", Job((1,), 5, Sampling(seed=1))) == cache_key("m", Job((1,), 5, Sampling(seed=2)))
    assert cache_key("m", Job((1,), 5, stop=("a", "b"))) == cache_key("m", Job((1,), 5, stop=("b", "a", "a")))


def test_keys_are_safe_against_separators(model):
    """Rule: no prompt or stop text can pass for another request, whatever signs are in it."""
    prompts = ["x|128|greedy", "x", "x|128", "x|", "|x", "\x00", "\x00\x00"]
    stops = [("a", "b"), ("a|b",), ("ab",), ("a", "b|"), ("a\x00b",), ("a,b",), ("a', 'b",)]
    keys = {
        cache_key("m", Job(tuple(model.encode(prompt)), 128, stop=stop))
        for prompt, stop in itertools.product(prompts, stops)
    }
    assert len(keys) == 49


def test_lru_forgets_what_was_unused_for_longest():
    """Rule: a full cache drops the entry whose last use is longest ago; reading is a use."""
    lru = LRU(2)
    lru.put(b"a", 1)
    lru.put(b"b", 2)
    assert lru.get(b"a") == 1
    lru.put(b"c", 3)
    assert (lru.get(b"a"), lru.get(b"b"), lru.get(b"c"), len(lru)) == (1, None, 3, 2)
    lru.put(b"a", 4)
    lru.put(b"d", 5)
    assert (lru.get(b"a"), lru.get(b"c"), lru.get(b"d")) == (4, None, 5)


def test_lru_of_no_entries_keeps_nothing():
    """Rule: a capacity of 0 keeps nothing."""
    lru = LRU(0)
    lru.put(b"a", 1)
    assert lru.get(b"a") is None and len(lru) == 0
