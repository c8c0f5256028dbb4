"""The page of an ended match's result, and the values that all pages of an ended match have."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.display import boards, challenge, messages, outcomes
from game.display.habits import noticed_of
from game.display.moving import moving_line
from game.display.names import mind_name, pictures, player_names, score_line, tally_line, waters_of
from game.engine.actions import Result
from game.engine.observation import Observation, observe
from game.matches.challenge import Challenge
from game.matches.draft import next_draft
from game.matches.rank_proposal import Proposed
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.matches.tokens import seal_draft, seal_replay
from game.players.registry import RANK_NAMES, neighbours
from game.views.answers import Page, address
from game.views.daily import day_link
from game.views.pages.base import challenge_values, effects, match_page, news, status_of


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


def afterwards(saved: SavedMatch, proposed: Proposed | None = None) -> dict[str, Any]:
    """How a match ended, what follows and whose boards these are; raises ValueError before the end.

    `proposed` is the rank that suits the player, if that is known.
    """
    setup, draft = saved.setup, next_draft(saved)
    following = draft.setup
    shares = following.seed_shares if following.is_dealt else None
    has_rounds = len(setup.persons) == 2 or (setup.preset.has_rounds and not setup.is_solo)
    names = player_names(setup)
    return {
        **ending(saved),
        # The captions of the boards, the viewer's first; empty for "your" and "enemy" waters.
        "waters_of": ("", "")
        if setup.is_personal
        else (waters_of(names[saved.viewer]), waters_of(names[saved.viewer.opponent])),
        "again_address": address("place", seal_draft(draft))
        if setup.persons and not setup.remote
        else "",
        # Only a form that starts the next match may send the player's share of its seed.
        "again_hash": shares.server_seed_hash if shares else "",
        "rivals": _rivals(setup, proposed),
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
    proposed: Proposed | None = None,
) -> Page:
    setup, match, person = saved.setup, saved.match, saved.viewer
    seen = observe(match, person)
    # Giving up is no shot: the shots before it were shown before.
    mine, theirs = news(saved, shots_already_shown) if not match.is_cut_short else ((), ())
    enemy, own = boards.revealed(match, person)
    headline, why = outcomes.verdict(seen, setup, outcomes.par_met(saved))
    where = address("duel" if setup.remote else "play", token)
    par = None if saved.par is None else saved.par.shots
    status = outcomes.end_message(seen, setup)
    taken_up = saved.challenge
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
        replay_address=address("replay", token),
        record_address=address("record", token),
        opponent=player_names(setup)[person.opponent] if setup.seat is not None else "",
        enemy=enemy,
        own=own,
        headline=headline,
        why=why,
        moving_line=moving_line(match, setup, person),
        summary=_summary(seen, saved),
        par_line=outcomes.par_line(saved),
        compared=challenge.compared(saved),
        own_times=challenge.own_times(saved),
        is_taken_up=taken_up is not None,
        replay_title=challenge.replay_title(taken_up.name) if taken_up else "",
        challenger_address=replay_of(taken_up) if taken_up else "",
        **challenge_values(saved),
        is_par_due=saved.par is not None and par is None,
        is_late=setup.is_late,
        count_of_shots=len(seen.counted) if setup.is_solo else 0,
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
        **afterwards(saved, proposed),
        **(effects(seen.board, mine, theirs) if has_effects else {}),
    )


def replay_of(found: Challenge) -> str:
    """The address of a challenger's replay, only for a player who has been shown the fleet."""
    return address("public_replay", seal_replay(SavedMatch(found.setup, found.match)))


def proof(saved: SavedMatch) -> dict[str, Any]:
    """The commitment, the line that was hashed, and the values that the seed follows from."""
    return {
        "commitment": saved.commitment,
        "statement": saved.record.statement,
        "seed_shares": saved.record.seed_shares,
        "day_link": day_link(saved.setup),
    }


def _summary(seen: Observation, saved: SavedMatch) -> tuple[str, ...]:
    """Returns `28 turns`, `38% hits` and `4 ships left`; after a search alone the score."""
    if saved.setup.is_solo:
        score = outcomes.score(saved, len(seen.counted))
        return score if len(score) > 1 else (*score, _hit_rate(seen))
    kept, turns = sum(ship.is_afloat for ship in seen.ships), seen.rounds_begun
    turns_said = ngettext("%(count)s turn", "%(count)s turns", turns) % {"count": turns}
    ships = ngettext("%(count)s ship left", "%(count)s ships left", kept) % {"count": kept}
    return turns_said, _hit_rate(seen), *([ships] if kept else [])


def _hit_rate(seen: Observation) -> str:
    shots = seen.counted
    hits = sum(shot.result is not Result.WATER for shot in shots)
    return _("%(rate)s%% hits") % {"rate": round(100 * hits / len(shots)) if shots else 0}


class Rival(NamedTuple):
    """An opponent of the next match."""

    id: str
    name: str
    title: str
    is_now: bool
    """Whether it is the opponent of the match that has ended."""
    note: str
    """What the logbook says about it, which may be empty."""


def _rivals(setup: Setup, proposed: Proposed | None) -> tuple[Rival, ...]:
    """Returns the opponents to choose from, the easiest first; empty without one to change."""
    if setup.is_solo or setup.opponent is None or len(setup.persons) != 1 or setup.remote:
        return ()
    easier, harder = neighbours(setup.opponent, moving=setup.ruleset.moving)
    found = [("act-easier", easier), ("", setup.opponent), ("act-harder", harder)]
    rank, note = (proposed.rank, _note(proposed)) if proposed else ("", "")
    if rank and rank not in dict(found).values():
        is_stronger = RANK_NAMES.index(rank) > _rank_of(setup.opponent)
        even = ("act-even", rank)
        found = [*found[1:], even] if is_stronger else [even, *found[:2]]
    return tuple(
        Rival(element, name, mind_name(name), name == setup.opponent, note if name == rank else "")
        for element, name in found
        if name
    )


def _note(proposed: Proposed) -> str:
    return _("about even") if proposed.is_even else _("worth a try")


def _rank_of(name: str) -> int:
    return RANK_NAMES.index(name) if name in RANK_NAMES else 0
