"""A match as bytes and back. Rules and mode alone decide the length, so it reveals nothing."""

from __future__ import annotations

from game.deduction.match import MOST_GUESSES, Match, Mode, Search
from game.deduction.rules import Cells, Rules
from game.engine.chance import SEED_BYTES
from game.engine.geometry import Cell
from game.matches import fields
from game.matches.fields import NOTHING, Field, Values, number, record

_NOWHERE = 255
"""Each cell of a place not yet chosen."""


def _search(rules: Rules) -> Field[Search | None]:
    nowhere = (Cell(_NOWHERE),) * rules.ships
    cells: Field[Cells] = Field(bytes, lambda reader: tuple(map(Cell, reader.take(rules.ships))))

    def read(it: Values) -> Search | None:
        is_hidden = it.place != nowhere or it.guesses
        return Search(rules, it.place, it.guesses) if is_hidden else None

    return fields.table(
        read, lambda search: {} if search else {"place": nowhere, "guesses": ()},
        place=cells, guesses=fields.counted(cells, MOST_GUESSES * rules.ships),
    )  # fmt: skip


MATCH = record(
    Match,
    rules=record(Rules, columns=number(), rows=number(), ships=number()),
    mode=fields.one_of(dict(enumerate((Mode.SEARCH, Mode.HIDE, Mode.RACE)))),
    given_up=fields.flags("is_given_up"),
    seed=fields.fixed(SEED_BYTES),
    mine=lambda it: NOTHING if it.mode is Mode.HIDE else _search(it.rules),
    theirs=lambda it: NOTHING if it.mode is Mode.SEARCH else _search(it.rules),
)
