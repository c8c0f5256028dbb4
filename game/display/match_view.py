"""What a page of a match shows, as one frozen value of words, numbers and cells.

The page, its JSON, the text view and the terminal read it. It holds no match: before the end all of
it follows from an observation, the setup, and a `MatchHistory`, what the viewer has done and seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from game.display import boards, fleet_lists, messages, questions
from game.display.boards import BoardView
from game.display.ending import Ending
from game.display.fleet_lists import FleetLine, ShipToPlace
from game.display.match_history import MatchHistory, gravest, shots_told
from game.display.messages import Onboarding, Status
from game.display.names import isolated, opponent_line, tally_line
from game.display.public_values import PublicValues, public
from game.display.questions import Box
from game.display.rule_words import rule_line
from game.display.words import joined, plural
from game.engine.actions import Ask, Shot
from game.engine.fleets import Placement
from game.engine.geometry import Board
from game.engine.observation import Observation
from game.matches.cell_chances import cell_chances
from game.matches.cell_names import CellNames
from game.matches.question_chances import best_question, yes_of_100
from game.matches.seed_shares import SeedShares
from game.matches.setup import Setup


class Action(NamedTuple):
    """A form: the address it is sent to, the buttons that can be pressed, and its fields."""

    address: str
    buttons: tuple[tuple[str, str], ...]
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class CallView(PublicValues):
    """The page that a friend's link opens: the call to play, and the button."""

    sentence: str = ""
    rules: str = ""
    results: Sequence[str] = ()
    actions: Sequence[Action] = ()
    links: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Game(PublicValues):
    """Which match it is, and whose page."""

    shared: str | None = public("shared")
    """Empty while two persons share the device."""
    day: str | None = public("day")
    is_late: str | None = public("day-late")
    seat: str | None = public("seat")
    player: str = ""
    """The name of the person who acts, if two share the device."""
    tally_line: str = ""


@dataclass(frozen=True)
class Clock:
    """How far the match is."""

    line: str = ""
    is_countdown: bool = False
    value: int = 0
    most: int = 0
    """The turns of the meter; 0 without a limit."""


@dataclass(frozen=True)
class Fleets:
    """Both fleets by kinds of ships, before the match the ships to place."""

    enemy: Sequence[FleetLine] = ()
    own: Sequence[FleetLine | ShipToPlace] = ()
    enemy_left: str = ""
    afloat: int = 0
    of: int = 0


@dataclass(frozen=True)
class Shots(PublicValues):
    """The shots so far."""

    count: int = 0
    left: int | None = public("left")
    """The shots of a salvo that are left."""


@dataclass(frozen=True)
class Moves(PublicValues):
    may_move: str | None = public("may-move")
    values: tuple[str, ...] = ()
    """The moves of the viewer's ships, as forms send them."""


@dataclass(frozen=True)
class Questions(PublicValues):
    """The questions of a match that has any."""

    left: int | None = public("questions")
    left_words: str = ""
    may_ask: bool = False
    first: str = ""
    last: str = ""
    """The rectangle that is offered."""
    first_name: str = ""
    last_name: str = ""
    """What its cells are called."""
    share: str = ""
    """How it divides the fleets, if the coach says so."""
    asked: Sequence[Box] = ()
    box_words: str = ""
    cell_words: str = ""


@dataclass(frozen=True)
class Proof(PublicValues):
    """The commitment, and after the end the line behind it."""

    commitment: str | None = public("commitment")
    has_seed_shares: bool = False
    statement: str = ""
    seed_shares: SeedShares | None = None
    day_link: str = ""


@dataclass(frozen=True)
class FleetToCome(PublicValues):
    """What the server and the computer have to say before the player's next fleet is placed."""

    noted: str | None = public("noted")
    """The hash of the server's share of the seed."""
    noticed: str | None = public("noticed")
    """The habit that the computer has noticed."""
    sentence: str = ""
    touching: str | None = public("touching")
    """Whether its ships may touch, on the page that places it."""


@dataclass(frozen=True)
class NewShots(PublicValues):
    """The shots that are news, for effects and sounds."""

    you: str | None = public("you")
    foe: str | None = public("foe")
    shots: str | None = public("shots")
    last_shots: str | None = public("last-shots")
    """In place of `shots` at the end of a search alone, which has their number there."""


@dataclass(frozen=True, kw_only=True)
class MatchView(PublicValues):
    """A page of a match, before, during or after it."""

    phase: str | None = public("phase")
    turn: int | None = public("turn")
    setup: Setup
    title: str
    address: str
    game: Game
    status: Status
    clock: Clock = Clock()
    enemy: BoardView | None = None
    own: BoardView | None = None
    fleets: Fleets = Fleets()
    shots: Shots = Shots()
    moves: Moves = Moves()
    questions: Questions | None = None
    coach_line: str = ""
    first_ages: str = ""
    """What the ages of water mean, as they are seen for the first time."""
    proof: Proof = Proof()
    fleet: FleetToCome = FleetToCome()
    end: Ending | None = None
    news: NewShots = NewShots()
    rules: str = ""
    """The rules and the opponent."""
    results: Sequence[str] = ()
    """What has come of it so far."""
    goal: str = ""
    enemy_name: str = ""
    """The name of the person whose waters the enemy's are, if that is known."""
    caption: str = ""
    """What stands in place of the title of the enemy's waters, if a feature says so."""
    asks: str = ""
    """The question before an action: `resign`, or the wreck's cell."""
    actions: Mapping[str, Action] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    """The addresses of links by the second word of their ids."""
    features: Mapping[str, PublicValues] = field(default_factory=dict)

    @property
    def handles(self) -> Mapping[str, str | int]:
        own = self.game, self.end, self.moves, self.shots, self.questions, self.news
        parts = *own, *self.features.values()
        handles = {**super().handles, **self.setup.cell_names.handles}
        for part in filter(None, parts):
            handles |= part.handles
        return handles


def game_of(setup: Setup, *, player: str = "", is_over: bool = False) -> Game:
    return Game(
        shared="" if setup.is_shared and not is_over else None,
        day=setup.day.date.isoformat() if setup.day else None,
        seat=setup.seat.name.lower() if setup.seat is not None else None,
        player=player,
        tally_line=tally_line(setup),
    )


@dataclass(frozen=True)
class Showing:
    """How a match is shown before its end: where, and by whose wishes."""

    title: str = ""
    address: str = ""
    game: Game | None = None
    links: Mapping[str, str] = field(default_factory=dict)
    onboarding: Onboarding = Onboarding.NONE
    offered: Ask | None = None
    """The question that the form is to offer."""
    may_advise: bool = True
    """Whether the coach may advise on questions, which takes much of an answer's time."""
    reveal: Sequence[Placement] = ()
    """Ships of the enemy that are shown to a developer."""


def playing_view(
    seen: Observation, setup: Setup, history: MatchHistory, showing: Showing
) -> MatchView:
    """Returns what the viewer of a match sees before its end."""
    status = messages.status_of(seen, setup, history.moved, showing.onboarding)
    if history.is_new:
        status = replace(status, to_do=joined(history.goal, status.to_do))
    view = compared_view(seen, setup, history, showing)
    return replace(
        view,
        title=showing.title,
        address=showing.address,
        status=status,
        enemy_name=isolated(setup.person_names[seen.side.opponent]),
        proof=Proof(history.commitment or None, setup.seed_shares is not None),
        news=new_shots_of(seen.board, *history.unseen_shots),
        rules=rules_of(setup),
        actions=_actions(view, showing.address, seen),
        links=showing.links,
    )


def compared_view(
    seen: Observation, setup: Setup, history: MatchHistory, showing: Showing
) -> MatchView:
    """Returns what of that view may differ after an action and isn't in every answer anyway."""
    cell_names = setup.cell_names
    enemy = boards.enemy_board(seen, cell_names, hints=setup.assists.hints, reveal=showing.reveal)
    enemy, coach_line = _coached(seen, enemy) if setup.assists.coach else (enemy, "")
    own = boards.own_board(seen, cell_names)
    asked = None
    if setup.ruleset.questions:
        advises = setup.assists.coach and showing.may_advise
        asked = _questions(seen, showing.offered, cell_names, advises=advises)
    first_ages = ""
    if not history.moved and not setup.assists.coach and boards.are_ages_new(seen):
        first_ages = _(
            "5: it was water five turns ago. A ship may have come since; you may fire there again."
        )
    is_waiting, left = not seen.is_to_act, len(seen.enemy_left)
    steers = [arrow.value for _cell, arrows in sorted(own.arrows.items()) for arrow in arrows]
    return MatchView(
        phase="waiting" if is_waiting else "firing",
        turn=seen.turn,
        setup=setup.public,
        title="",
        address="",
        game=showing.game or game_of(setup),
        status=Status(""),
        clock=_clock(seen),
        enemy=enemy,
        own=None if setup.is_solo else own,
        fleets=Fleets(
            fleet_lists.enemy_fleet(seen),
            fleet_lists.own_fleet(seen),
            "" if seen.ruleset.silent else plural("%(count)s left", "%(count)s left", left),
            sum([ship.is_afloat for ship in seen.ships]),
            len(setup.ruleset.fleet),
        ),
        shots=Shots(len(seen.shots), seen.shots_left if setup.ruleset.salvo else None),
        moves=Moves("yes" if seen.may_move else None, tuple(steers)),
        questions=asked,
        coach_line=coach_line,
        first_ages=first_ages,
        goal=history.goal if history.is_new else history.score,
        results=() if setup.day or not (tally := tally_line(setup)) else (tally,),
    )


def _coached(seen: Observation, enemy: BoardView) -> tuple[BoardView, str]:
    """Returns the enemy's board with chances while the viewer is to fire, and the coach's line."""
    if not (seen.is_to_act and seen.shots_left):
        return enemy, _("Coach: back at your next shot.")
    view = cell_chances(seen)
    said = messages.coach_line(seen, view.ranked(seen.targets), enemy.cell_names)
    return boards.with_chances(enemy, seen, view), said


def _clock(seen: Observation) -> Clock:
    line, left, limit = messages.turn_line(seen), seen.own_turns_left, seen.own_limit
    if left is None or limit is None or seen.ruleset.turns is None:
        return Clock(line)
    if seen.is_countdown:
        return Clock(line, True, left, max(seen.ruleset.countdown // 2, left))
    return Clock(line, False, seen.own_turn, limit)


def _questions(
    seen: Observation, given: Ask | None, cell_names: CellNames, *, advises: bool
) -> Questions:
    """Returns the questions so far, and the one that the form offers: the coach's if it advises."""
    board, left, is_advised = seen.board, seen.questions_left, advises and seen.may_ask
    best = best_question(seen) if is_advised and not given else None
    offered = given or (best.ask if best else questions.first_box(seen))
    return Questions(
        left,
        plural("%(count)s left", "%(count)s left", left),
        seen.may_ask,
        board.name(offered.first),
        board.name(offered.last),
        cell_names.name(offered.first),
        cell_names.name(offered.last),
        questions.divided(yes_of_100(seen, offered)) if is_advised else "",
        questions.boxes(seen, cell_names),
        **questions.form_words(),
    )


def rules_of(setup: Setup) -> str:
    return f"{opponent_line(setup)} {rule_line(setup.ruleset)}".lstrip()


def new_shots_of(board: Board, mine: Sequence[Shot], theirs: Sequence[Shot]) -> NewShots:
    """Returns the unseen shots as the page shows and sounds them."""
    return NewShots(gravest(mine), gravest(theirs), shots_told(board, mine, theirs) or None)


def _actions(view: MatchView, where: str, seen: Observation) -> Mapping[str, Action]:
    """Returns what the viewer of a match that goes on can do, in the page's order."""
    assists = view.setup.assists
    targets = seen.targets if seen.is_to_act and seen.shots_left else ()
    names = seen.board.names
    actions = {"fire": Action(where, tuple([("cell", names[cell]) for cell in targets]))}
    if view.moves.values:
        actions["steer"] = Action(where, tuple([("steer", move) for move in view.moves.values]))
    if view.game.seat is None:
        hints = "off" if assists.hints and not assists.coach else "on"
        actions["help"] = Action(
            where, (("hints", hints), ("coach", "off" if assists.coach else "on"))
        )
    actions["resign"] = Action(where, (("action", "resign"),))
    leaving = "anew" if view.game.seat is None else "leave"
    actions["leave"] = Action(where, (("action", leaving),))
    if view.questions:
        corners = (("ask_from", view.questions.first), ("ask_to", view.questions.last))
        actions["ask"] = Action(where, (("action", "ask"),), corners)
    if view.phase == "waiting" and view.game.seat is None:
        actions["go_on"] = Action(where, (("action", "go on"),))
    return actions


def asking(view: MatchView, asks: str) -> MatchView:
    """Returns the view with a question before an action: `resign`, or the cell of a wreck."""
    actions = dict(view.actions)
    if asks == "resign":
        yes, no = ("action", "resign-yes"), ("action", "show")
        actions["resign"] = Action(view.address, (yes, no))
    else:
        actions["wreck"] = Action(view.address, (("cell", asks), ("action", "show")))
    return replace(view, asks=asks, actions=actions)
