"""What the tool “percentiles” says: sentences and rows, at settings that can be worked by hand."""

from typing import Any

import pytest

from poolroom import SimError
from poolroom.latencies import latencies
from poolroom.tools import answer, answer_lines

SMALL = {"requests": 5, "slow": 0, "sample": 1}


def said(**settings: Any) -> dict[str, str]:
    """The tool's lines."""
    return answer("percentiles", settings)["lines"]


def test_the_opening_answer() -> None:
    """Rule: 64 requests: their p99 is the slowest, interpolation lies below it, and the mean far below both."""
    assert answer_lines("percentiles", {}) == [
        "p99 by nearest rank is 5,980 ms, number 64 of 64 in order: a request that really happened.",
        "Interpolated it is 5,948.5 ms: no request took exactly that long.",
        "The mean is 1,410.3 ms: 91% of the requests were faster, and the slowest took 4.2 times as long.",
        "p99 of 64 requests is simply the slowest one. It takes 100 requests for p99 to be more than that.",
    ]


def test_a_sample_by_hand() -> None:
    """Rule: five ordinary requests: their median is the third; the mean is their sum ÷ 5, in tenths."""
    times = sorted(latencies(5, 0, 5, 1))
    lines = said(**SMALL, percentile=50)
    assert f"*{int(times[2]):,} ms*, number 3 of 5" in lines["rank"]
    assert "here that is a request, too" in lines["between"]
    tenth = f"{sum(times) / 5:,.1f}".removesuffix(".0")
    assert f"The mean is {tenth} ms" in lines["mean"]
    assert lines["enough"].startswith("*2* of 5 requests took longer than p50. Below 2 requests")


def test_slow_requests_are_times_as_long_and_about_as_many_as_asked() -> None:
    """Rule: the same draws: a slow request takes exactly as many times as long; 10% of 10,000 are near 1,000."""
    plain, slow = latencies(10_000, 0, 7, 3), latencies(10_000, 10, 7, 3)
    assert {b / a for a, b in zip(plain, slow, strict=True)} == {1.0, 7.0}
    assert 910 <= sum(a != b for a, b in zip(plain, slow, strict=True)) <= 1_090
    assert 824 <= min(plain) <= 825 and 1_223 <= max(plain) <= 1_224
    assert abs(sum(plain) / 10_000 - 1_024) < 5


def test_a_longer_sample_begins_with_the_shorter_one() -> None:
    """Rule: more requests are more draws; another sample is another row."""
    assert latencies(200, 5, 5, 2)[:64] == latencies(64, 5, 5, 2) != latencies(64, 5, 5, 1)


@pytest.mark.parametrize(("n", "kind"), [(19, "simply the slowest one"), (20, "took longer than p95"), (1, "simply")])
def test_how_many_requests_a_percentile_needs(n: int, kind: str) -> None:
    """Rule: p95 is the slowest of 19 requests, and the 19th of 20."""
    line = said(requests=n, percentile=95)["enough"]
    assert kind in line and "20 requests" in line


def test_the_slowest_is_always_the_hundredth() -> None:
    """Rule: no number of requests makes p100 anything else."""
    assert said(requests=1000, percentile=100)["enough"] == "p100 is the slowest request, however many there are."


def test_the_mean_hides_the_tail_and_p99_shows_it() -> None:
    """Rule: one slow request in ten, 20 times as long: the mean fits nobody, and p99 is far above the median."""
    rows = {
        row["name"]: row["amount"] for row in answer("percentiles", {"requests": 1000, "slow": 10, "times": 20})["rows"]
    }
    assert rows["p99, nearest rank"] > 15 * rows["p50, nearest rank"]
    assert 2 * rows["p50, nearest rank"] < rows["Mean"] < rows["p95, nearest rank"] / 5


@pytest.mark.parametrize("p", [1, 50, 90, 99, 100])
def test_the_rows(p: int) -> None:
    """Rule: mean, the lesson's three percentiles and the chosen one in order, its interpolation, the slowest."""
    rows = answer("percentiles", {"percentile": p, "requests": 40})["rows"]
    ranks = [f"p{q}, nearest rank" for q in sorted({50, 95, 99, p})]
    assert [row["name"] for row in rows] == ["Mean", *ranks, f"p{p}, interpolated", "Slowest"]
    assert [row["name"] for row in rows if row["kind"] == "good"] == [f"p{p}, nearest rank"]
    assert max(row["amount"] for row in rows) == rows[-1]["amount"]


BAD = {"requests": [0, 10_001], "slow": [-1, 101], "times": [0, 1001], "percentile": [0, 101], "sample": [0, 10_001]}


@pytest.mark.parametrize("key", BAD)
def test_settings_out_of_range_are_named(key: str) -> None:
    """Rule: each refusal names its setting, the value and the range."""
    for value in [*BAD[key], 1.5, True, None, "5", [5], float("nan"), float("inf"), 2**60]:
        with pytest.raises(SimError, match=f"^{key} .*whole number from") as refusal:
            answer("percentiles", {key: value})
        assert refusal.value.setting == key
