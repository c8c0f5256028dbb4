"""What features bring to tests: the values of `tests/NAME/samples.py`, by their names."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from game import feature_list


@cache
def brought(name: str) -> dict[str, Any]:
    """The value of that name in the samples of each feature that has one, by the feature's name."""
    modules = {
        it.name: import_module(f"tests.{it.name}.samples")
        for it in feature_list.installed()
        if find_spec(f"tests.{it.name}.samples")
    }
    return {it: getattr(module, name) for it, module in modules.items() if hasattr(module, name)}


def merged(name: str) -> dict[str, Any]:
    """The entries of all features' dictionaries of that name."""
    return {key: value for found in brought(name).values() for key, value in found.items()}
