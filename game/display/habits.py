"""What the computer has noticed of how a person places fleets, in words."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from game.display.names import mind_name
from game.engine.rules import Ruleset
from game.matches.setup import Setup
from game.players.belief.habits import noticed

_HABITS = {
    "edge": pgettext_lazy("habit", "along the edge"),
    "inland": pgettext_lazy("habit", "off the edge"),
    "corners": pgettext_lazy("habit", "near the corners"),
    "across": pgettext_lazy("habit", "across"),
    "down": pgettext_lazy("habit", "down"),
    "clustered": pgettext_lazy("habit", "close together"),
    "unlikely": pgettext_lazy("habit", "where ships seldom lie"),
}
_TIMES = {
    1.5: gettext_lazy("one and a half times as often as chance"),
    2.0: gettext_lazy("twice as often as chance"),
    2.5: gettext_lazy("two and a half times as often as chance"),
    3.0: gettext_lazy("three times as often as chance"),
    4.0: gettext_lazy("four times as often as chance"),
    5.0: gettext_lazy("five times as often as chance"),
    6.0: gettext_lazy("six times as often as chance"),
    7.0: gettext_lazy("seven times as often as chance"),
    8.0: gettext_lazy("eight times as often as chance"),
    9.0: gettext_lazy("nine times as often as chance"),
    10.0: gettext_lazy("ten times as often as chance"),
}


class Noticed(NamedTuple):
    """The habit that a computer holds likeliest."""

    habit: str
    """One of HABITS."""
    sentence: str
    """`The Admiral noticed: along the edge, three times as often as chance.`"""


def noticed_of(setup: Setup) -> Noticed | None:
    """What the computer has noticed in the rounds before; None where that is nothing."""
    if not setup.learnt:
        return None
    return _noticed(setup.learnt, setup.ruleset, setup.opponent, get_language() or "en")


@lru_cache(maxsize=256)
def _noticed(learnt: tuple[int, ...], rules: Ruleset, mind: str, _language: str) -> Noticed | None:
    held = noticed(learnt, rules)
    if not held:
        return None
    habit, times = held[0]
    words = ", ".join(filter(None, (str(_HABITS[habit]), times_words(times))))
    sentence = _("The %(name)s noticed: %(habit)s.")
    return Noticed(habit, sentence % {"name": mind_name(mind), "habit": words})


def times_words(times: float) -> str:
    """`three times as often as chance`, rounded, to halves below three; empty for hardly more."""
    rounded = round(2 * times) / 2 if times < 2.75 else float(round(times))
    if rounded < min(_TIMES):
        return ""
    return str(_TIMES.get(rounded, _("more than ten times as often as chance")))
