"""Why a cell of a puzzle is best, in sentences made of counts."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.display.words import enumerated, grouped, joined, plural
from game.features.puzzles.judge import Apart, Counted, Verdict

_ALIKE = 0.15
"""The most by which the share of a ship's places differs from the chance that it explains."""


def reason_sentence(verdict: Verdict) -> str:
    """Returns `E5 is best: a ship lies there in 34 of 41 fleets. C3: 12 of 41.`

    A sentence in between explains the best cell, where counts do. The last one is for answers that
    aren't right.
    """
    counted, answer = verdict.counted, ""
    if verdict.verdict != "right":
        cell = counted.position.rules.board.name(verdict.cell)
        line = _("%(cell)s: %(fleets)s of %(all)s.")
        answer = _fleets(line, counted, verdict.in_fleets, cell=cell)
    return joined(_best(counted), _explained(counted) if counted.fleets > 1 else "", answer)


def _best(counted: Counted) -> str:
    best, board, number = counted.best, counted.position.rules.board, counted.fleets
    if len(best) == 1:
        cells = board.name(best[0])
        certain = ngettext(
            "%(cells)s is certain: only one fleet is possible, and a ship lies there.",
            "%(cells)s is certain: a ship lies there in all %(all)s fleets.",
            number,
        )
        likely = ngettext(
            "%(cells)s is best: a ship lies there in %(fleets)s of %(all)s fleet.",
            "%(cells)s is best: a ship lies there in %(fleets)s of %(all)s fleets.",
            number,
        )
    else:
        cells = enumerated(*map(board.name, best))
        certain = ngettext(
            "%(cells)s are certain: only one fleet is possible, and ships lie there.",
            "%(cells)s are certain: ships lie there in all %(all)s fleets.",
            number,
        )
        likely = ngettext(
            "%(cells)s are best: a ship lies on each in %(fleets)s of %(all)s fleet.",
            "%(cells)s are best: a ship lies on each in %(fleets)s of %(all)s fleets.",
            number,
        )
    line = certain if counted.reason.kind == "certain" else likely
    return _fleets(line, counted, counted.most, cells=cells)


def _explained(counted: Counted) -> str:
    """What explains the first of the best cells, or nothing."""
    reason, places = counted.reason, counted.reason.places
    in_fleets = counted.most
    is_whole = places.covering == places.possible
    if reason.kind == "last":
        return _elsewhere(counted)
    if reason.kind == "certain" and is_whole:
        return _of_all(counted)
    if reason.kind == "touching" and reason.apart is not None:
        return _together(counted, reason.apart)
    # Some places are in many fleets, so their share need not explain the chance.
    distance = abs(places.covering / places.possible - in_fleets / counted.fleets)
    if reason.kind in ("finish", "counting") and distance <= _ALIKE:
        return _of_some(counted)
    if reason.apart is not None and reason.apart.fleets:
        return _together(counted, reason.apart)
    if len(set(counted.position.left)) > 1 and reason.of_length == in_fleets:
        return plural(
            "In this one it is a ship of length %(length)s.",
            "In all of these it is a ship of length %(length)s.",
            in_fleets,
            length=reason.length,
        )
    if len(set(counted.position.left)) > 1:
        return _("In %(of_length)s of these %(fleets)s it is a ship of length %(length)s.") % {
            "length": reason.length,
            "of_length": grouped(reason.of_length),
            "fleets": grouped(in_fleets),
        }
    if reason.hit is None and places.covering > places.elsewhere:
        return ngettext(
            "%(cell)s is in %(covering)s of the %(places)s place for a ship of length %(length)s,"
            " more than any other cell.",
            "%(cell)s is in %(covering)s of the %(places)s places for a ship of length %(length)s,"
            " more than any other cell.",
            places.possible,
        ) % _of_ship(counted)
    return _elsewhere(counted)


def _elsewhere(counted: Counted) -> str:
    """How many fleets have a ship on any cell that isn't best; empty if none has."""
    if not counted.second:
        return ""
    return plural(
        "Every other cell is in at most %(elsewhere)s fleet.",
        "Every other cell is in at most %(elsewhere)s fleets.",
        counted.second,
        elsewhere=grouped(counted.second),
    )


def _together(counted: Counted, apart: Apart) -> str:
    """Whether two hits are on one ship or on two: what most fleets have."""
    fleets, name = apart.fleets, counted.position.rules.board.name
    if fleets == counted.fleets:
        line = ngettext(
            "In the only fleet the hits at %(one)s and %(two)s are on two ships.",
            "In all %(all)s fleets the hits at %(one)s and %(two)s are on two ships.",
            counted.fleets,
        )
    elif 2 * fleets >= counted.fleets:
        line = ngettext(
            "In %(fleets)s of %(all)s fleet the hits at %(one)s and %(two)s are on two ships.",
            "In %(fleets)s of %(all)s fleets the hits at %(one)s and %(two)s are on two ships.",
            counted.fleets,
        )
    else:
        fleets = counted.fleets - fleets
        line = ngettext(
            "In %(fleets)s of %(all)s fleet the hits at %(one)s and %(two)s are on one ship.",
            "In %(fleets)s of %(all)s fleets the hits at %(one)s and %(two)s are on one ship.",
            counted.fleets,
        )
    return _fleets(line, counted, fleets, one=name(apart.one), two=name(apart.other))


def _of_all(counted: Counted) -> str:
    reason, possible = counted.reason, counted.reason.places.possible
    if reason.hit is not None and possible == 2:
        line = _("Both places for the ship hit at %(hit)s cover %(cell)s.")
    elif reason.hit is not None:
        line = ngettext(
            "There is only one place for the ship hit at %(hit)s.",
            "All %(places)s places for the ship hit at %(hit)s cover %(cell)s.",
            possible,
        )
    elif possible == 2:
        line = _("Both places for a ship of length %(length)s cover %(cell)s.")
    else:
        line = ngettext(
            "There is only one place for a ship of length %(length)s.",
            "All %(places)s places for a ship of length %(length)s cover %(cell)s.",
            possible,
        )
    return line % _of_ship(counted)


def _of_some(counted: Counted) -> str:
    reason = counted.reason
    if reason.hit is not None:
        line = ngettext(
            "Of %(places)s places for the ship hit at %(hit)s, %(covering)s covers %(cell)s.",
            "Of %(places)s places for the ship hit at %(hit)s, %(covering)s cover %(cell)s.",
            reason.places.covering,
        )
    else:
        line = ngettext(
            "Of %(places)s places for the ship of length %(length)s, %(covering)s covers %(cell)s.",
            "Of %(places)s places for the ship of length %(length)s, %(covering)s cover %(cell)s.",
            reason.places.covering,
        )
    return line % _of_ship(counted)


def _of_ship(counted: Counted) -> dict[str, str | int]:
    """The words of sentences about the places of the ship on the best cell."""
    reason, name = counted.reason, counted.position.rules.board.name
    return {
        "cell": name(counted.best[0]), "length": reason.length,
        "hit": name(reason.hit) if reason.hit is not None else "",
        "places": grouped(reason.places.possible), "covering": grouped(reason.places.covering),
    }  # fmt: skip


def _fleets(line: str, counted: Counted, fleets: int, **words: str) -> str:
    """A line that says in how many of all fleets something is so."""
    return line % {"fleets": grouped(fleets), "all": grouped(counted.fleets), **words}
