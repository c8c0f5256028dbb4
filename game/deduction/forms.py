"""Turns the text of forms into the game's values, or raises Refused with one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.http import QueryDict
from django.utils.translation import gettext as _

from game.deduction.match import Mode, Phase
from game.deduction.messages import how_many, refusal, rules_refusal
from game.deduction.options import OWN
from game.deduction.presets import SEA, SEARCHER, SEAS
from game.deduction.rules import Cells, IllegalRules, NotAPlace, Rules, parse_rules
from game.deduction.saved import SavedMatch, begin
from game.deduction.searchers import SEARCHERS
from game.engine.actions import IllegalAction
from game.engine.geometry import FULL_WIDTH, NotACell
from game.forms import Refused, typed_cells


def start(fields: Mapping[str, str]) -> SavedMatch:
    """A new match as the form asks, with defaults for missing values; raises Refused."""
    modes = {mode.value: mode for mode in Mode}
    searcher = fields.get("searcher", "")
    return begin(
        _sea(fields),
        modes.get(fields.get("way", ""), Mode.SEARCH),
        searcher if searcher in SEARCHERS else SEARCHER,
    )


def _sea(fields: Mapping[str, str]) -> Rules:
    """The sea that a form names, types in three fields, or writes as `8x4x3`; raises Refused."""
    sea = fields.get("sea") or SEA
    if sea in SEAS:
        return SEAS[sea]
    if sea == OWN:
        sea = "x".join(fields.get(name, "").strip() for name in ("columns", "rows", "ships"))
    try:
        return parse_rules(sea)
    except IllegalRules as error:
        raise Refused(rules_refusal()) from error


def act(saved: SavedMatch, fields: QueryDict) -> SavedMatch:
    """The saved match after the form's action; raises Refused."""
    if fields.get("heat") in ("on", "off"):
        return saved.with_heat(is_shown=fields["heat"] == "on")
    try:
        match fields.get("action", ""):
            case "random":
                return saved.hide(None)
            case "next" | "all" as how:
                return saved.watch(to_the_end=how == "all")
            case "surrender":
                return replace(saved, match=saved.match.give_up())
        if saved.match.phase is Phase.HIDING:
            return saved.hide(chosen(saved.match.rules, fields))
        if saved.match.phase is Phase.SEARCHING:
            return saved.guess(chosen(saved.match.rules, fields))
        return saved.guess(())
    except IllegalAction as error:
        raise Refused(refusal(error)) from error


def chosen(rules: Rules, fields: QueryDict) -> Cells:
    """The cells chosen in the form, as many as there are ships; raises Refused."""
    texts = fields.getlist("cell")
    if not texts and "action" not in fields:
        raise Refused(_("Nothing was chosen."))
    text = " ".join(texts).translate(FULL_WIDTH)
    try:
        return rules.parse(" ".join(typed_cells(text)) or text)
    except NotACell as error:
        raise Refused(_("That is not a cell of this board.")) from error
    except NotAPlace as error:
        raise Refused(how_many(rules)) from error
