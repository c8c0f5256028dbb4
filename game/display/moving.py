"""What moving ships did in an ended match, in sentences."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from game.display.names import in_sentence, player_names, ship_names
from game.display.words import plural
from game.engine.actions import Reason
from game.engine.match import Match
from game.engine.rules import Side
from game.matches.cell_names import CellNames
from game.matches.moves import moves_of
from game.matches.setup import Setup


def moving_line(match: Match, setup: Setup, side: Side) -> str:
    """Returns what moving did for a side, else for its enemy; empty if it did not matter.

    Pages that don't speak to one person tell of the side that lost.
    """
    outcome = match.outcome
    if outcome is None or not match.ruleset.moving or outcome.reason is Reason.ABANDONED:
        return ""
    if not setup.is_personal and outcome.winner is not None:
        side = outcome.winner.opponent
    mine, name = moves_of(match, side), "" if setup.is_personal else player_names(setup)[side]
    could_leave = len(mine.steps) - mine.dodged
    if mine.dodged and (outcome.winner is side or mine.dodged >= could_leave):
        return _dodged(mine.dodged, name)
    if could_leave and (outcome.winner is not side or not mine.used):
        return f"{_moved(mine.used, name)} {_could_leave(could_leave, mine.hit)}"
    dodged = moves_of(match, side.opponent).dodged
    return _dodged_by_enemy(dodged, name) if dodged else ""


def _dodged(count: int, name: str) -> str:
    if not name:
        return plural(
            "One shot fell on a cell that your ship had left in the turn before.",
            "%(count)s shots fell on cells that your ships had left in the turn before.",
            count,
        )
    return plural(
        "One shot fell on a cell that a ship of %(name)s had left in the turn before.",
        "%(count)s shots fell on cells that ships of %(name)s had left in the turn before.",
        count,
        name=name,
    )


def _dodged_by_enemy(count: int, name: str) -> str:
    if not name:
        return plural(
            "One of your shots fell on a cell that a ship had left in the turn before.",
            "%(count)s of your shots fell on cells that a ship had left in the turn before.",
            count,
        )
    return plural(
        "One shot of %(name)s fell on a cell that a ship had left in the turn before.",
        "%(count)s shots of %(name)s fell on cells that a ship had left in the turn before.",
        count,
        name=name,
    )


def _moved(count: int, name: str) -> str:
    if not count:
        said = _("%(name)s never moved a ship.") if name else _("Your ships never moved.")
        return said % {"name": name}
    if not name:
        return plural("Your ships moved once.", "Your ships moved %(count)s times.", count)
    return plural(
        "%(name)s moved a ship once.", "%(name)s moved a ship %(count)s times.", count, name=name
    )


def _could_leave(count: int, hit: int) -> str:
    if hit == 1:
        return _("The ship that was hit could have moved away in time.")
    return plural(
        "One of the %(of)s ships that were hit could have moved away in time.",
        "%(count)s of the %(of)s ships that were hit could have moved away in time.",
        count,
        of=hit,
    )


class Step(NamedTuple):
    ply: int
    says: str


def moving_told(match: Match, side: Side, cell_names: CellNames) -> list[Step]:
    """Returns the enemy shots at which a side's moves mattered, or could have, as sentences."""
    names = ship_names(match.ruleset)
    turns = {shot.ply: shot.turn // 2 + 1 for shot in match.shots}
    could_leave = _(
        "Turn %(turn)s, %(cell)s: first hit on the %(ship)s, which could have left in time."
    )
    left = _("Turn %(turn)s, %(cell)s: water that a ship had left in the turn before.")
    steps = []
    for step in moves_of(match, side).steps:
        said, words = left, {"turn": turns[step.ply], "cell": cell_names.name(step.cell)}
        if step.ship is not None:
            said, words["ship"] = could_leave, in_sentence(names[step.ship])
        steps.append(Step(step.ply, said % words))
    return steps


def moving_at(match: Match, side: Side, ply: int, cell_names: CellNames) -> str:
    """Returns how a side's moves mattered to the enemy shot at a ply; empty if they didn't."""
    step = next((step for step in moves_of(match, side).steps if step.ply == ply), None)
    if step is None:
        return ""
    if step.ship is None:
        return _("A ship had left this cell in the turn before.")
    ship = in_sentence(ship_names(match.ruleset)[step.ship])
    words = {"ship": ship, "cell": cell_names.name(step.cell)}
    return (
        _("It was the first hit on the %(ship)s, which could have left %(cell)s in time.") % words
    )
