"""Every command of bench, training, fuzz and docsite still finds what it imports, wherever that has moved."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil

import pytest

#: What is only installed where one trains.
ONLY_TO_TRAIN = frozenset({"torch"})
MODULES = [
    found.name
    for package in ("bench", "training", "fuzz", "docsite")
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
    if not found.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_a_command_imports(name: str) -> None:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in ONLY_TO_TRAIN:
            raise
        pytest.skip(f"NO {error.name.upper()} HERE: {name} is not imported")
