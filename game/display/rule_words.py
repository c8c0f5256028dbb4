"""The words of the rules: each switch and number on the page that offers it, and in one line."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _  # translated where it is shown

from game.display.words import cached_by_language, joined, plural
from game.engine.rules import Ruleset, Touching

Said: TypeAlias = str | Callable[[Ruleset], str]
"""A sentence, or the function of one; it may be empty."""


class Words(NamedTuple):
    """How pages name a field of a ruleset, and how the line of rules says it."""

    label: str = ""
    """Empty if no page offers it."""
    options: Mapping[str, str] = {}
    """The label of each value to choose from; empty for a number."""
    on: Said = ""
    off: Said = ""
    alone: Said | None = None
    """What is said in place of `on` where a player searches alone, if something else."""
    is_rare: bool = False
    """Whether own rules fold it, as few players change it."""


@cached_by_language(maxsize=256)  # rulesets in play; less than 1 kB each
def rule_line(rules: Ruleset) -> str:
    said = []
    for field, words in WORDS.items():
        on = words.alone if rules.solo and words.alone is not None else words.on
        says = on if getattr(rules, field) else words.off
        said.append(says(rules) if callable(says) else says and gettext(says))
    return joined(*said)


def _salvo_alone(rules: Ruleset) -> str:
    return plural(
        "Each turn is a salvo of %(count)s shot.",
        "Each turn is a salvo of %(count)s shots.",
        len(rules.fleet),
    )


def _turns(rules: Ruleset) -> str:
    """Returns the limit of turns: for each side, or for both together if their limits differ."""
    count = rules.turns or 0
    if rules.solo:
        return plural("%(count)s turn.", "%(count)s turns.", (count + 1) // 2)
    if count % 2:
        return plural("%(count)s turn.", "%(count)s turns in all.", count)
    return plural("%(count)s turn each.", "%(count)s turns each.", count // 2)


def _questions(rules: Ruleset) -> str:
    if rules.solo:
        return plural("%(count)s question.", "%(count)s questions.", rules.questions)
    return plural("%(count)s question each.", "%(count)s questions each.", rules.questions)


WORDS = {
    "columns": Words(_("Columns")),
    "rows": Words(_("Rows")),
    "touching": Words(
        _("Ships"),
        {
            "nowhere": _("never touch"),
            "corners": _("touch only at corners"),
            "anywhere": _("may touch"),
        },
        on=lambda rules: (
            gettext("Ships may touch at corners, but not side by side.")
            if rules.touching is Touching.CORNERS
            else gettext("Ships may touch.")
        ),
        off=_("Ships never touch, not even at corners."),
    ),
    "moving": Words(
        _("The ships"),
        {"on": _("may move"), "off": _("lie still")},
        on=_("Before firing, one ship may move one cell."),
        alone="",
    ),
    "salvo": Words(
        _("Shots in a turn"),
        {"on": _("one for each ship"), "off": _("one")},
        on=_("Each turn is a salvo: one shot for each ship afloat."),
        alone=_salvo_alone,
        is_rare=True,
    ),
    "again": Words(
        _("Whoever hits"),
        {"on": _("fires again"), "off": _("ends the turn")},
        on=_("Whoever hits fires again."),
        off=lambda rules: "" if rules.salvo else gettext("One shot a turn."),
        alone=_("After a hit you fire again."),
    ),
    "solo": Words(
        on=lambda rules: (
            gettext("After each turn one of the hidden ships may move one cell.") * rules.moving
        )
    ),
    "turns": Words(_("Turns each (empty: no limit)"), on=_turns),
    "at_limit": Words(
        _("When the turns run out"),
        {"afloat": _("most ships afloat wins"), "draw": _("a draw")},
        is_rare=True,
    ),
    "named": Words(
        _("A hit"),
        {"on": _("names the ship"), "off": _("says only “hit”")},
        on=_("A hit names the ship."),
        is_rare=True,
    ),
    "silent": Words(
        _("A sinking"),
        {"off": _("is announced"), "on": _("isn’t announced")},
        on=_("A sinking is announced only as a hit."),
        is_rare=True,
    ),
    "questions": Words(_("Questions each"), on=_questions),
}
"""The words of each field, in the order of the line of rules."""
