"""Games between minds: one against a fleet that doesn't shoot, or two in whole matches.

python -m bench selfplay --solo --players bonn-hard --preset bonn-still --games 1000
python -m bench selfplay --players bonn-hard random --games 200
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from hashlib import blake2b
from statistics import median
from time import process_time

from bench.beginners import BEGINNERS
from bench.report import NotAMeasure, Sample, Table, track
from game.engine.actions import Ask
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation
from game.engine.presets import FIVE_APART, FIVE_TOUCHING, PRESETS
from game.engine.rules import Pair, Ruleset, Side
from game.engine.uniform_fleets import uniform_fleet
from game.matches.referee import decide, deploy, play_minds
from game.players.mind import Mind
from game.players.minds import MINDS
from game.players.originals.random_player import RandomPlayer

MOST_SHOTS = 300
"""A longer solo game is stopped and counted with this many shots."""
RULES: dict[str, Ruleset] = {
    **{name: preset.ruleset for name, preset in PRESETS.items()},
    "five-apart": FIVE_APART,
    "five-touching": FIVE_TOUCHING,
}
PLAYERS: dict[str, Mind] = {**MINDS, **{one.name: one for one in BEGINNERS}}
_RANDOM = RandomPlayer()
POINTS: dict[Side | None, float] = {Side.FIRST: 1.0, None: 0.5, Side.SECOND: 0.0}


@dataclass(frozen=True)
class Solo:
    """The results of one mind's solo games."""

    COLUMNS = (
        "mind:14, games:>6, shots:>16.2f, median:>8.1f, 10%:>7.0f, 90%:>7.0f, 99%:>7.0f, "
        "worst:>7.0f, unfinished:>12, ms an aim:>11.2f"
    )
    player: str
    shots: Sample
    """The shots of each game, unfinished ones included."""
    unfinished: int
    milliseconds: Sample
    """CPU time of each shot with the question before it."""

    def row(self) -> tuple[object, ...]:
        games, shots, cpu = len(self.shots.numbers), self.shots, self.milliseconds.median
        quantiles = shots.median, *map(shots.percentile, (10, 90, 99)), shots.worst
        return self.player, games, shots, *quantiles, self.unfinished, cpu


@dataclass(frozen=True)
class Duel:
    """The results of matches between two minds; pairs are in the order in which they were named."""

    COLUMNS = (
        "mind:12, against:12, games:>6, won:>6, drawn:>6, lost:>6, points:>16.3f, "
        "half-turns:>16.2f, median:>8.1f, worst:>7.0f, by limit:>10, ms an aim:>11.2f, "
        "of other:>10.2f"
    )
    players: Pair[str]
    points: Sample
    """The first player's: 1 for a win and ½ for a draw."""
    turns: Sample
    """Turns of both sides."""
    limited: int
    """The number of matches that the turn limit ended."""
    milliseconds: Pair[float]
    """The median CPU time of a shot with the question before it."""

    def row(self) -> tuple[object, ...]:
        points, turns = self.points, self.turns
        counts = map(points.numbers.count, (1.0, 0.5, 0.0))
        lengths = turns, turns.median, turns.worst, self.limited
        games = len(points.numbers)
        return *self.players, games, *counts, points, *lengths, *self.milliseconds


def solo(mind: Mind, rules: Ruleset, *, games: int, seed: int) -> Solo:
    """Returns how many shots a mind needs to sink uniform fleets that don't shoot.

    Of the rules only board, fleet, touching, moving, named and questions count. Raises NotAMeasure
    for fewer than two games.
    """
    timed = Timed(mind)
    tracked = track(range(games), mind.name)
    ends = [play_solo(timed, rules, game_seed(seed, game)) for game in tracked]
    shots = Sample(tuple(map(shots_of, ends)))
    unfinished = sum(match.outcome is None for match in ends)
    return Solo(mind.name, shots, unfinished, Sample(tuple(timed.milliseconds)))


def duel(minds: Pair[Mind], rules: Ruleset, *, games: int, seed: int) -> Duel:
    """Returns the results of two minds in whole matches, half of which each side begins.

    Raises NotAMeasure for no games or an odd number of them.
    """
    if games % 2:
        raise NotAMeasure(f"not an even number of games: {games!r}")
    one, other = timed = Timed(minds[0]), Timed(minds[1])
    tracked = track(range(games), f"{one.name} against {other.name}")
    ends = [play_match(timed, rules, seed, game) for game in tracked]
    return Duel(
        players=(one.name, other.name),
        points=Sample(tuple(POINTS[match.outcome.winner] for match in ends if match.outcome)),
        turns=Sample(tuple(match.turn for match in ends)),
        limited=sum(match.turn == rules.limit for match in ends),
        milliseconds=(median(one.milliseconds), median(other.milliseconds)),
    )


class Timed:
    """A mind whose shots are timed, each together with the question before it."""

    def __init__(self, mind: Mind) -> None:
        self.name, self.deploy, self.steer = mind.name, mind.deploy, mind.steer
        self.milliseconds: list[float] = []
        """CPU time of each shot."""
        self._mind, self._asking = mind, 0.0

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        start = process_time()
        question = self._mind.ask(seen, chance)
        self._asking = process_time() - start
        return question

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        start = process_time()
        cell = self._mind.aim(seen, chance)
        self.milliseconds.append(1000 * (process_time() - start + self._asking))
        self._asking = 0.0
        return cell


def game_seed(seed: int, game: int) -> bytes:
    """Returns the seed of one game of a measurement, by the game's number from 0."""
    return blake2b(f"selfplay/{seed}/{game}".encode(), digest_size=SEED_BYTES).digest()


def begin(minds: Pair[Mind], rules: Ruleset, seed: bytes) -> Match:
    first, second = minds
    fleets = deploy(first, rules, Side.FIRST, seed), deploy(second, rules, Side.SECOND, seed)
    return Match(rules, fleets, seed)


def play_match(minds: Pair[Mind], rules: Ruleset, seed: int, game: int) -> Match:
    """Returns an ended match of a measurement; the first mind begins those with even numbers."""
    rules = replace(rules, begins=Side(game % 2))
    return play_minds(begin(minds, rules, game_seed(seed, game)), minds)


def play_solo(
    mind: Mind, rules: Ruleset, seed: bytes, *, fleet: Fleet = (), learnt: tuple[int, ...] = ()
) -> Match:
    """Returns a match in which a mind fires at a fleet that doesn't shoot, one shot a turn.

    The fleet is uniform if none is given, and makes a random legal move in half of its turns where
    ships move. `learnt` is what earlier rounds taught the mind; see Observation.
    """
    # Without a turn limit: minds play differently near it, and a solo game has none.
    rules = replace(rules, again=False, salvo=False, turns=None, begins=Side.FIRST)
    fleet = fleet or uniform_fleet(rules, Chance(seed, "selfplay/fleet", 0))
    match = Match(rules, (deploy(_RANDOM, rules, Side.FIRST, seed), fleet), seed)
    while match.outcome is None and shots_of(match) < MOST_SHOTS:
        if match.side is Side.FIRST:
            match = decide(mind, match, learnt)
        elif match.is_move_due:
            match = decide(_RANDOM, match)
        else:
            match = match.fire(_harmless(match))
    return match


def shots_of(match: Match) -> int:
    """Returns how many shots the searcher of a solo game has fired."""
    return sum(shot.side is Side.FIRST for shot in match.shots)


def _harmless(match: Match) -> Cell:
    """Returns a target for the fleet that is searched for, if possible water, so that it can't win.

    Where ships stay, it would have to fire at every cell before the mind does.
    """
    spent = match.spent(Side.FIRST)
    ships = {
        cell
        for index, ship in enumerate(match.placements(Side.FIRST))
        if match.is_afloat(Side.FIRST, index)
        for cell in ship.cells
    }
    targets = [cell for cell in match.ruleset.board.cells if cell not in spent]
    return min(targets, key=lambda cell: cell in ships)


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    players = f"one mind for --solo, else two: {', '.join(PLAYERS)}"
    add("--players", nargs="+", required=True, choices=list(PLAYERS), metavar="NAME", help=players)
    add("--solo", action="store_true", help="count the shots to sink a fleet that doesn't shoot")
    add("--preset", choices=sorted(RULES), default="bonn")
    add("--games", type=int, default=300)
    add("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    rules, games, seed = RULES[options.preset], options.games, options.seed
    match [PLAYERS[name] for name in options.players], options.solo:
        case [mind], True:
            found = solo(mind, rules, games=games, seed=seed)
            Table(Solo.COLUMNS).say(*found.row())
        case [one, other], False:
            result = duel((one, other), rules, games=games, seed=seed)
            Table(Duel.COLUMNS).say(*result.row())
        case _:
            names = " ".join(options.players)
            raise NotAMeasure(f"not one player with --solo or two without: {names}")
