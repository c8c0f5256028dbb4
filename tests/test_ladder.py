"""The beginners that ranks are measured against, and the ladder that is printed of them."""

import re
from operator import attrgetter

import pytest

from bench import strength
from bench.__main__ import main
from bench.beginners import BEGINNERS, BLIND, CASUAL, PLAIN, SENSIBLE, Beginner
from bench.strength import PAIRS, PLAYERS
from game.engine.actions import STAY
from game.engine.chance import Chance
from game.players.minds import MINDS
from tests.support.boards import SEEDS, aims, seen_after

SEA = """
    .......
    .aaa...
    .......
    .......
    ....b..
    ....b..
    cc.....
    """


@pytest.mark.parametrize(
    ("player", "shots", "switches", "aimed"),
    [
        # the plain one fires beside hits, the others along their line
        (PLAIN, "B2 C2", {}, {"A2", "B1", "B3", "C1", "C3", "D2"}),
        (SENSIBLE, "B2 C2", {}, {"A2", "D2"}),
        (CASUAL, "B2 C2", {}, {"A2", "D2"}),
        (SENSIBLE, "B2", {}, {"A2", "B1", "B3", "C2"}),
        # where ships move, water from before a hit is fired at again
        (PLAIN, "C1 C2 D1", {"moving": True}, {"B2", "C1", "C3", "D2"}),
        # where ships move, one may have come beside a wreck, or onto it
        (SENSIBLE, "E5 E6 B2", {"moving": True}, {"A2", "B1", "B3", "C2"}),
        (SENSIBLE, "A7 B7 B2 C2 D2 E5", {"moving": True}, {"D5", "E4", "E6", "F5"}),
    ],
)
def test_beginners_finish_what_they_have_hit(
    player: Beginner, shots: str, switches: dict[str, bool], aimed: set[str]
) -> None:
    assert set(aims(player, seen_after(SEA, shots, **switches))) == aimed


def test_a_sensible_beginner_searches_beside_a_wreck_later_and_only_if_ships_move() -> None:
    later = " ".join(f"{column}{row}" for row in "1346" for column in "AG" for _ in range(4))
    for moving in (True, False):
        now, then = (
            aims(SENSIBLE, seen_after(SEA, shots, moving=moving), 200)
            for shots in ("A7 B7", f"A7 B7 {later if moving else ''}")
        )
        assert {"A6", "B6", "C6", "C7"}.isdisjoint(now)
        assert {"A6", "B6", "C6", "C7"}.isdisjoint(then) is not moving


def test_a_blind_beginner_follows_no_hit_and_fires_nowhere_twice() -> None:
    aimed = set(aims(BLIND, seen_after(SEA, "B2 C2 A1", moving=True), 200))
    assert aimed.isdisjoint({"B2", "C2", "A1"})
    assert len(aimed) > 40


@pytest.mark.parametrize("player", BEGINNERS, ids=attrgetter("name"))
def test_beginners_move_as_often_as_they_say(player: Beginner) -> None:
    seen = seen_after(SEA, "A1 stay", moving=True)
    moves = [player.steer(seen, Chance(seed, "first/steer", 0)) for seed in SEEDS]
    assert sum(move is not STAY for move in moves) == pytest.approx(
        len(moves) * player.moves_of_six / 6, abs=25
    )


def test_beginners_are_never_offered() -> None:
    assert not {one.name for one in BEGINNERS} & set(MINDS)
    assert {player.name for pair in PAIRS for player in pair} == {p.name for p in PLAYERS}


def test_the_command_prints_points_and_ratings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recruit, sailor = MINDS["recruit"], MINDS["sailor"]
    monkeypatch.setattr(strength, "PAIRS", ((PLAIN, recruit), (sailor, recruit)))
    monkeypatch.setattr(strength, "PLAYERS", (recruit, sailor, PLAIN))
    main(["strength", "--ladder", "salvo", "--matches", "4"])
    text = capsys.readouterr().out
    assert text.startswith("\nWhole matches in salvo\n")
    assert re.search(r"^plain +recruit +4 .* [01]\.\d{3} ± 0\.\d{3} ", text, re.MULTILINE)
    rated = re.findall(r"^(\w+) +-?\d+ +\d+$", text, re.MULTILINE)
    assert sorted(rated) == ["plain", "recruit", "sailor"]
