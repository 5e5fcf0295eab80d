"""The reference with other facts under it: what a plan comes to by the lesson's rules."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.node import ROOT, run_node

OVERLAID = """

def _overlaid() -> None:
    import os
    from types import SimpleNamespace

    global CARD, MODEL, SERVER, COST, BLOCK_BYTES
    figures = json.loads(os.environ["FIGURES"])
    CARD = Card(figures["card"], figures["memory_bytes"], 0, figures["bandwidth"], figures["peak"])
    MODEL = SimpleNamespace(name=figures["model"], weights_bytes=figures["weights_bytes"],
                            kv_bytes_per_token=figures["kv_bytes_per_token"], flops_per_token=figures["flops"])
    SERVER = Server(SERVER.block_tokens, figures["reserve_bytes"], SERVER.typical_chat_tokens)
    COST = Cost(MODEL.weights_bytes, MODEL.kv_bytes_per_token, MODEL.flops_per_token, CARD.bandwidth_bytes_per_second,
                CARD.peak_flops_per_second)
    BLOCK_BYTES = SERVER.block_tokens * MODEL.kv_bytes_per_token


_overlaid()
"""
"""What is added to a copy of the reference's facts: the rest of the reference stays as it is, and reads them."""
ASK = """
import dataclasses, json, os, sys
for line in sys.stdin:
    job = json.loads(line)
    os.environ["FIGURES"] = json.dumps(job["figures"])
    for name in [name for name in sys.modules if name.split(".")[0] == "poolroom"]:
        del sys.modules[name]
    from poolroom.describe import as_text, describe_measured, measure, page_words
    found = measure(job["share"], job["longest"], job["cap"])
    print(json.dumps({"measured": found, "shown": describe_measured(found), "beside": page_words(found),
                      "text": as_text(found)}, default=dataclasses.asdict), flush=True)
"""


def copied(folder: Path) -> Path:
    """A copy of the reference, whose facts a figure of a plan can be laid over."""
    home = folder / "sim"
    subprocess.run(["cp", "-r", str(ROOT / "sim"), str(home)], check=True)
    facts = home / "poolroom" / "facts.py"
    facts.write_text(facts.read_text("utf-8") + OVERLAID, "utf-8")
    return home


def answers(home: Path, jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the copy says of each job: figures, share, longest and cap."""
    done = subprocess.run(
        [sys.executable, "-c", ASK], input="".join(f"{json.dumps(job)}\n" for job in jobs), capture_output=True,
        encoding="utf-8", env={**os.environ, "PYTHONPATH": str(home)}, cwd=home,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def links(folder: Path, plans: list[dict[str, Any]]) -> list[str]:
    """The plan page's link for each plan."""
    path = folder / "plans.jsonl"
    path.write_text("".join(f"{json.dumps(plan)}\n" for plan in plans), "utf-8")
    done = run_node("tests/js/plan_links.mjs", path)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def figures_of(link: str) -> dict[str, Any]:
    """The figures of an address."""
    texts = {key: values[0] for key, values in parse_qs(urlsplit(link).query).items()}
    whole = {key: int(text) for key, text in texts.items() if text.isdigit() and key not in ("card", "model")}
    return {**texts, **whole, "flops": 2 * whole.get("active", whole["parameters"])}
