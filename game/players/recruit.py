"""The recruit: an even opponent for somebody's first matches, by its pace and not by its rules.

In each match it has in mind how many turns to take: as few as a good beginner, or as many as a
slow one. While it has more hits than that pace asks for, it dawdles; while it has fewer, it
concentrates. It judges its own shots alone, and not which side is ahead. docs/strength.md has the
figures.
"""

from collections import Counter

import numpy as np

from game.engine.actions import STAY, Ask, Manoeuvre, Result
from game.engine.chance import Chance
from game.engine.fleets import reach
from game.engine.geometry import Cell, cells_of
from game.engine.observation import Observation
from game.engine.rules import AtLimit, Ruleset, Touching
from game.players.asking import obvious_question
from game.players.belief.evidence import grouped
from game.players.belief.tables import Floats, placement_cells, read_answers
from game.players.originals.random_player import RandomFleet

PATIENCE = 8
"""The own turns without a hit after which it concentrates, whatever its pace."""
LEAVES, DAWDLES = 0.7, 0.95
"""How often it leaves a ship that it has hit and searches for others: if ships move, as that one
can't flee any more, and if it has more hits than its pace asks for."""
BEST, WORST = 0.1, 0.5
"""The shares of the cells, from the most to the least promising ship, from which it chooses where
to search: the first with care, the last without."""
MEMORY = 10
"""The turns of both sides in which it doesn't search a cell again."""
UNSEARCHED, AGEING, HIT = 8, 4, 16
"""What a cell counts for a ship on it: one that it knows nothing of, and one with a hit. Where
ships move, a cell that it has fired at counts 0, and one more after so many own turns each time."""
MOVES_OF_TEN = 3
"""In how many of ten turns it moves a ship."""


class Recruit(RandomFleet):
    name = "recruit"

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """A cell beside a hit, or one where it searches."""
        known, hits = _known(seen)
        unhit, hit = _promises(seen, known, hits)
        is_behind, is_dry = _is_behind(seen, chance), _is_dry(seen)
        beside = {cell: at for one, at in hits.items() for cell in seen.board.sides(one)}
        near = [
            cell
            for cell in seen.targets
            if cell in beside and known.get(cell, -1) < beside[cell] and hit[cell]
        ]
        is_search_over = seen.is_countdown or len(grouped(seen.board, hits)) >= len(seen.enemy_left)
        leaves = DAWDLES if not is_behind else LEAVES if seen.ruleset.moving else 0.0
        is_finishing = is_dry or (is_behind and is_search_over) or chance.uniform() >= leaves
        if near and is_finishing:
            likely = max(hit[cell] for cell in near)
            return chance.choice([cell for cell in near if 2 * hit[cell] >= likely])
        recent = {shot.cell for shot in seen.shots if seen.turn - shot.turn <= MEMORY}
        cells = [cell for cell in seen.targets if cell not in beside and cell not in recent]
        cells = [cell for cell in cells if unhit[cell]] or cells or list(seen.targets)
        if is_behind or is_dry:
            cells.sort(key=lambda cell: -unhit[cell])
            return chance.choice(cells[: max(1, int(BEST * len(cells)))])
        cells = [cell for cell in cells if cell not in known] or cells
        cells.sort(key=lambda cell: unhit[cell])
        return chance.choice(cells[: max(1, int(WORST * len(cells)))])

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        """The obvious: a half of the board before its first shot, then quarters."""
        return obvious_question(seen, chance)

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """A random move in `MOVES_OF_TEN` of ten turns."""
        options: tuple[Manoeuvre, ...] = seen.steers or (STAY,)
        move = chance.choice(options)
        return move if chance.below(10) < MOVES_OF_TEN else STAY


def _is_behind(seen: Observation, chance: Chance) -> bool:
    """Whether it has fewer hits than its pace asks for: early many if slow, late if quick."""
    quick, slow, share = pace(seen.ruleset)
    drawn = chance.for_side("pace")
    turns, bend = (quick, 1.3) if drawn.uniform() < share else (slow, 0.7)
    progress = seen.own_turn / (turns * drawn.uniform(0.9, 1.1))
    hits = sum(shot.result is not Result.WATER for shot in seen.shots)
    return bool(hits + 1 <= sum(seen.ruleset.fleet) * progress**bend)


def pace(rules: Ruleset) -> tuple[float, float, float]:
    """The own turns of a quick and of a slow match, and the share of the quick ones.

    They were fitted to turns that simulated beginners need to sink all. If ships move, small ones
    take long to find. If they may not touch, good beginners save the cells around wrecks.
    """
    cells = sum(rules.fleet)
    water = rules.board.size - rules.again * cells
    if rules.moving:
        slow = 0.85 * water * sum(1 / length for length in rules.fleet) ** 0.75
        quick = 0.3 * slow
        share = 0.54
    else:
        is_dense = rules.touching is Touching.ANYWHERE
        slow = water * (0.87 if is_dense else 1.2)
        quick = 0.4 * water if is_dense else 0.43 * (water - cells)
        share = 0.5
    if rules.limit is not None and rules.at_limit is AtLimit.DRAW:
        share = 0.2  # most matches are draws
    guns = max(1, 0.65 * len(rules.fleet)) if rules.salvo else 1
    return max(1, quick / guns), max(2, slow / guns), share


def _is_dry(seen: Observation) -> bool:
    """Whether its last hit was `PATIENCE` own turns ago."""
    last = max((shot.turn for shot in seen.shots if shot.result is not Result.WATER), default=-1)
    return seen.turn - last > 2 * PATIENCE


def _known(seen: Observation) -> tuple[dict[Cell, int], dict[Cell, int]]:
    """The last shot that told of each cell, and the shots that hit ships afloat."""
    known: dict[Cell, int] = {}
    hits: dict[Cell, int] = {}
    for at, shot in enumerate(seen.shots):
        known[shot.cell] = at
        if shot.result is not Result.WATER:
            hits[shot.cell] = at
        if shot.wreck is not None:
            known.update(dict.fromkeys(cells_of(reach(seen.ruleset, shot.wreck)), at))
            for cell in shot.wreck.cells:
                hits.pop(cell, None)
    return known, hits


def _promises(
    seen: Observation, known: dict[Cell, int], hits: dict[Cell, int]
) -> tuple[Floats, Floats]:
    """For each cell, how well ships without and with a hit would lie there: shape (cells,)."""
    board, rules = seen.board, seen.ruleset
    counts = np.full(board.size, UNSEARCHED)
    for cell, at in known.items():
        age = (seen.turn - seen.shots[at].turn) // 2
        counts[cell] = min(age // AGEING, UNSEARCHED - 1) if rules.moving else 0
    counts[cells_of(read_answers(board, seen.shots, seen.asked).water)] = 0
    for cell in () if rules.touching else hits:
        counts[board.diagonals(cell)] = 0
    is_hit = np.zeros(board.size, bool)
    is_hit[list(hits)] = True
    counts[is_hit] = HIT
    unhit, hit = np.zeros(board.size), np.zeros(board.size)
    for length, ships in Counter(seen.enemy_left).items():
        lies = placement_cells(board, length)
        weights = ships * counts[lies].prod(axis=1)
        has_hit = is_hit[lies].any(axis=1)
        for promise, each in ((unhit, weights * ~has_hit), (hit, weights * has_hit)):
            promise += np.bincount(lies.ravel(), np.repeat(each, length), board.size)
    return unhit, hit
