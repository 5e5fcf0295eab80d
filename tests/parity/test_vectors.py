"""The vectors: both languages against the same cases; here Python, in tests/js the port."""

from collections.abc import Callable

import pytest

from tests.parity import vectors
from tests.parity.both import partings, readable
from tests.parity.calls import answer, encode
from tests.parity.make_vectors import MODULES, text_for

CASES = list(vectors.cases())


@pytest.mark.parametrize(("module", "case"), CASES, ids=[f"{module}: {case['name']}"[:70] for module, case in CASES])
def test_the_reference_answers_as_the_vector_says(module: str, case: vectors.Case) -> None:
    """Rule: every number as bits, every text letter by letter."""
    wrong = list(partings(encode(answer(case["in"])), encode(case["out"]), ""))
    shown = "\n".join(f"{path}: {readable(found)}, expected {readable(said)}" for path, found, said in wrong[:5])
    assert not wrong, f"{module}.json, “{case['name']}” ({case['why']})\n{shown}"


@pytest.mark.parametrize("module", MODULES)
def test_generated_cases_are_up_to_date(module: str) -> None:
    """Rule: a change of the reference shows in the vectors, in the same commit."""
    path = vectors.FOLDER / f"{module}.json"
    assert path.read_text(encoding="utf-8") == text_for(module), f"{path.name} is out of date: {vectors.COMMAND}"


@pytest.mark.parametrize("path", vectors.files(), ids=lambda path: path.stem)
def test_vectors_have_the_agreed_form(path: object) -> None:
    """Rule: each case has a name of its own, says by whom and why, and has in and out."""
    content = vectors.read(path)  # type: ignore[arg-type]
    assert list(content) == ["module", "version", "made", "cases"]
    names = [case["name"] for case in content["cases"]]
    assert len(names) == len(set(names))
    for case in content["cases"]:
        assert list(case) == ["name", "by", "why", "in", "out"]
        assert case["by"] in ("hand", "sim") and len(case["why"]) > 4
    assert any(case["by"] == "hand" for case in content["cases"])


def test_vectors_are_many(tell: Callable[[str], None]) -> None:
    """Rule: every module has cases worked by hand and cases made at boundaries."""
    hand = sum(case["by"] == "hand" for _, case in CASES)
    tell(f"vectors: {len(CASES)} cases, {hand} of them by hand, in {len(MODULES)} files for both languages")
    assert hand >= 20 and len(CASES) >= 200
