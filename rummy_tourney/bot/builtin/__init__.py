"""The bots that come with the package: ``random``, ``greedy`` and ``steady`` for every family.

A built-in is a class registered for a family with :func:`builtin`. Built-ins draw chance only through
``seeding.Stream.below``, so that their play is the same on every machine and every version of Python.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

C = TypeVar("C", bound=type)

_BOTS: dict[tuple[str, str], type[Any]] = {}
_LOADED = False
ANY_FAMILY = "*"
"""A built-in registered for this family plays every game."""


def builtin(family: str, name: str) -> Callable[[C], C]:
    """Register a bot class under ``name`` for ``family``; refuses a name that is taken."""

    def register(cls: C) -> C:
        if (family, name) in _BOTS:
            raise ValueError(f"{family} has a built-in called {name!r} already")
        _BOTS[family, name] = cls
        return cls

    return register


def builtins(family: str) -> Mapping[str, type[Any]]:
    """The built-in bots of a family by name, in alphabetical order."""
    global _LOADED  # noqa: PLW0603 - the registry is filled once per process, on first use
    if not _LOADED:
        for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
            importlib.import_module(f"{__name__}.{module}")
        _LOADED = True
    found = {name: cls for (owner, name), cls in _BOTS.items() if owner in (family, ANY_FAMILY)}
    return dict(sorted(found.items()))
