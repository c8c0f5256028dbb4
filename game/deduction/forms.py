"""The text of forms as the game's values; raises Refused with one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from game.deduction.match import IllegalAction, Mode, Phase
from game.deduction.messages import how_many, no_such_day, not_today, refusal
from game.deduction.presets import SEA, SEARCHER, SEAS
from game.deduction.rules import Cells, NotAPlace, Rules
from game.deduction.saved import SavedMatch, begin, begin_daily
from game.deduction.searchers import SEARCHERS
from game.engine.geometry import NotACell
from game.forms import Refused, typed_cells
from game.matches.daily import Chain, NoSuchDay, open_days, seed_of

DAILY_NAME = "deduction"
"""What stands in place of a preset's name where the seed of a day is made: never changed."""


def start(fields: Mapping[str, str]) -> SavedMatch:
    """A new match as the form asks; missing or unknown values become the defaults."""
    modes = {mode.value: mode for mode in Mode}
    searcher = fields.get("searcher", "")
    return begin(
        SEAS.get(fields.get("sea", ""), SEAS[SEA]),
        modes.get(fields.get("way", ""), Mode.SEARCH),
        searcher if searcher in SEARCHERS else SEARCHER,
    )


def start_daily(chain: Chain, asked: str | None, now: datetime) -> SavedMatch:
    """The match of the day that `2026-11-22` asks for, or else of today in UTC; raises Refused.

    Only days that some clock in the world shows now can be begun.
    """
    days = {day.isoformat(): day for day in open_days(now)}
    day = days.get(now.astimezone(UTC).date().isoformat() if asked is None else asked)
    if day is None:
        raise Refused(not_today())
    try:
        return begin_daily(day, seed_of(chain.link(day), DAILY_NAME))
    except NoSuchDay as error:
        raise Refused(no_such_day()) from error


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
    text = " ".join(texts)
    try:
        return rules.parse(" ".join(typed_cells(text)) or text)
    except NotACell as error:
        raise Refused(_("That is not a cell of this board.")) from error
    except NotAPlace as error:
        raise Refused(how_many(rules)) from error
