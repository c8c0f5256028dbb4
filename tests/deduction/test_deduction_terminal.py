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
from game.features.deduction.match import MOST_GUESSES, Mode, anywhere, hiding_place
from game.features.deduction.rules import MELBOURNE, Answer, Feedback, Rules
from game.features.deduction.searchers import SEARCHERS
from tests.support.bad_input import FUZZED, TYPED, is_plain
from tests.support.documents import BLOCKS

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


def test_heat_is_drawn_with_letters_and_numbers() -> None:
    lines = list(map(str, terminal(Mode.SEARCH).answer("heat")))
    assert lines[0].split() == list("ABCDEFGH")
    assert [line.split()[0] for line in lines[1:]] == ["1", "2", "3", "4"]
    assert set(lines[1].split()[1:]) == {"9"}  # three ships on thirty-two cells


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


def test_german_words_ask_for_the_same_as_the_english() -> None:
    english, german = "left heat best help quit", "übrig wärmebild bester hilfe ende"
    for one, other in zip(english.split(), german.split(), strict=True):
        assert terminal(Mode.SEARCH).answer(one) == terminal(Mode.SEARCH).answer(other.upper())
    with translation.override("de"):
        (told,) = terminal(Mode.SEARCH).answer("hilfe")
    assert told.endswith(f"Außerdem: {german.replace(' ', ', ')}.")


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


def test_another_sea_may_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    said = run(monkeypatch, ["A1 B2", "quit"], "--terse", "--sea", "6x4x2", "--seed", "1")
    assert len(Rules(6, 4, 2).parse(said[-1])) == 2


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


def test_the_facts_of_the_document_are_those_it_prints() -> None:
    (block,) = (block for block in BLOCKS if block.first.startswith("0,2,1  "))
    text = block.text
    facts = [re.split(" {2,}", line)[0] for line in text.splitlines()]
    shapes = {_shape(fact) for fact in facts} | {"lost", _shape("found 5 computer")}
    assert "`computer`; `lost`" in text
    said = set()
    for mode in Mode:
        for lines in (
            ["A1 B2 C3", "0,0,1", "9", "3,0,0"], ["A1 B2 C3", "3,0,0"], ["A1 B2 C3"] * MOST_GUESSES,
            [MELBOURNE.names(hiding_place(MELBOURNE, bytes(16)))], ["0,0,0"] * 9,
        ):  # fmt: skip
            game = Terminal(MELBOURNE, mode, SEARCHERS["strong"], bytes(16), terse=True)
            said |= set(game.greeting())
            for line in lines:
                said |= set() if game.is_over else set(map(str, game.answer(line)))
    assert {_shape(line) for line in said} == shapes


def _shape(line: str) -> str:
    if line.startswith("? "):
        return "?"
    return re.sub(r"\d+", "0", re.sub(r"[A-H]\d", "A1", line))
