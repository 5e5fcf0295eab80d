"""Measure, print a table, write JSON: python -m tests.bench [PATH], by default dist/bench.json."""

import json
import sys
from pathlib import Path
from typing import Any

from tests.node import ROOT

sys.path[:0] = [str(ROOT / "sim"), str(ROOT / "site" / "make")]

from tests.bench import engine, page  # noqa: E402

LIMITS = {
    "twin at the opening settings": "≤ 0.4 ms",
    "plain loop ÷ twin, median": "≥ 5",
    "reference at the opening settings": "≤ 60 ms",
    "100,000 chats, all waiting": "≤ 1,000 ms",
    "all settings in one tab": "≤ 4 s",
    "handler to end of layout, p95": "≤ 8 ms",
}
Row = tuple[str, str]


def engine_rows(found: dict[str, Any]) -> list[Row]:
    """Lines about the engine."""
    opening, middle, worst, ratio = (found[key] for key in ("opening_ms", "median_ms", "worst_ms", "plain_over_twin"))
    count = len(found["settings"])
    rows = [
        (
            "reference at the opening settings",
            f"{opening['reference']:.1f} ms (least {opening['least_reference']:.1f})",
        ),
        ("plain loop at the opening settings", f"{opening['plain']:.2f} ms (least {opening['least_plain']:.2f})"),
        ("twin at the opening settings", f"{opening['twin']:.3f} ms (least {opening['least_twin']:.3f})"),
        (f"reference on {count} settings", f"median {middle['reference']:.1f} ms, worst {worst['reference']:.1f} ms"),
        (f"plain loop on {count} settings", f"median {middle['plain']:.2f} ms, worst {worst['plain']:.2f} ms"),
        (f"twin on {count} settings", f"median {middle['twin']:.3f} ms, worst {worst['twin']:.3f} ms"),
        ("plain loop ÷ twin, median", f"{ratio['median']:.1f} ({ratio['worst']:.1f} to {ratio['best']:.1f})"),
    ]
    return rows + [(f"{each['count']:,} chats, {each['kind']}", f"{each['ms']:.0f} ms") for each in found["long_lists"]]


def page_rows(found: dict[str, Any]) -> list[Row]:
    """Lines about the page."""
    every, moves = found["all_settings"], found["moves"]
    rows = [
        (
            "all settings in one tab",
            f"{every['seconds']:.2f} s, the first time {every['first_seconds']:.2f} s ({every['count']:,})",
        ),
        ("handler to end of layout, p50", f"{moves['p50_ms']:.2f} ms"),
        ("handler to end of layout, p95", f"{moves['p95_ms']:.2f} ms"),
        ("handler to end of layout, worst", f"{moves['worst_ms']:.2f} ms ({moves['moves']} moves)"),
    ]
    rows += [(name.replace("-", " "), f"{ms:.0f} ms") for name, ms in found["first_paint_ms"].items()]
    return rows + [
        (each["file"], f"{each['raw']:,} bytes, gzip {each['gzip']:,}, brotli {each['brotli']:,}")
        for each in found["weights"]
    ]


def table(rows: list[Row]) -> str:
    """Rows as lines, with what is wanted beside."""
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {value:44}  {LIMITS.get(name, '')}".rstrip() for name, value in rows)


def main(argv: list[str]) -> int:
    """Measure everything that is there: without dist/ only the engine."""
    path = Path(argv[0]) if argv else ROOT / "dist" / "bench.json"
    found = {"engine": engine.measured()}
    rows = engine_rows(found["engine"])
    if (ROOT / "dist" / "index.html").is_file():
        found["page"] = page.measured()
        rows += page_rows(found["page"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(table(rows))
    print(f"written to {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
