"""What a match says: each turn in one short line, and at its end a headline, a story, who won."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

import pytest
from django.utils import translation

from game.display.messages import (
    Onboarding,
    last_shots,
    own_move,
    public_status_message,
    status_message,
)
from game.display.outcomes import end_message, verdict
from game.display.questions import first_box
from game.engine.actions import Reason, Steer
from game.engine.fleets import Course, parse_placement
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import AtLimit, Ruleset, Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.views.rendering import LONG_STATUS
from tests.support import boards
from tests.support.matches import ended

RULES = Ruleset(columns=6, rows=6, fleet=(3, 2), again=False, moving=False, turns=20)
"""Both fleets lie the same: a destroyer on A1 to C1, and a submarine on A3 and B3."""
SOLO = Setup(RULES, (None, "random"))
TWO = Setup(RULES, (None, None), names=("Anna", "Ben"))
TWO_DEVICES = replace(TWO, remote=True, seat=Side.SECOND)
WATER = "F1 F2 F3 F4 F5"
ALL = "A1 B1 C1 A3 B3"


def fired(mine: str, theirs: str = "", rules: Ruleset = RULES) -> Match:
    """The match after both have fired in turns, the first side first."""
    fleet = tuple(parse_placement(rules.board, text) for text in ("A1h3", "A3h2"))
    match = Match(rules, (fleet, fleet), bytes(16))
    for pair in zip_longest(mine.split(), theirs.split()):
        for name in filter(None, pair):
            match = match.fire(rules.board.parse(name))
    return match


def said(match: Match, side: Side = Side.FIRST, setup: Setup = SOLO) -> str:
    return status_message(observe(match, side), setup, own_move(match, side))


# --- each turn ---


def test_the_first_turn_says_what_to_do_and_no_later_one() -> None:
    assert said(fired("")) == "Your turn: choose a cell."
    assert said(fired("F1", "F2")) == "F1: water. Computer: F2, water."


@pytest.mark.parametrize(
    ("theirs", "english", "german"),
    [
        ("F6", "F1: water. Computer: F6, water.", "F1: Wasser. Computer: F6, Wasser."),
        ("A1 F6", "F1: water. Computer: 1 hit.", "F1: Wasser. Computer: 1 Treffer."),
        ("A1 B1 F6", "F1: water. Computer: 2 hits.", "F1: Wasser. Computer: 2 Treffer."),
        (
            "A1 B1 C1 F6", "F1: water. Computer: 3 hits, destroyer sunk.",
            "F1: Wasser. Computer: 3 Treffer, Zerstörer versenkt.",
        ),
    ],
)  # fmt: skip
def test_a_chain_of_shots_is_told_in_sum(theirs: str, english: str, german: str) -> None:
    match = fired("F1", "", replace(RULES, again=True))
    for name in theirs.split():
        match = match.fire(RULES.board.parse(name))
    assert said(match) == english
    with translation.override("de"):
        assert said(match) == german
    in_full = last_shots(observe(match, Side.FIRST), SOLO)
    assert all(f"{name}: " in in_full for name in theirs.split()), "the text view has the cells"


def test_one_hit_of_a_named_ship_names_it() -> None:
    match = fired("A1", "B3", replace(RULES, named=True))
    assert said(match) == "A1: destroyer hit. Computer: B3, submarine hit."


def test_a_salvo_is_told_in_sum_and_while_it_is_aimed_only_its_shots_are() -> None:
    rules = replace(RULES, salvo=True, fleet=(2, 1))
    fleet = tuple(parse_placement(rules.board, text) for text in ("A1h2", "A3h1"))
    match = Match(rules, (fleet, fleet), bytes(16))
    assert said(match) == "Your turn: choose 2 cells."
    match = match.fire(rules.board.parse("A3"))
    assert said(match) == "1 shot left."
    for name in ("F6", "E1"):
        match = match.fire(rules.board.parse(name))
    assert said(match) == "Salvo: 1 hit, patrol boat sunk. Computer: E1, water."


MOVING = replace(RULES, moving=True)


def test_a_turn_begins_with_a_move_or_a_shot() -> None:
    assert said(fired("", "", MOVING)) == "Your turn. Fire, or move a ship first."
    match = fired("F1", "F6", MOVING)
    assert said(match) == "F1: water. Computer: F6, water."
    moved = match.act(Steer(0, Course.AFT))
    assert said(moved) == "Destroyer moves right. Now fire."
    assert said(moved.fire(RULES.board.parse("F2"))).startswith("F2: water.")
    with translation.override("de"):
        beginning = said(fired("", "", MOVING))
        assert beginning == "Du bist dran. Schieß, oder beweg vorher ein Schiff."
        assert said(moved) == "Zerstörer fährt nach rechts. Jetzt schieß."


@pytest.mark.parametrize(
    ("theirs", "english", "german"),
    [
        ("D1", "Your destroyer can still move.", "Dein Zerstörer kann noch ausweichen."),
        ("B4", "Your submarine can still move.", "Dein U-Boot kann noch ausweichen."),
        ("D2", "", ""),  # only the corners touch
        ("A3", "", ""),  # a hit
        ("A3 C3", "", ""),  # beside a ship that is hit
    ],
)
def test_water_beside_a_ship_that_can_move_was_close(
    theirs: str, english: str, german: str
) -> None:
    match = fired(WATER[: len(theirs)], theirs, MOVING)
    assert said(match).endswith(f"That was close. {english}") is bool(english)
    with translation.override("de"):
        assert said(match).endswith(f"Das war knapp. {german}") is bool(german)


def test_a_ship_that_can_not_move_can_not_get_out_of_the_way() -> None:
    """The destroyer has no room."""
    rules = replace(MOVING, columns=4, rows=4, fleet=(4, 2))
    fleet = tuple(parse_placement(rules.board, text) for text in ("A1h4", "A3h2"))
    match = Match(rules, (fleet, fleet), bytes(16))
    for name in ("D4", "C2"):
        match = match.fire(rules.board.parse(name))
    assert said(match) == "D4: water. Computer: C2, water."


def test_of_two_persons_the_other_is_named() -> None:
    match = fired("F1", "A1")
    assert said(match, setup=TWO) == "F1: water. Ben: A1, hit."
    assert said(fired("F1 A1", "A1"), Side.SECOND, TWO) == "A1: hit. Anna: A1, hit."


ASKING = replace(RULES, questions=5, named=True)


def test_an_answer_stands_in_place_of_the_last_shots_and_the_others_question_before_its_shot() -> (
    None
):
    match = boards.play(fired("", "", ASKING), "A1:C2?")
    assert said(match) == "Is a ship in A1 to C2? Yes. Now fire."
    assert said(match, Side.SECOND, TWO_DEVICES) == "Anna asked A1 to C2: yes. Waiting for Anna."
    with translation.override("de"):
        assert said(match) == "Liegt ein Schiff in A1 bis C2? Ja. Jetzt schieß."
    match = boards.play(match, "F1 D4:D4?")
    assert said(match, Side.SECOND, TWO) == "Is a ship at D4? No. Now fire."
    match = boards.play(match, "B3")
    assert said(match) == "F1: water. Computer asked D4: no. B3: submarine hit."
    with translation.override("de"):
        assert said(match) == "F1: Wasser. Computer fragte nach D4: nein. B3: U-Boot getroffen."
    at_one = SavedMatch(TWO, match)
    assert public_status_message(at_one) == "Ben asked D4: no. B3: submarine hit."


def test_a_first_hit_leaves_no_room_for_the_others_question() -> None:
    match = boards.play(fired("", "", ASKING), "A1 D4:E6? F6")
    seen, onboarding = observe(match, Side.FIRST), Onboarding.HIT
    said_then = status_message(seen, SOLO, onboarding=onboarding)
    assert said_then == "A1: destroyer hit. Computer: F6, water. Try the cells beside it."
    with translation.override("de"):
        assert len(status_message(seen, SOLO)) <= 100


def test_several_questions_of_a_turn_are_told_in_sum() -> None:
    rules = replace(ASKING, again=True)
    match = boards.play(fired("", "", rules), "F1 D4:D4? A1 A1:B2? B1 F6")
    assert said(match) == "F1: water. Computer asked 2 questions. Computer: 2 hits."


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

NO_LIMIT = replace(RULES, turns=None)
SHORT = replace(RULES, turns=6)


@pytest.mark.parametrize(
    ("setup", "match", "reason", "english", "german"),
    [
        (
            SOLO, fired(ALL, "A3 B3 F1 F2"), Reason.ALL_SUNK,
            ("The sea is yours",
             "5 turns to spare.",
             "B3: submarine sunk. You win."),
            ("Die See gehört dir",
             "5 Züge vor Schluss.",
             "B3: U-Boot versenkt. Du gewinnst."),
        ),
        (
            SOLO, fired(ALL, "A3 B3 F1 F2", replace(RULES, turns=12)), Reason.ALL_SUNK,
            ("The sea is yours",
             "1 turn to spare.",
             "B3: submarine sunk. You win."),
            ("Die See gehört dir",
             "1 Zug vor Schluss.",
             "B3: U-Boot versenkt. Du gewinnst."),
        ),
        (
            SOLO, fired(ALL, "A3 F3 F1 F2"), Reason.ALL_SUNK,
            ("The sea is yours", "You lost none.",
             "B3: submarine sunk. You win."),
            ("Die See gehört dir",
             "Du hast kein Schiff verloren.",
             "B3: U-Boot versenkt. Du gewinnst."),
        ),
        (
            SOLO, fired(ALL, "A3 B3 F1 F2", NO_LIMIT), Reason.ALL_SUNK,
            ("The sea is yours", "",
             "B3: submarine sunk. You win."),
            ("Die See gehört dir", "",
             "B3: U-Boot versenkt. Du gewinnst."),
        ),
        (
            SOLO, fired(WATER, ALL), Reason.ALL_SUNK,
            ("Your fleet is lost", "They had 2 ships left.",
             "F5: water. Computer: B3, submarine sunk. You lose."),
            ("Deine Flotte ist verloren",
             "Dem Gegner blieben noch 2 Schiffe.",
             "F5: Wasser. Computer: B3, U-Boot versenkt. Du verlierst."),
        ),
        (
            SOLO, fired("A3 B3 F1 F2 F3", ALL), Reason.ALL_SUNK,
            ("Your fleet is lost", "They had 1 ship left.",
             "F3: water. Computer: B3, submarine sunk. You lose."),
            ("Deine Flotte ist verloren",
             "Dem Gegner blieb noch 1 Schiff.",
             "F3: Wasser. Computer: B3, U-Boot versenkt. Du verlierst."),
        ),
        (
            SOLO, fired("A3 B3 F1", "F1 F2 F3", SHORT), Reason.MORE_AFLOAT,
            ("The sea is yours", "2 ships afloat against 1.",
             "F1: water. Computer: F3, water. The turns ran out. You win."),
            ("Die See gehört dir", "2 Schiffe über Wasser gegen 1.",
             "F1: Wasser. Computer: F3, Wasser. Die Züge sind um. Du gewinnst."),
        ),
        (
            SOLO, fired("F1 F2 F3", "A3 B3 F1", SHORT), Reason.MORE_AFLOAT,
            ("The sea is theirs", "1 ship afloat against 2.",
             "F3: water. Computer: F1, water. The turns ran out. You lose."),
            ("Die See gehört dem Gegner", "1 Schiff über Wasser gegen 2.",
             "F3: Wasser. Computer: F1, Wasser. Die Züge sind um. Du verlierst."),
        ),
        (
            SOLO, fired("F1 F2 F3", "A3 F3 F1", SHORT), Reason.AS_MANY_AFLOAT,
            ("A draw", "2 ships afloat on each side.",
             "F3: water. Computer: F1, water. The turns ran out. It’s a draw."),
            ("Unentschieden", "Auf jeder Seite schwimmen noch 2 Schiffe.",
             "F3: Wasser. Computer: F1, Wasser. Die Züge sind um. Unentschieden."),
        ),
        (
            SOLO, fired("A3 B3 F1", "F1 F2 F3", replace(SHORT, at_limit=AtLimit.DRAW)),
            Reason.LIMIT,
            ("A draw", "1 ship still to find.",
             "F1: water. Computer: F3, water. The turns ran out. It’s a draw."),
            ("Unentschieden", "Es fehlte noch 1 Schiff.",
             "F1: Wasser. Computer: F3, Wasser. Die Züge sind um. Unentschieden."),
        ),
        (
            SOLO, fired("A3 B3", "F1 F2").resign(Side.FIRST), Reason.RESIGNED,
            ("The sea is theirs", "",
             "You gave up."),
            ("Die See gehört dem Gegner",
             "",
             "Du hast aufgegeben."),
        ),
        (
            TWO, fired(ALL, WATER[:11]), Reason.ALL_SUNK,
            ("Anna wins", "",
             "B3: submarine sunk. Anna wins."),
            ("Anna gewinnt", "",
             "B3: U-Boot versenkt. Anna gewinnt."),
        ),
        (
            TWO, fired("F1 F2 F3", "A3 B3 F1", SHORT), Reason.MORE_AFLOAT,
            ("Ben wins", "Ships afloat: Anna 1, Ben 2.",
             "F3: water. Ben: F1, water. The turns ran out. Ben wins."),
            ("Ben gewinnt", "Schiffe über Wasser: Anna 1, Ben 2.",
             "F3: Wasser. Ben: F1, Wasser. Die Züge sind um. Ben gewinnt."),
        ),
        (
            TWO, fired("F1", "F1").resign(Side.FIRST), Reason.RESIGNED,
            ("Ben wins", "", "Anna gave up: Ben wins."),
            ("Ben gewinnt", "", "Anna gibt auf: Ben gewinnt."),
        ),
    ],
)  # fmt: skip
def test_the_end_tells_how_it_came_and_who_won(
    setup: Setup, match: Match, reason: Reason, english: tuple[str, ...], german: tuple[str, ...]
) -> None:
    assert match.outcome is not None
    assert match.outcome.reason is reason
    seen, setup = observe(match, Side.FIRST), replace(setup, ruleset=match.ruleset)
    for language, expected in (("en", english), ("de", german)):
        with translation.override(language):
            assert (*verdict(seen, setup), end_message(seen, setup)) == expected


def test_the_question_offered_first_is_near_the_middle_and_new() -> None:
    laid = "aa.... ...... ...... ...... ...... ......"
    match = boards.start(boards.side_by_side(laid, laid), questions=3, turns=40)
    name = match.ruleset.board.name
    offered = []
    for shots in ("F6 F6", "F5 F5", "F4 F4"):
        box = first_box(observe(match, Side.FIRST))
        offered.append(f"{name(box.first)} {name(box.last)}")
        match = boards.play(match.act(box), shots)
    assert offered == ["C3 D4", "C2 D3", "B3 C4"]
