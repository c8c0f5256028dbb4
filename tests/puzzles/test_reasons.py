"""What is said of the best cell, against an enumeration of all fleets."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.utils import translation

from bench.puzzles.plain_count import plain_fleets
from game.engine.position import Position, still, typed
from game.engine.rules import Ruleset
from game.features.puzzles.judge import count, judge
from game.features.puzzles.pool import KINDS, parse, puzzles
from game.features.puzzles.reasons import reason_sentence


class Enumerated:
    """The fleets of a position, and the true numbers of what a sentence may say."""

    def __init__(self, position: Position, best: str) -> None:
        self.position, self.best, self.fleets = position, best, list(plain_fleets(position))
        self.all = len(self.fleets)

    def bit(self, cell: str) -> int:
        return 1 << self.position.rules.board.parse(cell)

    def on(self, cell: str) -> int:
        """The number of fleets with a ship on a cell."""
        return sum(any(ship & self.bit(cell) for ship in fleet) for fleet in self.fleets)

    def second(self) -> int:
        """The most fleets with a ship on an unknown cell with which fewer are than on the best."""
        board, best = self.position.rules.board, self.on(self.best)
        each = self.each(list(map(board.name, set(board.cells) - self.position.marked)))
        return max(number for number in each if number < best)

    def each(self, cells: Sequence[str]) -> list[int]:
        return [self.on(cell) for cell in cells]

    def places(self, *, hit: str = "", length: int = 0) -> list[int]:
        """The number of places of some ships, and of those that cover the best cell."""
        ships = {
            ship
            for fleet in self.fleets
            for ship in fleet
            if (not hit or ship & self.bit(hit)) and (not length or ship.bit_count() == length)
        }
        return [len(ships), sum(bool(ship & self.bit(self.best)) for ship in ships)]

    def most_places(self) -> list[str]:
        """The unknown cells that most places of any ship cover."""
        board, ships = self.position.rules.board, {ship for fleet in self.fleets for ship in fleet}
        unknown = map(board.name, set(board.cells) - self.position.marked)
        covering = {cell: sum(bool(ship & self.bit(cell)) for ship in ships) for cell in unknown}
        return [cell for cell, number in covering.items() if number == max(covering.values())]

    def with_length(self, length: int) -> int:
        """The number of fleets with a ship of that length on the best cell."""
        return sum(
            any(ship & self.bit(self.best) and ship.bit_count() == length for ship in fleet)
            for fleet in self.fleets
        )

    def apart(self, one: str, other: str) -> int:
        """The number of fleets in which no ship covers both cells."""
        both = self.bit(one) | self.bit(other)
        return sum(all(ship & both != both for ship in fleet) for fleet in self.fleets)


Numbers = list[int]
SENTENCES: dict[str, Callable[..., tuple[Numbers, Numbers]]] = {
    # A sentence with its words in brackets, and two lists that are equal if it is true.
    "<c> is best: a ship lies there in <n> of <total> fleets.":
        lambda told, c, n, total: ([told.on(c), told.all], [n, total]),
    "<cells> are best: a ship lies on each in <n> of <total> fleets.":
        lambda told, cells, n, total: ([*told.each(cells), told.all], [n] * len(cells) + [total]),
    "<cells> are certain: ships lie there in all <total> fleets.":
        lambda told, cells, total: ([*told.each(cells), told.all], [total] * (len(cells) + 1)),
    "<cells> are certain: only one fleet is possible, and ships lie there.":
        lambda told, cells: ([*told.each(cells), told.all], [1] * (len(cells) + 1)),
    "<c> is certain: a ship lies there in all <total> fleets.":
        lambda told, c, total: ([told.on(c), told.all], [total, total]),
    "<c> is certain: only one fleet is possible, and a ship lies there.":
        lambda told, c: ([told.on(c), told.all], [1, 1]),
    "<c>: <n> of <total>.":
        lambda told, c, n, total: ([told.on(c), told.all], [n, total]),
    "There is only one place for the ship hit at <hit>.":
        lambda told, hit: (told.places(hit=hit), [1, 1]),
    "All <n> places for the ship hit at <hit> cover <c>.":
        lambda told, n, hit, c: (told.places(hit=hit), [n, n]),
    "There is only one place for a ship of length <length>.":
        lambda told, length: (told.places(length=length), [1, 1]),
    "All <n> places for a ship of length <length> cover <c>.":
        lambda told, n, length, c: (told.places(length=length), [n, n]),
    "Both places for the ship hit at <hit> cover <c>.":
        lambda told, hit, c: (told.places(hit=hit), [2, 2]),
    "Both places for a ship of length <length> cover <c>.":
        lambda told, length, c: (told.places(length=length), [2, 2]),
    "Every other cell is in at most <n> fleets?.":
        lambda told, n: ([told.second()], [n]),
    "Of <n> places for the ship hit at <hit>, <m> covers? <c>.":
        lambda told, n, hit, m, c: (told.places(hit=hit), [n, m]),
    "Of <n> places for the ship of length <length>, <m> covers? <c>.":
        lambda told, n, length, m, c: (told.places(length=length), [n, m]),
    "In <n> of <total> fleets the hits at <c> and <d> are on two ships.":
        lambda told, n, total, c, d: ([told.apart(c, d), told.all], [n, total]),
    "In all <total> fleets the hits at <c> and <d> are on two ships.":
        lambda told, total, c, d: ([told.apart(c, d), told.all], [total, total]),
    "In <n> of <total> fleets the hits at <c> and <d> are on one ship.":
        lambda told, n, total, c, d: ([told.all - told.apart(c, d), told.all], [n, total]),
    "In <n> of these <m> it is a ship of length <length>.":
        lambda told, n, m, length: ([told.with_length(length), told.on(told.best)], [n, m]),
    "<c> is in <m> of the <n> places for a ship of length <length>, more than any other cell.":
        lambda told, c, m, n, length:
            ([*told.places(length=length), told.most_places()], [n, m, [c]]),
    "In (?:all of these|this one) it is a ship of length <length>.":
        lambda told, length: ([told.with_length(length)], [told.on(told.best)]),
}  # fmt: skip


KINDS_OF_WORDS = {
    "cells": r"[A-Z]\d+(?:, [A-Z]\d+)* and [A-Z]\d+", "c": r"[A-Z]\d+", "d": r"[A-Z]\d+",
    "hit": r"[A-Z]\d+", "n": r"\d+", "m": r"\d+", "total": r"\d+", "length": r"\d+",
}  # fmt: skip


def read(known: str, sentence: str) -> dict[str, Any] | None:
    """The words of a sentence in the brackets of a known one; None if it is another one."""
    pattern = re.sub(r"<(\w+)>", lambda key: f"(?P<{key[1]}>{KINDS_OF_WORDS[key[1]]})", known)
    match = re.fullmatch(pattern, sentence)
    if match is None:
        return None
    return {
        key: int(word) if word.isdigit() else re.findall(r"\w\d+", word) if key == "cells" else word
        for key, word in match.groupdict().items()
    }


def checked(position: Position) -> set[str]:
    """Checks all that is said after a wrong answer; returns the known sentences."""
    counted, board = count(position), position.rules.board
    told = Enumerated(position, board.name(counted.best[0]))
    wrong = min(set(board.cells) - position.marked - set(counted.best))
    text, said = reason_sentence(judge(position, wrong)), set()
    for sentence in re.findall(r"\S[^.]*\.", re.sub(r"(?<=\d),(?=\d)", "", text)):
        (known, words), *_others = [
            (known, words) for known in SENTENCES if (words := read(known, sentence)) is not None
        ] or pytest.fail(f"an unknown sentence: {sentence}")
        expected, found = SENTENCES[known](told, **words)
        assert expected == found, (position, sentence)
        said.add(known)
    return said


def drawn(shots: str, unknown: str, *fleet: int) -> Position:
    """A position on 6 by 6 cells; those that are neither named nor hit are water."""
    rules = still(Ruleset(columns=6, rows=6, fleet=fleet))
    known = typed(Position(rules), shots)
    left = set(map(rules.board.parse, unknown.split())) | known.marked
    return known.with_water(set(rules.board.cells) - left)


RARE: list[Position] = [
    parse(
        "pencil certain 3 30/10/30 5500204202047045c2a255688 - "
        "F1v2+D3h1+A4h1+E5h4+C6v3+G7v3+A8v2+J9h1"
    ).position,
    parse("uppsala certain 3 3/2/3 0884401022000004102420840 C1 A4v3+E4h2+I5v5+E6h3").position,
    drawn("A1 hit", "B1 D4", 2),
    drawn("A1 hit E6 hit", "B1 D6 D4", 2, 2),
    drawn("", "A1 B1 C1 D1 E6 F6", 3, 1),
    drawn("", "A1 B1 C1 E6 F6", 3, 1),
    parse(
        "bonn-still hunting 5 68/54/77 2718499525b54d72280511400 - "
        "B1v3+F3v4+I4v3+D5v4+B6v5+H8h2+I10h2"
    ).position,
]
"""Positions with sentences that few puzzles have."""


@pytest.mark.deep
def test_every_sentence_is_true_and_every_kind_of_sentence_is_said() -> None:
    said = set[str]().union(*map(checked, RARE))
    for kind in KINDS:
        found = [one for one in puzzles() if one.kind == kind and one.fleets <= 2000]
        for puzzle in found[:: max(1, len(found) // 25)]:
            said |= checked(puzzle.position)
    assert said == set(SENTENCES)


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "C1 is best: a ship lies there in 2 of 3 fleets. "
        "Every other cell is in at most 1 fleet."),
        ("de", "C1 ist am besten: In 2 von 3 Flotten liegt dort ein Schiff. "
        "Jedes andere Feld ist in höchstens 1 Flotte."),
    ],
)  # fmt: skip
def test_a_right_answer_is_not_compared(language: str, says: str) -> None:
    puzzle = drawn("", "B1 C1 D1 F5 F6", 2)
    with translation.override(language):
        verdict = judge(puzzle, puzzle.rules.board.parse("C1"))
        assert (verdict.verdict, reason_sentence(verdict)) == ("right", says)
