"""The page of an ended match's result, and the view that all pages of an ended match begin with."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from game.display import boards, messages
from game.display.ending import ending
from game.display.match_history import EVERY_SHOT, unseen_shots
from game.display.match_view import (
    Action,
    Clock,
    FleetToCome,
    MatchView,
    Proof,
    Shots,
    game_of,
    new_shots_of,
)
from game.display.noticed import noticed_of
from game.display.outcomes import end_status, par_met
from game.feature import features
from game.matches.draft import next_draft
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_draft
from game.players.registry import Proposed
from game.views import hooks
from game.views.addresses import address
from game.views.days import day_link
from game.views.hooks import Additions
from game.views.page import Page
from game.views.pages.base import Visit, match_page


def ended_view(saved: SavedMatch, token: str, proposed: Proposed | None = None) -> MatchView:
    """What all pages of an ended match begin with: its result; raises ValueError before the end.

    `proposed` is the rank that suits the player, if that is known.
    """
    setup, draft = saved.setup, next_draft(saved)
    seen, following = saved.seen, draft.setup
    end = ending(saved, seen, following, proposed)
    # Only a form that starts the next match may send the player's share of its seed.
    shares = following.seed_shares if following.is_dealt else None
    noticed, record = noticed_of(following), saved.record
    links = hooks.merged(feature.links(saved, token) for feature in features())
    links |= {"record": address("record", token), "recap": address("replay", token)}
    if setup.persons and not setup.remote:
        links["again"] = address("place", seal_draft(draft))
    return MatchView(
        phase="over",
        turn=seen.turn,
        setup=setup.public,
        title=end.headline,
        address=address("play", token),
        game=game_of(setup, is_over=True),
        status=end_status(seen, setup, par_met(saved)),
        clock=Clock(messages.turn_line(seen)),
        end=end,
        shots=Shots(len(seen.shots)),
        fleet=FleetToCome(
            shares.server_seed_hash if shares and "again" in links else None,
            noticed.habit,
            noticed.sentence,
        ),
        proof=Proof(
            saved.commitment or None,
            statement=record.statement or "",
            seed_shares=record.seed_shares,
            day_link=day_link(setup),
        ),
        links=links,
    )


def over_page(
    visit: Visit, saved: SavedMatch, token: str, additions: Additions = MappingProxyType({})
) -> Page:
    """The page of a result, with what features add to it."""
    setup, match, seen = saved.setup, saved.match, saved.seen
    proposed = (added.proposed for added in additions.values() if added.proposed)
    view = ended_view(saved, token, next(proposed, None))
    assert view.end is not None  # noqa: S101 (the match is over)
    enemy, own = boards.revealed(match, seen, setup.cell_names)
    end = replace(view.end, more=" ".join(it.why for it in additions.values() if it.why))
    links = dict(view.links)
    again = links.pop("again", "")
    # Giving up is no shot: the shots before it were shown before.
    shots = unseen_shots(saved, EVERY_SHOT if match.is_cut_short else visit.shots_already_shown)
    fresh = new_shots_of(seen.board, *shots)
    if setup.is_solo and end.shots:  # the handle `shots` is their number
        fresh = replace(fresh, shots=None, last_shots=fresh.shots)
    score = "" if setup.day else end.score_line
    view = replace(
        view,
        game=replace(view.game, is_late="yes" if setup.is_late else None),
        enemy=enemy,
        own=None if setup.is_solo else own,
        end=end,
        news=fresh,
        results=list(filter(None, (", ".join(end.summary), end.whole_why))),
        actions=_actions(view, again),
        links=links,
    )
    view = hooks.joining(view, additions)
    view = replace(view, results=[*view.results, *filter(None, [score, end.moving_line])])
    lifted = visit.look == "own" and not setup.is_solo
    return match_page("over", view, additions, own_board_in_front=lifted)


def _actions(view: MatchView, again: str) -> Mapping[str, Action]:
    """What the player can do at the end of a match, in the page's order."""
    end, where, actions = view.end, view.address, dict[str, Action]()
    assert end is not None  # noqa: S101 (the match is over)
    if end.is_par_due:
        actions["par"] = Action(where, (("action", "par"),))
    if again and not view.setup.day:
        rivals = [("against", it.name) for it in end.rivals if not it.is_now]
        half = (("half", ""),) if view.fleet.noted else ()
        buttons = ("action", "again"), *(rivals if len(end.rivals) > 1 else ())
        actions["again"] = Action(again, buttons, half)
    if view.fleet.noticed:
        actions["forget"] = Action(where, (("action", "forget"),))
    if again and view.setup.day:
        actions["again"] = Action(again, (("action", "again"),))
    return actions
