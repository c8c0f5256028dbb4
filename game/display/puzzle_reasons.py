"""Why a cell of a puzzle is best, in sentences made of counts."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.engine.geometry import Board, Cell
from game.puzzles.judge import Counted, Places, Reason, Verdict

_ALIKE = 0.15
"""The most by which the share of a ship's places differs from the chance that it explains."""


def reason_sentence(verdict: Verdict) -> str:
    """Returns `E5 is best: a ship lies there in 34 of 41 fleets. C3: 12 of 41.`

    A sentence in between explains the best cell, where counts do. The last one is for answers that
    aren't right.
    """
    counted, said = verdict.counted, []
    said.append(_best(counted))
    if counted.fleets > 1:
        said.append(_explained(counted))
    if verdict.verdict != "right":
        said.append(_("%(cell)s: %(fleets)s of %(all)s.") % {
            "cell": counted.position.rules.board.name(verdict.cell),
            "fleets": _number(verdict.in_fleets), "all": _number(verdict.fleets),
        })  # fmt: skip
    return " ".join(filter(None, said))


def _best(counted: Counted) -> str:
    best, board = counted.best, counted.position.rules.board
    if len(best) == 1:
        cells = board.name(best[0])
        certain = ngettext(
            "%(cells)s is certain: only one fleet is possible, and a ship lies there.",
            "%(cells)s is certain: a ship lies there in all %(all)s fleets.",
            counted.fleets,
        )
        likely = _("%(cells)s is best: a ship lies there in %(fleets)s of %(all)s fleets.")
    else:
        cells = _listed(board, best)
        certain = ngettext(
            "%(cells)s are certain: only one fleet is possible, and ships lie there.",
            "%(cells)s are certain: ships lie there in all %(all)s fleets.",
            counted.fleets,
        )
        likely = _("%(cells)s are best: a ship lies on each in %(fleets)s of %(all)s fleets.")
    return (certain if counted.reason.kind == "certain" else likely) % {
        "cells": cells, "fleets": _number(counted.cells[best[0]]), "all": _number(counted.fleets)
    }  # fmt: skip


def _explained(counted: Counted) -> str:
    """What explains the first of the best cells, or nothing."""
    reason, board, places = counted.reason, counted.position.rules.board, counted.reason.places
    best, apart, line = counted.best[0], reason.apart, ""
    if reason.kind == "certain":
        line = _of_all(reason) if places.covering == places.possible else ""
    elif reason.kind == "touching" and apart is not None:
        line = _on_two(apart.fleets == counted.fleets)
    elif reason.kind != "hunting" and _is_alike(places, counted.cells[best] / counted.fleets):
        line = _of_some(reason)
    elif apart is not None and apart.fleets:
        line = _(
            "In %(together)s of %(all)s fleets the hits at %(one)s and %(two)s are on one ship."
        )
    elif len(set(counted.position.left)) > 1:
        line = _most_frequent(reason, counted.cells[best])
    elif reason.hit is None and places.covering > places.elsewhere:
        line = _(
            "%(cell)s is in %(covering)s of the %(places)s places for a ship of length %(length)s,"
            " more than any other cell."
        )
    return line % {
        "cell": board.name(best), "fleets": _number(counted.cells[best]),
        "all": _number(counted.fleets), "places": _number(places.possible),
        "covering": _number(places.covering), "length": reason.length,
        "of_length": _number(reason.of_length),
        "hit": board.name(reason.hit) if reason.hit is not None else "",
        "apart": _number(apart.fleets) if apart else "",
        "together": _number(counted.fleets - apart.fleets) if apart else "",
        "one": board.name(apart.one) if apart else "",
        "two": board.name(apart.other) if apart else "",
    }  # fmt: skip


def _is_alike(places: Places, chance: float) -> bool:
    """Whether the share of the places explains the chance: some places are in many fleets."""
    return abs(places.covering / places.possible - chance) <= _ALIKE


def _on_two(is_in_all: bool) -> str:
    if is_in_all:
        return _("In all %(all)s fleets the hits at %(one)s and %(two)s are on two ships.")
    return _("In %(apart)s of %(all)s fleets the hits at %(one)s and %(two)s are on two ships.")


def _of_all(reason: Reason) -> str:
    if reason.hit is not None:
        return ngettext(
            "There is only one place for the ship hit at %(hit)s.",
            "All %(places)s places for the ship hit at %(hit)s cover %(cell)s.",
            reason.places.possible,
        )
    return ngettext(
        "There is only one place for a ship of length %(length)s.",
        "All %(places)s places for a ship of length %(length)s cover %(cell)s.",
        reason.places.possible,
    )


def _of_some(reason: Reason) -> str:
    covering = reason.places.covering
    if reason.kind == "last":
        return ngettext(
            "Of %(places)s places for the last ship, %(covering)s covers %(cell)s.",
            "Of %(places)s places for the last ship, %(covering)s cover %(cell)s.",
            covering,
        )
    if reason.hit is not None:
        return ngettext(
            "Of %(places)s places for the ship hit at %(hit)s, %(covering)s covers %(cell)s.",
            "Of %(places)s places for the ship hit at %(hit)s, %(covering)s cover %(cell)s.",
            covering,
        )
    return ngettext(
        "Of %(places)s places for the ship of length %(length)s, %(covering)s covers %(cell)s.",
        "Of %(places)s places for the ship of length %(length)s, %(covering)s cover %(cell)s.",
        covering,
    )


def _most_frequent(reason: Reason, fleets: int) -> str:
    if reason.of_length == fleets:
        return _("In all of these it is a ship of length %(length)s.")
    return _("In %(of_length)s of these %(fleets)s it is a ship of length %(length)s.")


def _listed(board: Board, cells: Sequence[Cell]) -> str:
    """Returns `E5 and E9`, or `E5, E9 and F3`."""
    *others, last = map(board.name, cells)
    return _("%(others)s and %(last)s") % {"others": ", ".join(others), "last": last}


def _number(number: int) -> str:
    return number_format(number, use_l10n=True, force_grouping=True)
