"""The tools of the second lesson, compared bit for bit: inputs by chance, every choice, refusals."""

import json
import re
from collections import Counter
from collections.abc import Callable

import pytest

from tests.parity.both import assert_agreement, disagreements, of_node, of_python
from tests.parity.tools import NAMES, Named, choice_jobs, inputs, made_jobs, refused_jobs

Tell = Callable[[str], None]


def compared(named: Named) -> list[str]:
    """Let both languages answer, fail where they part, and give the answers."""
    jobs = [job for _, job in named]
    answers = [of_python(job) for job in jobs]
    assert_agreement(jobs, answers)
    return answers


def is_refusal(answer: str) -> bool:
    """Whether both said no."""
    return answer.startswith('{"$refused"')


def table(counts: Counter[str]) -> str:
    """How many of each tool."""
    return ", ".join(f"{tool} {counts[tool]:,}" for tool in NAMES)


@pytest.mark.parametrize("tool", NAMES)
def test_every_tool_has_inputs(tool: str) -> None:
    """Rule: a tool that is offered has a module in `inputs`, with jobs that come again and values to refuse."""
    module = inputs(tool)
    assert list(module.jobs(range(8))) == list(module.jobs(range(8)))
    assert len(list(module.jobs(range(8)))) >= 8 and len(module.refused()) >= 20


def test_inputs_by_chance(tell: Tell) -> None:
    """Rule: the same bits and letters for thousands of inputs all over each tool's domain."""
    named = made_jobs()
    answers = compared(named)
    pairs = list(zip(named, answers, strict=True))
    answered = Counter(tool for (tool, _), answer in pairs if not is_refusal(answer))
    distinct = Counter(tool for tool, _ in {(tool, answer) for (tool, _), answer in pairs})
    whole = Counter(tool for (tool, job), answer in pairs if job["call"] == "tools.answer" and not is_refusal(answer))
    tell(f"tools: {len(named):,} inputs by chance ({table(answered)} answered), 0 differing bits")
    assert len(named) >= 1_000 * len(NAMES) and sum(answered.values()) >= 5_000
    assert all(answered[tool] >= 600 and distinct[tool] >= 500 for tool in NAMES)
    assert all(whole[tool] >= getattr(inputs(tool), "WHOLE", 400) for tool in NAMES)


def test_every_choice(tell: Tell) -> None:
    """Rule: each choice of each control, as it is shown and what it says in order, and choices put together."""
    named = choice_jobs()
    answers = compared(named)
    counts = Counter(tool for tool, _ in named)
    tell(f"tools: {len(named):,} jobs of choices ({table(counts)}), 0 differing letters")
    assert not [job for (_, job), answer in zip(named, answers, strict=True) if is_refusal(answer)]
    assert min(counts[tool] for tool in NAMES) >= 70


def test_refusals(tell: Tell) -> None:
    """Rule: both refuse the same values, name the same setting and give the same rule."""
    named = refused_jobs()
    answers = compared(named)
    counts = Counter(tool for tool, _ in named)
    tell(f"tools: {len(named)} bad values refused alike ({table(counts)})")
    assert [job for (_, job), answer in zip(named, answers, strict=True) if not is_refusal(answer)] == []


@pytest.mark.parametrize("tool", NAMES)
def test_one_wrong_bit_or_letter_is_seen(tool: str) -> None:
    """Rule: the comparison notices the last bit of one number, and one letter."""
    job = {"call": "tools.answer", "args": [tool, {}]}
    right = of_python(job)
    assert not disagreements([job], [right], of_node([job]))
    number = re.search(r'"#[0-9a-f]{16}"', right)
    line = next(iter(json.loads(right)["lines"].values()))
    wrongs = [right.replace(json.dumps(line)[1:-1], json.dumps(line[:-1])[1:-1], 1)]
    if number:
        last = number[0][-2]
        wrongs.append(right.replace(number[0], f'{number[0][:-2]}{"1" if last == "0" else "0"}"', 1))
    for wrong in wrongs:
        assert wrong != right and disagreements([job], [right], [wrong])
