"""What a match says: each turn in one short line, and at its end a headline, a story, who won."""

from dataclasses import replace

import pytest
from django.utils import translation

from game.display.messages import (
    Onboarding,
    onboarding_step,
    own_move,
    public_status_message,
    status_of,
    step_line,
)
from game.display.outcomes import end_status, verdict
from game.engine.actions import Reason
from game.engine.match import Match
from game.engine.notation import parse_fleet
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import AtLimit, Ruleset, Side
from game.matches.cell_names import lettered
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from tests.support import in_both_languages, matches
from tests.support.boards import play
from tests.support.matches import ended

RULES = Ruleset(columns=6, rows=6, fleet=(3, 2), again=False, moving=False, turns=20)
"""Both fleets lie the same: a destroyer on A1 to C1, and a submarine on A3 and B3."""
SHORT = replace(RULES, turns=6)
NAMED, MOVING = replace(RULES, named=True), replace(RULES, moving=True)
SOLO = Setup(RULES, (None, "random"))
TWO = Setup(RULES, (None, None), person_names=("Anna", "Ben"))
MOST = 180
"""Characters that fit the status line of a phone; see test_fit."""
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
    setup = replace(setup, ruleset=match.ruleset)
    return status_of(observe(match, side), setup, own_move(match, side, setup.cell_names)).text


# --- each turn ---


TURNS = """
# only the first turn says what to do
plain:
    Your turn: choose a cell.
    Du bist dran: Wähle ein Feld.
plain: F1 F2
    You: F1, water. Computer: F2, water.
    Du: F1, Wasser. Computer: F2, Wasser.
# up to four shots are told whole, and more in sum
again: F1 A1 F6
    You: F1, water. Computer: A1, your destroyer, hit; F6, water.
    Du: F1, Wasser. Computer: A1, dein Zerstörer, getroffen; F6, Wasser.
again: F1 A1 B1 C1 A3 F6
    You: F1, water. Computer: 5 shots, 4 hits; your destroyer sunk; last F6, water.
    Du: F1, Wasser. Computer: 5 Schüsse, 4 Treffer; dein Zerstörer versenkt; zuletzt F6, Wasser.
named: A1 B3
    You: A1, destroyer hit. Computer: B3, your submarine, hit.
    Du: A1, Zerstörer getroffen. Computer: B3, dein U-Boot, getroffen.
# where ships move, a turn begins with a move or a shot
moving:
    Your turn. Fire, or move a ship first.
    Du bist dran. Schieß, oder beweg vorher ein Schiff.
moving: F1 F6 a>
    You: Destroyer moves right. Now fire.
    Du: Zerstörer fährt nach rechts. Jetzt schieß.
moving: F1 F6 a> F2
    You: F2, water. The computer plays on.
    Du: F2, Wasser. Der Computer spielt weiter.
# water beside a ship that can move was close
moving: F1 D1
    You: F1, water. Computer: D1, water. That was close. Your destroyer can still move.
    Du: F1, Wasser. Computer: D1, Wasser. Das war knapp. Dein Zerstörer kann noch ausweichen.
moving: F1 B4
    You: F1, water. Computer: B4, water. That was close. Your submarine can still move.
    Du: F1, Wasser. Computer: B4, Wasser. Das war knapp. Dein U-Boot kann noch ausweichen.
# once for each place of the ship
moving: F1 D1 F2 C2
    You: F2, water. Computer: C2, water.
    Du: F2, Wasser. Computer: C2, Wasser.
# but not where only the corners touch, after a hit, and beside a ship without room
moving: F1 D2
    You: F1, water. Computer: D2, water.
    Du: F1, Wasser. Computer: D2, Wasser.
moving: F1 A3 F2 C3
    You: F2, water. Computer: C3, water.
    Du: F2, Wasser. Computer: C3, Wasser.
narrow: D4 C2
    You: D4, water. Computer: C2, water.
    Du: D4, Wasser. Computer: C2, Wasser.
# an answer stands in place of the last shots, the other's question before its shot
asking: A1:C2?
    You: Is a ship in A1 to C2? Yes. Now fire.
    Du: Liegt ein Schiff in A1 bis C2? Ja. Jetzt schieß.
asking: A1:C2? F1 D4:D4? B3
    You: F1, water. Computer: question D4, no; B3, your submarine, hit.
    Du: F1, Wasser. Computer: Frage D4, nein; B3, dein U-Boot, getroffen.
# several questions of a turn are only counted
asking again: F1 D4:D4? A1 A1:B2? B1 F6
    You: F1, water. Computer: 2 questions; A1, B1, your destroyer, hit; F6, water.
    Du: F1, Wasser. Computer: 2 Fragen; A1, B1, dein Zerstörer, getroffen; F6, Wasser.
"""


@pytest.mark.parametrize(("played", "english", "german"), cases(TURNS, 3))
def test_each_turn_is_told_in_one_line(played: str, english: str, german: str) -> None:
    name, _, actions = played.partition(":")
    match = play(BEGUN[name], actions)
    assert said(match) == english
    with translation.override("de"):
        assert said(match) == german


def test_of_a_salvo_while_it_is_aimed_only_the_shots_left_are_told() -> None:
    match = begun(replace(RULES, salvo=True, fleet=(2, 1)), "A1h2 A3h1")
    assert said(match) == "Your turn: choose 2 cells."
    match = play(match, "A3")
    assert said(match) == "1 shot left."
    match = play(match, "F6 E1")
    assert said(match) == "You: A3, patrol boat sunk; F6, water. Computer: E1, water."


def test_of_two_persons_the_other_is_named() -> None:
    assert said(play(PLAIN, "F1 A1"), setup=TWO) == "You: F1, water. Ben: A1, your destroyer, hit."
    assert (
        said(play(PLAIN, "F1 A1 A1"), Side.SECOND, TWO)
        == "You: A1, hit. Anna: A1, your destroyer, hit."
    )
    match = play(ASKING, "A1:C2?")
    assert (
        said(match, Side.SECOND, TWO_DEVICES) == "Anna: question A1 to C2, yes. Waiting for Anna."
    )
    match = play(match, "F1 D4:D4?")
    assert said(match, Side.SECOND, TWO) == "You: Is a ship at D4? No. Now fire."
    at_one = SavedMatch(TWO, play(match, "B3"))
    assert public_status_message(at_one) == "Ben: question D4, no; B3, submarine hit."


def test_a_lesson_names_the_cell_and_only_of_a_ship_afloat() -> None:
    seen = observe(play(BEGUN["asking again"], "A1 A3 B3"), Side.FIRST)
    told = status_of(seen, SOLO, onboarding=onboarding_step(seen)).text
    assert told == "You: B3, submarine sunk. You fire again. Try the cells beside A1."
    seen = observe(play(BEGUN["again"], "A3 B3"), Side.FIRST)
    assert onboarding_step(seen) is Onboarding.NONE


@in_both_languages
@pytest.mark.parametrize("preset", ["bonn", "salvo", "ask"])
def test_the_lines_of_a_phone_hold_what_each_turn_says(preset: str, language: str) -> None:
    saved = ended(PRESETS[preset].ruleset, number=1)
    with translation.override(language):
        for stage in saved.match.stages():
            seen = observe(stage, Side.FIRST)
            if stage.outcome is not None:
                assert len(end_status(seen, saved.setup).text) <= MOST
            elif seen.is_to_act:
                assert len(said(stage, setup=saved.setup)) <= MOST


# --- the end ---

ENDS = """
plain ALL_SUNK: A1 A3 B1 B3 C1 F1 A3 F2 B3
    The sea is yours | 5 turns to spare.
    You: B3, submarine sunk. You win.
    Die See gehört dir | 5 Züge waren noch übrig.
    Du: B3, U-Boot versenkt. Du gewinnst.
twelve ALL_SUNK: A1 A3 B1 B3 C1 F1 A3 F2 B3
    The sea is yours | 1 turn to spare.
    You: B3, submarine sunk. You win.
    Die See gehört dir | 1 Zug war noch übrig.
    Du: B3, U-Boot versenkt. Du gewinnst.
plain ALL_SUNK: A1 A3 B1 F3 C1 F1 A3 F2 B3
    The sea is yours | You lost none.
    You: B3, submarine sunk. You win.
    Die See gehört dir | Du hast kein Schiff verloren.
    Du: B3, U-Boot versenkt. Du gewinnst.
endless ALL_SUNK: A1 A3 B1 B3 C1 F1 A3 F2 B3
    The sea is yours |
    You: B3, submarine sunk. You win.
    Die See gehört dir |
    Du: B3, U-Boot versenkt. Du gewinnst.
plain ALL_SUNK: F1 A1 F2 B1 F3 C1 F4 A3 F5 B3
    Your fleet is lost | They had 2 ships left.
    You: F5, water. Computer: B3, your submarine, sunk. You lose.
    Deine Flotte ist verloren | Dem Gegner blieben noch 2 Schiffe.
    Du: F5, Wasser. Computer: B3, dein U-Boot, versenkt. Du verlierst.
plain ALL_SUNK: A3 A1 B3 B1 F1 C1 F2 A3 F3 B3
    Your fleet is lost | They had 1 ship left.
    You: F3, water. Computer: B3, your submarine, sunk. You lose.
    Deine Flotte ist verloren | Dem Gegner blieb noch 1 Schiff.
    Du: F3, Wasser. Computer: B3, dein U-Boot, versenkt. Du verlierst.
again ALL_SUNK: F1 A3 B3 F6 F2 A1 B1 C1
    Your fleet is lost | They had 2 ships left.
    You: F2, water. Computer: 3 shots, 3 hits; your destroyer sunk; last C1, sunk. You lose.
    Deine Flotte ist verloren | Dem Gegner blieben noch 2 Schiffe.
    Du: F2, Wasser. Computer: 3 Schüsse, 3 Treffer; dein Zerstörer versenkt; zuletzt C1, versenkt. Du verlierst.
short MORE_AFLOAT: A3 F1 B3 F2 F1 F3
    The sea is yours | 2 ships afloat against 1.
    You: F1, water. Computer: F3, water. The turns ran out. You win.
    Die See gehört dir | Noch 2 Schiffe gegen 1.
    Du: F1, Wasser. Computer: F3, Wasser. Alle Züge sind gespielt. Du gewinnst.
short MORE_AFLOAT: F1 A3 F2 B3 F3 F1
    The sea is theirs | 1 ship afloat against 2.
    You: F3, water. Computer: F1, water. The turns ran out. You lose.
    Die See gehört dem Gegner | Noch 1 Schiff gegen 2.
    Du: F3, Wasser. Computer: F1, Wasser. Alle Züge sind gespielt. Du verlierst.
short AS_MANY_AFLOAT: F1 A3 F2 F3 F3 F1
    A draw | 2 ships afloat on each side.
    You: F3, water. Computer: F1, water. The turns ran out. It’s a draw.
    Unentschieden | Auf jeder Seite schwimmen noch 2 Schiffe.
    Du: F3, Wasser. Computer: F1, Wasser. Alle Züge sind gespielt. Unentschieden.
drawn LIMIT: A3 F1 B3 F2 F1 F3
    A draw | Neither fleet is sunk. By these rules that is a draw, no matter who sank more.
    You: F1, water. Computer: F3, water. The turns ran out. It’s a draw.
    Unentschieden | Keine Flotte ist ganz versenkt: Nach diesen Regeln ist das unentschieden.
    Du: F1, Wasser. Computer: F3, Wasser. Alle Züge sind gespielt. Unentschieden.
plain RESIGNED: A3 F1 B3 F2
    The sea is theirs |
    You gave up.
    Die See gehört dem Gegner |
    Du hast aufgegeben.
"""  # noqa: E501
ENDS_OF_TWO = """
plain ALL_SUNK: A1 F1 B1 F2 C1 F3 A3 F4 B3
    Anna wins |
    Anna: B3, submarine sunk. Anna wins.
    Anna gewinnt |
    Anna: B3, U-Boot versenkt. Anna gewinnt.
short MORE_AFLOAT: F1 A3 F2 B3 F3 F1
    Ben wins | Ships afloat: Anna 1, Ben 2.
    Anna: F3, water. Ben: F1, water. The turns ran out. Ben wins.
    Ben gewinnt | Übrige Schiffe: Anna 1, Ben 2.
    Anna: F3, Wasser. Ben: F1, Wasser. Alle Züge sind gespielt. Ben gewinnt.
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
            found += [" | ".join(verdict(seen, setup)).strip(), end_status(seen, setup).text]
    assert found == expected


def test_a_step_of_a_replay_says_which_way_a_ship_moves() -> None:
    match, ways = matches.begun().match, set[str]()
    columns = match.ruleset.columns
    words = {-1: "left", 1: "right", -columns: "up", columns: "down"}
    for steer in observe(match, Side.FIRST).steers:
        after = match.act(steer)
        bows = [one.placements(Side.FIRST)[steer.ship].bow for one in (match, after)]
        way = words[bows[1] - bows[0]]
        assert step_line(after, match.ply, lettered(match.ruleset.board)).endswith(f" moves {way}")
        ways.add(way)
    assert ways == set(words.values())
