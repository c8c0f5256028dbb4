"""What the page of the hit calculator shows: a board with chances, and sentences."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.display.boards import BoardView
from game.display.choices import Option
from game.display.messages import percent
from game.display.names import preset_card, wreck_name
from game.display.positions import best_cell, drawn_board, observation
from game.display.words import grouped, plural
from game.engine.geometry import Cell
from game.engine.position import Position
from game.engine.presets import OWN, PRESETS
from game.engine.rules import Ruleset
from game.players.belief.position_chances import Contradiction, PositionChances

BRUSHES = ("water", "hit", "sunk")


def brushes(chosen: str) -> list[Option]:
    words = {"water": _("Water"), "hit": _("Hit"), "sunk": _("Sunk")}
    return [Option(brush, words[brush], brush == chosen) for brush in BRUSHES]


def ship_choices(rules: Ruleset, chosen: int = 0) -> list[Option]:
    """The lengths of the fleet's ships, longest first, with their names."""
    return [
        Option(str(length), f"{length} · {wreck_name(rules, length)}", length == chosen)
        for length in sorted(set(rules.fleet), reverse=True)
    ]


def seas(chosen: str) -> list[Option]:
    """The presets with ships that lie still, without those whose sea is that of another one."""
    options: dict[object, Option] = {}
    for preset in PRESETS.values():
        sea = preset.ruleset.sea
        if preset is not OWN and not preset.ruleset.moving and sea not in options:
            options[sea] = Option(preset.name, preset_card(preset).title, preset.name == chosen)
    return list(options.values())


def board(position: Position, chances: PositionChances | None, start: Cell | None) -> BoardView:
    """The marks and, if there are any, the chances; `start` is one end of a ship being marked."""
    if chances is None:
        return drawn_board(position, observation(position), None, {}, start)
    best = best_cell(position, chances)
    tags = {} if best is None else {best: "best"}
    drawn = drawn_board(position, observation(position), chances, tags, start)
    cells = zip(position.rules.board.cells, drawn.cells, strict=True)
    per_mille = {at: round(1000 * chances.cells[at]) for at, it in cells if it.state == "unknown"}
    return drawn._replace(per_mille=per_mille)


def says(position: Position, chances: PositionChances, start: Cell | None) -> str:
    """Returns `Best: E5, 34%. 41 fleets are possible.`"""
    board = position.rules.board
    if start is not None:
        line = _("Sunk at %(cell)s: choose the other end of the ship, or its length.")
        return line % {"cell": board.name(start)}
    best = best_cell(position, chances)
    if best is None:
        return _("The whole fleet is sunk.")
    words = {"cell": board.name(best), "chance": percent(float(chances.cells[best]))}
    line = _("Best: %(cell)s, %(chance)s.") % words
    fleets = _("About %(count)s fleets are possible.") % {"count": rough(chances.fleets)}
    if chances.is_exact:
        fleets = plural(
            "%(count)s fleet is possible.",
            "%(count)s fleets are possible.",
            chances.fleets,
            count=grouped(chances.fleets),
        )
    return f"{line} {fleets}"


def rough(number: int) -> str:
    """Returns a number, from a million on with two digits or three: `2.1 billion`."""
    if number < 10**6:
        return grouped(number)
    digits = len(str(number))
    number = round(number, (3 if digits % 3 == 0 else 2) - digits)
    exponent = len(str(number)) - 1  # rounded up it may have one more
    scale = exponent // 3 * 3
    if scale > 15:
        power = str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"{number_format(round(number / 10**exponent, 1), 1)} × 10{power}"
    value, count = number / 10**scale, 1 if number == 10**scale else 2
    said = {
        6: ngettext("%(number)s million", "%(number)s million", count),
        9: ngettext("%(number)s billion", "%(number)s billion", count),
        12: ngettext("%(number)s trillion", "%(number)s trillion", count),
        15: ngettext("%(number)s quadrillion", "%(number)s quadrillion", count),
    }[scale]
    return said % {"number": number_format(value, 1 if value < 10 and value % 1 else 0)}


def contradiction(position: Position, fault: Contradiction) -> str:
    """Returns why no fleet agrees with the position, in one sentence."""
    rules = position.rules
    cell = rules.board.name(fault.cell) if fault.cell is not None else ""
    sentences = {
        "twice": _("%(cell)s is marked in two ways."),
        "apart": _("The sunk ship at %(cell)s lies on another one, or touches it."),
        "gone": _("More ships of length %(length)s are sunk than the fleet has."),
        "hit": _("The hit at %(cell)s can’t belong to any ship that is left."),
        "sunk": _("No ship of length %(length)s can have sunk at %(cell)s."),
        "room": _("There is no room left for a ship of length %(length)s."),
        "many": _("There are more hits than the ships that are left have cells."),
        "full": _("The ships that are left have more cells than are open."),
        "alone": _("With the hit at %(cell)s there is no room for the other ships."),
        "together": _("The hit at %(cell)s can’t go together with the other hits."),
    }
    if fault.reason in sentences:
        return sentences[fault.reason] % {"cell": cell, "length": fault.length}
    return _("No fleet found for this position.")
