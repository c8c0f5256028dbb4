"""From the text of forms to the game's values; a Refused says no in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.http import QueryDict
from django.utils.translation import gettext as _

from game.deduction.match import IllegalAction, Phase, Way
from game.deduction.presets import SEA, SEARCHER, SEAS
from game.deduction.rules import Cells, NotAPlace, Rules
from game.deduction.searchers import SEARCHERS
from game.deduction.sitting import Sitting, begin
from game.deduction.wording import how_many, refusal
from game.engine.geometry import NotACell
from game.forms import Refused, typed_cells


def start(fields: Mapping[str, str]) -> Sitting:
    """A new match as the form asks; what it doesn't say, or says oddly, is as usual."""
    ways = {way.value: way for way in Way}
    searcher = fields.get("searcher", "")
    return begin(
        SEAS.get(fields.get("sea", ""), SEAS[SEA]),
        ways.get(fields.get("way", ""), Way.SEARCH),
        searcher if searcher in SEARCHERS else SEARCHER,
    )


def act(sitting: Sitting, fields: QueryDict) -> Sitting:
    """The sitting after what the form asks for; raises Refused."""
    if fields.get("heat") in ("on", "off"):
        return replace(sitting, heat=fields["heat"] == "on")
    try:
        match fields.get("action", ""):
            case "random":
                return sitting.hide(None)
            case "next" | "all" as how:
                return sitting.watch(to_the_end=how == "all")
            case "surrender":
                return replace(sitting, match=sitting.match.give_up())
        if sitting.match.phase is Phase.HIDING:
            return sitting.hide(chosen(sitting.match.rules, fields))
        if sitting.match.phase is Phase.SEARCHING:
            return sitting.guess(chosen(sitting.match.rules, fields))
        return sitting.guess(())
    except IllegalAction as error:
        raise Refused(refusal(error)) from error


def chosen(rules: Rules, fields: QueryDict) -> Cells:
    """The cells that the form has chosen, as many as there are ships; raises Refused."""
    texts = fields.getlist("cell")
    if not texts and "action" not in fields:
        raise Refused(_("Nothing was chosen."))
    text = " ".join(texts)
    try:
        return rules.parse(" ".join(typed_cells(text)) or text)
    except NotACell as error:
        raise Refused(_("That is not a cell of this board.")) from error
    except NotAPlace as error:
        raise Refused(how_many(rules)) from error
