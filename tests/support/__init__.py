"""What several test modules share: no test module imports another.

FUZZ in the environment says how many examples the tests with random input try: `usual` for
`make test`, `more` for `make fuzz`, and `long` for `make soak`.
"""

import os
from typing import Any

import pytest

# Modules of the game need settings when they are imported, also by a script of this package.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")

LEVELS = ("usual", "more", "long")
FUZZ = os.environ.get("FUZZ", "usual")
if FUZZ not in LEVELS:
    raise ValueError(f"FUZZ is none of {', '.join(LEVELS)}: {FUZZ!r}")


def times(usual: int, more: int, long: int) -> int:
    return (usual, more, long)[LEVELS.index(FUZZ)]


in_both_languages = pytest.mark.parametrize("language", ["en", "de"])


def deep(*case: Any) -> Any:
    """A case of a parametrised test that runs in `make check` alone."""
    return pytest.param(*case, marks=pytest.mark.deep)
