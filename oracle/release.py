"""What the installed release of harbor offers: found by name, never by version number."""

from __future__ import annotations

import importlib
import inspect
import sys
from types import ModuleType
from typing import Any

# The agents bring in litellm, which takes 5 of 6 seconds of import in every worker. No agent runs here.
_AGENTS = "harbor.agents.factory"


class AbsentError(AttributeError):
    """The release lacks what a surface needs, or asks for what the oracle lacks: there is no outcome."""


class StandIn:
    """Stands in for a part of harbor; what a release asks of it beyond what it has is told, never answered."""

    def __getattr__(self, name: str) -> Any:
        """Refuse what is not here. An AttributeError, so that harbor may ask whether there is such a thing."""
        raise AbsentError(f"harbor asks for {type(self).__name__}.{name}, which the oracle does not stand in for")


def first(*places: str) -> Any:
    """Give the first of these that the release has, each written `module` or `module:name`."""
    *others, last = places
    for place in others:
        found = offered(place)
        if found is not None:
            return found
    return _find(last)


def offered(place: str) -> Any:
    """Give what is in this place, or None where the release has no such place."""
    try:
        return _find(place)
    except AbsentError:
        return None


def part(owner: type, name: str) -> Any:
    """Give a part of a class of harbor that not every release has."""
    if not hasattr(owner, name):
        raise AbsentError(f"{owner.__module__} has no {owner.__qualname__}.{name} in this release")
    return getattr(owner, name)


def takes(function: Any, parameter: str) -> bool:
    """Tell whether a function of harbor has this parameter."""
    return parameter in inspect.signature(function).parameters


def absence(error: BaseException | None) -> AbsentError | None:
    """Find the absence that an exception began with: harbor wraps some of those that its environment raises."""
    found = None
    while error is not None:
        found = error if isinstance(error, AbsentError) else found
        error = error.__cause__ or error.__context__
    return found


def _find(place: str) -> Any:
    module, _, name = place.partition(":")
    try:
        found: Any = _imported(module)
    except ImportError as error:
        raise lacking(error) from error
    for each in filter(None, name.split(".")):
        if not hasattr(found, each):
            raise AbsentError(f"{module} has no {name} in this release")
        found = getattr(found, each)
    return found


def lacking(error: ImportError) -> Exception:
    """Tell a part that the release does not have from a dependency of it that is missing or does not fit."""
    if not (error.name or "").startswith("harbor"):
        return error
    name = getattr(error, "name_from", None)
    return AbsentError(
        f"{error.name} has no {name} in this release" if name else f"{error.name} does not exist in this release"
    )


def _imported(module: str) -> ModuleType:
    """Import a module of harbor without the agents that it could run, if it can do without."""
    if module in sys.modules or _AGENTS in sys.modules:
        return importlib.import_module(module)
    agents = ModuleType(_AGENTS)
    vars(agents)["__getattr__"] = _Later
    sys.modules[_AGENTS] = agents
    try:
        return importlib.import_module(module)
    except (ImportError, AttributeError, TypeError):
        pass  # harbor needs the agents while it is imported
    finally:
        del sys.modules[_AGENTS]
    return importlib.import_module(module)


class _Later:
    """A name of harbor's agents, which are imported when something is asked of it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(getattr(importlib.import_module(_AGENTS), self.name), attribute)
