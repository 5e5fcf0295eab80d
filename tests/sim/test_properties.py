"""What holds in every step of every run, on lists that hypothesis makes up."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from poolroom import COST, Cost, Request, Step, blocks_for, memory_parts, serve
from tests.sim.tools import BROWSER, ONE_SECOND, watched

COSTS = [
    COST,
    ONE_SECOND,
    Cost(1.0, 0.5, 0.75, 3.0, 1.0),  # compute-bound until contexts grow
    Cost(0.1, 0.001, 0.7, 0.3, 0.9),
    Cost(16e9, 131_072.0, 16e9, 2e12, 1e13),  # compute-bound
]


@dataclass(frozen=True)
class Case:
    """A list of chats and the settings it meets."""

    requests: tuple[Request, ...]
    cap: int
    pool: int
    longest: int
    reserved: bool
    cost: Cost

    def run(self, **changed: Any) -> tuple[Any, list[Step]]:
        """The run and its steps, with some settings changed."""
        names = ("cap", "pool", "longest", "reserved", "cost")
        return watched(list(self.requests), *[changed.get(name, getattr(self, name)) for name in names])

    @property
    def let_in(self) -> set[int]:
        """Chats that are not turned away."""
        return {i for i, r in enumerate(self.requests) if r.prompt + r.reply <= self.longest}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Small pools, so that blocks are scarce; arrivals at 0, in bursts, and after gaps."""
    gaps = st.one_of(st.just(0.0), st.floats(0, 3), st.integers(0, 20), st.sampled_from([0.0078, 100.0]))
    rows = draw(st.lists(st.tuples(gaps, st.integers(1, 70), st.integers(1, 40)), max_size=9))
    now, requests = 0.0, []
    for gap, prompt, reply in rows:
        now += gap
        requests.append(Request(now, prompt, reply))
    longest = draw(st.integers(2, 110))
    pool = blocks_for(longest) + draw(st.integers(0, 8))
    return Case(
        tuple(requests), draw(st.integers(1, 9)), pool, longest, draw(st.booleans()), draw(st.sampled_from(COSTS))
    )


def every_case(test: Any) -> Any:
    """Run a test on 120 made-up cases, in a browser on 30."""
    examples = 30 if BROWSER else 120
    made_up = settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    return made_up(given(cases())(test))


@given(st.integers(1, 100), st.integers(18_060_522_496, 2**46))
def test_bytes_add_up_to_the_card(share: int, card: int) -> None:
    """Rule: weights + reserve + pool + unused = card, whatever card and share."""
    parts = memory_parts(share, card)
    assert parts["weights"] + parts["reserve"] + parts["pool"] + parts["unused"] == card
    assert parts["unused"] >= card - parts["allowed"] >= 0 or parts["blocks"] == 0


@every_case
def test_blocks_are_conserved_in_every_step(case: Case) -> None:
    """Rule: free + held = pool; every block belongs to one running chat or to nobody."""
    _, steps = case.run()
    for step in steps:
        assert step.free_blocks + sum(step.held_blocks) == case.pool
        assert step.free_blocks >= 0
        assert len(step.held_blocks) == len(step.running)


@every_case
def test_a_running_chat_holds_just_the_blocks_it_needs(case: Case) -> None:
    """Rule: blocks for the token it writes, or for the longest chat where the full length is set aside."""
    _, steps = case.run()
    written = [0] * len(case.requests)
    for step in steps:
        for i, held in zip(step.running, step.held_blocks, strict=True):
            size = case.requests[i].prompt + written[i] + 1
            assert held == blocks_for(case.longest if case.reserved else size)
            written[i] += 1


@every_case
def test_no_chat_is_lost(case: Case) -> None:
    """Rule: in every step each chat is in one place: yet to come, waiting, running, done, or turned away."""
    _, steps = case.run()
    done: set[int] = set()
    known: set[int] = set()
    for step in steps:
        here = [*step.running, *step.waiting]
        assert len(here) == len(set(here))
        assert not done & set(here)
        assert known <= done | set(here)
        assert set(here) <= case.let_in
        known |= set(here)
        done |= set(step.finished)
    assert done == case.let_in


@every_case
def test_each_chat_is_served_or_turned_away_exactly_once(case: Case) -> None:
    """Rule: served + refused = all; each served chat writes exactly its reply; turned away means no instants."""
    run, steps = case.run()
    written = [sum(step.running.count(i) for step in steps) for i in range(len(case.requests))]
    finished = [sum(step.finished.count(i) for step in steps) for i in range(len(case.requests))]
    assert run["served"] + run["refused"] == len(case.requests)
    assert run["served"] == len(case.let_in)
    for i, request in enumerate(case.requests):
        assert written[i] == (request.reply if i in case.let_in else 0)
        assert finished[i] == (i in case.let_in)
        assert (run["first_token"][i] is None) == (run["finished"][i] is None) == (i not in case.let_in)


@every_case
def test_never_more_chats_than_the_cap_nor_more_blocks_than_the_pool(case: Case) -> None:
    """Rule: 1 to cap chats run in every step; the lowest free count is the steps' own, and ≥ 0."""
    run, steps = case.run()
    assert all(1 <= len(step.running) <= case.cap for step in steps)
    assert run["lowest_free"] == min([case.pool, *(step.free_blocks for step in steps)])
    assert run["lowest_free"] >= 0


@every_case
def test_a_run_with_pool_to_spare_never_pauses(case: Case) -> None:
    """Rule: pauses come from a pool that is too small, from nothing else."""
    ample = max(case.pool, case.cap * blocks_for(case.longest))
    run, steps = case.run(pool=ample)
    assert run["paused"] == run["rebuilt_tokens"] == 0
    assert not any(step.paused for step in steps)


@every_case
def test_setting_aside_never_pauses(case: Case) -> None:
    """Rule: a chat that holds blocks for the longest length never lacks one."""
    run, steps = case.run(reserved=True)
    assert run["paused"] == run["rebuilt_tokens"] == 0
    assert not any(step.paused for step in steps)


@every_case
def test_the_oldest_running_chat_never_pauses(case: Case) -> None:
    """Rule: the newest makes room, so the run always gets on."""
    _, steps = case.run()
    for before, step in pairwise(steps):
        oldest = [i for i in before.running if i not in before.finished][:1]
        assert not set(oldest) & set(step.paused)


@every_case
def test_a_paused_chat_goes_to_the_front_of_the_queue(case: Case) -> None:
    """Rule: the newest pause first, and stand in the queue before everybody else, the oldest in front."""
    _, steps = case.run()
    for before, step in pairwise(steps):
        stayed = [i for i in before.running if i not in before.finished]
        assert list(step.paused) == stayed[::-1][: len(step.paused)]
        if step.paused:
            assert step.waiting[: len(step.paused)] == step.paused[::-1]


@every_case
def test_a_step_with_a_pause_admits_nobody(case: Case) -> None:
    """Rule: who was paused does not see another chat take the room in the same step."""
    run, steps = case.run()
    assert not any(step.paused and step.joined for step in steps)
    assert run["paused"] == sum(len(step.paused) for step in steps)


@every_case
def test_chats_join_in_the_order_of_the_queue(case: Case) -> None:
    """Rule: nobody overtakes: for the first time chats join by their number, and join at the end of the row."""
    _, steps = case.run()
    seen: list[int] = []
    for step in steps:
        assert step.joined == step.running[len(step.running) - len(step.joined) :]
        seen += [i for i in step.joined if i not in seen]
    assert seen == sorted(seen)


@every_case
def test_nobody_waits_for_nothing(case: Case) -> None:
    """Rule: a chat is left waiting only for a seat, for blocks, or because of a pause."""
    _, steps = case.run()
    written = [0] * len(case.requests)
    for step in steps:
        if step.waiting and not step.paused and len(step.running) < case.cap:
            front = step.waiting[0]
            need = blocks_for(case.longest if case.reserved else case.requests[front].prompt + written[front] + 1)
            assert need > step.free_blocks
        for i in step.running:
            written[i] += 1


@every_case
def test_instants_are_in_order(case: Case) -> None:
    """Rule: arrival < first ≤ finished ≤ seconds; one token means both are the same instant."""
    run, _ = case.run()
    for i in case.let_in:
        first, last, request = run["first_token"][i], run["finished"][i], case.requests[i]
        assert request.arrival < first <= last <= run["seconds"]
        assert (first == last) == (request.reply == 1)


@every_case
def test_no_more_steps_than_tokens(case: Case) -> None:
    """Rule: every step writes at least one token and a pause loses none: steps ≤ Σ reply."""
    run, steps = case.run()
    assert run["steps"] == len(steps) <= sum(case.requests[i].reply for i in case.let_in)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))


@every_case
def test_time_moves_on(case: Case) -> None:
    """Rule: each step ends after the one before, and the last step's end is the run's."""
    run, steps = case.run()
    instants = [step.now for step in steps]
    assert all(a < b for a, b in pairwise(instants))
    assert run["seconds"] == (instants[-1] if instants else 0.0)


@every_case
def test_contexts_add_up(case: Case) -> None:
    """Rule: context = tokens of those who write, read = tokens of those who join, both before the step's own token."""
    run, steps = case.run()
    written = [0] * len(case.requests)
    rebuilt = 0
    for step in steps:
        sizes = {i: case.requests[i].prompt + written[i] for i in step.running}
        assert step.read_tokens == sum(sizes[i] for i in step.joined)
        assert step.context_tokens + step.read_tokens == sum(sizes.values())
        rebuilt += sum(sizes[i] for i in step.joined if written[i])
        for i in step.running:
            written[i] += 1
    assert run["rebuilt_tokens"] == rebuilt


@every_case
def test_watching_does_not_change_the_run(case: Case) -> None:
    """Rule: a result does not depend on whether somebody looks."""
    watched_run, _ = case.run()
    assert watched_run == serve(list(case.requests), case.cap, case.pool, case.longest, case.reserved, case.cost)


@every_case
def test_averages_are_the_steps_own(case: Case) -> None:
    """Rule: running and pool_used are means over time, idle time counted as empty; the rate is Σ reply ÷ seconds."""
    run, steps = case.run()
    if not steps:
        assert run["running"] is run["pool_used"] is run["tokens_per_second"] is None
        return
    chats = blocks = begin = 0.0
    for step in steps:
        arrivals = [case.requests[i].arrival for i in step.joined]
        begin = max([begin, *arrivals]) if len(step.joined) == len(step.running) else begin
        chats += len(step.running) * (step.now - begin)
        blocks += (case.pool - step.free_blocks) * (step.now - begin)
        begin = step.now
    assert run["running"] == pytest.approx(chats / run["seconds"], rel=1e-9)
    assert run["pool_used"] == pytest.approx(blocks / run["seconds"] / case.pool, rel=1e-9)
    words = sum(case.requests[i].reply for i in case.let_in)
    assert run["tokens_per_second"] == pytest.approx(words / run["seconds"], rel=1e-12)


@every_case
def test_a_larger_pool_never_pauses_more_than_the_smallest_ample_one(case: Case) -> None:
    """Rule: once nobody pauses for want of blocks, more blocks change nothing but the pool's own two numbers."""
    ample = max(case.pool, max(1, len(case.requests)) * blocks_for(case.longest))
    one, _ = case.run(pool=ample)
    more, _ = case.run(pool=ample + 7)
    own = ("pool_used", "lowest_free")
    assert {k: v for k, v in one.items() if k not in own} == {k: v for k, v in more.items() if k not in own}
