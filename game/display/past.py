"""What a viewer has done and seen in a match that goes on, besides the observation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from game.display import messages, outcomes
from game.display.shot_log import SHORT, LogRow, new_shots, shot_log
from game.engine.actions import Shot
from game.engine.observation import Observation
from game.engine.rules import Pair
from game.matches.saved import SavedMatch


class Past(NamedTuple):
    """What a viewer has done and seen in a match that goes on, besides the observation."""

    news: Pair[Sequence[Shot]] = ((), ())
    """The viewer's shots and the enemy's that the last page has not shown."""
    moved: str = ""
    """The viewer's move, if it came last, as a sentence."""
    log: Sequence[LogRow] = ()
    is_log_cut: bool = False
    is_new: bool = False
    """Whether nothing has been done yet."""
    goal: str = ""
    """What a search alone is for."""
    score: str = ""
    """The score of a day's sea from the first action on."""
    commitment: str = ""


def past_of(
    saved: SavedMatch,
    seen: Observation,
    *,
    shots_already_shown: int | None = None,
    has_news: bool = True,
    shows_all_shots: bool = True,
) -> Past:
    """Returns the past of a match's viewer; see `news` for `shots_already_shown`."""
    match, goal = saved.match, outcomes.goal(saved)
    return Past(
        news(saved, shots_already_shown) if has_news else ((), ()),
        messages.own_move(match, saved.viewer),
        shot_log(match, seen, None if shows_all_shots else SHORT),
        not shows_all_shots and seen.rounds_begun > SHORT,
        not match.actions,
        goal,
        " · ".join(outcomes.score(saved, len(seen.counted))) if saved.setup.day else "",
        saved.commitment,
    )


def news(saved: SavedMatch, shots_already_shown: int | None) -> Pair[Sequence[Shot]]:
    """Returns the viewer's shots and the enemy's that are news.

    These are the shots after those that the last page has shown, or if that is not known, those
    that the last action has led to.
    """
    match, person = saved.match, saved.viewer
    if shots_already_shown is None and not saved.setup.remote:
        return new_shots(match, person)
    if shots_already_shown is None:
        shots_already_shown = len(match.at(match.ply - 1).shots) if match.ply else 0
    fresh = match.shots[shots_already_shown:]
    mine = [shot for shot in fresh if shot.side is person]
    return mine, [shot for shot in fresh if shot.side is not person]
