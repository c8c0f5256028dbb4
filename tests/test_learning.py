"""What the computer learns of a person's placing: from which fleets, for how long, and for whom."""

from dataclasses import replace

import pytest
from django.core.management import CommandError

from bench.selfplay import play_solo, shots_of
from game.display.noticed import noticed_of
from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.engine.notation import parse_fleet
from game.engine.observation import Observation, observe
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.matches.fairness import decided_again
from game.matches.record import BadRecord, Record, read, write
from game.matches.saved import SavedMatch, begin
from game.matches.setup import Learning, Setup
from game.matches.tokens import seal_match, unseal_match
from game.players.belief.habits import HABITS
from game.players.belief.rounds import learn_round
from game.players.minds import MINDS
from game.players.originals.random_player import RandomPlayer
from game.players.registry import LEARNERS
from tests.support.boards import SEEDS
from tests.support.matches import played, verified

SMALL = Ruleset(columns=6, rows=6, fleet=(3, 2, 2), again=False, turns=24)
STILL = replace(SMALL, moving=False)
LEARNT = (25, -6, 3, -9, 1, -2, 13)
OTHER = (25, -6, 3, -9, 1, -2, 14)
EDGE = "A1h3 A3v2 F3v2"
UPPSALA = PRESETS["uppsala"].ruleset
ALONG = "A1h5 G1h4 A3v3 J3v3 A7v2"
"""A fleet for Uppsala's game that lies along the edge."""


def setup(
    rules: Ruleset = STILL, mind: str = "commodore", *, learnt: tuple[int, ...] = ()
) -> Setup:
    return Setup(rules, (None, mind), learning=Learning(learnt))


def begun(chosen: Setup, *, ships: str = EDGE, seed: int = 0) -> SavedMatch:
    """A match of a person whose fleet lies there, before the person's first shot."""
    own = parse_fleet(chosen.ruleset, ships)
    saved = begin(chosen, seed.to_bytes(16, "big"), first=own, second=own)
    return saved.with_minds_played()


def taught(habit: str) -> tuple[int, ...]:
    """What a computer has learnt that is sure of one habit."""
    return tuple(127 if name == habit else -20 for name in HABITS)


class Pupil(RandomPlayer):
    """A mind whose shots follow from what it has learnt, and which keeps what it was shown."""

    name = "commodore"

    def __init__(self) -> None:
        self.seen: list[Observation] = []

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        self.seen.append(seen)
        return seen.targets[sum(seen.learnt) % len(seen.targets)]


@pytest.fixture
def pupil(monkeypatch: pytest.MonkeyPatch) -> Pupil:
    """A pupil in the commodore's place."""
    mind = Pupil()
    monkeypatch.setitem(MINDS, "commodore", mind)
    return mind


# --- from round to round; forgetting ---


@pytest.mark.parametrize("rules", [STILL, SMALL], ids=["still", "moving"])
@pytest.mark.parametrize("learnt", [(), LEARNT], ids=["first round", "later"])
def test_a_round_teaches_how_the_person_placed_the_fleet(
    rules: Ruleset, learnt: tuple[int, ...]
) -> None:
    """As it lay at the start: where it was moved to is no habit of placing."""
    following = played(begun(setup(rules, learnt=learnt)), 10_000).next_round()
    assert following.learnt == learn_round(learnt, rules, parse_fleet(rules, EDGE)) != learnt
    assert following.tally.rounds == 1


def test_of_a_forgotten_match_nothing_goes_on_but_its_proof_stays() -> None:
    over = begun(setup(learnt=LEARNT)).resigned(Side.FIRST)
    forgotten = over.forgetting()
    assert forgotten.next_round() == replace(over.next_round(), learning=Learning())
    assert forgotten.setup.for_new_match().learnt == ()
    assert (forgotten.match, forgotten.record) == (over.match, over.record)
    opened = unseal_match(seal_match(forgotten))
    assert opened == forgotten
    assert len(seal_match(opened)) == len(seal_match(over))
    assert opened.next_round().learning == Learning(), "the next round teaches again"


# --- what the computer is shown ---


def test_the_computer_sees_what_was_learnt_and_the_person_does_not(pupil: Pupil) -> None:
    saved = played(begun(setup(SMALL, learnt=LEARNT)), 4)
    assert {seen.learnt for seen in pupil.seen} == {LEARNT}
    assert len(pupil.seen) > 1
    assert observe(saved.match, Side.FIRST).learnt == ()


@pytest.mark.parametrize("mind", sorted(LEARNERS))
def test_whoever_is_said_to_learn_fires_where_it_has_learnt_to(mind: str) -> None:
    def shots_at_the_rim(habit: str, seed: int) -> int:
        chosen = setup(UPPSALA, mind, learnt=taught(habit))
        match = played(begun(chosen, ships=ALONG, seed=seed), 8).match
        return sum(bool({*divmod(shot.cell, 10)} & {0, 9}) for shot in match.shots if shot.side)

    for seed in range(3):
        assert shots_at_the_rim("edge", seed) > shots_at_the_rim("inland", seed)


def test_a_check_asks_again_with_what_was_known_then(pupil: Pupil) -> None:
    match = played(begun(setup(learnt=LEARNT)), 6).resigned(Side.FIRST).match
    for learnt, is_same in ((LEARNT, True), (OTHER, False)):
        asked = decided_again(match, (None, "commodore"), learnt)
        assert all(one.is_same for one in asked) is is_same


# --- the commitment, the record, and verify; the same fleet again; the words ---


def kept(learnt: tuple[int, ...] = LEARNT) -> Record:
    return played(begun(setup(learnt=learnt)), 10_000).record


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("learnt 25 -6 3 -9 1 -2 13", "none"),
        ("learnt 25 -6 3 -9 1 -2 13", "learnt"),
        ("learnt 25 -6 3 -9 1 -2 13", "learnt 0 0 0 0 0 0 0"),
        ("learnt 25 -6 3 -9 1 -2 13", "1"),
        (" 13\n", "\n"),
        (" 13\n", " 14\n"),
        (" 13\n", " 013\n"),
        (" 13\n", " +13\n"),
        (" 13\n", " 128\n"),
        (" -2 13", " -0 13"),
    ],
)
def test_an_altered_line_of_what_was_learnt_is_refused(old: str, new: str) -> None:
    text = write(kept()).replace(old, new)
    with pytest.raises(BadRecord, match=r"^before ply 0 \(line [78]\): ") as refused:
        read(text)
    assert refused.value.ply is None


@pytest.mark.parametrize("learnt", [(), OTHER])
def test_verify_names_the_ply_at_which_something_else_was_known(
    pupil: Pupil, learnt: tuple[int, ...]
) -> None:
    """Forged with care: written anew, so that all its checks and its commitment go with it."""
    with pytest.raises(CommandError, match=r"at ply \d+: commodore played"):
        verified(write(replace(kept(), learnt=learnt)))


def test_a_fleet_placed_again_is_found_sooner_but_not_at_once_and_told_of() -> None:
    again = parse_fleet(UPPSALA, ALONG)
    first = learn_round((), UPPSALA, again)
    second = learn_round(first, UPPSALA, again)
    told = ("again", "You have placed this fleet before.")
    assert noticed_of(setup(UPPSALA, learnt=second)) == told
    assert noticed_of(setup(UPPSALA, learnt=first)) != told

    def shots(learnt: tuple[int, ...]) -> list[int]:
        minds = (MINDS["admiral"], UPPSALA)
        return [shots_of(play_solo(*minds, seed, fleet=again, learnt=learnt)) for seed in SEEDS[:3]]

    assert min(shots(second)) > 1.2 * sum(UPPSALA.fleet)
    assert sum(shots(second)) < 0.8 * sum(shots(()))


def test_the_last_three_fleets_are_in_the_token_and_in_the_record() -> None:
    learnt: tuple[int, ...] = ()
    plain = kept()
    for number, ships in enumerate((EDGE, "A6h3 A1v2 F3v2", EDGE, EDGE), start=1):
        learnt = learn_round(learnt, STILL, parse_fleet(STILL, ships))
        assert len(learnt) == len(HABITS) + 3 * min(number, 3)
        record = replace(plain, learnt=learnt)
        assert read(write(record)) == record
        token = seal_match(SavedMatch(setup(learnt=learnt), record.match))
        assert unseal_match(token).setup.learnt == learnt
        others = tuple(0 for _ in HABITS) + learnt[len(HABITS) :]
        other = seal_match(SavedMatch(setup(learnt=others), record.match))
        assert len(token) == len(other), "the length follows from the number of rounds"
    for wrong in (learnt[:-1], (*learnt[:-1], 71), (*learnt, *learnt[-3:])):
        with pytest.raises(BadRecord):
            read(write(replace(plain, learnt=wrong)))
