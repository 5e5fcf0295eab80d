"""What the tool “kv” answers: the cache of a token and of a sequence, and what fits by each meaning of GB."""

from typing import Any

from .checks import whole
from .kv import GB, GIB, kv_bytes_per_token, room_bytes, sequence_bytes, sequences_that_fit
from .tool import Answer, Row, said
from .words import tenths

MOST_GB = 4_194_303
"""The largest card, in GB or GiB: 2^22 − 1, so that sums of bytes stay exact."""
READINGS = {"gib": (GIB, GIB), "gb": (GB, GB), "mixed": (GIB, GB), "other": (GB, GIB)}
"""What GB may mean, in bytes: on the card's label, and for weights and the rest."""


def kv_answer(settings: dict[str, Any]) -> Answer:
    """The answer to the settings of the tool “kv”.

    Args:
        settings: n_layers, n_kv_heads, head_dim in values and dtype_bytes of the model, tokens of a sequence, and card,
            weights and reserve in whole GB

    Returns:
        Sentences, and rows in GiB and in sequences.

    Raises:
        SimError: naming the setting that cannot be used
    """
    token = kv_bytes_per_token(*[settings[key] for key in ("n_layers", "n_kv_heads", "head_dim", "dtype_bytes")])
    each, fits = sequence_bytes(token, settings["tokens"]), fits_by_reading(settings)
    lines = {
        "token": _token_line(token, settings),
        "sequence": _sequence_line(each, settings["tokens"]),
        "fits": _fits_line(fits, settings),
        "readings": _readings_line(list(fits.values())),
    }
    return {"lines": lines, "rows": [*_memory_rows(each, settings), *_fit_rows(fits)], "lanes": []}


def fits_by_reading(settings: dict[str, Any]) -> dict[str, int]:
    """How many sequences fit by each of the `READINGS` of GB.

    Args:
        settings: as for `kv_answer`

    Returns:
        Sequences, whole numbers without unit, by name of the reading.

    Raises:
        SimError: naming the setting that cannot be used
    """
    token = kv_bytes_per_token(*[settings[key] for key in ("n_layers", "n_kv_heads", "head_dim", "dtype_bytes")])
    each = sequence_bytes(token, settings["tokens"])
    card, weights = whole("card", settings["card"], 1, MOST_GB), whole("weights", settings["weights"], 0, MOST_GB)
    reserve = whole("reserve", settings["reserve"], 0, MOST_GB)
    return {
        name: sequences_that_fit(room_bytes(card * label, weights * rest, reserve * rest), each)
        for name, (label, rest) in READINGS.items()
    }


def _token_line(token: int, settings: dict[str, Any]) -> str:
    layers, heads = settings["n_layers"], settings["n_kv_heads"]
    head, size = settings["head_dim"], settings["dtype_bytes"]
    return said(
        "kv", "lines.token", kib=tenths(float(token) / 1024.0), layers=layers, heads=heads, head=head, bytes=size
    )


def _sequence_line(each: int, tokens: int) -> str:
    # From half a GiB on in GiB: one decimal would say too little of less.
    unit, size = ("gib", GIB) if 2 * each >= GIB else ("mib", GIB // 1024)
    in_unit, mb = tenths(float(each) / float(size)), tenths(float(each) / 1e6)
    return said("kv", f"lines.sequence.{unit}", tokens=tokens, size=in_unit, mb=mb)


def _fits_line(fits: dict[str, int], settings: dict[str, Any]) -> str:
    room = room_bytes(settings["card"], settings["weights"], settings["reserve"])
    name = "full" if room == 0 else "none" if fits["gib"] == 0 else "fits"
    return said("kv", f"lines.{name}", card=settings["card"], room=room, gib=fits["gib"], gb=fits["gb"])


def _readings_line(counts: list[int]) -> str:
    least, most = min(counts), max(counts)
    return said("kv", f"lines.readings.{'agree' if least == most else 'differ'}", least=least, most=most)


def _memory_rows(each: int, settings: dict[str, Any]) -> list[Row]:
    card, weights, reserve = settings["card"], settings["weights"], settings["reserve"]
    sizes = {"card": card, "weights": weights, "reserve": reserve, "room": room_bytes(card, weights, reserve)}
    kinds = {"card": "limit", "room": "good"}
    rows = [_row("memory", name, float(size), kinds.get(name, "plain")) for name, size in sizes.items()]
    return [*rows, _row("memory", "sequence", float(each) / float(GIB), "cost")]


def _row(group: str, name: str, gib: float, kind: str) -> Row:
    text = said("kv", "rows.size", n=tenths(gib))
    return Row(group=said("kv", f"rows.{group}"), name=said("kv", f"rows.{name}"), amount=gib, text=text, kind=kind)


def _fit_rows(fits: dict[str, int]) -> list[Row]:
    return [
        Row(
            group=said("kv", "rows.fit"),
            name=said("kv", f"rows.{name}"),
            amount=float(count),
            text=said("kv", "rows.count", n=count),
            kind="good" if name == "gib" else "plain",
        )
        for name, count in fits.items()
    ]
