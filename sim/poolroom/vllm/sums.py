"""Products and sums of a model’s sizes, kept below 2^53, where both languages are exact."""

from ..checks import MOST_WHOLE
from .refuse import PlanError


def product(setting: str, *factors: int) -> int:
    """Whole numbers multiplied; refused where the product is not below 2^53.

    Args:
        setting: name of the field, for the refusal
        factors: whole numbers from 0, without unit

    Returns:
        The product, without unit.

    Raises:
        PlanError: for a product that both languages do not hold exactly
    """
    size = 1
    for factor in factors:
        size *= factor
        if size > MOST_WHOLE:
            raise PlanError(setting, factor, "config_exact", most=MOST_WHOLE)
    return size


def total(setting: str, *terms: int) -> int:
    """Whole numbers added; refused where the sum is not below 2^53.

    Args:
        setting: name of the field, for the refusal
        terms: whole numbers, without unit

    Returns:
        The sum, without unit.

    Raises:
        PlanError: for a sum that both languages do not hold exactly
    """
    size = 0
    for term in terms:
        size += term
        if size > MOST_WHOLE:
            raise PlanError(setting, term, "config_exact", most=MOST_WHOLE)
    return size


def divided(setting: str, value: int, by: int) -> int:
    """A whole number divided by another that divides it.

    Args:
        setting: name of the field, for the refusal
        value: a whole number, in the field's own unit
        by: a whole number from 1, without unit

    Returns:
        The quotient, in the field's own unit.

    Raises:
        PlanError: for a remainder
    """
    if value % by:
        raise PlanError(setting, value, "config_multiple", by=by)
    return value // by
