"""Pickles of version 0.1 name the modules of that version: they still find their classes."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

#: Where the classes of a module of version 0.1 are found today; public places, which stay.
PLACES = {
    "bkernn._base": "bkernn._estimators.base",
    "bkernn._brownian_ridge": "bkernn",
    "bkernn._classifier": "bkernn",
    "bkernn._cv_classifier": "bkernn",
    "bkernn._cv_regressor": "bkernn",
    "bkernn._dask_classifier": "bkernn.dask",
    "bkernn._dask_regressor": "bkernn.dask",
    "bkernn._dask_shards": "bkernn.dask",
    "bkernn._display": "bkernn",
    "bkernn._display_functions": "bkernn",
    "bkernn._regressor": "bkernn",
    "bkernn._relu_network": "bkernn",
}


class OldModules(MetaPathFinder, Loader):
    """Makes a module with an old name when one is asked for."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to load the module, or None if its name is not an old one."""
        return ModuleSpec(name, self) if name in PLACES else None

    def exec_module(self, module: ModuleType) -> None:
        """Let the module have whatever today's place has."""
        place = import_module(PLACES[module.__name__])
        module.__getattr__ = functools.partial(getattr, place)  # type: ignore[method-assign]


def install() -> None:
    """Let old modules be asked for after all others."""
    sys.meta_path.append(OldModules())
