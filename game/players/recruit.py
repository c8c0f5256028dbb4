"""The recruit: an even opponent for somebody's first matches, by its form and not by its rules.

In each match it is in good form or in bad form, so that players of different skill win some of the
matches and lose some. docs/strength.md has the figures.
"""

from __future__ import annotations

from game.engine.actions import STAY, Ask, Manoeuvre, Result
from game.engine.chance import Chance
from game.engine.fleets import steered
from game.engine.geometry import Board, Cell
from game.engine.observation import Observation
from game.engine.rules import AtLimit, Ruleset
from game.players.asking import obvious_question
from game.players.belief.answers import read_answers
from game.players.originals.random_player import RandomFleet

OPENING = 0.25
"""The share of a fleet's cells that has to be hit before its form matters, if ships move.

Until then it is careless while it is ahead, and careful otherwise.
"""
DALLIES = {True: 0.9, False: 0.97}
"""How often a careless shot near a hit misses its ship, where ships move and where not."""
REPEATS, BESIDE = 0.15, 0.05
"""The shares of careless searching shots that go to old water, and beside wrecks."""
MEMORY = 10
"""The turns of both sides after which it may fire at a cell again."""
ROOM = 3
"""The number of unsearched neighbours, of four, that a careful search asks for."""
OLDEST = 8
"""It searches the cells fired at longest ago, so many, once it has searched all others."""


class Recruit(RandomFleet):
    name = "recruit"

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """A cell near an open hit if there is any, else one where it searches."""
        board, fired = seen.board, {shot.cell: at for at, shot in enumerate(seen.shots)}
        hits, halo = _open_hits(seen)
        recent = {shot.cell for shot in seen.shots if seen.turn - shot.turn <= MEMORY}
        targets = [cell for cell in seen.targets if cell not in recent] or list(seen.targets)
        answers = read_answers(board, seen.shots, seen.asked)
        barred = halo | answers.water
        free = [cell for cell in targets if not barred >> cell & 1] or targets
        is_careless = self._is_careless(seen, chance)
        near = [
            cell
            for cell in free
            if any(fired.get(cell, -1) < hits[hit] for hit in hits.keys() & board.sides(cell))
        ]
        near = [cell for cell in near if cell not in fired] or near
        near = [cell for cell in near if _is_in_line(board, cell, hits)] or near
        if is_careless:
            around = [
                cell
                for cell in free
                if cell not in near
                and cell not in hits
                and any(board.distance(cell, hit) <= 2 for hit in hits)
            ]
            if around and chance.uniform() < DALLIES[seen.ruleset.moving]:
                return chance.choice(around)
        if near:
            return chance.choice(near)
        fresh = [cell for cell in free if cell not in fired]
        if answers.ship_in:
            fresh = [cell for cell in fresh if answers.ship_in[0] >> cell & 1] or fresh
        if is_careless:
            fancy = chance.uniform()
            old = [cell for cell in free if cell in fired]
            beside = [cell for cell in targets if halo >> cell & 1]
            if old and fancy < REPEATS:
                return chance.choice(old)
            if beside and fancy > 1 - BESIDE:
                return chance.choice(beside)
        if not fresh:
            old = sorted(free, key=lambda cell: fired.get(cell, -1))
            return chance.choice(old[:OLDEST])
        return chance.choice(_searched(board, fresh, chance, is_careless=is_careless))

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        """The obvious: a half of the board before its first shot, then quarters."""
        return obvious_question(seen, chance)

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """A random move in half of the turns; in bad form only where no shot has fallen."""
        steers = seen.steers
        if not _is_in_form(seen.ruleset, chance):
            shot_at = 0
            for shot in seen.incoming:
                shot_at |= 1 << shot.cell | (shot.wreck.halo if shot.wreck is not None else 0)
            lies = [
                steered(seen.board, seen.ships[one.ship].placement, one.course) for one in steers
            ]
            steers = tuple(
                one
                for one, to in zip(steers, lies, strict=True)
                if to is not None and not to.mask & shot_at
            )
        options: tuple[Manoeuvre, ...] = steers or (STAY,)
        move = chance.choice(options)
        return move if chance.below(2) else STAY

    def _is_careless(self, seen: Observation, chance: Chance) -> bool:
        is_in_form = _is_in_form(seen.ruleset, chance)
        if not seen.ruleset.moving:
            return not is_in_form
        mine, theirs = (
            sum(shot.result is not Result.WATER for shot in shots)
            for shots in (seen.shots, seen.incoming)
        )
        if max(mine, theirs) < OPENING * sum(seen.ruleset.fleet):
            return mine > theirs
        return not is_in_form


def _is_in_form(rules: Ruleset, chance: Chance) -> bool:
    """Whether this is a match in which it is careful."""
    share = 0.47 if rules.moving or rules.again else 0.65 if rules.salvo else 0.52
    if rules.limit is not None and rules.at_limit is AtLimit.DRAW:
        share = 0.3
    return chance.for_side("form").uniform() < share


def _open_hits(seen: Observation) -> tuple[dict[Cell, int], int]:
    """The cells hit on ships afloat with the shot of each, and the mask of all beside wrecks.

    The mask is 0 where ships may touch.
    """
    hits: dict[Cell, int] = {}
    halo = 0
    for at, shot in enumerate(seen.shots):
        hits.pop(shot.cell, None)
        if shot.result is not Result.WATER:
            hits[shot.cell] = at
        if shot.wreck is not None:
            halo |= 0 if seen.ruleset.touching else shot.wreck.halo
            for cell in shot.wreck.cells:
                hits.pop(cell, None)
    return hits, halo


def _searched(board: Board, fresh: list[Cell], chance: Chance, *, is_careless: bool) -> list[Cell]:
    """The cells that it chooses between in a search: with little room if it is careless."""
    unsearched = set(fresh)
    room = {cell: len(unsearched.intersection(board.sides(cell))) for cell in fresh}
    if is_careless:
        least = min(room.values())
        return [cell for cell in fresh if room[cell] == least]
    enough = min(ROOM, max(room.values()))
    roomy = [cell for cell in fresh if room[cell] >= enough]
    colour = chance.for_side("colour").below(2)
    return [cell for cell in roomy if (board.column(cell) + board.row(cell)) % 2 == colour] or roomy


def _is_in_line(board: Board, cell: Cell, hits: dict[Cell, int]) -> bool:
    """Whether the cell continues the line of two adjacent hits."""
    return any(
        far in hits and board.distance(cell, far) == 2
        for near in hits.keys() & board.sides(cell)
        for far in [Cell(2 * near - cell)]
    )
