"""The only reader of the facts of the second lesson: for each tool its controls, figures and sentences."""

from typing import Any

from .facts import load

TOOLS: dict[str, Any] = {
    name: load(f"serving/{name}") for name in ("percentiles", "floor", "kv", "window", "cache", "quantise")
}
"""Controls, figures and words of each tool, by its name, in the order of the lesson.

Source:
    `facts/serving`, with a source and a date for each figure and each list of choices.
"""


def figure(tool: str, name: str) -> Any:
    """The value of one figure of a tool.

    Args:
        tool: name of the tool
        name: name of the figure

    Returns:
        The value, in the unit that the facts name.
    """
    return TOOLS[tool]["figures"][name]["value"]


def opening(tool: str) -> dict[str, Any]:
    """What a tool's controls open with.

    Args:
        tool: name of the tool

    Returns:
        Values by name, in the unit that the facts name.
    """
    return {key: control["opening"] for key, control in TOOLS[tool]["controls"].items()}
