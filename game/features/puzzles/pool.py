"""The pool of puzzles, the five of a day, and further ones.

A puzzle is a position with one shot to find. A file of the pool has one on each line:

    uppsala counting 3 71/52/157 20a4168002803412054029a54 C3+D3 D4v3+F6h4+C10h5

These are preset, kind, grade, numbers of fleets, and marks. Of 157 possible fleets 71 have a ship
on the best cell, and 52 on the likeliest of the others. The marks are the water, the hits and the
wrecks: a mask of cells in hex digits, and words as in the address of a position, or `-`.
"""

import base64
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

from game.engine.chance import Chance
from game.engine.position import FIELDS, Position, fields_of, parse_fields, still
from game.engine.presets import PRESETS
from game.matches import daily
from game.matches.daily import Chain, seed_of
from game.matches.parts import FeaturePart
from game.matches.results import mark_of

FILE = Path(__file__).with_name("pool.txt")
"""It never changes, as days were drawn from it."""
KINDS = ("certain", "finish", "touching", "last", "hunting", "counting")
GRADES = (1, 2, 3, 4, 5)
MOST_FLEETS, MARGIN = 500, 10
"""The most fleets of one of the day's five, and the least margin of its best cell in points."""
OWN = "own"
"""The name of every puzzle whose position stands in its address."""
NAME_LETTERS = 7
_LABEL = "five-shots"


@dataclass(frozen=True)
class Puzzle:
    """A position whose best cells are clearly likelier than the others."""

    name: str
    """Names it in addresses: a hash of its preset and its marks."""
    preset: str
    kind: str
    grade: int
    """From 1 (easy) to 5 (hard)."""
    best: int
    """The number of fleets with a ship on a best cell."""
    second: int
    """The number of fleets with a ship on the likeliest of the other cells."""
    fleets: int
    marks: str

    @cached_property
    def position(self) -> Position:
        rules = still(PRESETS[self.preset].ruleset)
        mask, *texts = self.marks.split(" ")
        words = ("" if text == "-" else text.replace("+", " ") for text in texts)
        fields = dict(zip(FIELDS[1:], words, strict=True))
        position, _refused = parse_fields(rules, fields)
        water = int(mask, 16)
        return position.with_water(cell for cell in rules.board.cells if water >> cell & 1)

    @cached_property
    def mark(self) -> str:
        """Its mark among the results of a browser."""
        return mark_of(self.name)

    @property
    def margin(self) -> float:
        """The points, in percent, by which a best cell is likelier than the others."""
        return 100 * (self.best - self.second) / self.fleets

    @property
    def is_for_a_day(self) -> bool:
        return self.fleets <= MOST_FLEETS and self.margin >= MARGIN

    def __str__(self) -> str:
        numbers = f"{self.best}/{self.second}/{self.fleets}"
        return f"{self.preset} {self.kind} {self.grade} {numbers} {self.marks}"


def marks_of(position: Position) -> str:
    """The marks of a position that has no sinkings without a place, as a line of the pool."""
    water = sum(1 << cell for cell in position.water)
    fields = fields_of(position)
    texts = (fields.get(field, "-").replace(" ", "+") for field in FIELDS[1:])
    return " ".join((f"{water:0{-(-position.rules.board.size // 4)}x}", *texts))


def name_of(preset: str, marks: str) -> str:
    digest = sha256(f"{preset} {marks}".encode("ascii")).digest()
    return base64.b32encode(digest).decode("ascii")[:NAME_LETTERS].lower()


def parse(line: str) -> Puzzle:
    """The puzzle of a line; the inverse of str."""
    preset, kind, grade, numbers, marks = line.split(" ", 4)
    best, second, fleets = map(int, numbers.split("/"))
    return Puzzle(name_of(preset, marks), preset, kind, int(grade), best, second, fleets, marks)


@cache
def _by_name() -> dict[str, Puzzle]:
    return {one.name: one for one in map(parse, FILE.read_text("ascii").splitlines())}


def puzzles() -> tuple[Puzzle, ...]:
    return tuple(_by_name().values())


@cache
def pool_hash() -> str:
    """The SHA-256 of the pool's file, in hex digits."""
    return sha256(FILE.read_bytes()).hexdigest()


def find(name: str) -> Puzzle | None:
    return _by_name().get(name)


@lru_cache(maxsize=8)  # the open days
def five_of(link: bytes) -> tuple[Puzzle, ...]:
    """A day's five puzzles, one of each grade, which the day's link of the chain decides."""
    seed, by_grade = seed_of(link, _LABEL), _for_days()
    return tuple(Chance(seed, _LABEL, grade).choice(by_grade[grade]) for grade in GRADES)


@cache
def _for_days() -> dict[int, tuple[Puzzle, ...]]:
    """By grade the puzzles from which a day's five are drawn, in the order of the file."""
    puzzles = [one for one in _by_name().values() if one.is_for_a_day]
    return {grade: tuple(one for one in puzzles if one.grade == grade) for grade in GRADES}


def open_days() -> Iterator[tuple[Chain, date]]:
    """The days whose five can be answered now, each with the site's chain."""
    chain = daily.chain()
    if chain is not None:
        for day in chain.open_days(daily.now()):
            yield chain, day


def names_of(chain: Chain, day: date) -> tuple[str, ...]:
    return tuple(one.name for one in five_of(chain.link(day)))


def open_names() -> set[str]:
    """The names of the five of all open days."""
    return {name for chain, day in open_days() for name in names_of(chain, day)}


def next_one(grade: int, seen: Collection[str], seed: bytes) -> Puzzle:
    """A puzzle whose name isn't among those seen, which the seed of 16 bytes decides.

    If all of that grade were seen, it has the nearest other grade; if all were, it is any of them.
    """
    left = [one for one in puzzles() if one.name not in seen] or puzzles()
    nearest = min(abs(one.grade - grade) for one in left)
    near = [one for one in left if abs(one.grade - grade) == nearest]
    return Chance(seed, _LABEL, len(seen)).choice(near)


PART = FeaturePart(prepare=lambda: (_by_name(), pool_hash()))
