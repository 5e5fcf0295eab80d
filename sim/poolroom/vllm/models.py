"""Models by name: the fields of their config.json that matter, and how sure they are."""

from typing import Any, TypedDict

from .cards import Certainty
from .names import MOST_NEAR, near_names, squashed
from .plan_facts import MODELS
from .refuse import PlanError


class ModelFacts(TypedDict):
    """What is known of a model by its name.

    Attributes:
        name: its name on Hugging Face
        config: the fields of its config.json that matter, named and nested as there
        kind: how sure those are: "log", "documentation" or "unverified"
        source: where they were read
        date: when that was written or read
        remembered: fields of the config that the source does not state, and no parameter count proves
        parameters: numbers in its weights as published, with those for speculation where they are stored, parameters
        parameters_kind: how sure that is: "log", "documentation" or "unverified"
        parameters_source: where it was read
    """

    name: str
    config: dict[str, Any]
    kind: Certainty
    source: str
    date: str
    remembered: list[str]
    parameters: int
    parameters_kind: Certainty
    parameters_source: str


def model_names() -> list[str]:
    """The names of all models.

    Returns:
        Names on Hugging Face, text, in the order of the facts.
    """
    return list(MODELS["models"])


def model_name(name: Any) -> str:
    """The listed name of a model, by its name with or without its owner, or by that of a model of the same shape.

    Args:
        name: such as "meta-llama/Llama-3.1-8B-Instruct" or "llama-3.1-8b"

    Returns:
        Its name on Hugging Face, text.

    Raises:
        PlanError: for what is no text, and for a model that is not listed
    """
    found = _INDEX.get(squashed(name)) if isinstance(name, str) else None
    if found is None:
        near = near_names(name, model_names(), MOST_NEAR) if isinstance(name, str) else []
        if near:
            raise PlanError("model", name, "model_near", names=", ".join(near))
        raise PlanError("model", name, "model_name", count=len(model_names()))
    return found


def model_facts(name: Any) -> ModelFacts:
    """What is known of a model, by its name with or without its owner, or by that of a model of the same shape.

    Args:
        name: such as "meta-llama/Llama-3.1-8B-Instruct" or "llama-3.1-8b"

    Returns:
        The model's facts; the config is a copy of its own.

    Raises:
        PlanError: for what is no text, and for a model that is not listed

    Source:
        `facts/vllm/models.json`.
    """
    found = model_name(name)
    facts = MODELS["models"][found]
    source, counted = MODELS["sources"][facts["source"]], MODELS["sources"][facts["parameters"][1]]
    return {
        "name": found,
        "config": model_config(found),
        "kind": source["kind"],
        "source": source["source"],
        "date": source["date"],
        "remembered": list(facts.get("remembered", [])),
        "parameters": facts["parameters"][0],
        "parameters_kind": counted["kind"],
        "parameters_source": counted["source"],
    }


def model_config(name: Any) -> dict[str, Any]:
    """The config.json of a model by its name, as a user's file would give it.

    Args:
        name: such as "meta-llama/Llama-3.1-8B-Instruct" or "llama-3.1-8b"

    Returns:
        The fields that matter, a copy of its own.

    Raises:
        PlanError: for what is no text, and for a model that is not listed
    """
    config: dict[str, Any] = _copied(MODELS["models"][model_name(name)]["config"])
    return config


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return [_copied(part) for part in value] if isinstance(value, list) else value


def _index() -> dict[str, str]:
    index: dict[str, str] = {}
    spelt = [(each, name) for name, facts in MODELS["models"].items() for each in [name, *facts.get("aliases", [])]]
    for each, name in spelt:
        index.setdefault(squashed(each), name)
    for each, name in spelt:
        index.setdefault(squashed(each.split("/")[-1]), name)
    return index


_INDEX = _index()
