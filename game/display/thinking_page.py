"""What the page on the computer's thinking shows: a board and sentences for each moment."""

from typing import Any

from django.utils.translation import gettext as _

from game.display.boards import BoardView, enemy_board, with_chances
from game.display.messages import percent
from game.display.names import result_word
from game.display.words import joined
from game.engine.actions import Shot
from game.engine.observation import Observation, observe
from game.engine.rules import Side
from game.matches.cell_chances import JudgedShot, judge
from game.matches.cell_names import lettered
from game.matches.thinking import Moment, Story

NAMED = 3
"""How many of the best chances are named in words."""


def pictures(story: Story) -> list[dict[str, Any]]:
    match = story.record.match
    shots = {shot.ply: shot for shot in match.shots}
    return [
        _picture(moment, observe(match.at(moment.ply), Side.FIRST), shots[moment.ply])
        for moment in story.moments
    ]


def _picture(moment: Moment, seen: Observation, shot: Shot) -> dict[str, Any]:
    judged, board = judge(seen, shot, moment.view), seen.board
    words = {
        "cell": board.name(shot.cell), "turn": seen.own_turn, "chance": percent(judged.chance),
        "result": result_word(shot.result),
    }  # fmt: skip
    best = sorted(seen.targets, key=lambda at: -moment.view.cells[at])[:NAMED]
    named = ", ".join(f"{board.name(at)} ({percent(moment.view.cells[at])})" for at in best)
    drawn = without_buttons(enemy_board(seen, lettered(board)))
    return {
        "title": {
            "opening": _("Before the first shot"),
            "water": _("After a few misses"),
            "hit": _("After a hit"),
            "sunk": _("After a sinking"),
            "old": _("Old water fades"),
        }[moment.name],
        "why": _why(moment.name, seen, judged),
        "fires": _("It fires at %(cell)s, chance %(chance)s: %(result)s.") % words,
        "chances": _("Best chances: %(cells)s.") % {"cells": named},
        "caption": _("Turn %(turn)s: what it knows and expects before its shot at %(cell)s.")
        % words,
        "board": with_chances(drawn, seen, moment.view, judged)._replace(
            kind=f"moment-{moment.name}"
        ),
    }


def without_buttons(board: BoardView) -> BoardView:
    return board.redrawn(
        lambda _place, cell: cell._replace(is_button=False, is_target=False, is_off=False)
    )


def _why(name: str, seen: Observation, judged: JudgedShot) -> str:
    """Explains the chances of a moment."""
    board, shots, waits = seen.board, seen.shots, ""
    if judged.search:
        waits = _(
            "A ship that was hit can’t get away, so it can wait: what counts is the best chance to "
            "find another."
        )
    # The moments are chosen so that no number here is ever 1.
    match name:
        case "opening":
            return _(
                "Nothing is known, so every fleet that fits is possible. Ships never touch, and "
                "along the edge they are least in each other’s way: there the chances are highest."
            )
        case "water":
            return _(
                "%(count)s shots, only water. No ship lay there, so fleets that have one there are "
                "ruled out. But ships move: the older the water, the more its chance comes back."
            ) % {"count": len(shots)}
        case "hit":
            beside = _("A hit at %(hit)s: the rest of that ship must be beside it.")
            return joined(beside % {"hit": board.name(shots[-1].cell)}, waits)
        case "sunk":
            wreck = next(shot.cell for shot in reversed(shots) if shot.wreck)
            alone = _(
                "Ships never touch, so around the wreck at %(wreck)s there was no other: the "
                "chances beside it fall to nothing. What is left must fit elsewhere."
            )
            waited = _("And the ships that were hit before have waited long enough.")
            return joined(alone % {"wreck": board.name(wreck)}, "" if waits else waited)
    before = next(shot for shot in reversed(shots) if shot.cell == judged.cell)
    words = {"ago": (seen.turn - before.turn) // 2, "cell": board.name(judged.cell)}
    fades = _(
        "%(ago)s turns ago there was only water at %(cell)s. Since then a ship may have come, so "
        "the cell counts again."
    )
    return joined(fades % words, waits)
