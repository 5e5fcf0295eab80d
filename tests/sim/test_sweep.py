"""Where raising the seats stops paying."""

import pytest

from poolroom import serve, stops_paying, sweep
from poolroom.facts import CAPS, KNEE_GAIN
from tests.sim.tools import chats


def rows(**rates: float) -> list[dict[str, float]]:
    """Rows of a sweep from cap and rate."""
    return [{"cap": int(cap[1:]), "tokens_per_second": rate} for cap, rate in rates.items()]


def test_the_lessons_sweep_stops_paying_at_64() -> None:
    """Rule: at the opening settings the knee is 64 seats; one row a cap, in order."""
    table = sweep()
    assert [row["cap"] for row in table] == CAPS
    assert stops_paying(table) == 64
    assert list(table[0]) == ["cap", "tokens_per_second", "seconds_per_word", "running", "paused", "rebuilt_tokens"]


def test_a_row_is_the_run_of_its_cap() -> None:
    """Rule: a sweep only repeats serve."""
    requests = chats((0, 15, 20), (0, 16, 16), (3, 30, 4))
    table = sweep(40, 8_000, [1, 3], False, requests)
    for row in table:
        run = serve(requests, row["cap"], 6_646, 8_000)
        assert all(row[key] == run[key] for key in row if key != "cap")


def test_the_knee_is_the_first_cap_whose_doubling_brings_under_ten_percent() -> None:
    """Rule: 1.10 times as much still pays; a hair less does not."""
    assert KNEE_GAIN == 1.1
    assert stops_paying(rows(c1=100.0, c2=200.0, c4=KNEE_GAIN * 200.0, c8=220.0)) == 4
    assert stops_paying(rows(c1=100.0, c2=109.9, c4=300.0)) == 1


def test_the_last_cap_where_every_doubling_pays() -> None:
    """Rule: no knee, then the largest cap; caps that have no double are passed over."""
    assert stops_paying(rows(c1=1.0, c2=2.0, c4=4.0)) == 4
    assert stops_paying(rows(c1=1.0, c3=1.0)) == 3
    assert stops_paying(rows(c7=5.0)) == 7


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_knee_does_not_depend_on_the_order_of_rows(order: tuple[int, ...]) -> None:
    """Rule: rows are taken by cap."""
    table = rows(c1=100.0, c2=150.0, c4=151.0)
    assert stops_paying([table[i] for i in order]) == 2
