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

from game import forms
from game.display import fleets, options, position_page
from game.engine.geometry import FULL_WIDTH, Cell, NotACell
from game.engine.observation import Observation
from game.engine.position import (
    NotAMark,
    Position,
    between,
    fields_of,
    parse_fields,
    still,
    typed,
)
from game.engine.presets import OWN, PRESETS, Preset
from game.engine.rules import ROWS, IllegalRules, Ruleset
from game.matches.setup import solo
from game.players.belief.position import Contradiction, Outlook, look
from game.views.answers import HtmxRequest, Page, page, show
from game.views.daily import mark_helped
from game.views.expensive import one_at_a_time
from game.views.five import mark_five_helped

_DEFAULT = "milton"
_ALIASES = {"five-touching": "milton", "five-apart": "uppsala"}
_SEA = [row for row in ROWS if row.is_sea]
_RULES = ("size", *(row.field for row in _SEA), *(f"n{n}" for n in range(1, 9)))
"""The fields of own rules that matter to a position."""
MOST_TYPED = 1000
"""The longest typed line that is read, in characters."""


class Asked(NamedTuple):
    """What a request asks for."""

    sea: str
    position: Position
    brush: str = position_page.BRUSHES[0]
    ship: int = 0
    """The length of the ships that the next hits are on; 0 if it isn't known."""
    start: Cell | None = None
    """One end of a sunk ship, the other of which is yet to be chosen."""
    line: str = ""
    """What was typed and couldn't be read."""
    refused: str = ""
    """The sentence why."""

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the address that is this position."""
        return {**_sea_fields(self.sea, self.position.rules), **fields_of(self.position)}

    def address(self, *, has_brush: bool = False) -> str:
        """The address of the position and of a ship that is half marked."""
        fields = self.fields
        if self.start is not None:
            fields["from"] = self.position.rules.board.name(self.start)
        elif has_brush and self.brush != position_page.BRUSHES[0]:
            fields["brush"] = self.brush
        if has_brush and self.ship:
            fields["ship"] = str(self.ship)
        return f"{reverse('position')}?{urlencode(fields, safe='@')}"


def asked_about(seen: Observation, preset: Preset) -> Asked | None:
    """What was seen in a match of a preset; None where the calculator doesn't know enough."""
    found = position_page.position_of(seen)
    if found is None:
        return None
    # The rules of the preset may have been changed.
    return Asked(preset.name if found.rules == still(preset.ruleset) else OWN.name, found)


@one_at_a_time
@require_safe
def position(request: HtmxRequest) -> HttpResponse:
    """The chances of a position; a press on a cell or a typed line redirects to the next one."""
    asked = asked_of(request)
    if not asked.refused and request.GET.keys() & {"cell", "line", "length"}:
        asked = _acted(request, asked)
        if not asked.refused and not request.htmx:
            return redirect(asked.address(has_brush=True))
    found = look(asked.position)
    if isinstance(found, Contradiction) and not asked.refused:
        asked = asked._replace(refused=position_page.contradiction(asked.position, found))
    shown = _page(request, asked, None if isinstance(found, Contradiction) else found)
    if asked.refused:
        shown = shown.refused(asked.refused)
    response = show(request, shown, status=422 if asked.refused else 200)
    patch_vary_headers(response, ["HX-Request"])
    mark_helped(request, response)
    mark_five_helped(request, response, asked.position)
    return response


def asked_of(request: HttpRequest) -> Asked:
    """The sea and the position in the query, with the reason why they can't be read, if so."""
    fields = {name: str(text) for name, text in request.GET.items()}
    name = _ALIASES.get(fields.get("sea", ""), fields.get("sea", _DEFAULT))
    refused = ""
    try:
        if name not in PRESETS:
            raise forms.Refused(_("There is no such sea."))
        asked = {field: fields[field] for field in _RULES if field in fields}
        moves = PRESETS[name].ruleset.moving and name != OWN.name
        if moves or fields.get("moving") == "on":
            raise forms.Refused(_("The calculator is for ships that lie still."))
        base = still(PRESETS[name].ruleset)
        rules = still(forms.rules_from_fields(base, asked))
        name = name if rules == base else OWN.name
    except (forms.Refused, IllegalRules) as error:
        name, rules, refused = _DEFAULT, still(PRESETS[_DEFAULT].ruleset), forms.refusal(error)
        return Asked(name, Position(rules), refused=refused)
    found, unread = parse_fields(rules, fields)
    line = " ".join(unread)[:MOST_TYPED]
    if unread:
        refused = position_page.refusal(NotAMark(unread[0]))
    start = _cell(rules, fields.get("from", ""))
    brush = "sunk" if start is not None else fields.get("brush", "")
    if brush not in position_page.BRUSHES:
        brush = position_page.BRUSHES[0]
    return Asked(name, found, brush, _length(rules, fields.get("ship", "")), start, line, refused)


def _length(rules: Ruleset, text: str) -> int:
    """The length that a field names; 0 for none of the fleet."""
    return {str(length): length for length in rules.fleet}.get(text, 0)


def _cell(rules: Ruleset, text: str) -> Cell | None:
    try:
        return rules.board.parse(text)
    except NotACell:
        return None


def _acted(request: HttpRequest, asked: Asked) -> Asked:
    """The position after a press on a cell or a length, or after a typed line."""
    fields, rules = request.GET, asked.position.rules
    brush = fields.get("brush", asked.brush)
    asked = asked._replace(brush=brush if brush in position_page.BRUSHES else asked.brush)
    line = fields.get("line", "")[:MOST_TYPED].translate(FULL_WIDTH)
    try:
        if "line" in fields:
            return asked._replace(position=typed(asked.position, line), start=None)
        cell = _cell(rules, fields.get("cell", ""))
        if cell is not None:
            return _pressed(asked, cell)
        if asked.start is not None:
            length = _length(rules, fields.get("length", ""))
            sunk = asked.position.with_sinking(asked.start, length)
            return asked._replace(position=sunk, start=None)
        return asked
    except NotAMark as error:
        return asked._replace(line=line, refused=position_page.refusal(error))


def _pressed(asked: Asked, cell: Cell) -> Asked:
    """The position after a press with the brush; a second press with it clears the cell."""
    known, brush = asked.position, asked.brush
    if brush == "sunk" and asked.start is not None:
        wreck = between(known.rules, asked.start, cell)
        return asked._replace(position=known.with_wreck(wreck), start=None)
    hits = dict(known.hits)
    marks = {
        "water": cell in known.water,
        "hit": cell in hits and hits[cell] == asked.ship,
        "sunk": cell in dict(known.sinkings) or any(cell in one.cells for one in known.wrecks),
    }
    if marks[brush]:
        return asked._replace(position=known.without([cell]), start=None)
    if brush == "sunk":
        return asked._replace(start=cell)
    changed = known.with_water([cell]) if brush == "water" else known.with_hits({cell: asked.ship})
    return asked._replace(position=changed, start=None)


def _page(request: HtmxRequest, asked: Asked, chances: Outlook | None) -> Page:
    """The page of a position; without chances if no fleet fits it."""
    position, rules = asked.position, asked.position.rules
    best = position_page.best_cell(position, chances) if chances else None
    switches = (
        options.rule_choice(row.field, _own_fields(rules), "off") for row in _SEA if row.is_switch
    )
    return page(
        "position", "position/_position.html",
        address=asked.address(has_brush=not request.htmx), phase="position", turn=0,
        title=_("Hit calculator"),
        status=position_page.says(position, chances, asked.start) if chances else "",
        setup=solo(rules, PRESETS[_DEFAULT]), kind="position", scripts=("game/boards.js",),
        styles=("game/match.css", "game/solo.css", "game/setup.css", "game/position.css"),
        board=position_page.board(position, chances, asked.start),
        best=rules.board.name(best) if best is not None else "",
        fleets=chances.fleets if chances else 0,
        exact="yes" if chances is None or chances.is_exact else "no",
        sea_title=position_page.sea_title(asked.sea, rules),
        seas=position_page.seas(asked.sea),
        brushes=position_page.brushes(asked.brush),
        lengths=position_page.ship_choices(rules, asked.ship),
        start=rules.board.name(asked.start) if asked.start is not None else "",
        hidden=asked.fields, sea_fields=urlencode(_sea_fields(asked.sea, rules)),
        line=asked.line, is_empty=not position.marked,
        fleet=fleets.enemy_fleet(position_page.observation(position)),
        plain_address=reverse("position"),
        numbers=options.rule_numbers(OWN, _own_fields(rules))[:2],
        ships=options.ship_numbers(OWN, _own_fields(rules)),
        switches=[one._replace(options=one.options[::-1]) for one in switches],
    )  # fmt: skip


def _sea_fields(sea: str, rules: Ruleset) -> dict[str, str]:
    return {"sea": sea} if sea != OWN.name else {"sea": sea, **_own_fields(rules)}


def _own_fields(rules: Ruleset) -> dict[str, str]:
    return {row.field: options.rule_text(rules, row) for row in _SEA}
