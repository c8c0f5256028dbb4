"""The values of a match's pages: a frozen dataclass for each kind of page."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, NamedTuple, TypedDict

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.context_processors import site
from game.display import boards, fleets, messages, outcomes, placing, review_page
from game.display.boards import BoardView
from game.display.fleets import FleetLine, ShipToPlace
from game.display.habits import Noticed, noticed_of
from game.display.messages import Onboarding
from game.display.names import (
    PresetCard,
    mind_name,
    opponent_line,
    player_names,
    rule_line,
    score_line,
    sea_name,
    tally_line,
)
from game.display.options import rules_query
from game.display.outcomes import Figures
from game.display.replay import ReplayView
from game.display.review_page import Asked, ReviewView
from game.display.sharing import Card
from game.display.shot_effects import new_shots, shot_effects, shots_told
from game.display.text_view import TextView, text_view
from game.engine.actions import Phase, Result, Shot
from game.engine.observation import Observation, observe
from game.engine.presets import OWN
from game.engine.rules import Pair, Side
from game.matches import fairness
from game.matches.draft import Draft
from game.matches.duel import Duel, poll_key
from game.matches.review import outlook
from game.matches.saved import SavedMatch
from game.matches.seed_shares import SeedShares
from game.matches.setup import Setup, Tally
from game.matches.tokens import seal_draft
from game.players.registry import neighbours
from game.views import images, rendering
from game.views.answers import address
from game.views.daily import day_link
from game.views.preferences import Preferences

LONGEST_TYPED = 20
"""How much of an illegal input is shown again, in characters."""


@dataclass(frozen=True, kw_only=True)
class MatchPage:
    """The values of every page of a match."""

    template: ClassVar[str]
    """The template of the game region."""
    styles: ClassVar[tuple[str, ...]] = ("game/match.css",)
    scripts: ClassVar[tuple[str, ...]] = ("game/boards.js",)
    kind: ClassVar[str] = ""

    address: str
    title: str
    phase: str
    turn: int
    """The turn, counting both sides' from 0."""
    setup: Setup
    status: str
    is_refused: bool = False
    outcome: str = ""
    """won, lost or draw; without a single person, first, second or draw; empty before the end"""
    reason: str = ""
    """Why the match ended, a value of Reason; empty before the end."""
    effects: tuple[tuple[str, str], ...] = ()
    shots_told: str = ""
    """The last shots, where they are news: see shot_effects."""
    own_board_in_front: bool = False
    """Whether the own waters lie over the enemy's, where the window has room for one sheet."""
    seat: str = ""
    """first or second; empty unless two persons play at two devices"""
    wait_address: str = ""
    """Where the page asks whether there is a newer step; empty if it doesn't wait for one."""
    is_fresh: bool = False
    """Whether it is a day's sea before its first shot."""
    count_of_shots: int = 0
    """Of one who has searched alone, at the end."""
    par_shots: int = 0
    """What the admiral needed there; 0 before that is known."""

    @property
    def own_styles(self) -> tuple[str, ...]:
        """Those of its kind, and those of a page with one board."""
        return (*self.styles, "game/solo.css") if self.setup.is_solo else self.styles

    @property
    def own_scripts(self) -> tuple[str, ...]:
        """Those of its kind, the curtain for two persons at one device, and what knows the day."""
        if self.setup.day is not None:
            return (*self.scripts, "game/daily.js")
        return (*self.scripts, "game/curtain.js") if self.setup.is_shared else self.scripts

    def context(self) -> dict[str, Any]:
        """The page's values by the names used in its templates."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {
            "body": self.template, "styles": self.own_styles, "scripts": self.own_scripts,
            "kind": self.kind,
            "status_line": rendering.status_line(self.status, is_refused=self.is_refused),
            **self.effects_by_side,
        }  # fmt: skip

    @property
    def effects_by_side(self) -> dict[str, str]:
        """The effects as templates print them, empty where there is none."""
        effects = dict(self.effects)
        return {f"effect_of_{who}": effects.get(who, "") for who in ("you", "foe")}

    def render(self, request: HttpRequest, *, is_part: bool) -> str | bytes:
        """The whole page, or only the part that htmx swaps."""
        return render_to_string(_outer(is_part=is_part), self.context(), request)


def _outer(*, is_part: bool) -> str:
    return "game/fragment.html" if is_part else "game/page.html"


# --- before the match ---


@dataclass(frozen=True, kw_only=True)
class PlacingPage(MatchPage):
    """A fleet being placed."""

    template = "game/_placing.html"
    scripts = (*MatchPage.scripts, "game/placing.js")

    form_action: str
    draft: Draft
    waters: BoardView
    ships_to_place: list[ShipToPlace]
    rule_line: str
    opponent_line: str
    tally_line: str
    placer: str
    """The name of the person who places, if two share the device."""
    name: str | None
    """The name given so far, where the other player can't see who places; else None."""
    rules_address: str
    """The address of the page where the rules were composed."""
    direction: str
    placed_last: str
    last_bow: str
    misplaced_words: str
    placed_line: str
    options_address: str
    """Where opponent and help are chosen before the first match; empty afterwards."""
    noticed: Noticed | None
    """What the computer noticed in the rounds before."""
    preset_card: PresetCard | None
    """The preset's description, on pages that may be indexed."""
    server_seed_hash: str
    """The hash of the server's half of the seed; empty where it will not follow from two."""


def placing_page(
    draft: Draft,
    token: str,
    *,
    where: str = "",
    preset_card: PresetCard | None = None,
    refused: str = "",
    visitor: Preferences | None = None,
) -> PlacingPage:
    """The page of a draft, at `where` if given; `refused` is why an action was not done.

    A `visitor` who has never placed a fleet is told how.
    """
    onboarding = (
        visitor.onboarding(placing.placing_onboarding_step(draft)) if visitor else Onboarding.NONE
    )
    # The server's half stays hidden until the end, so no template gets it.
    seed_shares, setup = draft.setup.seed_shares, replace(draft.setup, seed_shares=None)
    own = address("place", token)
    draft = replace(draft, setup=setup)
    if draft.claim is not None:
        setup = replace(setup, seat=draft.claim.side)
    return PlacingPage(
        address=where or own,
        title=_("Place your fleet"),
        phase="placing",
        turn=0,
        setup=setup,
        status=refused or placing.placing_message(draft, onboarding),
        is_refused=bool(refused),
        form_action=own,
        draft=draft,
        waters=boards.placing_board(draft),
        ships_to_place=fleets.ships_to_place(draft),
        rule_line=rule_line(setup.ruleset),
        opponent_line=opponent_line(setup),
        tally_line=tally_line(setup),
        placer=player_names(setup)[draft.side] if setup.is_shared else "",
        name=setup.names[draft.side] if draft.claim else None,
        seat=draft.claim.side.name.lower() if draft.claim else "",
        rules_address=_rules_address(setup) if setup.preset is OWN else "",
        direction=draft.direction.value,
        placed_last=placing.placed_last(draft),
        last_bow=setup.ruleset.board.name(draft.placed[-1].bow) if draft.placed else "",
        misplaced_words=placing.cannot_place_template(),
        placed_line=placing.placed_line(draft),
        options_address=_options_address(setup),
        own_board_in_front=True,
        noticed=noticed_of(setup),
        preset_card=preset_card,
        server_seed_hash=seed_shares.server_seed_hash if seed_shares else "",
    )


def _options_address(setup: Setup) -> str:
    """The choices before a match; empty for two persons and between rounds."""
    if setup.is_shared or setup.remote or setup.tally.rounds:
        return ""
    return reverse("setup", args=[setup.preset.name])


def _rules_address(setup: Setup) -> str:
    return f"{reverse('new', args=[OWN.name])}?{rules_query(setup.ruleset)}"


@dataclass(frozen=True, kw_only=True)
class CurtainPage(MatchPage):
    """What both of two persons at one device may see while they take turns at it."""

    template = "game/_curtain.html"

    form_action: str
    next: str
    is_placing: bool
    tally_line: str


def draft_curtain(draft: Draft, token: str) -> CurtainPage:
    """The curtain before a person places a fleet."""
    return CurtainPage(
        address=address("place", token),
        title=_("Change places"),
        phase="handover",
        turn=0,
        setup=draft.setup,
        status=tally_line(draft.setup),
        form_action=address("place", token),
        next=player_names(draft.setup)[draft.side],
        is_placing=True,
        tally_line="",
    )


def match_curtain(saved: SavedMatch, token: str) -> CurtainPage:
    """The curtain between two persons' turns."""
    return CurtainPage(
        address=address("play", token),
        title=_("Change places"),
        phase="handover",
        turn=saved.match.turn,
        setup=saved.setup,
        status=messages.public_status_message(saved),
        form_action=address("play", token),
        next=player_names(saved.setup)[saved.viewer],
        is_placing=False,
        tally_line=tally_line(saved.setup),
    )


@dataclass(frozen=True, kw_only=True)
class InvitedPage(MatchPage):
    """What a seat sees until the other one has placed its fleet, too."""

    template = "game/_invited.html"

    form_action: str
    invite: str
    """The address for the friend's device; empty once the seat is taken."""
    code: str
    """The same as a QR code, drawn."""
    keep_address: str
    is_lost: bool
    tally_line: str


def invited_page(
    duel: Duel,
    side: Side,
    token: str,
    *,
    invite: str = "",
    keep_address: str,
    is_lost: bool = False,
) -> InvitedPage:
    """The page of a seat whose fleet lies, before the match has begun."""
    setup = duel.seated(side)
    return InvitedPage(
        address=address("duel", token),
        title=_("Invite a friend") if invite else _("Waiting for your opponent"),
        phase="waiting",
        turn=0,
        setup=setup,
        status=_status_of_invited(setup, invite=invite, is_lost=is_lost),
        seat=side.name.lower(),
        wait_address=wait_address(duel, side),
        form_action=address("duel", token),
        invite=invite,
        code=images.qr_code(invite) if invite else "",
        keep_address=keep_address,
        is_lost=is_lost,
        tally_line=tally_line(setup),
    )


def _status_of_invited(setup: Setup, *, invite: str, is_lost: bool) -> str:
    if is_lost:
        return messages.match_lost()
    if invite:
        return _("Your fleet is ready. Send the link to your friend.")
    return messages.opponent_places(setup)


def wait_address(duel: Duel, side: Side) -> str:
    """Where a seat's page asks whether there is a newer step."""
    return f"/wait/{poll_key(duel.id, side)}/{duel.step}/"


@dataclass(frozen=True, kw_only=True)
class WatchingPage(MatchPage):
    """A match between two minds before its end; only its progress is shown."""

    template = "game/_watching.html"

    form_action: str
    names: Pair[str]


def watching_page(saved: SavedMatch, token: str) -> WatchingPage:
    """The page of a match that two minds are playing."""
    names = player_names(saved.setup)
    return WatchingPage(
        address=address("play", token),
        title=" – ".join(names),
        phase="handover",
        turn=saved.match.turn,
        setup=saved.setup,
        status=messages.turn_line(observe(saved.match, saved.viewer)),
        form_action=address("play", token),
        names=names,
    )


# --- the match ---


@dataclass(frozen=True, kw_only=True)
class PlayPage(MatchPage):
    """A match before its end. It is requested most often: hence `render_cached`."""

    template = "game/_playing.html"

    token: str
    enemy: BoardView
    own: BoardView
    enemy_fleet: tuple[FleetLine, ...]
    own_fleet: tuple[FleetLine, ...]
    text_view: TextView
    player: str
    """The name of the person to act, if two share the device."""
    afloat: Pair[int]
    """How many ships are afloat, the viewer's first."""
    tally_line: str
    turn_line: str
    turn_meter: SafeString
    coach_line: str
    commitment: str
    shots: int
    """The number of shots that the viewer has fired."""
    typed: str
    """Input that is not a cell."""
    is_moving: bool
    is_countdown: bool
    asks_to_resign: bool
    shows_enemy: bool
    offers_sound: bool
    is_waiting: bool = False
    """Whether the other seat is to act, or a computer that one answer didn't wait for."""
    is_lost: bool = False
    """Whether the match store lost the match; it goes on once both seats have shown their steps."""
    keep_address: str = ""
    """Where a seat can be brought to another device."""

    @property
    def route(self) -> str:
        """The name of the address that the match is played at."""
        return "duel" if self.setup.remote else "play"

    def render(self, request: HttpRequest, *, is_part: bool) -> bytes:
        """The whole page, or only the part that htmx swaps."""
        return rendering.render_page(_outer(is_part=is_part), self._variant(request), self._slots())

    def _variant(self, request: HttpRequest) -> dict[str, Hashable]:
        """What the templates test: the same for all matches whose pages look alike.

        Addresses have a mark in place of the token; names, score and what was learnt are left out.
        """
        token = rendering.placeholder("token")
        where = play_address(token, shows_enemy=self.shows_enemy, route=self.route)
        return {
            **site(request),
            "address": where, "form_action": where, "plain_address": address(self.route, token),
            "elsewhere_address": address("elsewhere", token),
            "is_fresh": self.is_fresh, "seat": self.seat,
            "is_waiting": self.is_waiting, "is_lost": self.is_lost,
            "body": self.template, "styles": self.own_styles, "scripts": self.own_scripts,
            "kind": self.kind, "title": self.title, "phase": self.phase,
            "setup": template_key(self.setup), "is_moving": self.is_moving,
            "has_seed_shares": self.setup.seed_shares is not None,
            "is_countdown": self.is_countdown, "asks_to_resign": self.asks_to_resign,
            "debug_switch": settings.DEBUG, "shows_enemy": self.shows_enemy,
            "own_board_in_front": self.own_board_in_front, "offers_sound": self.offers_sound,
        }  # fmt: skip

    def _slots(self) -> dict[str, str]:
        """What the templates only print: see `render_cached`."""
        setup, of = self.setup, len(self.setup.ruleset.fleet)
        own, enemy = self.afloat
        return {
            "turn_meter": self.turn_meter,
            "own_afloat": _("%(count)s of %(of)s afloat") % {"count": own, "of": of},
            "own_left": f"{own}/{of}",
            "enemy_left": ngettext("%(count)s left", "%(count)s left", enemy) % {"count": enemy},
            "token": self.token, "turn": str(self.turn), "player": self.player,
            "tally_line": self.tally_line, "turn_line": self.turn_line,
            "wait_address": self.wait_address, "keep_address": self.keep_address,
            "opponent_line": opponent_line(setup), "rule_line": rule_line(setup.ruleset),
            "coach_line": self.coach_line, "commitment": self.commitment,
            "shots": str(self.shots), "shots_told": self.shots_told, "typed": self.typed,
            "status_line": rendering.status_line(self.status, is_refused=self.is_refused),
            "enemy": rendering.board(
                self.enemy, "cells/enemy.html", has_radar=setup.preset.has_radar
            ),
            "own": rendering.board(
                self.own, "cells/own.html", "table", has_radar=setup.preset.has_radar
            ),
            "enemy_fleet": rendering.fleet(self.enemy_fleet),
            "own_fleet": rendering.fleet(self.own_fleet),
            "report": rendering.text_view(self.text_view, moving=setup.ruleset.moving),
            **self.effects_by_side,
        }  # fmt: skip


def template_key(setup: Setup) -> Setup:
    """A setup without what the templates of a match that goes on don't ask for."""
    one, other = setup.minds
    return replace(
        setup, names=("", ""), tally=Tally(), learnt=(), started_hour=None, seed_shares=None,
        minds=(one and "", other and ""), minds_version=0, layout=0,
    )  # fmt: skip


def play_address(token: str, *, shows_enemy: bool, route: str = "play") -> str:
    """The address of a match, in DEBUG with the switch that shows the enemy."""
    return address(route, token) + ("?show=enemy" if shows_enemy else "")


def play_page(
    saved: SavedMatch,
    token: str,
    *,
    shows_enemy: bool = False,
    has_effects: bool = True,
    look: str = "",
    asks_to_resign: bool = False,
    refused: str = "",
    typed: str = "",
    visitor: Preferences | None = None,
    wait: str = "",
    keep_address: str = "",
    is_lost: bool = False,
    shots_already_shown: int | None = None,
) -> PlayPage:
    """The page of a match before its end, as its viewer sees it.

    `wait` and `keep_address` are those of a seat at two devices.
    `look` says which waters are shown large where the window has room for one sheet: "own" or
    "enemy"; else those that the viewer acts on.
    A `visitor` for whom this moment is the first of its kind is told what to do.
    """
    setup, match, person = saved.setup, saved.match, saved.viewer
    seen = observe(match, person)
    if is_lost:
        seen = replace(seen, is_to_act=False, phase=Phase.FIRING, shots_left=0, aimed=())
    mine, theirs = _news(saved, shots_already_shown)
    reveal = match.placements(person.opponent) if shows_enemy else ()
    enemy = boards.enemy_board(seen, hints=setup.hints, reveal=reveal)
    enemy = boards.with_fresh_wrecks(enemy, seen.board, mine)
    enemy, coach_line = _coached(seen, enemy) if setup.coach else (enemy, "")
    onboarding = visitor.onboarding(messages.onboarding_step(seen)) if visitor else Onboarding.NONE
    status = messages.status_message(seen, setup, messages.own_move(match, person), onboarding)
    if is_lost:
        status = messages.match_lost()
    is_news = has_effects and not refused
    is_waiting = not seen.is_to_act
    route = "duel" if setup.remote else "play"
    return PlayPage(
        address=play_address(token, shows_enemy=shows_enemy, route=route),
        title=_play_title(setup, is_waiting=is_waiting),
        phase="waiting" if is_waiting else seen.phase.value,
        turn=seen.turn,
        setup=setup,
        status=refused or status,
        is_refused=bool(refused),
        effects=tuple(shot_effects(mine, theirs).items()) if is_news else (),
        shots_told=shots_told(seen.board, mine, theirs) if is_news else "",
        token=token,
        enemy=enemy,
        own=boards.with_fresh_wrecks(boards.own_board(seen), seen.board, theirs),
        enemy_fleet=fleets.enemy_fleet(seen, mine),
        own_fleet=fleets.own_fleet(seen, theirs),
        text_view=text_view(seen, setup),
        player=player_names(setup)[person] if setup.is_shared else "",
        tally_line=tally_line(setup),
        own_board_in_front=not setup.is_solo
        and (look == "own" or (seen.phase is Phase.MOVING and look != "enemy")),
        afloat=(sum(ship.is_afloat for ship in seen.ships), len(seen.enemy_left)),
        turn_line=messages.turn_line(seen),
        turn_meter=_turn_meter(seen),
        coach_line=coach_line,
        commitment=_commitment(saved),
        shots=len(seen.shots),
        typed="".join(filter(str.isprintable, typed))[:LONGEST_TYPED],  # as it can be typed
        is_moving=seen.phase is Phase.MOVING,
        is_countdown=messages.is_countdown(seen),
        asks_to_resign=asks_to_resign,
        shows_enemy=shows_enemy,
        offers_sound=visitor is not None and visitor.may_offer_sound and has_hit(seen),
        seat=setup.seat.name.lower() if setup.seat is not None else "",
        is_waiting=is_waiting,
        is_lost=is_lost,
        wait_address=wait,
        keep_address=keep_address,
        is_fresh=setup.day is not None and not match.actions,
    )


def _play_title(setup: Setup, *, is_waiting: bool) -> str:
    """What the tab says: whose turn it is, where one can't see the other player."""
    if setup.is_solo:
        return sea_name(setup)
    if not setup.remote:
        return _("The match")
    return _("Waiting for your opponent") if is_waiting else _("Your turn")


def _news(saved: SavedMatch, shots_already_shown: int | None) -> Pair[Sequence[Shot]]:
    """The viewer's shots and the enemy's that are news.

    These are the shots after those that the last page has shown. Where nobody says how many that
    were, they are those of the last action.
    """
    match, person = saved.match, saved.viewer
    if shots_already_shown is None and not saved.setup.remote:
        return new_shots(match, person)
    if shots_already_shown is None:
        shots_already_shown = len(match.at(match.ply - 1).shots) if match.ply else 0
    fresh = match.shots[shots_already_shown:]
    mine = [shot for shot in fresh if shot.side is person]
    return mine, [shot for shot in fresh if shot.side is not person]


def has_hit(seen: Observation) -> bool:
    """Whether the observer has hit a ship."""
    return any(shot.result is not Result.WATER for shot in seen.shots)


def _turn_meter(seen: Observation) -> SafeString:
    """How far the match is, or in the countdown how far it may still go; empty without a limit."""
    left, limit = seen.own_turns_left, seen.own_limit
    if left is None or limit is None or seen.ruleset.turns is None:
        return SafeString("")
    if seen.is_countdown:
        return rendering.meter(left, max(seen.ruleset.countdown // 2, left))
    return rendering.meter(seen.own_turn, limit)


def _coached(seen: Observation, enemy: BoardView) -> tuple[BoardView, str]:
    """The enemy's board, with chances while the person is to fire, and the coach's line."""
    if not (seen.is_to_act and seen.shots_left):
        return enemy, messages.coach_waits()
    view = outlook(seen)
    said = messages.coach_line(seen, view.ranked(seen.targets))
    return review_page.with_chances(enemy, seen, view), said


def _commitment(saved: SavedMatch) -> str:
    """The computer's commitment; empty if no computer plays."""
    return saved.record.commitment or ""


# --- after the match ---


@dataclass(frozen=True, kw_only=True)
class Afterwards:
    """What follows a match, and whose boards are shown."""

    waters_of: Pair[str]
    """The owners of the boards, the viewer's first; empty for "your" and "enemy" waters."""
    again_address: str = ""
    """The placing page of the next round; empty if no person played."""
    easier_address: str = ""
    harder_address: str = ""
    """Those against the rank below and above; empty where there is none."""
    suggested_name: str = ""
    """The rank that the player beats about half of the time; empty where nobody knows."""
    suggested_address: str = ""
    """The page against that one; empty where it has just been the opponent."""
    has_rounds: bool = False
    score_line: str = ""
    noticed: Noticed | None = None
    """What the computer has noticed of the person, this match included."""
    watch_address: str = ""


def afterwards(saved: SavedMatch, suggested_rank: str | None = None) -> Afterwards:
    """What follows an ended match; raises ValueError before the end.

    `suggested_rank` is the rank that the player beats about half of the time, if that is known.
    """
    setup, following = saved.setup, saved.next_round()
    has_rounds = len(setup.persons) == 2 or (setup.preset.has_rounds and not setup.is_solo)
    names = player_names(setup)
    easier, harder = ("", "") if setup.is_solo else neighbours(setup.opponent)
    return Afterwards(
        again_address=_placing_address(following) if setup.persons and not setup.remote else "",
        easier_address=_placing_address(following.against(easier)) if easier else "",
        harder_address=_placing_address(following.against(harder)) if harder else "",
        suggested_name=mind_name(suggested_rank) if suggested_rank else "",
        suggested_address=_placing_address(following.against(suggested_rank))
        if suggested_rank and suggested_rank != setup.opponent else "",
        has_rounds=has_rounds,
        score_line=_score_line(setup, following),
        noticed=noticed_of(following),
        watch_address=reverse("watch", args=[setup.preset.name]),
        waters_of=("", "") if setup.is_personal
        else (names[saved.viewer], names[saved.viewer.opponent]),
    )  # fmt: skip


def _score_line(setup: Setup, following: Setup) -> str:
    """The rounds won, where there are any; of a day's sea the day."""
    if setup.is_solo:
        return tally_line(setup)
    has_rounds = len(setup.persons) == 2 or setup.preset.has_rounds
    return score_line(following) if has_rounds or setup.tally.rounds else ""


def _placing_address(setup: Setup) -> str:
    return address("place", seal_draft(Draft(setup).committed()))


@dataclass(frozen=True, kw_only=True)
class EndedPage(MatchPage):
    """The values of every page of an ended match."""

    play_address: str
    review_address: str
    share_address: str
    afterwards: Afterwards

    def context(self) -> dict[str, Any]:
        """The page's values by the names used in its templates."""
        return super().context() | vars(self.afterwards)


class PlateFigure(NamedTuple):
    """One of the three figures of a result."""

    name: str
    value: str


@dataclass(frozen=True, kw_only=True)
class OverPage(EndedPage):
    """The result of a match."""

    template = "game/_over.html"

    enemy: BoardView
    own: BoardView
    headline: str
    why: str
    plate: list[PlateFigure]
    kept: tuple[int, ...]
    """The lengths of the viewer's ships that are still afloat."""
    turn_line: str
    figures: list[Figures]
    recap_address: str
    record_address: str
    commitment: str
    statement: str | None
    """The line whose hash is the commitment."""
    seed_shares: SeedShares | None
    """That the seed follows from, if it follows from any."""
    shots: int
    day_link: str = ""
    """Of a day's sea: what its fleet followed from, once that may be known."""
    par_line: str = ""
    """What the admiral needed where one searches alone, in a sentence."""
    is_par_due: bool = False
    """Whether the admiral has yet to finish."""
    wishes: tuple[bool, bool] = (False, False)
    """Whether this seat wishes a rematch, and the other one."""
    opponent: str = ""
    """The name of the person at the other device."""


def over_page(
    saved: SavedMatch,
    token: str,
    *,
    has_effects: bool = True,
    refused: str = "",
    wait: str = "",
    wishes: tuple[bool, bool] = (False, False),
    shots_already_shown: int | None = None,
    suggested_rank: str | None = None,
) -> OverPage:
    """The page of a match that has ended.

    `wait` and `wishes` are those of a seat at two devices: who wishes a rematch, its own first.
    """
    setup, match, person = saved.setup, saved.match, saved.viewer
    seen = observe(match, person)
    # To give up is no shot: those before it were seen before.
    mine, theirs = _news(saved, shots_already_shown) if match.resigned is None else ((), ())
    route = "duel" if setup.remote else "play"
    enemy, own = boards.revealed(match, person)
    headline, why = outcomes.verdict(seen, setup)
    is_news = has_effects and not refused
    return OverPage(
        address=address(route, token),
        title=headline,
        phase=seen.phase.value,
        turn=seen.turn,
        setup=setup,
        status=refused or _end_status(saved, seen),
        is_refused=bool(refused),
        **ending(saved),
        effects=tuple(shot_effects(mine, theirs).items()) if is_news else (),
        shots_told=shots_told(seen.board, mine, theirs) if is_news else "",
        play_address=address(route, token),
        review_address=address("review", token) + ("?side=second" if setup.seat else ""),
        share_address=address("share", token),
        afterwards=afterwards(saved, suggested_rank),
        seat=setup.seat.name.lower() if setup.seat is not None else "",
        wait_address=wait,
        wishes=wishes,
        opponent=player_names(setup)[person.opponent] if setup.seat is not None else "",
        enemy=boards.with_fresh_wrecks(enemy, seen.board, mine),
        own=boards.with_fresh_wrecks(own, seen.board, theirs),
        headline=headline,
        why=why,
        plate=_plate_solo(saved) if saved.par is not None else _plate(seen),
        par_line=outcomes.par_line(saved),
        is_par_due=saved.par is not None and saved.par.shots is None,
        count_of_shots=len(seen.shots) if setup.is_solo else 0,
        par_shots=(saved.par and saved.par.shots) or 0,
        kept=tuple(ship.placement.length for ship in seen.ships if ship.is_afloat),
        turn_line=messages.turn_line(seen),
        figures=outcomes.figures(seen, setup),
        recap_address=address("replay", token),
        record_address=address("record", token),
        commitment=_commitment(saved),
        statement=saved.record.statement,
        seed_shares=saved.record.seed_shares,
        shots=len(seen.shots),
        day_link=day_link(setup),
    )


def _plate(seen: Observation) -> list[PlateFigure]:
    shots = seen.shots
    hits = sum(shot.result is not Result.WATER for shot in shots)
    kept = sum(ship.is_afloat for ship in seen.ships)
    turns, rate = seen.rounds_begun, round(100 * hits / len(shots)) if shots else 0
    return [
        PlateFigure(ngettext("turn", "turns", turns), str(turns)),
        PlateFigure(_("shots hit"), _("%(rate)s%%") % {"rate": rate}),
        PlateFigure(ngettext("ship kept", "ships kept", kept), str(kept)),
    ]


def _end_status(saved: SavedMatch, seen: Observation) -> str:
    """What has just happened and, where one searched alone, par as soon as it is known."""
    par = saved.par and saved.par.shots
    told = _("Par: %(count)s.") % {"count": par} if par else ""
    return " ".join(filter(None, (outcomes.end_message(seen, saved.setup), told)))


def _plate_solo(saved: SavedMatch) -> list[PlateFigure]:
    """The figures of one who searched alone, and the admiral's beside them."""
    shots = [shot for shot in saved.match.shots if shot.side is saved.setup.person]
    hits = sum(shot.result is not Result.WATER for shot in shots)
    rate, par = round(100 * hits / len(shots)) if shots else 0, saved.par and saved.par.shots
    return [
        PlateFigure(ngettext("shot", "shots", len(shots)), str(len(shots))),
        PlateFigure(_("par"), "…" if par is None else str(par)),
        PlateFigure(_("shots hit"), _("%(rate)s%%") % {"rate": rate}),
    ]


class Ending(TypedDict):
    """How a match ended, as pages name it."""

    outcome: str
    reason: str


def ending(saved: SavedMatch) -> Ending:
    """How an ended match ended; raises ValueError before the end."""
    outcome, setup = saved.match.outcome, saved.setup
    if outcome is None:
        raise ValueError("a match that goes on has no ending")
    word = "draw" if outcome.winner is None else outcome.winner.name.lower()
    if setup.is_personal and outcome.winner is not None:
        word = "won" if outcome.winner is setup.person else "lost"
    return {"outcome": word, "reason": outcome.reason.value}


@dataclass(frozen=True, kw_only=True)
class ReplayPage(MatchPage):
    """An ended match, step by step."""

    template = "game/_replay.html"
    styles = ("game/replay.css",)
    scripts = ("game/replay.js",)
    kind = "replay"

    view: ReplayView
    enemy: BoardView
    own: BoardView
    step: int
    last: int
    is_foggy: bool
    fog: str
    """The part of the query that keeps the fog on for other steps."""
    next_hit: int
    next_sunk: int
    last_hit: int
    last_sunk: int
    before: int
    after: int
    says: str
    step_words: str
    plain_address: str
    afterwards: Afterwards
    play_address: str = ""
    review_address: str = ""
    share_address: str = ""
    told: str = ""
    """The result in a sentence for people with a shared link; empty for the players."""
    card: Card | None = None

    def context(self) -> dict[str, Any]:
        """The page's values by the names used in its templates."""
        return super().context() | vars(self.afterwards)


@dataclass(frozen=True, kw_only=True)
class ReviewPage(EndedPage):
    """What chance each shot had, and whether the computer played fair."""

    template = "game/_review.html"
    styles = ("game/review.css",)
    kind = "review"

    review: ReviewView
    step: int
    recap_address: str
    record_address: str
    plain_address: str
    commitment: str
    statement: str | None
    seed_shares: SeedShares | None
    shots: int
    day_link: str = ""
    check: fairness.Replay | None = None
    decisions: list[Asked]
    is_dated: bool = False
    """Whether the minds have changed since the match, so that they can't be asked again."""
