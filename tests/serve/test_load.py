"""The load program against a server that does what the test says: what is counted, what is timed, what is reported."""

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from scripted import event, scripted, stream

import load
import load_request
from load_options import parse
from load_prompts import Ask, asks, asks_from
from load_report import nearest_rank, percentiles, summary, table
from load_request import Row, Target
from measured_runs import free_port

CODE = Path(load.__file__).parent
SIX = [Ask(f"prompt {number}", 8) for number in range(6)]


def run_program(*words: str, **options) -> subprocess.CompletedProcess:
    command = [sys.executable, str(CODE / "load.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def test_tokens_are_counted_as_tokens_when_a_piece_holds_several() -> None:
    with scripted(lambda asked: stream(1, 3, 4)) as server:
        rows, _, whole = load.run(Target(server.url), SIX[:1])
    assert whole and (rows[0].tokens, len(rows[0].pieces), rows[0].prompt_tokens) == (8, 3, 7)
    assert rows[0].counts_tokens


def test_counts_of_the_pieces_stand_in_for_a_missing_usage() -> None:
    with scripted(lambda asked: stream(1, 3, 4, usage=False)) as server:
        rows, _, _ = load.run(Target(server.url), SIX[:1])
    assert rows[0].tokens == 8 and rows[0].counts_tokens


def openai_stream(usage: dict | None, chat: bool) -> list:
    texts = ["", "Hel", "lo"]
    pieces = [{"choices": [{"delta": {"role": "assistant", "content": ""}} if chat else {"text": ""}]}]
    pieces += [{"choices": [{"delta": {"content": text}} if chat else {"text": text}]} for text in texts]
    pieces.append({"choices": [{"finish_reason": "length", "delta": {}}]})
    if usage:
        pieces.append({"choices": [], "usage": usage})
    return [0.05, event(pieces[0]), 0.2, *map(event, pieces[1:]), event("[DONE]")]


@pytest.mark.parametrize("api", ["openai", "chat"])
def test_openai_usage_is_asked_for_and_used(api: str) -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 9, "total_tokens": 14}
    with scripted(lambda asked: openai_stream(usage, api == "chat")) as server:
        rows, _, _ = load.run(Target(server.url + "/v1/", api, "some-model", "secret"), SIX[:1])
        asked = server.asked[0]
    assert rows[0].tokens == 9 and rows[0].counts_tokens and rows[0].error is None
    assert asked.path == {"openai": "/v1/completions", "chat": "/v1/chat/completions"}[api]
    assert asked.body["stream_options"] == {"include_usage": True} and asked.body["model"] == "some-model"
    assert asked.headers["authorization"] == "Bearer secret"


def test_a_piece_without_text_is_not_the_first_token() -> None:
    """A chat begins with the role; a token that ends inside a character has no text but is counted."""
    with scripted(lambda asked: openai_stream(None, True)) as server:
        rows, _, _ = load.run(Target(server.url, "chat", "m"), SIX[:1])
    assert rows[0].ttft > 0.24
    with scripted(lambda asked: [event({"text": "", "tokens": 1}), 0.3, *stream(1)]) as server:
        rows, _, _ = load.run(Target(server.url), SIX[:1])
    assert rows[0].ttft < 0.25


def test_a_server_that_tells_no_counts_gives_chunks_and_the_table_says_so() -> None:
    with scripted(lambda asked: openai_stream(None, False)) as server:
        rows, seconds, _ = load.run(Target(server.url, "openai", "m"), SIX[:1])
    assert rows[0].tokens == 2 and not rows[0].counts_tokens
    assert "2 chunks, not tokens in" in table(summary(rows, 1, seconds))


def test_marks_of_a_lines_end_inside_a_text_do_not_break_an_event() -> None:
    text = json.dumps({"text": "a\u2028b\x85c", "tokens": 1}, ensure_ascii=False).encode()
    pieces = [b"data: " + text[:12], 0.02, text[12:] + b"\r\n\r\n", event("[DONE]")]
    with scripted(lambda asked: pieces) as server:
        rows, _, _ = load.run(Target(server.url), SIX[:1])
    assert rows[0].error is None and rows[0].tokens == 1


def test_times_by_hand() -> None:
    """Asked at 10, pieces at 12, 13 and 16, end at 17; the first piece is the prompt's."""
    row = Row(10.0, 12.0, 16.0, 17.0, [(12.0, 1), (13.0, 1), (16.0, 2)])
    assert (row.ttft, row.tpot, row.e2e) == (2.0, 4.0 / 3, 7.0)
    assert Row(10.0, 12.0, 12.0, 12.5, [(12.0, 1)]).tpot is None
    assert Row(10.0, 12.0, 16.0, 17.0, [(12.0, 2), (16.0, 2)]).tpot == 2.0, "two tokens came first, two later"


def test_percentiles_by_nearest_rank() -> None:
    values = [float(value) for value in range(1, 101)]
    random.Random(1).shuffle(values)
    assert [nearest_rank(values, percent) for percent in (1, 7, 50, 95, 99, 100)] == [1, 7, 50, 95, 99, 100]
    assert math.ceil(7 / 100 * 100) == 8, "why whole numbers: this way the 7th of 100 would be the 8th"
    assert nearest_rank([3.0, 1.0], 50) == 1.0 and nearest_rank([5.0], 1) == 5.0 and nearest_rank([], 50) is None
    assert percentiles([None, 2.0]) == {"p50": 2.0, "p95": 2.0, "p99": 2.0}


def test_a_closed_loop_keeps_so_many_requests_open_and_no_more() -> None:
    with scripted(lambda asked: stream(1, wait=0.1)) as server:
        rows, _, _ = load.run(Target(server.url), SIX, concurrency=3)
    assert server.most_open == 3 and len(rows) == 6
    assert [asked.body["prompt"] for asked in server.asked] and all(row.error is None for row in rows)


def test_poisson_requests_come_when_due_however_slow_the_answers_are() -> None:
    gaps = [0.05] * 6
    with scripted(lambda asked: stream(1, wait=0.5)) as server:
        load.run(Target(server.url), SIX, gaps=gaps)
    came = [asked.came for asked in server.asked]
    assert server.most_open >= 5 and came[-1] - came[0] < 0.45


def test_waiting_before_a_late_request_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times count from when a request was due, so that a client that lags does not flatter the server."""
    sent = load_request.send

    async def lagging(*words) -> None:
        time.sleep(0.2)  # the whole client stands still
        await sent(*words)

    monkeypatch.setattr(load, "send", lagging)
    with scripted(lambda asked: stream(1)) as server:
        rows, _, _ = load.run(Target(server.url), SIX[:3], gaps=[0.0] * 3)
    assert max(row.e2e for row in rows) > 0.55


WRONG = {
    "status 503": lambda asked: ["503"],
    "timeout": lambda asked: [event({"text": "x", "tokens": 1}), 5.0],
    "broken stream": lambda asked: [event({"text": "x", "tokens": 1}), "break"],
}
ENDED_EARLY = {
    "without its end": [event({"text": "x", "tokens": 1})],
    "with an error": [event({"text": "x", "tokens": 1}), event({"error": {"message": "no"}}), event("[DONE]")],
    "in no JSON": [b"data: {\n\n"],
    "in another form": [b"data: [1]\n\n"],
}


@pytest.mark.parametrize("kind", WRONG)
def test_errors_are_counted_by_kind_and_harm_no_other_request(kind: str) -> None:
    with scripted(lambda asked: WRONG[kind](asked) if asked.number % 2 else stream(1, 1)) as server:
        rows, seconds, whole = load.run(Target(server.url, timeout_seconds=0.7), SIX, concurrency=2)
    figures = summary(rows, 6, seconds)
    assert whole and figures["errors"] == {kind: 3} and figures["answered"] == 3 and figures["tokens"] == 6


@pytest.mark.parametrize("how", ENDED_EARLY)
def test_an_answer_that_ends_early_is_broken(how: str) -> None:
    with scripted(lambda asked: ENDED_EARLY[how]) as server:
        rows, _, _ = load.run(Target(server.url), SIX[:1])
    assert rows[0].error == "broken stream"


def test_nobody_there_is_refused() -> None:
    rows, seconds, _ = load.run(Target(f"http://127.0.0.1:{free_port()}"), SIX, concurrency=2)
    assert summary(rows, 6, seconds)["errors"] == {"refused": 6}
    assert "0 of 6 requests answered; 6 × refused" in table(summary(rows, 6, seconds))


def test_the_program_prints_a_table_and_writes_json_and_no_bar_into_a_pipe(tmp_path: Path) -> None:
    with scripted(lambda asked: stream(1, 1, gap=0.001)) as server:
        done = run_program("--url", server.url, "--requests", "5", "--concurrency", "1", "2",
                           "--json", str(tmp_path / "out.json"))  # fmt: skip
    assert done.returncode == 0 and done.stderr == ""
    assert "concurrency 1\n" in done.stdout and "concurrency 2\n" in done.stdout
    runs = json.loads((tmp_path / "out.json").read_text())
    assert [(one["answered"], one["tokens"], len(one["rows"])) for one in runs] == [(5, 10, 5)] * 2


def test_a_server_that_dies_half_way_leaves_a_report(tmp_path: Path) -> None:
    """The fourth request is broken off and nobody listens any more: three answers are reported, with code 1."""
    with scripted(lambda asked: stream(1, 1) if asked.number < 3 else ["break"]) as server:
        done = run_program("--url", server.url, "--requests", "6", "--concurrency", "1",
                           "--json", str(tmp_path / "out.json"))  # fmt: skip
    assert done.returncode == 1 and "3 of 6 requests answered; 3 × broken stream" in done.stdout
    assert json.loads((tmp_path / "out.json").read_text())[0]["tokens"] == 6


def as_in_a_terminal() -> None:
    """Heed Ctrl-C, also where the tests run in the background, whose programs are started to ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_reports_what_is_known(tmp_path: Path) -> None:
    words = ["--requests", "6", "--concurrency", "2", "1", "--json", str(tmp_path / "out.json")]
    with scripted(lambda asked: stream(1, 1) if asked.number < 3 else [30.0]) as server:
        program = subprocess.Popen([sys.executable, str(CODE / "load.py"), "--url", server.url, *words],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=as_in_a_terminal)  # fmt: skip
        while len(server.asked) < 5 and program.poll() is None:
            time.sleep(0.02)
        program.send_signal(signal.SIGINT)
        said, complained = program.communicate(timeout=20)
    assert program.returncode == 1 and complained == ""
    assert "3 of 6 requests answered; 3 × unfinished" in said and "concurrency 1" not in said
    assert json.loads((tmp_path / "out.json").read_text())[0]["unfinished"] == 3


def test_a_bar_on_a_terminal() -> None:
    import pty

    ours, theirs = pty.openpty()
    with scripted(lambda asked: stream(1)) as server:
        words = [sys.executable, str(CODE / "load.py"), "--url", server.url, "--requests", "4"]
        subprocess.run(words, stderr=theirs, stdout=subprocess.DEVNULL, timeout=60, check=True)
    os.close(theirs)
    assert b"4/4, 0 failed" in os.read(ours, 10000)
    os.close(ours)


def test_equal_seeds_ask_equal_things_and_distinct_says_how_many_differ() -> None:
    first, again, other = (asks(seed, 40, (12, 12), (5, 9), 0.25) for seed in ("1", "1", "2"))
    assert first == again != other
    assert len(set(first)) == len({ask.prompt for ask in first}) == 10
    assert {ask.max_tokens for ask in first} <= set(range(5, 10)) and len(first[0].prompt.split()) == 12
    assert len(set(asks("1", 40, (12, 12), (5, 9), 1.0))) == 40 and len(set(asks("1", 40, (12, 12), (5, 9), 0.0))) == 1


def test_prompts_of_a_file_are_asked_in_order(tmp_path: Path) -> None:
    (tmp_path / "prompts.txt").write_text("one\n\ntwo\n")
    assert [ask.prompt for ask in asks_from(tmp_path / "prompts.txt", "", 5, (1, 1))] == [*["one", "two"] * 2, "one"]
    (tmp_path / "prompts.txt").write_text("\n")
    with pytest.raises(ValueError, match="no line that is not empty"):
        asks_from(tmp_path / "prompts.txt", "", 5, (1, 1))


@pytest.mark.parametrize(("words", "part"), [
    ("--concurrency 0", "0: allowed are whole numbers from 1"),
    ("--concurrency four", "four: allowed are whole numbers from 1"),
    ("--rate 0", "0: allowed are numbers from 1e-06"),
    ("--rate 1 --concurrency 2", "not allowed with"),
    ("--requests -1", "-1: allowed"),
    ("--max-tokens 9-3", "9-3: allowed are numbers from 1, or two of them as 16-64"),
    ("--distinct 1.5", "1.5: allowed are numbers from 0 to 1"),
    ("--api openai", "--api openai needs --model"),
    ("--url localhost:8000", "it must begin with http:// or https://"),
    ("--prompts nowhere.txt", "there is no such file"),
    ("--json nowhere/out.json", "its folder does not exist"),
])  # fmt: skip
def test_bad_words_are_refused_by_name(words: str, part: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as refused:
        parse("", words.split())
    assert refused.value.code == 2 and part in capsys.readouterr().err
