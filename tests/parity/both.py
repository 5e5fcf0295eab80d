"""Give the same jobs to both languages, compare the answers, and say where they part."""

import json
import shlex
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.node import ROOT, run_node
from tests.parity.calls import Job, answer, encode


def of_python(job: Job) -> str:
    """The reference's answer as one line."""
    return json.dumps(encode(answer(job)))


def of_node(
    jobs: Iterable[Job], folder: Path = ROOT, timeout: float | None = None, engine: str = "tests/parity/engine.mjs"
) -> list[str]:
    """The port's answers as lines, from the copy of the sources in `folder`."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "jobs"
        path.write_text("".join(json.dumps(job) + "\n" for job in jobs), encoding="utf-8")
        done = run_node(engine, path, folder=folder, timeout=timeout)
    if done.returncode:
        raise RuntimeError(f"node ended with {done.returncode}:\n{done.stderr}")
    return done.stdout.splitlines()


def made_and_answered(make: Callable[[Any], Job], seed: Any) -> tuple[Job, str]:
    """Make a job from a seed and let the reference answer it."""
    job = make(seed)
    return job, of_python(job)


def in_processes(work: Callable[..., Any], *columns: Iterable[Any], chunk: int = 16) -> Iterator[Any]:
    """Map on all processors. Processes start afresh: forking beside a browser's threads is not safe.

    What fits into one chunk is done here: to start a process takes longer.
    """
    rows = list(zip(*columns, strict=True))
    if len(rows) <= chunk:
        yield from (work(*row) for row in rows)
        return
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        yield from workers.map(work, *zip(*rows, strict=True), chunksize=chunk)


def disagreements(jobs: list[Job], pythons: list[str], nodes: list[str]) -> list[str]:
    """A text for every job to which the two say different things."""
    if len(jobs) != len(nodes):
        return [f"{len(jobs)} jobs, but {len(nodes)} answers from the port"]
    rows = zip(jobs, pythons, nodes, strict=True)
    return [report(job, json.loads(one), json.loads(other)) for job, one, other in rows if differ(one, other)]


def differ(one: str, other: str) -> bool:
    """Whether two answers are not the same value."""
    return one != other and json.loads(one) != json.loads(other)


def report(job: Job, one: Any, other: Any) -> str:
    """The job, both answers where they part, and the command that shows it again."""
    whole = any(isinstance(answer, dict) and {"crash", "$refused"} & set(answer) for answer in (one, other))
    parts = [("answer", one, other)] if whole else list(partings(one, other, ""))
    shown = [f"  {path}: python {readable(a)}, javascript {readable(b)}" for path, a, b in parts[:6]]
    more = [f"  … and {len(parts) - 6} more"] if len(parts) > 6 else []
    text = json.dumps(job)
    return "\n".join([f"job {text}", *shown, *more, f"again: python -m tests.parity.replay {shlex.quote(text)}"])


def partings(one: Any, other: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Every place where two answers part."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *[key for key in other if key not in one]]:
            yield from partings(one.get(key, "nothing"), other.get(key, "nothing"), f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from partings(a, b, f"{path}[{i}]")
    elif one != other:
        yield path or "answer", one, other


def readable(value: Any) -> str:
    """A value for the eye: bits as number and bits."""
    if isinstance(value, str) and len(value) == 17 and value[0] == "#":
        return f"{struct.unpack('>d', bytes.fromhex(value[1:]))[0]!r} ({value[1:]})"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 1_500 else text[:1_500] + "…"


def assert_agreement(
    jobs: list[Job], pythons: list[str], folder: Path = ROOT, engine: str = "tests/parity/engine.mjs"
) -> None:
    """Fail with the first disagreements, if there are any."""
    wrong = disagreements(jobs, pythons, of_node(jobs, folder, engine=engine))
    assert not wrong, f"{len(wrong)} of {len(jobs)} jobs disagree\n\n" + "\n\n".join(wrong[:4])
