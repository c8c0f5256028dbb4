"""The page of an ended match's result, and the values that all pages of an ended match have."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.display import boards, messages, outcomes
from game.display.habits import noticed_of
from game.display.names import mind_name, pictures, player_names, score_line, tally_line
from game.engine.actions import Result
from game.engine.observation import Observation, observe
from game.matches.draft import next_draft
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.matches.tokens import seal_draft
from game.players.registry import neighbours
from game.views.answers import Page, address
from game.views.daily import day_link
from game.views.pages.base import effects, match_page, news, status_of


def ending(saved: SavedMatch) -> dict[str, str]:
    """How an ended match ended; raises ValueError before the end.

    The outcome is won, lost or draw; without a single person it is first, second or draw.
    """
    outcome, setup = saved.match.outcome, saved.setup
    if outcome is None:
        raise ValueError("a match that goes on has no ending")
    word = "draw" if outcome.winner is None else outcome.winner.name.lower()
    if setup.is_personal and outcome.winner is not None:
        word = "won" if outcome.winner is setup.person else "lost"
    return {"outcome": word, "reason": outcome.reason.value}


def afterwards(saved: SavedMatch, suggested_rank: str | None = None) -> dict[str, Any]:
    """How a match ended, what follows and whose boards these are; raises ValueError before the end.

    `suggested_rank` is the rank that the player beats about half of the time, if that is known.
    """
    setup, draft = saved.setup, next_draft(saved)
    following = draft.setup
    shares = following.seed_shares if following.is_dealt else None
    has_rounds = len(setup.persons) == 2 or (setup.preset.has_rounds and not setup.is_solo)
    names = player_names(setup)
    easier, harder = (None, None) if setup.is_solo else neighbours(setup.opponent)
    return {
        **ending(saved),
        # The owners of the boards, the viewer's first; empty for "your" and "enemy" waters.
        "waters_of": ("", "")
        if setup.is_personal
        else (names[saved.viewer], names[saved.viewer.opponent]),
        "again_address": address("place", seal_draft(draft))
        if setup.persons and not setup.remote
        else "",
        # Only a form that starts the next match may send the player's share of its seed.
        "again_hash": shares.server_seed_hash if shares else "",
        "easier": easier,
        "harder": harder,
        "suggested_name": mind_name(suggested_rank) if suggested_rank else "",
        "suggested": suggested_rank if suggested_rank != setup.opponent else "",
        "has_rounds": has_rounds,
        "score_line": _score_line(setup, following, has_rounds=has_rounds),
        "noticed": noticed_of(following),
        "watch_address": reverse("watch", args=[setup.preset.name]),
    }


def _score_line(setup: Setup, following: Setup, *, has_rounds: bool) -> str:
    """The rounds won, if there are any; for a day's sea the day."""
    if setup.is_solo:
        return tally_line(setup)
    return score_line(following) if has_rounds or setup.tally.rounds else ""


def over_page(
    saved: SavedMatch,
    token: str,
    *,
    has_effects: bool = True,
    shots_already_shown: int | None = None,
    suggested_rank: str | None = None,
) -> Page:
    setup, match, person = saved.setup, saved.match, saved.viewer
    seen = observe(match, person)
    # Giving up is no shot: the shots before it were shown before.
    mine, theirs = news(saved, shots_already_shown) if match.resigned is None else ((), ())
    enemy, own = boards.revealed(match, person)
    headline, why = outcomes.verdict(seen, setup)
    where = address("duel" if setup.remote else "play", token)
    par = None if saved.par is None else saved.par.shots
    status = outcomes.end_message(seen, setup)
    if par:
        status += " " + _("Par: %(count)s.") % {"count": par}
    return match_page(
        "over",
        setup,
        address=where,
        title=headline,
        phase="over",
        turn=seen.turn,
        **status_of(status, seen, setup),
        play_address=where,
        review_address=address("review", token) + ("?side=second" if setup.seat else ""),
        share_address=address("share", token),
        recap_address=address("replay", token),
        record_address=address("record", token),
        opponent=player_names(setup)[person.opponent] if setup.seat is not None else "",
        enemy=boards.with_fresh_wrecks(enemy, seen.board, mine),
        own=boards.with_fresh_wrecks(own, seen.board, theirs),
        headline=headline,
        why=why,
        plate=_plate(seen) if saved.par is None else _solo_plate(seen, par),
        par_line=outcomes.par_line(saved),
        is_par_due=saved.par is not None and par is None,
        count_of_shots=len(seen.shots) if setup.is_solo else 0,
        par_shots=par or 0,
        # The lengths and pictures of the viewer's ships that are still afloat.
        kept=tuple(
            (ship.placement.length, pictures(setup.ruleset.fleet)[ship.id])
            for ship in seen.ships
            if ship.is_afloat
        ),
        turn_line=messages.turn_line(seen),
        figures=outcomes.figures(seen, setup),
        shots=len(seen.shots),
        **proof(saved),
        **afterwards(saved, suggested_rank),
        **(effects(seen.board, mine, theirs) if has_effects else {}),
    )


def proof(saved: SavedMatch) -> dict[str, Any]:
    """The commitment, the line that was hashed, and the values that the seed follows from."""
    return {
        "commitment": saved.commitment,
        "statement": saved.record.statement,
        "seed_shares": saved.record.seed_shares,
        "day_link": day_link(saved.setup),
    }


def _plate(seen: Observation) -> list[dict[str, str]]:
    kept, turns = sum(ship.is_afloat for ship in seen.ships), seen.rounds_begun
    return [
        _figure(ngettext("turn", "turns", turns), turns),
        _hit_rate(seen),
        _figure(ngettext("ship kept", "ships kept", kept), kept),
    ]


def _solo_plate(seen: Observation, par: int | None) -> list[dict[str, str]]:
    """The three figures of a player who searched alone, with the admiral's for comparison."""
    count = len(seen.shots)
    return [
        _figure(ngettext("shot", "shots", count), count),
        _figure(_("par"), "…" if par is None else par),
        _hit_rate(seen),
    ]


def _hit_rate(seen: Observation) -> dict[str, str]:
    hits = sum(shot.result is not Result.WATER for shot in seen.shots)
    rate = round(100 * hits / len(seen.shots)) if seen.shots else 0
    return _figure(_("shots hit"), _("%(rate)s%%") % {"rate": rate})


def _figure(name: str, value: object) -> dict[str, str]:
    return {"name": name, "value": str(value)}
