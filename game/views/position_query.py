"""A position in a query, such as `?sea=milton&water=A1+B2&hit=C3`: read, and written again."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from game.display import choices, positions
from game.engine.observation import Observation
from game.engine.position import NotAMark, Position, fields_of, parse_fields, still
from game.engine.presets import OWN, PRESETS, Preset
from game.engine.rules import ROWS, IllegalRules, Ruleset
from game.views.addresses import path_if_any
from game.web import forms

DEFAULT = "milton"
SEA = [row for row in ROWS if row.is_sea]
_RULES = ("size", *(row.field for row in SEA), *(f"n{n}" for n in range(1, 9)))
"""The fields of own rules that matter to a position."""
MOST_TYPED = 1000
"""The longest typed line that is read, in characters."""


class Asked(NamedTuple):
    """What a request asks for."""

    sea: str
    position: Position
    line: str = ""
    """What couldn't be read."""
    refused: str = ""
    """The sentence why."""

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the address that is this position."""
        return {**sea_fields(self.sea, self.position.rules), **fields_of(self.position)}

    @property
    def address(self) -> str:
        """The address of the hit calculator with this position; empty on a site without it."""
        where = path_if_any("position")
        return where and f"{where}?{urlencode(self.fields, safe='@')}"


def asked_about(seen: Observation, preset: Preset) -> Asked | None:
    """What was seen in a match of a preset; None where the chances can't be counted."""
    position = positions.position_of(seen)
    if position is None:
        return None
    # The rules of the preset may have been changed.
    return Asked(preset.name if position.rules == still(preset.ruleset) else OWN.name, position)


def asked_of(request: HttpRequest) -> Asked:
    """The sea and the position in the query, with the reason why they can't be read, if so."""
    fields = request.GET.dict()
    name = fields.get("sea", DEFAULT)
    try:
        if name not in PRESETS:
            raise forms.Refused(_("There is no such sea."))
        asked = {field: fields[field] for field in _RULES if field in fields}
        moves = PRESETS[name].ruleset.moving and name != OWN.name
        if moves or fields.get("moving") == "on":
            raise forms.Refused(_("The calculator is for ships that lie still."))
        base = still(PRESETS[name].ruleset)
        rules = still(forms.rules_from_fields(base, asked))
    except (forms.Refused, IllegalRules) as error:
        empty = Position(still(PRESETS[DEFAULT].ruleset))
        return Asked(DEFAULT, empty, refused=forms.refusal(error))
    position, unread = parse_fields(rules, fields)
    refused = forms.refusal(NotAMark(unread[0])) if unread else ""
    line = " ".join(unread)[:MOST_TYPED]
    return Asked(name if rules == base else OWN.name, position, line, refused)


def sea_fields(sea: str, rules: Ruleset) -> dict[str, str]:
    return {"sea": sea} if sea != OWN.name else {"sea": sea, **own_fields(rules)}


def own_fields(rules: Ruleset) -> dict[str, str]:
    return {row.field: choices.rule_text(rules, row) for row in SEA}
