"""The whole plan in one record: settings, budget, verdict, what to change or how far it goes, and the command."""

from typing import Any, TypedDict

from .budget import Budget
from .command import command
from .demand import Demand, demand_fixes, demand_of, read_chats
from .fixes import Fixes, fixes_of
from .plan_facts import VERSIONS
from .reach import Reach, Room, reach_of, rooms_of
from .refuse import PlanError
from .reserve import by_cuda
from .settings import Settings
from .trial import Trial, trial
from .values import trimmed
from .verdict import Verdict

SHOWN = (
    ("gpu_memory_utilization", "share"), ("max_model_len", "longest"), ("max_num_seqs", "seats"),
    ("max_num_batched_tokens", "batched_tokens"), ("tensor_parallel_size", "tp"), ("pipeline_parallel_size", "pp"),
    ("decode_context_parallel_size", "dcp"), ("dtype", "dtype"), ("kv_cache_dtype", "kv_dtype"),
    ("enforce_eager", "eager"), ("enable_chunked_prefill", "chunked"), ("async_scheduling", "asynchronous"),
    ("enable_prefix_caching", "prefix_caching"), ("estimate_cudagraphs", "graphs_counted"),
    ("kv_cache_memory_bytes", "kv_cache_memory_bytes"), ("num_gpu_blocks_override", "blocks_override"),
)  # fmt: skip
"""Settings that a plan shows, by vLLM's name and by the name in the resolved settings."""
BY_MODEL = ("max_model_len", "dtype")
"""Settings whose default is the model's."""
OWN = ("require_chats",)
"""Settings that are the plan's own, not vLLM's."""


class Shown(TypedDict):
    """A setting as it was resolved.

    Attributes:
        name: vLLM's name
        value: what it is, in its own unit
        origin: "given", "model" or "default" of the version
    """

    name: str
    value: Any
    origin: str


class About(TypedDict):
    """What the plan is about.

    Attributes:
        version: version of vLLM
        engine: "V0" or "V1"
        runner: model runner, "V1" or "V2"
        rules: "read" where the release was read, "between" two that were, "newer" than all, "old"
        rules_of: release whose rules are used
        card: name of the card
        card_title: the card, to be read
        total_kind: where the card's memory is from: "log", "documentation" or "unverified"; "given" where it was
        model: name of the model
        architecture: the model's class
        parameters: parameters of the model
        parameters_kind: where their number is from: "index", "counted" or "published"
        quantisation: how the weights are stored, or nothing
    """

    version: str
    engine: str
    runner: str
    rules: str
    rules_of: str
    card: str
    card_title: str
    total_kind: str
    model: str
    architecture: str
    parameters: int
    parameters_kind: str
    quantisation: str


class Plan(TypedDict):
    """Whether it will start, and everything that leads there.

    Attributes:
        about: version, card and model
        settings: as resolved, each with its origin
        budget: who has how much of a card, with kinds and spreads
        verdict: whether it starts, what vLLM prints, dangers, how sure it is
        rooms: how many chats of typical lengths fit at once; none where it does not start
        fixes: what to change, or nothing where nothing is asked for
        reach: how far each lever goes, or nothing where it does not start
        demand: chats that were required, or nothing
        guesses: what was guessed about the model
        not_counted: what was asked for and is not counted
        command: the command with these settings
        fixed_command: the command with the cheapest change that a command can make, or nothing where there is none
    """

    about: About
    settings: list[Shown]
    budget: Budget
    verdict: Verdict
    rooms: list[Room]
    fixes: Fixes | None
    reach: Reach | None
    demand: Demand | None
    guesses: list[str]
    not_counted: list[str]
    command: str
    fixed_command: str


def plan(asked: Any, with_fixes: bool = True) -> Plan:
    """Whether vLLM starts with these settings, why, what to change, and the command.

    Args:
        asked: settings by vLLM's names, and require_chats such as "8x32000"; a measured_kv_gib in GiB is taken as it
            is, and holds for exactly the settings of the log that it is from
        with_fixes: whether to look for changes and for how far each lever goes, which takes most of the time

    Returns:
        The plan.

    Raises:
        PlanError: for a setting that cannot be used
    """
    if not isinstance(asked, dict) or not all(isinstance(name, str) for name in asked):
        raise PlanError("settings", asked, "object")
    asked = trimmed(asked)
    chats = None if asked.get("require_chats") is None else read_chats(asked["require_chats"])
    at = trial({name: value for name, value in asked.items() if name not in OWN})
    starts = at["verdict"]["outcome"] != "refuses"
    demand = None if chats is None else demand_of(at, chats)
    fixes = _fixes(at, starts, chats, demand) if with_fixes else None
    settings = at["settings"]
    return {
        "about": _about(at),
        "settings": _shown(at),
        "budget": at["budget"],
        "verdict": at["verdict"],
        "rooms": rooms_of(at) if starts else [],
        "fixes": fixes,
        "reach": reach_of(at) if starts and with_fixes else None,
        "demand": demand,
        "guesses": settings["model"]["guesses"],
        "not_counted": [*settings["model"]["not_counted"], *_uncounted(at), *_other_build(settings)],
        "command": command(at["asked"]),
        "fixed_command": _fixed_command(at, fixes),
    }


def _uncounted(at: Trial) -> list[str]:
    # An adapter's rank says nothing where there are no adapters, and no size is no flag.
    names, needs = at["settings"]["not_counted"], VERSIONS["uncounted"]["only_with"]
    return [name for name in names if at["asked"][name] != 0 and needs.get(name, name) in names]


def _other_build(settings: Settings) -> list[str]:
    return [] if by_cuda(settings) else ["other_build"]


def _fixes(at: Trial, starts: bool, chats: list[list[int]] | None, demand: Demand | None) -> Fixes | None:
    if chats is not None and demand is not None and not demand["met"]:
        return demand_fixes(at, chats)
    return None if starts else fixes_of(at)


def _fixed_command(at: Trial, fixes: Fixes | None) -> str:
    if fixes is None or fixes["none"]:
        return ""
    try:
        changes = next((fix["changes"] for fix in fixes["fixes"] if list(fix["changes"]) != ["in_use_gib"]), None)
        return "" if changes is None else command({**at["asked"], **changes})
    except PlanError:
        return ""


def _about(at: Trial) -> About:
    settings = at["settings"]
    rules, card, model = settings["rules"], settings["card"], settings["model"]
    return {
        "version": rules["version"],
        "engine": rules["engine"],
        "runner": rules["runner"],
        "rules": rules["status"],
        "rules_of": rules["base"],
        "card": card["name"],
        "card_title": card["title"],
        "total_kind": "given" if "total_gib" in settings["given"] else card["total_kind"],
        "model": model["name"],
        "architecture": model["architecture"],
        "parameters": model["parameters"],
        "parameters_kind": model["parameters_kind"],
        "quantisation": model["quantisation"],
    }


def _shown(at: Trial) -> list[Shown]:
    settings: Any = at["settings"]
    found: list[Shown] = []
    for name, own in SHOWN:
        if settings[own] is None:
            continue
        origin = "given" if name in settings["given"] else "model" if name in BY_MODEL else "default"
        found.append({"name": name, "value": settings[own], "origin": origin})
    return found
