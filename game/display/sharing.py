"""What an ended match shows to others: its result in one sentence, and the card of a link to it.

Battleship, Moving fleets against Sailor: won in 48 shots with hints, 2 : 1 after 3 rounds.
Battleship 27: 31 shots, par 28
Battleship, Ask and fire: sunk in 24 shots, 3 of 5 questions, par 21.
"""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.display.names import language_shown, mind_name, player_names, preset_card
from game.engine.actions import Outcome, Reason, Result
from game.engine.observation import observe
from game.engine.rules import Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup

WIDTH, HEIGHT = 1200, 630


class Card(NamedTuple):
    """What a messenger shows for a link."""

    title: str
    description: str
    picture: str
    alt: str
    width: int = WIDTH
    height: int = HEIGHT
    locale: str = "en_GB"


def site_card(title: str, description: str, picture: str) -> Card:
    """Returns the card of a page without a match; `picture` is a path."""
    alt = _("Two boards of Battleship with ships and shots.")
    return _card(title, description, picture, alt)


def card(saved: SavedMatch, picture: str) -> Card:
    """Returns the card of an ended match; `picture` is a path."""
    alt = (
        _("The board at the end of the match, with all ships and shots.")
        if saved.setup.is_solo
        else _("Both boards at the end of the match, with all ships and shots.")
    )
    return _card(result(saved), _("Watch the match shot by shot, and play one."), picture, alt)


def _card(title: str, description: str, picture: str, alt: str) -> Card:
    locale = language_shown().card_locale
    return Card(title, description, picture, alt, locale=locale)


def result(saved: SavedMatch) -> str:
    """Returns how an ended match went, in one sentence."""
    parts = [_result(saved), _questions(saved), _par(saved), _rounds(saved)]
    said = ", ".join(part for part in parts if part)
    if saved.setup.day is not None:
        values = {"number": saved.setup.day.number, "result": said}
        if saved.setup.is_late:
            return _("Battleship %(number)s, late: %(result)s") % values
        return _("Battleship %(number)s: %(result)s") % values
    return _("Battleship, %(game)s: %(result)s.") % {"game": _game(saved.setup), "result": said}


def headline(saved: SavedMatch) -> str:
    """Returns the start of the sentence: `Won in 48 shots with hints`."""
    said = _result(saved)
    return said[0].upper() + said[1:]


def _game(setup: Setup) -> str:
    """Returns what was played: `Moving fleets against Sailor`."""
    game = preset_card(setup.preset).title
    if not setup.opponent:
        return game
    words = {"game": game, "opponent": mind_name(setup.opponent)}
    return _("%(game)s against %(opponent)s") % words


def _questions(saved: SavedMatch) -> str:
    """Returns how many questions the only player asked; empty where there are none."""
    most = saved.match.ruleset.questions
    if not most or len(saved.setup.persons) != 1:
        return ""
    asked = most - saved.match.questions_left(saved.viewer)
    said = ngettext("%(asked)s of %(count)s question", "%(asked)s of %(count)s questions", most)
    return said % {"asked": asked, "count": most}


def _par(saved: SavedMatch) -> str:
    if saved.par is None or saved.par.shots is None:
        return ""
    return _("par %(count)s") % {"count": saved.par.shots}


SIGNS = {Result.WATER: "○", Result.HIT: "✕", Result.SUNK: "●"}
"""What a shot hit, as a sign that plain fonts have, too."""
_SIGNS_IN_A_ROW, _MOST_ROWS = 10, 3


def signs(saved: SavedMatch) -> str:
    """Returns the shots of a search alone as at most three rows of signs, without their cells."""
    shots = observe(saved.match, saved.setup.person).counted
    said = [SIGNS[shot.result] for shot in shots]
    width = max(_SIGNS_IN_A_ROW, -(-len(said) // _MOST_ROWS))
    starts = range(0, len(said), width)
    return "\n".join("".join(said[start : start + width]) for start in starts)


def _outcome(saved: SavedMatch) -> Outcome:
    if saved.match.outcome is None:
        raise ValueError("a match that goes on has no result")
    return saved.match.outcome


def _in_order(saved: SavedMatch) -> tuple[Side, Side]:
    """Returns the winner first; after a draw, the first side."""
    first = _outcome(saved).winner or Side.FIRST
    return first, first.opponent


def _result(saved: SavedMatch) -> str:
    one, other = _in_order(saved)
    winner, is_mine = _outcome(saved).winner, len(saved.setup.persons) == 1
    shots = _shots(saved, saved.viewer if is_mine else one)
    if saved.setup.is_solo:
        return _solo(saved, shots)
    who = player_names(saved.setup)
    values = {
        "count": shots,
        "one": who[one],
        "other": who[other],
        "help": assists_line(saved.setup.assists.used),
    }
    if _outcome(saved).reason is Reason.RESIGNED:
        said = (
            ngettext("gave up after %(count)s shot", "gave up after %(count)s shots", shots)
            if is_mine
            else _("%(other)s gave up against %(one)s")
        )
    elif _outcome(saved).reason is Reason.ABANDONED:
        said = _("a match without a winner between %(one)s and %(other)s")
    elif is_mine and winner is None:
        said = ngettext("a draw after %(count)s shot", "a draw after %(count)s shots", shots)
    elif is_mine and winner is saved.viewer:
        said = ngettext("won in %(count)s shot", "won in %(count)s shots", shots)
    elif is_mine:
        said = ngettext("lost after %(count)s shot", "lost after %(count)s shots", shots)
    elif winner is None:
        said = _("a draw between %(one)s and %(other)s")
    else:
        said = ngettext(
            "%(one)s beat %(other)s in %(count)s shot",
            "%(one)s beat %(other)s in %(count)s shots",
            shots,
        )
    return (f"{said} %(help)s" if values["help"] else said) % values


def _solo(saved: SavedMatch, shots: int) -> str:
    """Returns how a search alone ended: `sunk in 41 shots, with hints`."""
    if _outcome(saved).winner is saved.viewer and saved.setup.day is not None:
        said = ngettext("%(count)s shot", "%(count)s shots", shots)
    elif _outcome(saved).winner is saved.viewer:
        said = ngettext("sunk in %(count)s shot", "sunk in %(count)s shots", shots)
    elif _outcome(saved).reason is Reason.RESIGNED:
        said = ngettext("gave up after %(count)s shot", "gave up after %(count)s shots", shots)
    else:
        said = ngettext("not sunk in %(count)s shot", "not sunk in %(count)s shots", shots)
    return ", ".join(
        filter(None, (said % {"count": shots}, assists_line(saved.setup.assists.used)))
    )


def _shots(saved: SavedMatch, side: Side) -> int:
    return len(observe(saved.match, side).counted)


def assists_line(used: tuple[str, ...]) -> str:
    """Returns the help that was used, from ASSISTS: `with hints, after going back`, or nothing."""
    said = {
        (): "",
        ("hints",): _("with hints"),
        ("coach",): _("with the coach"),
        ("hints", "coach"): _("with hints and the coach"),
    }[tuple(mark for mark in used if mark != "back")]
    # A player who goes back to an older address has seen what lies there.
    return ", ".join(filter(None, (said, _("after going back") if "back" in used else "")))


def _rounds(saved: SavedMatch) -> str:
    """Returns `2 : 1 after 3 rounds`, this one included; empty in the first round."""
    tally = saved.setup.next_round(_outcome(saved)).tally
    if tally.rounds < 2:
        return ""
    is_mine = len(saved.setup.persons) == 1
    one, other = (saved.viewer, saved.viewer.opponent) if is_mine else _in_order(saved)
    score = f"{tally.wins[one]} : {tally.wins[other]}"
    return ngettext(
        "%(score)s after %(count)s round", "%(score)s after %(count)s rounds", tally.rounds
    ) % {"score": score, "count": tally.rounds}
