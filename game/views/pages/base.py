"""What all pages of a match have in common, before, during and after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from game.display import challenge, messages
from game.display.names import player_names
from game.display.shot_effects import new_shots, shot_effects, shots_told
from game.display.status_line import status_line
from game.engine.actions import Shot
from game.engine.geometry import Board
from game.engine.observation import Observation, observe
from game.engine.rules import Pair, Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.views.answers import Page, page

BOARDS = ("game/boards.js",)


def match_page(
    name: str, setup: Setup, /, *, turn: int = 0, is_taken_up: bool = False,
    styles: tuple[str, ...] = ("game/match.css",), scripts: tuple[str, ...] = BOARDS, **values: Any,
) -> Page:  # fmt: skip
    """A page of a match or a draft, with the template `game/_NAME.html`; see `page`.

    `is_taken_up` is true for a match that takes up a challenge.
    """
    if is_taken_up:
        styles = (*styles, "game/challenge.css")
    if setup.is_solo:
        styles = (*styles, "game/solo.css")
    if setup.remote:
        styles = (*styles, "game/duel.css")
    if setup.preset.has_radar:
        styles = (*styles, "game/radar.css")
    if setup.ruleset.questions:
        styles = (*styles, "game/ask.css")
    if setup.day is not None:
        scripts = (*scripts, "game/daily.js")
    elif setup.is_shared:
        scripts = (*scripts, "game/curtain.js")
    seat = setup.seat.name.lower() if setup.seat is not None else ""
    return page(
        "game", f"game/_{name}.html", turn=turn,
        **{"setup": setup, "styles": styles, "scripts": scripts, "seat": seat,
           "is_taken_up": is_taken_up, **values},
    )  # fmt: skip


def curtain(
    setup: Setup, side: Side, where: str, *, status: str, turn: int = 0, **values: Any
) -> Page:
    """The page that tells two persons at one device to change places; `side` is the next one."""
    return match_page(
        "curtain", setup, address=where, title=_("Change places"), phase="handover", turn=turn,
        status=status, form_action=where, next=player_names(setup)[side], **values,
    )  # fmt: skip


def news(saved: SavedMatch, shots_already_shown: int | None) -> Pair[Sequence[Shot]]:
    """The viewer's shots and the enemy's that are news.

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


def status_of(status: str, seen: Observation, setup: Setup) -> dict[str, Any]:
    """The status, and its line, in which a hit and the enemy's reply stand out."""
    struck, reply = messages.struck(seen, setup), messages.enemy_reply(seen, setup)
    return {
        "status": status,
        "status_line": status_line(
            status, struck=struck, reply=reply, is_final=seen.outcome is not None
        ),
    }


def effects(board: Board, mine: Sequence[Shot], theirs: Sequence[Shot]) -> dict[str, Any]:
    """The values that have the page show and sound the shots that are news."""
    found = shot_effects(mine, theirs)
    return {
        "effect_of_you": found.get("you", ""),
        "effect_of_foe": found.get("foe", ""),
        "shots_told": shots_told(board, mine, theirs),
    }


def challenge_values(saved: SavedMatch) -> dict[str, Any]:
    """The challenger's shots, and the hits after as many as the player's."""
    if saved.challenge is None:  # a match of its own
        return {}
    shots = len(observe(saved.match, saved.setup.person).counted)
    return {
        "challenger_shots": str(saved.challenge.shots),
        "pace": saved.challenge.pace(shots),
        "pace_line": challenge.pace(saved, shots),
    }
