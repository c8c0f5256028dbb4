"""How long the tests with random input go on: SOAK=50 in the environment makes it fifty times."""

import os

SOAK = int(os.environ.get("SOAK", "1"))


def times(count: int) -> int:
    """The number for this run, from the one for an ordinary run."""
    return count * SOAK
