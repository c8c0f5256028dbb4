"""Games between minds: one against a fleet that doesn't shoot, or two in whole matches.

python -m bench selfplay --solo --players bonn-hard --preset bonn-still --games 1000
python -m bench selfplay --solo --players bonn-hard --target admiral --fleets own
python -m bench selfplay --solo --players admiral --preset five-touching --told sinkings
python -m bench selfplay --players bonn-hard random --games 200
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from hashlib import blake2b
from statistics import median
from time import process_time

from bench.beginners import BEGINNERS, EARLIER
from bench.families import FAMILIES, family_fleet
from bench.progress import say, track
from bench.samples import NotAMeasure, Sample, check_games
from bench.seas import RULES
from game.engine.actions import Ask, Manoeuvre
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation
from game.engine.rules import Pair, Ruleset, Side
from game.matches.referee import decide, deploy, play_minds
from game.players.mind import Mind
from game.players.minds import MINDS
from game.players.originals.random_player import RandomPlayer
from game.players.protocol import Engine
from game.players.protocol_rules import terms_to_json

MOST_SHOTS = 300
"""A longer solo game is stopped and counted with this many shots."""
OWN = "own"
"""The target places its own fleet; in place of a family."""
TOLD = ("wrecks", "sinkings")
"""A sinking in the engine protocol tells the ship's place, or only that it has sunk."""

PLAYERS: dict[str, Mind] = {**MINDS, **{one.name: one for one in (*BEGINNERS, *EARLIER)}}
_RANDOM = RandomPlayer()
POINTS: dict[Side | None, float] = {Side.FIRST: 1.0, None: 0.5, Side.SECOND: 0.0}


@dataclass(frozen=True)
class Solo:
    """The results of one mind's solo games."""

    player: str
    games: int
    """Unfinished ones included."""
    shots: Sample
    unfinished: int
    milliseconds: float
    """The median CPU time of one aim."""

    def __str__(self) -> str:
        return (
            f"{self.player}, {self.games} games\n"
            f"shots       {_sample_text(self.shots)}\n"
            f"unfinished  {self.unfinished}\n"
            f"an aim      {self.milliseconds:.2f} ms"
        )


@dataclass(frozen=True)
class Duel:
    """The results of matches between two minds; pairs are in the order in which they were named."""

    players: Pair[str]
    games: int
    wins: Pair[int]
    draws: int
    points: Sample
    """The first player's: 1 for a win and ½ for a draw."""
    turns: Sample
    """Turns of both sides."""
    limited: int
    """The number of matches that the turn limit ended."""
    milliseconds: Pair[float]
    """The median CPU time of one aim."""

    def __str__(self) -> str:
        (one, other), (wins, losses) = self.players, self.wins
        return (
            f"{one} against {other}, {self.games} games\n"
            f"wins        {wins} to {losses}, {self.draws} drawn\n"
            f"points      mean {self.points.mean:.3f} ± {self.points.error:.3f}\n"
            f"half-turns  {_sample_text(self.turns)}\n"
            f"by limit    {self.limited}\n"
            f"an aim      {self.milliseconds[0]:.2f} ms and {self.milliseconds[1]:.2f} ms"
        )


def _sample_text(sample: Sample) -> str:
    return f"mean {sample}, median {sample.median:g}, worst {sample.worst:g}"


def solo(
    mind: Mind,
    rules: Ruleset,
    *,
    games: int,
    seed: int,
    target: Mind = _RANDOM,
    fleets: str = "uniform",
    told: str | None = None,
) -> Solo:
    """How many shots a mind needs to sink a fleet that doesn't shoot, with one shot a turn.

    Of the rules only board, fleet, touching, moving and named count. With `told`, one of TOLD, the
    mind plays through the engine protocol; else it sees what it would on the site. Raises
    NotAMeasure for fewer than two games. For `target` and `fleets` see `play_solo`.
    """
    check_games(games)
    timed = _Timed(mind if told is None else Correspondent(mind, told))
    ends = [
        play_solo(timed, rules, game_seed(seed, game), target=target, fleets=fleets)
        for game in track(range(games), mind.name)
    ]
    shots = Sample(tuple(shots_of(match) for match in ends))
    unfinished = sum(match.outcome is None for match in ends)
    return Solo(mind.name, games, shots, unfinished, timed.milliseconds)


def duel(minds: Pair[Mind], rules: Ruleset, *, games: int, seed: int) -> Duel:
    """The results of two minds in whole matches, half of which each side begins.

    Raises NotAMeasure for fewer than two games or an odd number of them.
    """
    if games < 2 or games % 2:
        raise NotAMeasure(f"not an even number of games from 2: {games!r}")
    timed = (_Timed(minds[0]), _Timed(minds[1]))
    names = (minds[0].name, minds[1].name)
    ends = [
        play_minds(
            begin(timed, replace(rules, begins=Side(game % 2)), game_seed(seed, game)), timed
        )
        for game in track(range(games), " against ".join(names))
    ]
    winners = [match.outcome.winner for match in ends if match.outcome is not None]
    return Duel(
        players=names,
        games=games,
        wins=(winners.count(Side.FIRST), winners.count(Side.SECOND)),
        draws=winners.count(None),
        points=Sample(tuple(POINTS[winner] for winner in winners)),
        turns=Sample(tuple(match.turn for match in ends)),
        limited=sum(match.turn == rules.limit for match in ends),
        milliseconds=(timed[0].milliseconds, timed[1].milliseconds),
    )


class Wrapped:
    """A mind that does what another does; subclasses change a part of it."""

    def __init__(self, mind: Mind) -> None:
        self.mind, self.name = mind, mind.name

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        return self.mind.deploy(seen, chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        return self.mind.aim(seen, chance)

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        return self.mind.steer(seen, chance)

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        return self.mind.ask(seen, chance)


class Correspondent(Wrapped):
    """A mind that is told a match line by line, as the engine protocol has it.

    The protocol knows no fleet of the mind's own, so it is placed and steered as on the site.
    """

    def __init__(self, mind: Mind, told: str) -> None:
        super().__init__(mind)
        self._has_wrecks = told == "wrecks"

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        return seen.board.parse(self._answer(seen, chance).removeprefix("fire "))

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        command, *cells = self._answer(seen, chance).split(" ")
        if command == "fire":
            return None
        first, last = map(seen.board.parse, cells)
        return Ask(first, last)

    def _answer(self, seen: Observation, chance: Chance) -> str:
        """The answer to `aim`, after lines that tell all own shots, one for each turn."""
        rules, board = seen.ruleset, seen.board
        engine = Engine(self.mind)
        rules_text = terms_to_json(rules, wrecks=self._has_wrecks)
        engine.answer(f"new {chance.for_side('protocol').bits(64)} {rules_text}")
        asked = list(seen.asked)
        for shot in (*seen.shots, None):
            while asked and (shot is None or asked[0].ply < shot.ply):
                engine.answer("aim")  # asks the same again
                engine.answer(f"answer {'yes' if asked.pop(0).is_yes else 'no'}")
            if shot is None:
                break
            words = ["shot", board.name(shot.cell), shot.result.value]
            words += [str(shot.ship)] if shot.ship is not None else []
            words += [str(shot.wreck)] if shot.wreck is not None and self._has_wrecks else []
            engine.answer(" ".join(words))
            engine.answer("turn")
        return engine.answer("aim")


class _Timed(Wrapped):
    """A mind whose aiming is timed."""

    def __init__(self, mind: Mind) -> None:
        super().__init__(mind)
        self.seconds: list[float] = []

    @property
    def milliseconds(self) -> float:
        return 1000 * median(self.seconds) if self.seconds else 0.0

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        start = process_time()
        cell = self.mind.aim(seen, chance)
        self.seconds.append(process_time() - start)
        return cell


def game_seed(seed: int, game: int) -> bytes:
    """The seed of one game, from the seed of the measurement and the game's number from 0."""
    return blake2b(f"selfplay/{seed}/{game}".encode(), digest_size=SEED_BYTES).digest()


def begin(minds: Pair[Mind], rules: Ruleset, seed: bytes) -> Match:
    first, second = minds
    fleets = deploy(first, rules, Side.FIRST, seed), deploy(second, rules, Side.SECOND, seed)
    return Match(rules, fleets, seed)


def play_solo(
    mind: Mind,
    rules: Ruleset,
    seed: bytes,
    *,
    target: Mind = _RANDOM,
    fleets: str | Fleet = "uniform",
    learnt: tuple[int, ...] = (),
) -> Match:
    """A solo game, played to its end or stopped after MOST_SHOTS; see `solo`.

    The mind searches for a fleet of a family, for the `target`'s own, or for the fleet that is
    given. Where ships move, `target` steers them: the random player makes a legal move in half of
    the turns. `learnt` is what earlier rounds taught the mind; see Observation.
    """
    # Without a turn limit: minds play differently near it, and a solo game has none.
    rules = replace(rules, again=False, salvo=False, turns=None, begins=Side.FIRST)
    if fleets == OWN:
        fleets = deploy(target, rules, Side.SECOND, seed)
    elif isinstance(fleets, str):
        fleets = family_fleet(fleets, rules, Chance(seed, "selfplay/fleet", 0))
    match = Match(rules, (deploy(_RANDOM, rules, Side.FIRST, seed), fleets), seed)
    while match.outcome is None and shots_of(match) < MOST_SHOTS:
        if match.side is Side.FIRST:
            match = decide(mind, match, learnt)
        elif match.is_move_due:
            match = decide(target, match)
        else:
            match = match.fire(_harmless(match))
    return match


def shots_of(match: Match) -> int:
    """How many shots the searcher of a solo game has fired."""
    return sum(shot.side is Side.FIRST for shot in match.shots)


def _harmless(match: Match) -> Cell:
    """A target for the fleet that is searched for, since the rules make it fire: water, if any.

    So it can't win: where ships stay, it would have to fire at every cell before the mind does.
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


# --- the command ---


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    players = f"one mind for --solo, else two: {', '.join(PLAYERS)}"
    add("--players", nargs="+", required=True, choices=list(PLAYERS), metavar="NAME", help=players)
    add("--solo", action="store_true", help="count the shots to sink a fleet that doesn't shoot")
    fleets = "with --solo: every legal fleet as likely, of one habit, or the target's own"
    add("--fleets", choices=[*FAMILIES, OWN], default="uniform", help=fleets)
    target = "with --solo: the mind that steers the fleet, and with --fleets own places it"
    add("--target", choices=list(MINDS), metavar="NAME", default="random", help=target)
    add("--told", choices=TOLD, help="with --solo: play through the engine protocol")
    add("--preset", choices=sorted(RULES), default="bonn")
    add("--games", type=int, default=300)
    add("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    say(str(_play([PLAYERS[name] for name in options.players], options)))


def _play(minds: list[Mind], options: Namespace) -> Solo | Duel:
    rules, games, seed = RULES[options.preset], options.games, options.seed
    match minds, options.solo:
        case [one], True:
            return solo(
                one, rules, games=games, seed=seed, target=MINDS[options.target],
                fleets=options.fleets, told=options.told,
            )  # fmt: skip
        case [_, _], False if options.told:
            raise NotAMeasure("only solo games are played through the protocol")
        case [one, other], False:
            return duel((one, other), rules, games=games, seed=seed)
    raise NotAMeasure(f"not one player with --solo or two without: {' '.join(options.players)}")
