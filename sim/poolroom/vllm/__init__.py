"""Will it start? vLLM's own arithmetic for any card and any model, by version."""

from .plan import Plan, plan
from .plan_words import answer, as_json, as_text, upgrade_text
from .refuse import PlanError
from .upgrade import Upgrade, compare

__all__ = ["Plan", "PlanError", "Upgrade", "answer", "as_json", "as_text", "compare", "plan", "upgrade_text"]
