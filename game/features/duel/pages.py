"""The parts of pages that are about the other player, and the pages of a seat before the match."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from game.display import boards
from game.display.boards import BoardView
from game.display.match_view import Action, MatchView, game_of
from game.display.messages import Status
from game.display.names import isolated, preset_card, tally_line
from game.display.public_values import PublicValues, public
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.rules import Side
from game.feature import PageAddition
from game.features.duel import words
from game.features.duel.presence import CALLS, UNKNOWN, Presence
from game.features.duel.state import Claim, DuelState, poll_key
from game.matches.draft import Draft
from game.matches.setup import Setup
from game.views import images
from game.views.addresses import address, is_of_this_device, path_if_any
from game.views.page import Page
from game.views.pages.base import match_page
from game.views.pages.playing import waiting_title

STYLES = ("game/match.css", "duel/duel.css")


@dataclass(frozen=True)
class DuelView(PublicValues):
    """What a page at two devices tells of the two players."""

    name: str | None = public("name")
    opponent_name: str | None = public("opponent-name")
    step: str | None = public("step")
    presence: str | None = public("presence")
    invite: str | None = public("invite")
    """The address for the friend's device, until the seat is taken."""
    wait: str | None = public("wait")
    """The address at which the page asks for a newer step and for the other player's presence."""
    present: str | None = public("present")
    """The address at which the page reports that a fleet is being placed."""
    there: Presence = UNKNOWN
    doing: str = ""
    """What the other player does while present, if there is one, or that it has left."""
    line: str = ""
    """What is known of the other player now."""
    here: str = ""
    gone: str = ""
    away: str = ""
    """What the script says, at first and with `{minutes}` in place of the number."""
    heard: tuple[str, ...] = ()
    """What the script says of each of the other player's calls."""
    calls: Sequence[tuple[str, str]] = ()
    """What can be called to the other player: the value of each button and its text."""
    link: str = ""
    """The address that leads the other player back to the match."""
    reminder: str = ""
    company: tuple[str, ...] | None = None
    """The actions that concern the other player, if there is one; some are hidden at first."""

    @property
    def shown_name(self) -> str:
        return isolated(self.opponent_name or "")


def duel_view(duel: DuelState, side: Side, *, link: str, is_shown: bool) -> DuelView:
    """What a seat's page tells of both players.

    `link` is the address that leads the other player back to the match, or that invites a friend.
    `is_shown` is whether the other player is shown that somebody looks at the page.
    """
    names, there, doing = duel.setup.person_names, duel.there(side), words.doing(duel, side)
    has_left = doing == "left"
    view = DuelView(
        names[side] or None,
        names[side.opponent] or None,
        step=str(duel.step),
        invite=link if duel.is_open and not duel.is_closed else None,
        wait=_wait_address(duel.id, duel.seat_hashes[side], duel.step, is_shown=is_shown),
    )
    if duel.is_open or duel.left[side]:
        return view
    here, line, presence = words.here(duel, side), "", None
    is_away, away_for = words.away(duel, side)
    if has_left or there.is_here:
        line, presence = here, doing
    elif there.is_away:
        line, presence = is_away, "away"
        if there.minutes_away:
            minutes = "10+" if there.may_end else str(there.minutes_away)
            line = away_for.replace("{minutes}", minutes)
    can_call = doing != "waiting" or duel.is_over
    calls = tuple(zip(CALLS, words.calls(), strict=True)) if can_call else ()
    company = [value for value, _text in calls]
    if duel.match is not None and not duel.is_over:
        company.append("abandon")
    return replace(
        view,
        presence=presence,
        there=there,
        doing=doing,
        line=line,
        here=here,
        gone=is_away,
        away=away_for,
        heard=words.calls_heard(duel, side),
        calls=calls,
        link=link,
        reminder=_("Our game of Battleship goes on here: %(game)s.")
        % {"game": preset_card(duel.setup.preset).title},
        company=None if has_left else tuple(company),
    )


def with_friend(page: Page, duel: DuelState, side: Side, feature: DuelView, keep: str) -> Page:
    """The page of a match at two devices, with what concerns the other player.

    `keep` is the address by which the seat is played on another device. Forms name the step.
    """
    view = page.view
    assert view is not None  # noqa: S101 (it is a match)
    where, links = _where(duel), dict(view.links)
    actions = {name: it._replace(address=where) for name, it in view.actions.items()}
    if view.end is None:
        links["keep"] = keep
    elif duel.is_closed:
        links["invite_again"] = _invite_again(view.setup)
    else:
        actions["rematch"] = _action(duel, *([] if duel.wishes[side] else ["rematch"]))
    actions |= _company(duel, feature)
    if view.end is not None and not duel.left[side]:
        actions["leave"] = _action(duel, "leave")
    features = {**view.features, "duel": feature}
    page = page.having(styles=dict.fromkeys((*page.values["styles"], *STYLES)))
    return _at(page.showing(actions=actions, links=links, features=features), duel, where)


def _action(duel: DuelState, *buttons: str) -> Action:
    return Action(_where(duel), tuple(("action", button) for button in buttons))


def _company(duel: DuelState, feature: DuelView) -> dict[str, Action]:
    return {} if feature.company is None else {"company": _action(duel, *feature.company)}


def _where(duel: DuelState) -> str:
    """The address of forms, which names the step."""
    return f"{address('duel', duel.id)}?step={duel.form_step}"


def _at(page: Page, duel: DuelState, where: str) -> Page:
    """The page at the duel's own address, which is the same for all steps."""
    plain = address("duel", duel.id)
    return page.showing(address=where)._replace(address=plain).having(address=plain)


def _wait_address(duel_id: str, seat_hash: str, step: int | str, *, is_shown: bool) -> str:
    """The address at which a seat's page asks for news; the step is `placing` before the match."""
    hides = "" if is_shown else "?hide"
    return f"{settings.PATH}wait/{duel_id}/{poll_key(seat_hash)}/{step}/{hides}"


def _invite_again(setup: Setup) -> str:
    return f"{reverse('new', args=[setup.preset.name])}?opponent=friend"


# --- before the match ---


def claim_of(draft: Draft) -> Claim:
    claim = draft.part(Claim)
    assert claim is not None  # noqa: S101 (only then the feature is called)
    return claim


def placing(draft: Draft, *, is_presence_shown: bool) -> PageAddition:
    """What is added to the page on which a fleet is placed for a seat.

    The page asks at an address, so that the other player sees that somebody places ships.
    """
    claim, names = claim_of(draft), draft.setup.person_names
    where = _wait_address(claim.id, claim.seat_hash, "placing", is_shown=is_presence_shown)
    view = DuelView(names[claim.side] or None, names[claim.side.opponent] or None, present=where)
    return PageAddition(view, styles=STYLES[1:])


def page_before(
    duel: DuelState, side: Side, feature: DuelView, keep: str, *, is_in_pairs: bool = False
) -> Page:
    """The page of a seat before the match: its fleet is placed, or a player has left.

    With `is_in_pairs` the next one who opens the link for pairs takes the other seat.
    """
    if is_in_pairs:
        feature = replace(feature, invite=None)
    setup, where, invite = duel.seated(side), _where(duel), feature.invite
    title, template = waiting_title(setup.person_names[side.opponent]), "duel/_invited.html"
    status = _("%(name)s has yet to place a fleet.") % {"name": words.friend_name(duel, side)}
    actions = _company(duel, feature)
    tally, puzzles, links = tally_line(setup), path_if_any("puzzles"), {"keep": keep}
    if puzzles:
        links["puzzles"] = puzzles
    if duel.is_closed:
        title, status = _("The match has ended"), words.left(duel, side)
        template, links = "duel/_left.html", {"invite_again": _invite_again(setup)}
    elif invite:
        title, status = (
            _("Invite a friend"),
            _("Your fleet is ready. Send the link to your friend."),
        )
        actions = {name: _action(duel, name) for name in ("withdraw", "change")}
    elif is_in_pairs:
        title, status = (
            _("Play in pairs"),
            _("Your fleet is ready. You play the next one who joins."),
        )
        actions = {name: _action(duel, name) for name in ("computer", "leave")}
    else:
        actions["leave"] = _action(duel, "leave")
    own, seen = _sheets(duel, side)
    view = MatchView(
        phase="waiting",
        turn=0,
        setup=setup.public,
        title=title,
        address=where,
        game=game_of(setup),
        status=Status(status),
        enemy=seen,
        own=own,
        results=[tally] if tally and not duel.is_closed else [],
        actions=actions,
        links=links,
        features={"duel": feature},
    )
    page = match_page(
        template,
        view,
        styles=STYLES,
        invite_text=words.invitation(setup.person_names[side], preset_card(setup.preset).title),
        code=images.qr_code(invite or ""),
        is_for_this_device=is_of_this_device(invite or ""),
    )
    return _at(page, duel, where)


def _sheets(duel: DuelState, side: Side) -> tuple[BoardView | None, BoardView | None]:
    """A seat's own sheet before the match, and what the other player will see of it."""
    fleet = duel.fleets[side]
    if fleet is None or duel.is_closed:
        return None, None
    # A match of the fleet with itself: of the other one nothing is known yet.
    match = Match(duel.setup.ruleset, (fleet, fleet), bytes(SEED_BYTES))
    own, theirs = (
        replace(observe(match, viewer), is_to_act=False, may_move=False, shots_left=0)
        for viewer in (side, side.opponent)
    )
    cell_names = duel.setup.cell_names
    seen = boards.enemy_board(theirs, cell_names)._replace(kind="seen")
    return boards.own_board(own, cell_names), seen
