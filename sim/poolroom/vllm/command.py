"""One command to start the server: exactly the settings that differ from the version's defaults."""

from typing import Any

from ..checks import MOST_WHOLE
from .plan_facts import VERSIONS
from .refuse import PlanError
from .rounding import fixed
from .settings import Settings, resolve
from .values import is_number, trimmed
from .versions import at_least, read_version, rules_of

FIRST_SERVE = "0.5.5"
"""The first release read that has `vllm serve`.

Source:
    vLLM 0.5.5, scripts.py; PR 5090.
"""
FIRST_NO = "0.8.5"
"""The first release read whose switches are turned off by --no-…; before that, by =False.

Source:
    vLLM 0.8.5, engine/arg_utils.py, BooleanOptionalAction.
"""
PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:@+-"
"""Characters that a shell takes as they are."""
LEAST_PLAIN = 0.0001
"""Smaller numbers, of any unit, are not written as they are."""
LEFT_OUT = ("given", "not_counted", "card", "model", "rules", "measured")
"""What is not compared when a setting is left out: what it cannot change, and what says that it was given."""
NAMELESS = "<your-model>"
"""What stands for a model whose config.json does not name it: one word that vLLM refuses before it loads anything.

Source:
    huggingface_hub, `validate_repo_id`: a name has no < and no >.
"""
DEEPEST = 20
"""A value that is JSON is written with so many levels at most, a count without unit."""


def command(asked: dict[str, Any]) -> str:
    """The command that starts vLLM with these settings; what is a default of the version is left out.

    Args:
        asked: settings by vLLM's names

    Returns:
        One line for a shell.

    Raises:
        PlanError: for a setting that cannot be used
    """
    asked = trimmed(asked) if isinstance(asked, dict) else asked
    settings = resolve(asked)
    kept = needed_settings(asked, settings)
    order = read_version(settings["rules"]["version"])["order"]
    words = [*_environment(asked, settings)]
    if at_least(order, FIRST_SERVE):
        words.extend(["vllm", "serve", quoted(_model_name(asked, settings))])
    else:
        words.extend(["python", "-m", "vllm.entrypoints.openai.api_server", "--model"])
        words.append(quoted(_model_name(asked, settings)))
    for row in VERSIONS["settings"]:
        if row["flag"] and row["name"] in kept:
            words.extend(_flag(row["flag"], asked[row["name"]], at_least(order, FIRST_NO)))
    for name in settings["not_counted"]:
        words.extend(_uncounted(name, asked[name]))
    return " ".join(words)


def needed_settings(asked: dict[str, Any], settings: Settings) -> list[str]:
    """Which given settings are no defaults: what may be left out without changing anything is left out.

    Args:
        asked: settings by vLLM's names
        settings: as resolved

    Returns:
        Names of settings.
    """
    kept = dict(asked)
    for row in VERSIONS["settings"]:
        name = row["name"]
        if not row["flag"] or name not in kept:
            continue
        without = {key: value for key, value in kept.items() if key != name}
        if asked[name] is None or _same(without, settings, name):
            kept = without
    return [row["name"] for row in VERSIONS["settings"] if row["flag"] and row["name"] in kept]


def _same(asked: dict[str, Any], settings: Settings, without: str) -> bool:
    # Only the setting for the weights is read with the model; without any other the model is the same.
    try:
        other = resolve(asked, None if without == "quantization" else settings)
    except PlanError:
        return False
    if without == "quantization" and other["model"]["quantisation"] != settings["model"]["quantisation"]:
        return False
    names = [name for name in settings if name not in LEFT_OUT]
    return all(other[name] == settings[name] for name in names)  # type: ignore[literal-required]


def _model_name(asked: dict[str, Any], settings: Settings) -> str:
    return str(asked["model"]) if isinstance(asked["model"], str) else settings["model"]["name"] or NAMELESS


def _environment(asked: dict[str, Any], settings: Settings) -> list[str]:
    # What is set by the environment, not by a flag.
    words = []
    rules = settings["rules"]
    if asked.get("engine") is not None and rules["engine"] != rules_of(rules["version"])["engine"]:
        words.append("VLLM_USE_V1=1" if rules["engine"] == "V1" else "VLLM_USE_V1=0")
    if asked.get("estimate_cudagraphs") is not None and rules["graphs"] != "outside":
        by_itself = rules["graphs"] == "inside"
        if asked["estimate_cudagraphs"] != by_itself:
            words.append(f"VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS={1 if asked['estimate_cudagraphs'] else 0}")
    if asked.get("flashinfer_sampler"):
        words.append("VLLM_USE_FLASHINFER_SAMPLER=1")
    return words


def _flag(flag: str, value: Any, has_no: bool) -> list[str]:
    if value is True:
        return [flag]
    if value is False:
        return [f"--no-{flag[2:]}"] if has_no else [f"{flag}=False"]
    return [flag, quoted(number_text(value))]


def _uncounted(name: str, value: Any) -> list[str]:
    # What is not counted is the user's own, and stays as it is; only switches stand without a value.
    flag = f"--{name.replace('_', '-')}"
    if value is True:
        return [flag] if name.startswith("enable_") else []
    return [flag, quoted(value if isinstance(value, str) else _json(name, value, 0))]


def _json(name: str, value: Any, deep: int) -> str:
    if isinstance(value, str):
        return '"' + "".join(_escaped(letter) for letter in value) + '"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if is_number(value) and 0 - MOST_WHOLE <= value <= MOST_WHOLE:
        return number_text(value)
    if isinstance(value, list) and deep < DEEPEST:
        return "[" + ",".join(_json(name, each, deep + 1) for each in value) + "]"
    if isinstance(value, dict) and deep < DEEPEST and all(isinstance(key, str) for key in value):
        pairs = [f"{_json(name, key, 0)}:{_json(name, each, deep + 1)}" for key, each in value.items()]
        return "{" + ",".join(pairs) + "}"
    raise PlanError(name, value, "flag_value")


def _escaped(letter: str) -> str:
    if letter in ('"', "\\"):
        return f"\\{letter}"
    return letter if letter >= " " else f"\\u00{ord(letter) // 16}{'0123456789abcdef'[ord(letter) % 16]}"


def number_text(value: Any) -> str:
    """A value as a command line takes it: whole numbers without a point, others with as many places as they have.

    Args:
        value: text or a number of any unit

    Returns:
        The text.

    Raises:
        PlanError: for a number that is not finite
    """
    if isinstance(value, str):
        return value
    if value == value // 1:
        return str(int(value))
    # Smaller ones are written with an exponent, and not in the same way everywhere.
    return str(value) if value >= LEAST_PLAIN else fixed(value, 6)


def quoted(text: str) -> str:
    """Text as a shell takes it: in quotes where it has to be.

    Args:
        text: one word of a command

    Returns:
        The word.
    """
    if text and all(letter in PLAIN for letter in text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
