"""Makes the pool of puzzles from matches between minds, checks it, or lets minds solve it.

python -m bench puzzles --matches 3000 --out game/features/puzzles/pool.txt
python -m bench puzzles --check
python -m bench puzzles --solve

A position of a match becomes a candidate if its best cells are clearly likelier than the others.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path

from bench.beginners import PLAIN, SENSIBLE
from bench.clock import cpu_milliseconds
from bench.puzzles.likeness import Form, cells_alike, form
from bench.puzzles.plain_count import plain_fleets
from bench.report import NotAMeasure, Sample, Table, say, track
from bench.selfplay import PLAYERS, begin, game_seed
from game.display.positions import observation, position_of
from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Cell
from game.engine.observation import Observation, observe
from game.engine.position import Position
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.features.puzzles.judge import NotAPuzzle, count, judge
from game.features.puzzles.pool import GRADES, KINDS, Puzzle, marks_of, name_of, puzzles
from game.matches.referee import decide
from game.players.mind import Mind
from game.players.minds import MINDS, RANKS

SEAS = ("milton", "uppsala", "bonn-still", "pencil", "cmu", "ask", "cmu", "milton")
"""The presets of the matches, in turns. Two come twice, as few of their positions qualify."""
SOLVERS: tuple[Mind, ...] = (PLAIN, SENSIBLE, *RANKS[:3])
"""The minds whose share of wrong answers decides the grade."""
DRAWS = 20
"""The answers of each of them."""
SOLVED = 5
"""The answers of each mind to each puzzle with --solve."""
HARDER = (0.2, 0.4, 0.6, 0.8)
"""The shares of wrong answers from which on a puzzle has the next grade."""
FEWEST, MOST_BYTES = 100, 120_000
"""The fewest puzzles of a kind or grade, and the most bytes of the file."""


# --- making ---


def candidates(seed: int, number: int) -> Iterator[Puzzle]:
    """The puzzles of a match: at most one of each kind for each side. They have no grade (0)."""
    chance = Chance(game_seed(seed, number), "puzzles", 0)
    names = [*MINDS, PLAIN.name, SENSIBLE.name]
    chance.shuffle(names)
    preset = SEAS[number % len(SEAS)]
    # A position holds no answers, so no questions are asked.
    rules = replace(PRESETS[preset].ruleset, questions=0, begins=Side(chance.below(2)))
    minds = (PLAYERS[names[0]], PLAYERS[names[1]])
    match = begin(minds, rules, game_seed(seed, number))
    found = defaultdict[tuple[Side, str], list[Puzzle]](list)
    while match.outcome is None:
        puzzle = _puzzle(preset, observe(match, match.side))
        if puzzle is not None:
            found[match.side, puzzle.kind].append(puzzle)
        match = decide(minds[match.side], match)
    for each in found.values():
        yield chance.choice(each)


def _puzzle(preset: str, seen: Observation) -> Puzzle | None:
    position = position_of(seen)
    if position is None or not position.marked or _is_unclear(seen):
        return None
    try:
        counted = count(position)
    except NotAPuzzle:
        return None
    best, second = counted.best, counted.second
    top = counted.cells[best[0]]
    if not counted.is_clear or not set(best) <= cells_alike(position, best[0]):
        return None
    if not second and top < counted.fleets:  # every cell with a chance is best
        return None
    marks = marks_of(position)
    kind, name = counted.reason.kind, name_of(preset, marks)
    return Puzzle(name, preset, kind, 0, top, second, counted.fleets, marks)


def _is_unclear(seen: Observation) -> bool:
    """Whether two ships of one length have named hits: a position holds only the length."""
    hit = {shot.ship for shot in seen.shots if shot.ship is not None}
    lengths = Counter(seen.ruleset.fleet[ship] for ship in hit)
    return any(number > 1 for number in lengths.values())


def graded(puzzle: Puzzle) -> Puzzle:
    wrong = sum(_wrong(mind, puzzle, DRAWS) for mind in SOLVERS) / (DRAWS * len(SOLVERS))
    return replace(puzzle, grade=1 + sum(wrong >= share for share in HARDER))


def _wrong(mind: Mind, puzzle: Puzzle, draws: int) -> int:
    """Returns how many of a mind's answers are wrong."""
    cells = answers(mind, puzzle, draws)
    return sum(judge(puzzle.position, cell).verdict == "wrong" for cell in cells)


def answers(mind: Mind, puzzle: Puzzle, draws: int) -> Iterator[Cell]:
    """The cells at which a mind fires, by independent chance."""
    seen = seen_in(puzzle)
    for draw in range(draws):
        label = f"{puzzle.name}/{mind.name}/{draw}".encode()
        seed = blake2b(label, digest_size=SEED_BYTES).digest()
        yield mind.aim(seen, Chance(seed, "first/aim", 0))


def seen_in(puzzle: Puzzle) -> Observation:
    """The position of a puzzle as the observation of a match, in which hits name their ships."""
    position, rules = puzzle.position, replace(PRESETS[puzzle.preset].ruleset, questions=0)
    ships = dict[Cell, int]()
    if rules.named:
        free = [*rules.fleet]
        # The named hits of one length are on one ship: `_is_unclear`.
        for length in sorted({length for _cell, length in position.hits}):
            ships |= {cell: free.index(length) for cell, own in position.hits if own == length}
            free[free.index(length)] = 0
        for wreck in position.wrecks:
            ships[wreck.cells[-1]] = free.index(wreck.length)
            free[free.index(wreck.length)] = 0
    seen = observation(position)
    shots = tuple(shot._replace(ship=ships.get(shot.cell)) for shot in seen.shots)
    return replace(seen, ruleset=rules, shots=shots, spent=position.marked)


def chosen(found: Iterable[Puzzle], number: int) -> list[Puzzle]:
    """Puzzles of which none are alike, as many of each kind and of each grade as possible."""
    ordered = sorted(found, key=lambda one: not one.is_for_a_day)  # the order stays otherwise
    left: dict[str, list[Puzzle]] = {kind: [] for kind in KINDS}
    for puzzle in ordered:
        left[puzzle.kind].append(puzzle)
    made, forms, taken = list[Puzzle](), set[Form](), Counter[tuple[object, ...]]()
    while len(made) < number and any(left.values()):
        kind = min((one for one in KINDS if left[one]), key=lambda one: taken[one,])
        best = min(
            left[kind],
            key=lambda one: (taken[one.grade,], taken[kind, one.grade, one.preset]),
        )
        left[kind].remove(best)
        if (shape := form(best.position)) in forms:
            continue
        forms.add(shape)
        made.append(best)
        taken.update([(kind,), (best.grade,), (kind, best.grade, best.preset)])
    return sorted(made, key=lambda one: (one.kind, one.grade, one.name))


# --- checking ---


def faults(pool: Sequence[Puzzle]) -> Iterator[str]:
    """What is wrong with a pool, after another way of counting has listed all fleets."""
    forms = dict[Form, str]()
    for puzzle in track(pool, "puzzles"):
        yield from (f"{puzzle.name}: {what}" for what in recounted(puzzle))
        other = forms.setdefault(form(puzzle.position), puzzle.name)
        if other != puzzle.name:
            yield f"{puzzle.name}: is like {other}"
    for what, names in (("kind", KINDS), ("grade", GRADES)):
        numbers = Counter[object](getattr(puzzle, what) for puzzle in pool)
        yield from (
            f"{what} {name}: {numbers[name]} puzzles" for name in names if numbers[name] < FEWEST
        )
    size = sum(len(str(puzzle)) + 1 for puzzle in pool)
    if size > MOST_BYTES:
        yield f"the file has {size} bytes"


def recounted(puzzle: Puzzle) -> Iterator[str]:
    """What a plain count of a puzzle's fleets contradicts."""
    position, counted = puzzle.position, count(puzzle.position)
    fleets, cells = plainly(position)
    if (fleets, cells) != (counted.fleets, counted.cells):
        yield f"{counted.fleets} fleets are counted, and plainly {fleets}"
    best, second = max(cells), counted.second
    if (best, second, fleets) != (puzzle.best, puzzle.second, puzzle.fleets):
        yield f"the numbers are {best}/{second}/{fleets}"
    if not counted.is_clear:
        yield "the margin is too small"
    if not set(counted.best) <= cells_alike(position, counted.best[0]):
        yield "the best cells aren't alike"
    if counted.reason.kind != puzzle.kind:
        yield f"the kind is {counted.reason.kind}"
    if marks_of(position) != puzzle.marks or not position.marked:
        yield "the marks are not as they are written"


def plainly(position: Position) -> tuple[int, tuple[int, ...]]:
    """The number of fleets, and for each cell without a mark of those with a ship there."""
    cells, ships, fleets = [0] * position.rules.board.size, Counter[int](), 0
    for fleet in plain_fleets(position):
        fleets += 1
        ships.update(fleet)
    for ship, number in ships.items():
        for cell in position.rules.board.cells:
            cells[cell] += number * (ship >> cell & 1)
    for cell in position.marked:
        cells[cell] = 0
    return fleets, tuple(cells)


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--check", action="store_true", help="recount the pool another way")
    add("--solve", action="store_true", help="print how often minds solve each grade")
    add("--matches", type=int, default=3000)
    add("--number", type=int, default=1500, help="of puzzles")
    add("--seed", type=int, default=1, help="decides all chance")
    add("--out", type=Path, metavar="FILE", help="where the pool is written")


def run(options: Namespace) -> None:
    if options.check:
        _check(puzzles())
        return
    if options.solve:
        _print_solved()
        return
    if options.out is None:
        raise NotAMeasure("--out names the file of the pool")
    numbers = track(range(options.matches), "matches")
    found = [graded(one) for number in numbers for one in candidates(options.seed, number)]
    pool = chosen(found, options.number)
    options.out.write_text("".join(f"{puzzle}\n" for puzzle in pool))
    _print_table(pool)


def _check(pool: Sequence[Puzzle]) -> None:
    found = list(faults(pool))
    for line in found:
        say(line)
    say(f"{len(pool)} puzzles, {len(found)} faults")
    if found:
        sys.exit(1)


def _print_table(pool: Sequence[Puzzle]) -> None:
    table = Table("kind:10, " + ", ".join(f"grade {grade}:>9" for grade in GRADES))
    rows = {kind: [one for one in pool if one.kind == kind] for kind in KINDS}
    for name, row in {**rows, "for a day": [one for one in pool if one.is_for_a_day]}.items():
        numbers = Counter(one.grade for one in row)
        table.say(name, *(numbers[grade] for grade in GRADES))
    count.cache_clear()
    spent = [(cpu_milliseconds(partial(count, one.position)), one.name) for one in pool]
    say("dearest judge: {:.1f} ms of CPU, {}".format(*max(spent)))


def _print_solved() -> None:
    """Prints the share of answers of each mind that are right or good, and its standard error."""
    grades = {grade: [one for one in puzzles() if one.grade == grade] for grade in GRADES}
    heads = (f"grade {grade} ({len(pool)}):>16.3f" for grade, pool in grades.items())
    table = Table("mind:12, " + ", ".join(heads))
    for mind in track((PLAIN, SENSIBLE, *RANKS), "minds"):
        # Answers to one puzzle depend on each other, so the error is that of the puzzles.
        samples = (
            Sample(tuple(1 - _wrong(mind, one, SOLVED) / SOLVED for one in pool))
            for pool in grades.values()
        )
        table.say(mind.name, *samples)
