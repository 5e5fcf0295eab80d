"""Measured beside predicted: the run on paper worked out by hand, the fit on times made from known constants."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

import measure
import measured_runs
from fit import Desk, batches, cost, fit, line, plane, steps
from load_request import Row
from predict import ClosedLoop, Constants, Policy, Work

PLAIN = Constants(away=0.0, desk=0.0, read_alone=2.0, read_alone_per_token=0.0, step_alone=1.0, read=2.0,
                  read_per_token=0.0, step=1.0, step_per_row=0.0, end=0.0, hit_per_token=0.0)  # fmt: skip


def works(*tokens: int, keys: str = "abcdef", prompt: int = 10) -> list[Work]:
    return [Work(key, prompt, count) for key, count in zip(keys, tokens, strict=False)]


def played(work: list[Work], concurrency: int, policy: Policy, constants: Constants) -> tuple[list[tuple], list]:
    loop = ClosedLoop(work, concurrency, policy, constants)
    return [(one.asked, one.first, one.last) for one in loop.run()], loop.batches


def test_without_a_window_the_first_runs_alone_and_the_second_waits_for_its_end() -> None:
    """0 reads until 2 and writes until 4; 1 from 4 to 8; 2, asked at 4, from 8 to 10."""
    times, batches = played(works(3, 3, 1), 2, Policy(0.0, 16, False), PLAIN)
    assert batches == [[0], [1], [2]]
    assert times == [(0, 2, 4), (0, 6, 8), (4, 10, 10)]


def test_a_window_makes_them_one_batch_and_the_third_waits_for_nobody() -> None:
    """Both wait until 2. The third is asked at 6 and waits until 8 though alone."""
    times, batches = played(works(3, 3, 1), 2, Policy(2.0, 16, False), PLAIN)
    assert batches == [[0, 1], [2]]
    assert times == [(0, 4, 6), (0, 4, 6), (6, 10, 10)]


def test_a_full_batch_does_not_wait_and_the_rest_is_next() -> None:
    """The window counts from the arrival, so that a job that waited behind a batch starts at its end."""
    times, batches = played(works(1, 1, 1), 3, Policy(2.0, 2, False), PLAIN)
    assert batches == [[0, 1], [2]]
    assert times == [(0, 2, 2), (0, 2, 2), (0, 4, 4)]


def test_rows_leave_when_they_are_done_and_steps_grow_shorter() -> None:
    """Read to 2 + 0.1 × 2 rows × 10 tokens = 4. A step takes 3 for two rows, 2 for the last: 4 + 3; then 3 × 2 more."""
    constants = replace(PLAIN, read_per_token=0.1, step_per_row=1.0, read_alone=100.0, step_alone=100.0)
    times, batches = played(works(2, 5), 2, Policy(0.5, 2, False), constants)
    assert batches == [[0, 1]]
    assert times == [(0, 4, 7), (0, 4, 13)]


def test_equal_requests_are_computed_once_and_then_known() -> None:
    """1 follows 0, which is on its way; 2, asked at 4, takes 3 × 0.5 to send."""
    times, batches = played(works(3, 3, 3, keys="aaa"), 2, Policy(0.0, 16, True), replace(PLAIN, hit_per_token=0.5))
    assert batches == [[0]]
    assert times == [(0, 2, 4), (0, 2, 4), (4, 4, 5.5)]
    assert played(works(3, 3, 3, keys="aaa"), 2, Policy(0.0, 16, False), PLAIN)[1] == [[0], [1], [2]]


def test_a_batch_waits_for_what_the_desk_does_meanwhile() -> None:
    """At the desk until 1 and 2. 0 starts at 1 and would end at 5, but loses the second that 1 is at the desk."""
    times, batches = played(works(3, 3), 2, Policy(0.0, 16, False), replace(PLAIN, desk=1.0))
    assert batches == [[0], [1]]
    assert [last for _, _, last in times] == [6, 10]


def test_the_program_that_asks_sends_one_request_after_the_other() -> None:
    """Asked at 0, there at 1 and 2: 0 from 1 to 5, then 1 from 5 to 9."""
    times, _ = played(works(3, 3), 2, Policy(0.0, 16, False), replace(PLAIN, away=1.0))
    assert times == [(0, 3, 5), (0, 7, 9)]


def test_the_end_of_one_answer_holds_up_the_others() -> None:
    """Both read until 2, when 0 is whole. Its end takes until 3, so that 1 is written at 5 and not at 4."""
    loop = ClosedLoop(works(1, 3), 2, Policy(0.5, 2, False), replace(PLAIN, end=1.0))
    assert [(one.last, one.done) for one in loop.run()] == [(2, 3), (5, 6)]


def test_everybody_is_answered_whatever_the_setting() -> None:
    chance = random.Random(1)
    for _ in range(50):
        work = [Work(chance.randrange(20), chance.randrange(1, 90), chance.randrange(1, 50)) for _ in range(40)]
        policy = Policy(chance.choice([0.0, 0.01]), chance.choice([1, 4, 16]), chance.random() < 0.5)
        constants = Constants(*[chance.random() / 100 for _ in range(11)])
        loop = ClosedLoop(work, chance.choice([1, 4, 16]), policy, constants)
        times = loop.run()
        computed = [number for batch in loop.batches for number in batch]
        assert len(set(computed)) == len(computed) and all(len(batch) <= policy.max_batch for batch in loop.batches)
        assert policy.cache or len(computed) == 40
        assert all(one.asked < one.first <= one.last < one.done for one in times)


def test_lines_and_planes() -> None:
    assert line([(1, 5), (2, 7), (4, 11)]) == pytest.approx((3, 2))
    assert line([(2, 5), (2, 7)]) == (6, 0)
    assert plane([(1, 1, 5), (1, 3, 11), (2, 5, 19)]) == pytest.approx((2, 3))
    assert cost([(1, 5), (2, 7), (4, 11)]) == pytest.approx((3, 2))
    assert cost([(1, 1), (2, 4)]) == pytest.approx((0, 9 / 5)), "the line would begin at −2"
    with pytest.raises(ValueError, match="one size"):
        plane([(1, 2, 3), (2, 4, 6)])


KNOWN = Constants(away=0.001, desk=0.002, read_alone=0.005, read_alone_per_token=0.00004, step_alone=0.002, read=0.01,
                  read_per_token=0.00006, step=0.003, step_per_row=0.0005, end=0.0007,
                  hit_per_token=0.00002)  # fmt: skip


def batch_rows(begin: float, lengths: list[int], prompt: int, waited: float) -> tuple[list[Row], float]:
    """What clients of one batch see, made step by step; and when it ended. Asked so long before it began."""
    moment = begin + KNOWN.read_seconds(len(lengths), prompt)
    rows = [Row(begin - waited, prompt_tokens=prompt) for _ in lengths]
    for written in range(1, max(lengths) + 1):
        active = [row for row, length in zip(rows, lengths, strict=True) if length >= written]
        moment += KNOWN.step_seconds(len(lengths), len(active)) if written > 1 else 0.0
        for row in active:
            row.first, row.last = row.first or moment, moment
            row.pieces.append((moment, 1))
    for row, length in zip(rows, lengths, strict=True):
        row.usage_tokens, row.done = length, row.last + KNOWN.end
    return rows, moment


def lone(chance: random.Random) -> list[Row]:
    """One client: each request spends its time in the client and at the desk, and then runs alone."""
    rows, now = [], 100.0
    for _ in range(12):
        made, ended = batch_rows(now, [chance.randint(4, 40)], chance.randint(10, 200), KNOWN.away + KNOWN.desk)
        rows, now = rows + made, ended + 1.0
    return rows


def crowd(size: int, chance: random.Random) -> list[Row]:
    """Batch upon batch of requests that all waited from the start; nobody else comes. The ends cost the model time."""
    rows, now = [], 100.0
    for _ in range(12):
        made, now = batch_rows(now, [20 + 3 * place for place in range(size)], chance.randint(10, 200), now - 50.0)
        rows += made
    for row in rows:
        row.done = 1000.0  # all at the very end, so that they take nothing here
    return rows


def known_hit() -> Row:
    first, sent = KNOWN.away + KNOWN.desk, 30 * KNOWN.hit_per_token
    return Row(0.0, first, first + sent, first + sent, [(first, 1)], 30)


def test_the_fit_recovers_known_constants() -> None:
    chance = random.Random(2)
    crowds = [crowd(size, chance) for size in (4, 16)]
    found = fit([lone(chance)], crowds, [known_hit()] * 3, KNOWN.desk + 30 * KNOWN.hit_per_token)
    for name, value in vars(KNOWN).items():
        assert getattr(found, name) == pytest.approx(value, rel=0.02), name


def test_batches_are_seen_from_outside() -> None:
    rows = crowd(4, random.Random(3))
    shuffled = random.Random(4).sample(rows, len(rows))
    assert [len(batch) for batch in batches(shuffled)] == [4] * 12


def test_steps_need_no_look_into_the_server() -> None:
    """Rows of 2 and 4 tokens: the longer one has three steps, with two rows in the first and one in the others."""
    rows, _ = batch_rows(0.0, [2, 4], 10, 0.0)
    found = list(steps(rows, Desk(rows, 0.0, 0.0)))
    assert [one[:2] for one in found] == [(1.0, 2.0), (3.0, 4.0)]
    assert found[1][2] == pytest.approx(3 * KNOWN.step + 4 * KNOWN.step_per_row)


def test_what_the_desk_does_is_not_the_models() -> None:
    """From 1 to 5, two are asked for and one ends: 4 − 2 × 0.5 − 0.25."""
    rows = [Row(2.0, done=9.0), Row(4.0, done=3.0), Row(0.5, done=0.9), Row(6.0, done=7.0)]
    assert Desk(rows, 0.5, 0.25).without(1.0, 5.0) == 2.75


def test_a_whole_measurement_writes_what_was_measured(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real server, two settings, few requests: every figure has its measured and its predicted value."""
    monkeypatch.setattr(measure, "CHARACTERS", 3000)
    monkeypatch.setattr(measure, "SETTINGS", [measured_runs.SETTINGS[0], measured_runs.SETTINGS[3]])
    out = tmp_path / "measured.json"
    words = ["--model", str(tiny_model), "--out", str(out), "--requests", "6", "--repeats", "1"]
    assert measure.main(words) == 0
    found = json.loads(out.read_text())
    assert [(run["concurrency"], run["cache"], run["fitted"]) for run in found["runs"]] == [
        (1, False, True), (4, False, True), (16, False, True), (1, True, False), (4, True, False), (16, True, False),
    ]  # fmt: skip
    for run in found["runs"]:
        assert run["measured"].keys() == run["predicted"].keys() == run["error"].keys()
        assert all(one["least"] <= one["median"] <= one["most"] for one in run["measured"].values())
        rate = run["measured"]["tokens_per_second"]["median"]
        assert run["predicted"]["tokens_per_second"] == pytest.approx(rate * (1 + run["error"]["tokens_per_second"]))
    assert abs(found["four_bit"]["error"]) < 0.002 and found["four_bit"]["four_bit_perplexity"] > 1
    assert found["machine"]["processor"] and found["versions"]["torch"].startswith("2.")
    assert str(tmp_path) not in out.read_text() and str(tiny_model) not in out.read_text()
    held_out = [abs(run["error"]["tokens_per_second"]) for run in found["runs"] if not run["fitted"]]
    assert found["worst_held_out_error"] == max(held_out)


def test_a_server_that_does_not_start_ends_in_one_sentence(tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    (tmp_path / "config.json").write_text("{}")
    assert measure.main(["--model", str(tmp_path), "--out", str(tmp_path / "out.json")]) == 1
    assert "measure: the server did not start: The model" in capfd.readouterr().err
    assert not (tmp_path / "out.json").exists()


def test_a_folder_without_a_model_is_refused(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        measure.parse(["--model", "nowhere", "--out", "x.json"])
    assert "python make_tiny_model.py --out nowhere" in capsys.readouterr().err
