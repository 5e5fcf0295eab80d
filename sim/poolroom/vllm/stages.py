"""Layers divided over pipeline stages, as vLLM divides them."""

from .config import Model
from .refuse import PlanError
from .values import whole_of


def stages_of(layers: int, pp: int, last_takes_rest: bool = False) -> list[int]:
    """How many layers each pipeline stage has.

    Since 0.7 a remainder goes to the stages before the last, from the back; before, the last stage took it.

    Args:
        layers: layers of the model
        pp: how many pipeline stages there are
        last_takes_rest: whether the last stage takes the remainder, true or false

    Returns:
        Layers of each stage.

    Raises:
        PlanError: for more stages than layers

    Source:
        vLLM `distributed/utils.py`, `get_pp_indices`: 0.6.6 and 0.8.5 to 0.33.
    """
    stages = whole_of("pipeline_parallel_size", pp, 1)
    if stages > layers:
        raise PlanError("pipeline_parallel_size", pp, "config_stages", layers=layers)
    each, rest = layers // stages, layers % stages
    if last_takes_rest:
        return [each + rest if i == stages - 1 else each for i in range(stages)]
    return [each + 1 if stages - 1 - rest <= i < stages - 1 else each for i in range(stages)]


def stage_orders(model: Model, pp: int, last_takes_rest: bool = False) -> list[list[int]]:
    """The caches of each pipeline stage: for each its index among the model's kinds.

    Args:
        model: the model
        pp: how many pipeline stages there are
        last_takes_rest: whether the last stage takes the remainder, true or false

    Returns:
        One list a stage, without unit.

    Raises:
        PlanError: for more stages than layers
    """
    caches, order = model["weights"]["caches"], model["order"]
    found = []
    layer = cache = 0
    for many in stages_of(len(caches), pp, last_takes_rest):
        start = cache
        for i in range(layer, layer + many):
            cache += caches[i]
        layer += many
        found.append(order[start:cache])
    return found
