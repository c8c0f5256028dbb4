"""What a match says: each turn in one short line, and at its end a headline, a story, who won."""

from dataclasses import replace

import pytest
from django.utils import translation

from game.display.messages import (
    Onboarding,
    last_shots,
    own_move,
    public_status_message,
    status_message,
    step_line,
)
from game.display.outcomes import end_message, verdict
from game.display.questions import first_box
from game.engine.actions import Reason
from game.engine.match import Match
from game.engine.notation import parse_fleet
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import AtLimit, Ruleset, Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.views.rendering import LONG_STATUS
from tests.support import matches
from tests.support.boards import play, start
from tests.support.matches import ended

RULES = Ruleset(columns=6, rows=6, fleet=(3, 2), again=False, moving=False, turns=20)
"""Both fleets lie the same: a destroyer on A1 to C1, and a submarine on A3 and B3."""
SHORT = replace(RULES, turns=6)
NAMED, MOVING = replace(RULES, named=True), replace(RULES, moving=True)
SOLO = Setup(RULES, (None, "random"))
TWO = Setup(RULES, (None, None), names=("Anna", "Ben"))
TWO_DEVICES = replace(TWO, remote=True, seat=Side.SECOND)


def begun(rules: Ruleset, ships: str = "A1h3 A3h2") -> Match:
    fleet = parse_fleet(rules, ships)
    return Match(rules, (fleet, fleet), bytes(16))


PLAIN, AGAIN = begun(RULES), begun(replace(RULES, again=True))
ASKING = begun(replace(NAMED, questions=5))
BEGUN = {
    "plain": PLAIN,
    "again": AGAIN,
    "named": begun(NAMED),
    "moving": begun(MOVING),
    "narrow": begun(replace(MOVING, columns=4, rows=4, fleet=(4, 2)), "A1h4 A3h2"),
    "asking": ASKING,
    "asking again": begun(replace(ASKING.ruleset, again=True)),
    "twelve": begun(replace(RULES, turns=12)),
    "endless": begun(replace(RULES, turns=None)),
    "short": begun(SHORT),
    "drawn": begun(replace(SHORT, at_limit=AtLimit.DRAW)),
}


def cases(text: str, lines: int) -> list[tuple[str, ...]]:
    """The cases of a text: a match and its actions, then what is said in English and in German."""
    found = [line.strip() for line in text.splitlines() if line.strip() and "#" not in line]
    return [*zip(*[iter(found)] * lines, strict=True)]


def said(match: Match, side: Side = Side.FIRST, setup: Setup = SOLO) -> str:
    return status_message(observe(match, side), setup, own_move(match, side))


# --- each turn ---


TURNS = """
# only the first turn says what to do
plain:
    Your turn: choose a cell.
    Du bist dran: Wähle ein Feld.
plain: F1 F2
    F1: water. Computer: F2, water.
    F1: Wasser. Computer: F2, Wasser.
# a chain of shots is told in sum
again: F1 A1 F6
    F1: water. Computer: 1 hit.
    F1: Wasser. Computer: 1 Treffer.
again: F1 A1 B1 C1 F6
    F1: water. Computer: 3 hits, destroyer sunk.
    F1: Wasser. Computer: 3 Treffer, Zerstörer versenkt.
named: A1 B3
    A1: destroyer hit. Computer: B3, submarine hit.
    A1: Zerstörer getroffen. Computer: B3, U-Boot getroffen.
# where ships move, a turn begins with a move or a shot
moving:
    Your turn. Fire, or move a ship first.
    Du bist dran. Schieß, oder beweg vorher ein Schiff.
moving: F1 F6 a>
    Destroyer moves right. Now fire.
    Zerstörer fährt nach rechts. Jetzt schieß.
moving: F1 F6 a> F2
    F2: water. The computer plays on.
    F2: Wasser. Der Computer spielt weiter.
# water beside a ship that can move was close
moving: F1 D1
    F1: water. Computer: D1, water. That was close. Your destroyer can still move.
    F1: Wasser. Computer: D1, Wasser. Das war knapp. Dein Zerstörer kann noch ausweichen.
moving: F1 B4
    F1: water. Computer: B4, water. That was close. Your submarine can still move.
    F1: Wasser. Computer: B4, Wasser. Das war knapp. Dein U-Boot kann noch ausweichen.
# but not where only the corners touch, after a hit, and beside a ship without room
moving: F1 D2
    F1: water. Computer: D2, water.
    F1: Wasser. Computer: D2, Wasser.
moving: F1 A3 F2 C3
    F2: water. Computer: C3, water.
    F2: Wasser. Computer: C3, Wasser.
narrow: D4 C2
    D4: water. Computer: C2, water.
    D4: Wasser. Computer: C2, Wasser.
# an answer stands in place of the last shots, the other's question before its shot
asking: A1:C2?
    Is a ship in A1 to C2? Yes. Now fire.
    Liegt ein Schiff in A1 bis C2? Ja. Jetzt schieß.
asking: A1:C2? F1 D4:D4? B3
    F1: water. Computer asked D4: no. B3: submarine hit.
    F1: Wasser. Computer fragte nach D4: nein. B3: U-Boot getroffen.
# several questions of a turn are told in sum
asking again: F1 D4:D4? A1 A1:B2? B1 F6
    F1: water. Computer asked 2 questions. Computer: 2 hits.
    F1: Wasser. Computer stellte 2 Fragen. Computer: 2 Treffer.
"""


@pytest.mark.parametrize(("played", "english", "german"), cases(TURNS, 3))
def test_each_turn_is_told_in_one_line(played: str, english: str, german: str) -> None:
    name, _, actions = played.partition(":")
    match = play(BEGUN[name], actions)
    assert said(match) == english
    with translation.override("de"):
        assert said(match) == german


def test_the_text_view_has_the_cells_of_a_chain() -> None:
    seen = observe(play(AGAIN, "F1 A1 B1 F6"), Side.FIRST)
    assert last_shots(seen, SOLO) == (
        "You fire at F1: water. The computer fires at A1: hit, B1: hit, F6: water."
    )


def test_a_salvo_is_told_in_sum_and_while_it_is_aimed_only_its_shots_are() -> None:
    match = begun(replace(RULES, salvo=True, fleet=(2, 1)), "A1h2 A3h1")
    assert said(match) == "Your turn: choose 2 cells."
    match = play(match, "A3")
    assert said(match) == "1 shot left."
    match = play(match, "F6 E1")
    assert said(match) == "Salvo: 1 hit, patrol boat sunk. Computer: E1, water."


def test_of_two_persons_the_other_is_named() -> None:
    assert said(play(PLAIN, "F1 A1"), setup=TWO) == "F1: water. Ben: A1, hit."
    assert said(play(PLAIN, "F1 A1 A1"), Side.SECOND, TWO) == "A1: hit. Anna: A1, hit."
    match = play(ASKING, "A1:C2?")
    assert said(match, Side.SECOND, TWO_DEVICES) == "Anna asked A1 to C2: yes. Waiting for Anna."
    match = play(match, "F1 D4:D4?")
    assert said(match, Side.SECOND, TWO) == "Is a ship at D4? No. Now fire."
    at_one = SavedMatch(TWO, play(match, "B3"))
    assert public_status_message(at_one) == "Ben asked D4: no. B3: submarine hit."


def test_a_first_hit_leaves_no_room_for_the_others_question() -> None:
    seen = observe(play(ASKING, "A1 D4:E6? F6"), Side.FIRST)
    said_then = status_message(seen, SOLO, onboarding=Onboarding.HIT)
    assert said_then == "A1: destroyer hit. Computer: F6, water. Try the cells beside it."
    with translation.override("de"):
        assert len(status_message(seen, SOLO)) <= 100


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("preset", PRESETS)
def test_two_lines_of_a_phone_hold_what_each_turn_says(preset: str, language: str) -> None:
    saved = ended(PRESETS[preset].ruleset, number=1)
    with translation.override(language):
        for stage in saved.match.stages():
            seen = observe(stage, Side.FIRST)
            if stage.outcome is not None:
                assert len(end_message(seen, saved.setup)) <= LONG_STATUS
            elif seen.is_to_act:
                told = said(stage, setup=saved.setup)
                is_close = "close" in told or "knapp" in told
                # Small print has room for more.
                assert len(told) <= (100 if is_close else LONG_STATUS)


# --- the end ---

ENDS = """
plain ALL_SUNK: A1 A3 B1 B3 C1 F1 A3 F2 B3
    The sea is yours | 5 turns to spare.
    B3: submarine sunk. You win.
    Die See gehört dir | 5 Züge vor Schluss.
    B3: U-Boot versenkt. Du gewinnst.
twelve ALL_SUNK: A1 A3 B1 B3 C1 F1 A3 F2 B3
    The sea is yours | 1 turn to spare.
    B3: submarine sunk. You win.
    Die See gehört dir | 1 Zug vor Schluss.
    B3: U-Boot versenkt. Du gewinnst.
plain ALL_SUNK: A1 A3 B1 F3 C1 F1 A3 F2 B3
    The sea is yours | You lost none.
    B3: submarine sunk. You win.
    Die See gehört dir | Du hast kein Schiff verloren.
    B3: U-Boot versenkt. Du gewinnst.
endless ALL_SUNK: A1 A3 B1 B3 C1 F1 A3 F2 B3
    The sea is yours |
    B3: submarine sunk. You win.
    Die See gehört dir |
    B3: U-Boot versenkt. Du gewinnst.
plain ALL_SUNK: F1 A1 F2 B1 F3 C1 F4 A3 F5 B3
    Your fleet is lost | They had 2 ships left.
    F5: water. Computer: B3, submarine sunk. You lose.
    Deine Flotte ist verloren | Dem Gegner blieben noch 2 Schiffe.
    F5: Wasser. Computer: B3, U-Boot versenkt. Du verlierst.
plain ALL_SUNK: A3 A1 B3 B1 F1 C1 F2 A3 F3 B3
    Your fleet is lost | They had 1 ship left.
    F3: water. Computer: B3, submarine sunk. You lose.
    Deine Flotte ist verloren | Dem Gegner blieb noch 1 Schiff.
    F3: Wasser. Computer: B3, U-Boot versenkt. Du verlierst.
short MORE_AFLOAT: A3 F1 B3 F2 F1 F3
    The sea is yours | 2 ships afloat against 1.
    F1: water. Computer: F3, water. The turns ran out. You win.
    Die See gehört dir | 2 Schiffe über Wasser gegen 1.
    F1: Wasser. Computer: F3, Wasser. Die Züge sind um. Du gewinnst.
short MORE_AFLOAT: F1 A3 F2 B3 F3 F1
    The sea is theirs | 1 ship afloat against 2.
    F3: water. Computer: F1, water. The turns ran out. You lose.
    Die See gehört dem Gegner | 1 Schiff über Wasser gegen 2.
    F3: Wasser. Computer: F1, Wasser. Die Züge sind um. Du verlierst.
short AS_MANY_AFLOAT: F1 A3 F2 F3 F3 F1
    A draw | 2 ships afloat on each side.
    F3: water. Computer: F1, water. The turns ran out. It’s a draw.
    Unentschieden | Auf jeder Seite schwimmen noch 2 Schiffe.
    F3: Wasser. Computer: F1, Wasser. Die Züge sind um. Unentschieden.
drawn LIMIT: A3 F1 B3 F2 F1 F3
    A draw | 1 ship still to find.
    F1: water. Computer: F3, water. The turns ran out. It’s a draw.
    Unentschieden | Es fehlte noch 1 Schiff.
    F1: Wasser. Computer: F3, Wasser. Die Züge sind um. Unentschieden.
plain RESIGNED: A3 F1 B3 F2
    The sea is theirs |
    You gave up.
    Die See gehört dem Gegner |
    Du hast aufgegeben.
"""
ENDS_OF_TWO = """
plain ALL_SUNK: A1 F1 B1 F2 C1 F3 A3 F4 B3
    Anna wins |
    B3: submarine sunk. Anna wins.
    Anna gewinnt |
    B3: U-Boot versenkt. Anna gewinnt.
short MORE_AFLOAT: F1 A3 F2 B3 F3 F1
    Ben wins | Ships afloat: Anna 1, Ben 2.
    F3: water. Ben: F1, water. The turns ran out. Ben wins.
    Ben gewinnt | Schiffe über Wasser: Anna 1, Ben 2.
    F3: Wasser. Ben: F1, Wasser. Die Züge sind um. Ben gewinnt.
plain RESIGNED: F1 F1
    Ben wins |
    Anna gave up: Ben wins.
    Ben gewinnt |
    Anna gibt auf: Ben gewinnt.
"""


@pytest.mark.parametrize(
    ("setup", "case"),
    [
        (setup, case)
        for setup, text in ((SOLO, ENDS), (TWO, ENDS_OF_TWO))
        for case in cases(text, 5)
    ],
)
def test_the_end_tells_how_it_came_and_who_won(setup: Setup, case: tuple[str, ...]) -> None:
    played, *expected = case
    (name, reason), actions = played.split(":")[0].split(), played.split(":")[1]
    match = play(BEGUN[name], actions)
    match = match.resign(Side.FIRST) if reason == "RESIGNED" else match
    assert match.outcome is not None
    assert match.outcome.reason is Reason[reason]
    seen, setup = observe(match, Side.FIRST), replace(setup, ruleset=match.ruleset)
    found = list[str]()
    for language in ("en", "de"):
        with translation.override(language):
            found += [" | ".join(verdict(seen, setup)).strip(), end_message(seen, setup)]
    assert found == expected


def test_the_question_offered_first_is_near_the_middle_and_new() -> None:
    match = start("aa....\n" + "......\n" * 5, questions=3, turns=40)
    name = match.ruleset.board.name
    offered = []
    for shots in ("F6 F6", "F5 F5", "F4 F4"):
        box = first_box(observe(match, Side.FIRST))
        offered.append(f"{name(box.first)} {name(box.last)}")
        match = play(match.act(box), shots)
    assert offered == ["C3 D4", "C2 D3", "B3 C4"]


def test_a_step_of_a_replay_says_which_way_a_ship_moves() -> None:
    match, ways = matches.begun().match, set[str]()
    columns = match.ruleset.columns
    words = {-1: "left", 1: "right", -columns: "up", columns: "down"}
    for steer in observe(match, Side.FIRST).steers:
        after = match.act(steer)
        bows = [one.placements(Side.FIRST)[steer.ship].bow for one in (match, after)]
        way = words[bows[1] - bows[0]]
        assert step_line(after, match.ply).endswith(f" moves {way}")
        ways.add(way)
    assert ways == set(words.values())
