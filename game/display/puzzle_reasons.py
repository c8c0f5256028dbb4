"""Why a cell of a puzzle is best, in sentences made of counts."""

from __future__ import annotations

from django.utils.translation import ngettext

from game.puzzles.judge import Verdict


def reason_sentence(verdict: Verdict) -> str:
    """Returns `E5 is best: a ship lies there in 34 of 41 fleets.`, and what explains it."""
    name = verdict.puzzle.position.rules.board.name
    line = ngettext(
        "%(cell)s is best: a ship lies there in %(in)s of %(count)s fleet.",
        "%(cell)s is best: a ship lies there in %(in)s of %(count)s fleets.",
        verdict.fleets,
    )
    return line % {
        "cell": name(verdict.best[0]), "in": verdict.best_in_fleets, "count": verdict.fleets
    }  # fmt: skip
