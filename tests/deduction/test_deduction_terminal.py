"""The game line by line, for people and for programs."""

import io
import re
import sys
from itertools import product
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from game.engine.chance import Chance
from game.features.deduction.hiding_places import possible
from game.features.deduction.management.commands.deduction import Terminal
from game.features.deduction.match import MOST_GUESSES, Mode, anywhere
from game.features.deduction.rules import MELBOURNE, Answer, Feedback
from game.features.deduction.searchers import SEARCHERS
from tests.support.bad_input import FUZZED, TYPED, is_plain

SEED = bytes(15) + b"\7"
PLACE = MELBOURNE.names(anywhere(MELBOURNE, Chance(SEED, "hidden", 0)))


def terminal(mode: Mode, **options: Any) -> Terminal:
    return Terminal(MELBOURNE, mode, SEARCHERS["strong"], SEED, **options)


def run(monkeypatch: pytest.MonkeyPatch, lines: list[str], *arguments: str) -> list[str]:
    """What the command prints for lines of input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    out = io.StringIO()
    call_command("deduction", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_a_program_searches_and_reads_numbers_only(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["A1 B2 C3", "c3 b2 a1", "A1 B2", "Z9 A1 B1", "left", PLACE, "A1 B2 C3"]
    said = run(monkeypatch, lines, "--terse", "--seed", "7")
    place = MELBOURNE.parse(PLACE)
    told = str(MELBOURNE.feedback(place, MELBOURNE.parse("A1 B2 C3")))
    assert said[:2] == [told, told]
    assert [line[0] for line in said[2:4]] == ["?", "?"]
    assert said[4].isdigit()
    assert said[5:] == ["3,0,0", "found 3 you"], "and the line behind the end is not read"


def test_the_computer_searches_what_only_the_other_end_knows() -> None:
    place = MELBOURNE.parse("B1 C3 H4")
    game = terminal(Mode.HIDE, terse=True)
    (said,) = game.greeting()
    while not game.is_over:
        guess = MELBOURNE.parse(said.removeprefix("guess "))
        (said,) = map(str, game.answer(str(MELBOURNE.feedback(place, guess))))
    assert re.fullmatch("found [1-7] computer", said)


def test_an_answer_that_cannot_be_true_is_noticed_and_may_be_given_anew() -> None:
    game = terminal(Mode.HIDE, terse=True)
    game.greeting()
    game.answer("0,0,0")
    before = game.guess
    assert before is not None
    untrue = next(
        feedback
        for feedback in map(Feedback._make, product(range(4), repeat=3))
        if sum(feedback) <= 3
        and not len(possible(MELBOURNE, (*game.theirs, Answer(before, feedback))))
    )
    assert game.answer(str(untrue)) == ["? impossible"]
    assert game.answer("nonsense")[0].startswith("? not a feedback")
    assert game.guess == before
    assert not game.is_over


def test_in_a_race_each_guess_is_followed_by_one_of_the_computers_and_a_search_ends() -> None:
    quitting = terminal(Mode.SEARCH, terse=True)
    quitting.answer("quit")
    assert quitting.is_over
    endless = terminal(Mode.SEARCH, terse=True)
    assert [endless.answer("A1 B2 C3")[-1] for _ in range(MOST_GUESSES)][-1] == "lost"
    assert endless.is_over
    game = terminal(Mode.RACE, terse=True)
    told, asked = game.answer("A1 B2 C3")
    assert told.count(",") == 2
    guess = MELBOURNE.parse(asked.removeprefix("guess "))
    assert game.answer(str(MELBOURNE.feedback(MELBOURNE.parse("B1 C3 H4"), guess))) == []
    told, _asked = game.answer(PLACE)
    assert told == "3,0,0"
    assert not game.is_over, "the computer has still its guess"
    assert game.answer("0,0,1") == ["found 2 you"]
    assert game.is_over


def test_people_are_spoken_to_in_their_language(monkeypatch: pytest.MonkeyPatch) -> None:
    before = translation.get_language()
    english = run(monkeypatch, ["A1 B2 C3", "quit"], "--seed", "7", "--lang", "en")
    german = run(monkeypatch, ["A1 B2 C3", "quit"], "--seed", "7", "--lang", "de")
    assert "on a ship" in english[2]
    assert "auf einem Schiff" in german[2]
    assert english[-2:] == ["Given up. Here is where the ships were.", PLACE]
    assert german[-2:] == ["Aufgegeben. Hier lagen die Schiffe.", PLACE]
    assert translation.get_language() == before
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_AT.UTF-8")
    assert run(monkeypatch, ["A1 B2 C3", "quit"], "--seed", "7") == german


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--way", "swim"), "„swim“ gibt es für --way nicht. Es gibt: search, hide, race."),
        (("--searcher", "x"), "„x“ gibt es für --searcher nicht. Es gibt: easy, middle, strong."),
        (("--sea", "large"), "Gib ein Meer mit Spalten, Zeilen und Schiffen an, etwa 8x4x3. "),
        (("--sea", "15x15x5"), "Gib ein Meer mit Spalten, Zeilen und Schiffen an, etwa 8x4x3. "),
        (("--seed", "seven"), "Der Startwert ist eine ganze Zahl."),
    ],
)
def test_options_that_name_no_game_are_refused_in_the_persons_language(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    with pytest.raises(CommandError) as refused:
        run(monkeypatch, [], *arguments, "--lang", "de")
    assert str(refused.value).startswith(says)


@pytest.mark.fuzz
@FUZZED
@given(st.lists(TYPED, max_size=8), st.sampled_from(Mode), st.booleans())
def test_any_input_is_answered_in_printable_sentences(
    lines: list[str], mode: Mode, terse: bool
) -> None:
    game = terminal(mode, terse=terse)
    said = game.greeting()
    for line in lines:
        if not game.is_over:
            said += map(str, game.answer(line))
    assert all(line.isprintable() for line in said)
    assert is_plain("\n".join(said))
