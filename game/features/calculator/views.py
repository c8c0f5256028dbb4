"""The hit calculator: the address holds the position, and each press or typed line leads to one."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.display import choices, fleet_lists, positions
from game.display.refusals import refusal
from game.engine.geometry import Cell, NotACell
from game.engine.position import NotAMark, Position, between, typed
from game.engine.presets import OWN, PRESETS
from game.engine.rules import Ruleset
from game.feature import features
from game.features.calculator import words
from game.matches.setup import solo
from game.players.belief.position_chances import Contradiction, PositionChances, look
from game.views.answers import show
from game.views.decorators import one_at_a_time
from game.views.page import Page, page
from game.views.position_query import (
    DEFAULT,
    MOST_TYPED,
    SEA,
    Asked,
    asked_of,
    own_fields,
    sea_fields,
)
from game.views.requests import HtmxRequest
from game.web.spelling import cleaned, in_one_case


class Marking(NamedTuple):
    """A position while it is marked."""

    asked: Asked
    brush: str = words.BRUSHES[0]
    ship: int = 0
    """The length of the ships that the next hits are on; 0 if it isn't known."""
    start: Cell | None = None
    """One end of a sunk ship, the other of which is yet to be chosen."""

    @property
    def position(self) -> Position:
        return self.asked.position

    def having(self, position: Position) -> Marking:
        """The marking of another position of the sea; no ship is half marked there."""
        return self._replace(asked=self.asked._replace(position=position), start=None)

    def refused(self, sentence: str, line: str = "") -> Marking:
        return self._replace(asked=self.asked._replace(line=line, refused=sentence))

    def address(self, *, has_brush: bool = False) -> str:
        """The address of the position and of a ship that is half marked."""
        more = {}
        if self.start is not None:
            more["from"] = self.position.rules.board.name(self.start)
        elif has_brush and self.brush != words.BRUSHES[0]:
            more["brush"] = self.brush
        if has_brush and self.ship:
            more["ship"] = str(self.ship)
        return f"{self.asked.address}&{urlencode(more)}" if more else self.asked.address


@one_at_a_time
@require_safe
def position(request: HtmxRequest) -> HttpResponse:
    """The chances of a position; a press on a cell or a typed line redirects to the next one."""
    marking = _marking(request)
    if not marking.asked.refused and request.GET.keys() & {"cell", "line", "length"}:
        marking = _acted(request, marking)
        if not marking.asked.refused and not request.htmx:
            return redirect(marking.address(has_brush=True))
    chances = look(marking.position)
    refused = marking.asked.refused
    if isinstance(chances, Contradiction):
        refused = refused or words.contradiction(marking.position, chances)
    shown = _page(request, marking, None if isinstance(chances, Contradiction) else chances)
    if refused:
        shown = shown.refused(refused)
    response = show(request, shown, status=422 if refused else 200)
    patch_vary_headers(response, ["HX-Request"])
    for feature in features():
        feature.helped(request, response, marking.position)
    return response


def _marking(request: HttpRequest) -> Marking:
    """The position in the query, and how the next cell is to be marked."""
    asked, fields = asked_of(request), request.GET
    if asked.refused and not asked.line:  # there is no such sea
        return Marking(asked)
    rules = asked.position.rules
    start = _cell(rules, fields.get("from", ""))
    brush = "sunk" if start is not None else fields.get("brush", "")
    return Marking(asked, _brush(brush), _length(rules, fields.get("ship", "")), start)


def _brush(name: str, otherwise: str = words.BRUSHES[0]) -> str:
    return name if name in words.BRUSHES else otherwise


def _length(rules: Ruleset, text: str) -> int:
    """The length that a field names; 0 for none of the fleet."""
    return {str(length): length for length in rules.fleet}.get(text, 0)


def _cell(rules: Ruleset, text: str) -> Cell | None:
    try:
        return rules.board.parse(text)
    except NotACell:
        return None


def _acted(request: HttpRequest, marking: Marking) -> Marking:
    """The position after a press on a cell or a length, or after a typed line."""
    fields, known = request.GET, marking.position
    marking = marking._replace(brush=_brush(fields.get("brush", ""), marking.brush))
    line = cleaned(fields.get("line", "")[:MOST_TYPED])
    try:
        if "line" in fields:
            return marking.having(typed(known, in_one_case(line)))
        cell = _cell(known.rules, fields.get("cell", ""))
        if cell is not None:
            return _pressed(marking, cell)
        if marking.start is not None:
            length = _length(known.rules, fields.get("length", ""))
            return marking.having(known.with_sinking(marking.start, length))
        return marking
    except NotAMark as error:
        return marking.refused(refusal(error), line)


def _pressed(marking: Marking, cell: Cell) -> Marking:
    """The position after a press with the brush; a second press with it clears the cell."""
    known, brush = marking.position, marking.brush
    if brush == "sunk" and marking.start is not None:
        return marking.having(known.with_wreck(between(known.rules, marking.start, cell)))
    hits = dict(known.hits)
    marks = {
        "water": cell in known.water,
        "hit": cell in hits and hits[cell] == marking.ship,
        "sunk": cell in dict(known.sinkings) or any(cell in one.cells for one in known.wrecks),
    }
    if marks[brush]:
        return marking.having(known.without([cell]))
    if brush == "sunk":
        return marking._replace(start=cell)
    if brush == "water":
        return marking.having(known.with_water([cell]))
    return marking.having(known.with_hits({cell: marking.ship}))


def _page(request: HtmxRequest, marking: Marking, chances: PositionChances | None) -> Page:
    """The page of a position; without chances if no fleet fits it."""
    asked, position, start = marking.asked, marking.position, marking.start
    rules = position.rules
    own, name = own_fields(rules), rules.board.name
    best = positions.best_cell(position, chances) if chances else None
    switches = (choices.rule_choice(row.field, own, row.default.value) for row in SEA if row.words)
    return page(
        "calculator", "calculator/_position.html",
        address=marking.address(has_brush=not request.htmx), phase="position", turn=0,
        title=_("Hit calculator"),
        status=words.says(position, chances, start) if chances else "",
        setup=solo(rules, PRESETS[DEFAULT]), kind="position", scripts=("game/boards.js",),
        styles=("game/match.css", "game/solo.css", "game/setup.css", "game/position.css",
                "calculator/calculator.css"),
        board=words.board(position, chances, start),
        best=name(best) if best is not None else "",
        fleets=chances.fleets if chances else 0,
        exact="yes" if chances is None or chances.is_exact else "no",
        sea_title=positions.sea_title(asked.sea, rules),
        seas=words.seas(asked.sea),
        brushes=words.brushes(marking.brush),
        lengths=words.ship_choices(rules, marking.ship),
        start=name(start) if start is not None else "",
        hidden=asked.fields, sea_fields=urlencode(sea_fields(asked.sea, rules)),
        line=asked.line, is_empty=not position.marked,
        fleet=fleet_lists.enemy_fleet(positions.observation(position)),
        plain_address=reverse("position"),
        numbers=choices.rule_numbers(OWN, own)[:2],
        ships=choices.ship_numbers(OWN, own),
        switches=[one._replace(options=one.options[::-1]) for one in switches],
    )  # fmt: skip
