"""What the computer has noticed of how a person places fleets, in words."""

from typing import NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from game.display.names import mind_name
from game.display.words import cached_by_language
from game.engine.rules import Ruleset
from game.matches.draft import Draft
from game.matches.setup import Setup

_HABITS = {
    "edge": pgettext_lazy("habit", "along the edge"),
    "inland": pgettext_lazy("habit", "off the edge"),
    "corners": pgettext_lazy("habit", "near the corners"),
    "across": pgettext_lazy("habit", "across"),
    "down": pgettext_lazy("habit", "down"),
    "clustered": pgettext_lazy("habit", "close together"),
    "unlikely": pgettext_lazy("habit", "where ships seldom lie"),
}
_LEAST_TIMES, _MOST_TIMES = 1.5, 10


class Noticed(NamedTuple):
    """The habit that the computer considers most likely, or a fleet placed again."""

    habit: str | None = None
    """One of HABITS, or `again`; None if nothing was noticed."""
    sentence: str = ""
    """`The Admiral noticed: your ships lie along the edge, 3 times as often as by chance.`"""


def noticed_of(setup: Setup) -> Noticed:
    """Returns what the computer has noticed in the rounds before."""
    if not setup.learnt:
        return Noticed()
    return _noticed(setup.learnt, setup.ruleset, setup.opponent)


def remembered_fleet(draft: Draft) -> str:
    """Returns `The Admiral remembers this fleet.` for a fleet of an earlier round, or empty."""
    setup = draft.setup
    if not setup.learnt or draft.missing:
        return ""
    from game.players.belief.rounds import is_remembered  # loads NumPy

    is_known = is_remembered(setup.learnt, setup.ruleset, draft.placed)
    words = {"name": mind_name(setup.opponent)}
    return _("The %(name)s remembers this fleet.") % words if is_known else ""


@cached_by_language(maxsize=256)  # what the computer learnt of players who play now; 0.3 kB each
def _noticed(learnt: tuple[int, ...], rules: Ruleset, mind: str) -> Noticed:
    from game.players.belief.habits import noticed  # loads NumPy
    from game.players.belief.rounds import is_again

    if is_again(learnt, rules):
        return Noticed("again", _("You have placed this fleet before."))
    held = noticed(learnt, rules)
    if not held:
        return Noticed()
    habit, times = held[0]
    words = {"name": mind_name(mind), "where": _HABITS[habit], "often": times_words(times)}
    said = _("The %(name)s noticed: your ships lie %(where)s.")
    if words["often"]:
        said = _("The %(name)s noticed: your ships lie %(where)s, %(often)s.")
    return Noticed(habit, said % words)


def times_words(times: float) -> str:
    """Returns `3 times as often as by chance`, in halves below three; empty below 1.5 times."""
    rounded = round(2 * times) / 2 if times < 2.75 else float(round(times))
    if rounded < _LEAST_TIMES:
        return ""
    if rounded > _MOST_TIMES:
        return _("more than 10 times as often as by chance")
    if rounded == 2:
        return _("twice as often as by chance")
    number = number_format(rounded, None if rounded % 1 else 0)
    return _("%(times)s times as often as by chance") % {"times": number}
