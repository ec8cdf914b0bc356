"""Harbor's multi-step trial, imported without the agents that it could run."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


def _multi_step_trial() -> Any:
    # The agents bring in litellm, which takes 5 of 6 seconds of import in every worker. No agent runs here.
    agents = "harbor.agents.factory"
    none = ModuleType(agents)
    vars(none)["AgentFactory"] = None
    found = sys.modules.setdefault(agents, none)
    try:
        return importlib.import_module("harbor.trial.multi_step").MultiStepTrial
    finally:
        if found is none:
            del sys.modules[agents]


MultiStepTrial: Any = _multi_step_trial()
