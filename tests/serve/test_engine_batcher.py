"""The batcher, with the real model behind it."""

import asyncio

import pytest
from engine import Gate, alone, batcher, in_loop, never_ending, random_jobs, read, rows_of_steps, stumbling, until

from batcher import QueueFull, Stopping
from jobs import Job, PromptTooLong


def long_job(new_tokens: int = 300, first: int = 50) -> Job:
    return Job((first, 60, 70), new_tokens)


@in_loop
async def test_tokens_come_while_the_batch_runs(model):
    """Rule: each token is handed on when it is chosen, and the loop goes on while the model works."""
    gate = Gate(never_ending(model), tokens=3)
    async with batcher(gate.model, window_seconds=0) as one:
        stream = one.tokens(long_job(8))
        first = [await anext(stream) for _ in range(3)]
        gate.open()  # by the loop itself, which therefore does not wait for the model
        assert first + await read(stream) == alone(never_ending(model), stream.job).tokens
        assert stream.job.finish == "length"


def test_jobs_belong_to_no_loop(model):
    """Rule: a job may be made where no loop runs, and a second loop serves as well as the first."""
    jobs = [long_job(3), long_job(4)]

    async def serve(job: Job) -> list[int]:
        async with batcher(never_ending(model), window_seconds=0) as one:
            return await read(one.tokens(job))

    assert [len(asyncio.run(serve(job))) for job in jobs] == [3, 4]


@in_loop
async def test_next_batch_gathers_while_one_runs(model):
    """Rule: what arrives during a batch runs together in the next one."""
    gate = Gate(model)
    async with batcher(gate.model, window_seconds=0) as one:
        streams = [one.tokens(long_job(2))]
        await until(lambda: one.queue_length == 0)
        streams += [one.tokens(job) for job in random_jobs(5, seed=1)]
        assert one.queue_length == 5
        gate.open()
        await asyncio.gather(*map(read, streams))
    assert one.sizes == [1, 5]


@in_loop
async def test_batch_waits_for_its_window(model):
    """Rule: a batch that is not full waits until its first job has waited for the window."""
    async with batcher(model, window_seconds=1) as one:
        first = one.tokens(long_job(2))
        await asyncio.sleep(0.05)
        await asyncio.gather(read(first), read(one.tokens(long_job(2))))
    assert one.sizes == [2]


@in_loop
async def test_full_batch_waits_for_nobody(model):
    """Rule: a full batch starts at once, and never holds more than max_batch jobs."""
    async with batcher(model, window_seconds=10, max_batch=2) as one:
        streams = [one.tokens(job) for job in random_jobs(4, seed=2)]
        await asyncio.wait_for(asyncio.gather(*map(read, streams)), 8)
    assert one.sizes == [2, 2]


@in_loop
async def test_window_counts_from_arrival(model):
    """Rule: a job that has waited longer than the window already waits no more."""
    async with batcher(model, window_seconds=10) as one:
        stream = one.tokens(long_job(2))
        stream.arrived -= 10  # as if it had waited behind another batch
        await asyncio.wait_for(read(stream), 8)


@in_loop
async def test_each_job_gets_its_own_answer(model):
    """Rule: every job in a batch gets what it gets alone, and ends at its own length."""
    jobs = random_jobs(40, seed=3)
    async with batcher(model) as one:
        answers = await asyncio.gather(*(read(one.tokens(job)) for job in jobs))
    singles = [alone(model, job) for job in jobs]
    assert [job.finish for job in jobs] == [job.finish for job in singles]
    assert answers == [job.tokens for job in singles]
    assert max(one.sizes) == 16


@in_loop
async def test_row_that_ends_is_answered_at_once(model):
    """Rule: a short job in a batch with a long one has its whole answer while the long one runs."""
    gate = Gate(never_ending(model), tokens=20)  # the short one has written 2, the long one 18
    async with batcher(gate.model) as one:
        short, long = one.tokens(long_job(2)), one.tokens(long_job(100))
        assert len(await read(short)) == 2
        assert long.job.finish is None
        gate.open()
        assert len(await read(long)) == 100


@in_loop
async def test_closed_stream_leaves_the_queue(model):
    """Rule: a waiting job whose client goes away frees its place and never runs."""
    gate = Gate(model)
    async with batcher(gate.model, window_seconds=0, max_queue=1) as one:
        running = one.tokens(long_job(2))
        await until(lambda: one.queue_length == 0)
        gone = one.tokens(long_job(2))
        await gone.aclose()
        assert one.queue_length == 0
        there = one.tokens(long_job(2))
        gate.open()
        await asyncio.gather(read(running), read(there))
    assert gone.job.tokens == [] and one.sizes == [1, 1]


@in_loop
async def test_closed_stream_leaves_the_batch(model):
    """Rule: a running job whose client goes away leaves the batch before the next step; the other is not harmed."""
    gate = Gate(never_ending(model), tokens=6)
    with rows_of_steps(model) as rows:
        async with batcher(gate.model) as one:
            gone, stays = one.tokens(long_job(300)), one.tokens(long_job(9, first=90))
            for _ in range(3):
                await anext(gone)
            await gone.aclose()
            gate.open()
            tokens = await read(stays)
    assert rows == [2] * 3 + [1] * 6
    assert len(gone.job.tokens) == 3 and gone.job.finish is None
    assert tokens == alone(never_ending(model), stays.job).tokens


@pytest.mark.parametrize("good_tokens", [0, 4])
@in_loop
async def test_bad_job_fails_alone(model, good_tokens):
    """Rule: when a batch fails each job goes on alone from where it stands, so only the bad one fails."""
    jobs = [long_job(12, first) for first in (50, 90, 130)]
    never = never_ending(model)
    async with batcher(stumbling(never, jobs[1], good_tokens)) as one:
        streams = [one.tokens(job) for job in jobs]
        first, bad, third = await asyncio.gather(*map(read, streams), return_exceptions=True)
        after = await read(one.tokens(long_job(5)))
    assert isinstance(bad, RuntimeError) and str(bad) == "stumbled"
    assert first == alone(never, jobs[0]).tokens and third == alone(never, jobs[2]).tokens
    assert len(after) == 5, "the batcher serves on"
    assert one.sizes[0] == 3


@in_loop
async def test_sampled_job_goes_on_after_a_failure(model):
    """Rule: a job with a seed writes the same tokens though its batch failed in the middle."""
    from jobs import Sampling

    never = never_ending(model)
    jobs = [Job((50, 60), 12, Sampling(temperature=1.0, seed=5)), long_job(12)]
    async with batcher(stumbling(never, jobs[1], 4)) as one:
        kept, _ = await asyncio.gather(*(read(one.tokens(job)) for job in jobs), return_exceptions=True)
    assert kept == alone(never, jobs[0]).tokens


@in_loop
async def test_full_queue_refuses(model):
    """Rule: one job more than max_queue is refused with seconds (at least 1) after which to come again."""
    gate = Gate(model)
    async with batcher(gate.model, window_seconds=0, max_queue=2) as one:
        streams = [one.tokens(long_job(2))]
        await until(lambda: one.queue_length == 0)
        streams += [one.tokens(long_job(2)), one.tokens(long_job(2))]
        with pytest.raises(QueueFull, match="2 jobs wait") as full:
            one.tokens(long_job(2))
        assert full.value.retry_after_seconds >= 1
        assert one.queue_length == 2
        gate.open()
        await asyncio.gather(*map(read, streams))


@in_loop
async def test_retry_after_grows_with_the_batches(model):
    """Rule: the seconds to wait follow from how long recent batches took and how many wait."""
    gate = Gate(model)
    async with batcher(gate.model, window_seconds=0, max_queue=4, max_batch=2) as one:
        streams = [one.tokens(long_job(2))]
        await until(lambda: one.queue_length == 0)
        streams += [one.tokens(long_job(2)) for _ in range(4)]
        one._seconds.extend([10.0, 20.0])
        with pytest.raises(QueueFull) as full:
            one.tokens(long_job(2))
        assert full.value.retry_after_seconds == 30  # two batches of 15 s
        gate.open()
        await asyncio.gather(*map(read, streams))


@in_loop
async def test_too_long_prompt_is_refused_with_numbers(model):
    """Rule: a prompt that leaves no room for its answer is refused before it is queued, with the three numbers."""
    async with batcher(model) as one:
        with pytest.raises(PromptTooLong, match=r"2000 tokens and 49 .* 2049; .* 2048"):
            one.tokens(Job((5,) * 2000, 49))
        assert one.queue_length == 0
        assert len(await read(one.tokens(Job((5,) * 2047, 1)))) == 1, "all of the context may be used"


@in_loop
async def test_stop_finishes_what_is_there(model):
    """Rule: stop refuses new jobs and finishes running and waiting ones."""
    gate = Gate(never_ending(model), tokens=1)
    async with batcher(gate.model, window_seconds=10, max_batch=1) as one:
        streams = [one.tokens(long_job(20)), one.tokens(long_job(5))]
        await anext(streams[0])
        stopping = asyncio.create_task(one.stop())
        await asyncio.sleep(0)
        with pytest.raises(Stopping, match="no new jobs"):
            one.tokens(long_job(2))
        gate.open()
        answers = await asyncio.gather(*map(read, streams))
        await stopping
    assert [len(answer) for answer in answers] == [19, 5]
    assert [stream.job.finish for stream in streams] == ["length", "length"]


@in_loop
async def test_stop_fails_what_takes_too_long(model):
    """Rule: after shutdown_seconds what is left fails with a clear error, and its batch ends."""
    async with batcher(never_ending(model), window_seconds=0, max_batch=1, shutdown_seconds=0) as one:
        streams = [one.tokens(long_job(2000)), one.tokens(long_job(5))]
        await anext(streams[0])
        await one.stop()
        for stream in streams:
            with pytest.raises(Stopping, match="before the answer was complete"):
                await read(stream)
    assert len(streams[0].job.tokens) < 2000 and streams[1].job.tokens == []


@in_loop
async def test_fault_in_the_hook_stops_nothing(model):
    """Rule: an exception in on_batch is logged and harms no job."""
    heard = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: heard.append(context["exception"]))
    async with batcher(model, window_seconds=0) as one:
        one.on_batch = lambda size, seconds: 1 / 0
        assert len(await read(one.tokens(long_job(2)))) == 2
        assert len(await read(one.tokens(long_job(2)))) == 2
    assert isinstance(heard[0], ZeroDivisionError)
