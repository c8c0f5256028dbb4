"""Programs that tests need. Where one is missing, its tests are skipped and counted at the end.

Continuous integration (CI=true) skips none of them: there they fail.
"""

import os
import shutil
from collections import Counter
from collections.abc import Iterable

import pytest

_NOT_HERE = "not here: "
IS_DEMANDED = os.environ.get("CI") == "true"


def needs(what: str, *programs: str) -> pytest.MarkDecorator:
    """Marks tests that need one of these programs."""
    is_skipped = not any(map(shutil.which, programs)) and not IS_DEMANDED
    return pytest.mark.skipif(is_skipped, reason=f"{_NOT_HERE}{what}")


def skip_without(found: object, what: str, *, is_demanded: bool = True) -> None:
    """Skips the test, or fails in CI if that must have it, unless something was found."""
    if not found:
        if IS_DEMANDED and is_demanded:
            pytest.fail(f"CI needs {what}, which is not here")
        pytest.skip(f"{_NOT_HERE}{what}")


def counts(reasons: Iterable[str]) -> list[str]:
    """Returns `412 skipped: there is no Chromium` for each program that is missing."""
    missing = Counter(
        reason.split(_NOT_HERE)[1].strip("'\")") for reason in reasons if _NOT_HERE in reason
    )
    return [f"{count} skipped: there is no {what}" for what, count in missing.items()]
