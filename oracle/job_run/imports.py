"""Harbor's job with its real agent factory, imported without litellm.

Two of harbor's twenty-six agents import litellm, which takes 8 of 11 seconds in every worker. None of them runs here.
Releases from 0.25.0 on ask litellm for the provider of every agent's model: they get the real one.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any
from unittest.mock import MagicMock

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Absent(ModuleType):
    """A module in which every name is found, and none does anything while others are imported."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            return MagicMock()
        return getattr(importlib.import_module(self.__name__), name)  # a mock's answer would pass for harbor's


class _Absence(MetaPathFinder, Loader):
    """Finds an absent module for a package and for all that is in it."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        return ModuleSpec(fullname, self, is_package=True) if fullname.partition(".")[0] == self.package else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Absent(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is."""


def _imported_without(package: str, module: str) -> ModuleType:
    if package in sys.modules:
        return importlib.import_module(module)
    absence = _Absence(package)
    sys.meta_path.insert(0, absence)
    try:
        return importlib.import_module(module)
    finally:
        sys.meta_path.remove(absence)
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            del sys.modules[name]  # whoever needs the package after this gets the real one


os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # litellm's own list of models, not the network's of today
if importlib.util.find_spec("harbor.agents.agent_auth_resolution") is not None:
    importlib.import_module("litellm")  # now, because an answer has less time than a start
AGENTS = _imported_without("litellm", "harbor.agents.factory")
JOB = importlib.import_module("harbor.job")
HOOKS = importlib.import_module("harbor.trial.hooks")
TRIAL = importlib.import_module("harbor.trial.trial")
TRIAL_CONFIG = importlib.import_module("harbor.models.trial.config")
# Another surface may have imported trials without their agents.
vars(TRIAL)["AgentFactory"] = AGENTS.AgentFactory
