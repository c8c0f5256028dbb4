"""What several test modules share: no test module imports another.

FUZZ in the environment says how many examples the tests with random input try: `usual` for
`make test`, `ci` for `make fuzz`, which continuous integration runs, and `long` for `make soak`.
"""

import os

LEVELS = ("usual", "ci", "long")
FUZZ = os.environ.get("FUZZ", "usual")
if FUZZ not in LEVELS:
    raise ValueError(f"FUZZ is none of {', '.join(LEVELS)}: {FUZZ!r}")


def times(usual: int, ci: int, long: int) -> int:
    return (usual, ci, long)[LEVELS.index(FUZZ)]
