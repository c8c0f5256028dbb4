"""The minds of other games: where they fire, and how strong Bonn's is."""

from typing import Any

import pytest

from bench.beginners import CASUAL, PLAIN
from bench.originals import PUBLISHED, measured
from game.engine.match import Match
from game.engine.observation import Observation
from game.engine.presets import PRESETS
from game.engine.rules import Pair, Side
from game.matches.referee import deploy, play_minds
from game.players.admiral import Admiral
from game.players.mind import Mind
from game.players.minds import MINDS, RANKS
from game.players.originals.bonn import EASY, HARD, MEDIUM, Bonn
from game.players.registry import CODES, RANK_NAMES
from tests.support import deep
from tests.support.boards import ALL_SORTS, SEEDS, aims, panel, seen_after

CORNER = "..... ..... .aaa. ..... ...bb"
ONE_LEFT = "a... .... .... ..b."
ALL_BUT_THREE = "A1 C1 D1 C2 D2 A3 B3 C3 D3 A4 B4 D4 B1"
SHOAL = "aa.... ...... ...... bb.cc."


def seen(rows: str, shots: str, **switches: Any) -> Observation:
    return seen_after(panel(rows), shots, **switches)


@pytest.mark.parametrize(
    ("rows", "shots", "switches", "aimed"),
    [
        # beside a single hit, where there is most room
        (CORNER, "C3", {}, "C2 B3 D3 C4"),
        (CORNER, "C3 C2", {}, "B3 D3"),
        # beside a wreck only where ships may touch
        (ONE_LEFT, ALL_BUT_THREE, {}, "C4"),
        (ONE_LEFT, ALL_BUT_THREE, {"touching": True}, "A2 B2 C4"),
        # only where the ships still afloat have room
        ("aaa. .... bb.. ....", "A1 B1 C1 A2 B2 C2 C3 D3 B4 C4 D4", {}, "A3"),
        # where ships move it sinks when enough is hit, and counts no hits on what has sunk
        (SHOAL, "A1 A4 E4", {"moving": True}, "B1 A2 A3 E3 B4 D4 F4"),
        (SHOAL, "A1 B1 A4 E4", {"moving": True}, "A3 E3 B4 D4 F4"),
    ],
)
def test_it_fires_there(rows: str, shots: str, switches: dict[str, Any], aimed: str) -> None:
    assert set(aims(HARD, seen(rows, shots, **switches))) == set(aimed.split())


# --- always; how strong it is ---

UPPSALA, CAMLSHIP, CAMLSHIP_EASY = (
    MINDS[name] for name in ("uppsala", "camlship", "camlship-easy")
)
PLAYERS: tuple[Pair[Mind], ...] = (
    (HARD, EASY),
    (MEDIUM, HARD),
    (RANKS[0], RANKS[3]),
    (PLAIN, CASUAL),
    (Admiral("swift", particles=64), Admiral("swifter", 0.5, particles=32)),
    (UPPSALA, CAMLSHIP),
    (CAMLSHIP_EASY, UPPSALA),
)
EVERY = ALL_SORTS | {name: one.ruleset for name, one in PRESETS.items() if name != "own"}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("is_one", [True, pytest.param(False, marks=pytest.mark.long)])
def test_minds_play_any_rules_to_the_end_within_them(name: str, is_one: bool) -> None:
    ruleset, at = EVERY[name], list(EVERY).index(name)
    for seed, players in zip(SEEDS, PLAYERS, strict=False):
        if is_one and players is not PLAYERS[at % len(PLAYERS)]:
            continue
        first, second = (deploy(players[side], ruleset, side, seed) for side in Side)
        match = play_minds(Match(ruleset, (first, second), seed), players)  # refuses illegal ones
        assert match.outcome is not None


@pytest.mark.parametrize(
    ("mind", "moving", "games", "error"),
    [
        (HARD, False, 20, 2.5),
        deep(EASY, False, 12, 6),
        *(
            pytest.param(mind, moving, games, error, marks=pytest.mark.long)
            for mind in (HARD, MEDIUM, EASY)
            for moving, games, error in ((False, 60, 3.5), (True, 40, 12))
        ),
    ],
)
def test_it_needs_as_many_shots_as_its_original(
    mind: Bonn, moving: bool, games: int, error: float
) -> None:
    ours, theirs = measured(mind, moving=moving, games=games, seed=7)
    assert ours.mean == pytest.approx(PUBLISHED[mind.name, moving], abs=error)
    assert theirs.mean == pytest.approx(PUBLISHED[mind.name, moving], abs=error)


# --- the minds of Uppsala and of Camlship: each fires as its own document says ---

SEA = """
    ......
    .aaa..
    ......
    ....b.
    ....b.
    ......
"""


def touching(shots: str) -> Observation:
    return seen_after(SEA, shots, touching=True)


@pytest.mark.parametrize(
    ("shots", "aimed"),
    [
        ("F6 C2", "C1 B2 D2 C3"),  # the four neighbours of a first hit
        ("C2 C1", "B2 D2 C3"),  # but a miss
        ("C2 D2", "E2"),  # the line of a second hit, beyond it first
        ("C2 D2 E2", "B2"),  # the other end of the line after water
        ("B2 C2", "D2"),  # the line from hit to hit
        ("C2 D2 E2 B2", "A2"),  # its streak beyond a sinking
    ],
)
def test_the_hard_one_goes_on_with(shots: str, aimed: str) -> None:
    assert set(aims(CAMLSHIP, touching(shots))) == set(aimed.split())


# --- Uppsala; the roster ---


def test_the_roster_has_the_minds_and_the_ranks_of_the_registry() -> None:
    assert list(MINDS) == list(CODES)
    assert tuple(one.name for one in RANKS) == RANK_NAMES
