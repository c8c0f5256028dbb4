"""Today's sea in words: `31 shots` or `not yet` on its card, its mark in the calendar."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from game.display.words import plural
from game.feature import DayMark, DayState
from game.matches.day_results import DayResult
from game.views.days import search_mark, search_state


def state(ended: DayResult | None, begun: int) -> DayState:
    return search_state(
        ended, begun, lambda shots: plural("%(count)s shot", "%(count)s shots", shots)
    )


def mark(ended: DayResult) -> DayMark:
    counted = plural("Sea: %(count)s shot", "Sea: %(count)s shots", ended.shots)
    return search_mark(ended, "sea", counted)


def legend() -> Sequence[tuple[str, str]]:
    said = {"par": _("par or better"), "over": _("over par"), "lost": _("not all found")}
    return [(f"sea is-{grade}", words) for grade, words in said.items()]


def days_in_a_row(count: int) -> str:
    """Returns `3 days in a row`; empty for fewer than two."""
    said = plural("%(count)s day in a row", "%(count)s days in a row", count)
    return said if count > 1 else ""


_STEPS = (20, 25, 30, 40)
"""The most shots of each row of the distribution but the last."""


def spread(shots: Sequence[int]) -> list[tuple[str, int]]:
    """Returns rows such as `21–25` with how many seas took so many shots; empty below two seas."""
    if len(shots) < 2:
        return []
    rows, least = [], 1
    for most in _STEPS:
        rows.append((f"{least}–{most}", sum(least <= count <= most for count in shots)))
        least = most + 1
    return [*rows, (f"{least}+", sum(count >= least for count in shots))]
