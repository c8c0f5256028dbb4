"""What it is worth to reckon with habits of placing, and to learn them from round to round.

The same fleets are searched for three times, from the same seeds: by an admiral that takes every
fleet for equally likely, by the admiral as it is, and by the admiral after rounds against fleets of
the same family. So the differences vary less than the shots.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from bench.families import family_fleet
from bench.selfplay import NotAMeasure, Sample, game_seed, play_solo, shots_of
from game.engine.actions import Manoeuvre
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.rules import Ruleset
from game.players.admiral import Admiral
from game.players.belief.habits import learn

ROUNDS = 5
"""How many fleets of the family are revealed before the games of one who has learnt."""


class Worth(NamedTuple):
    """Shots over the fleets of one family, and the shots saved, game by game."""

    uniform: Sample
    """Where every fleet is taken for equally likely."""
    mixed: Sample
    """Where habits are reckoned with."""
    taught: Sample
    """Where they are, and ROUNDS fleets of the family were revealed before."""

    @property
    def by_habits(self) -> Sample:
        """The shots that reckoning with habits saves."""
        return _difference(self.uniform, self.mixed)

    @property
    def by_learning(self) -> Sample:
        """The shots that reckoning with habits and learning them saves."""
        return _difference(self.uniform, self.taught)


def worth_of_habits(mind: Admiral, rules: Ruleset, family: str, *, games: int, seed: int) -> Worth:
    """The shots to sink fleets of a family that don't shoot, with one shot a turn.

    Where ships move, they move at random. Raises NotAMeasure for fewer than two games, and KeyError
    for no family.
    """
    if games < 2:
        raise NotAMeasure(f"not a number of games from 2: {games!r}")
    shots: list[tuple[int, int, int]] = []
    for game in range(games):
        start = game_seed(seed, game)
        fleet = family_fleet(family, rules, Chance(start, "habits/fleet", 0))
        learnt: tuple[int, ...] = ()
        for number in range(ROUNDS):
            revealed = family_fleet(family, rules, Chance(start, "habits/round", number))
            learnt = learn(learnt, rules, revealed)
        uniform = replace(mind, expects_habits=False)
        ends = (
            play_solo(uniform, rules, start, fleets=fleet),
            play_solo(mind, rules, start, fleets=fleet),
            play_solo(mind, rules, start, fleets=fleet, learnt=learnt),
        )
        shots.append((shots_of(ends[0]), shots_of(ends[1]), shots_of(ends[2])))
    return Worth(*(Sample(numbers) for numbers in zip(*shots, strict=True)))


def _difference(one: Sample, other: Sample) -> Sample:
    pairs = zip(one.numbers, other.numbers, strict=True)
    return Sample(tuple(first - second for first, second in pairs))


def hits_given_up(mind: Admiral, rules: Ruleset, *, games: int, seed: int) -> Sample:
    """By reckoning with habits where there are none: hits of each game on uniform fleets.

    Before each shot the mind is also asked without habits, from the same seed. Where it would fire
    elsewhere, a belief for which every fleet is equally likely tells what either cell promises.
    That varies far less than the shots of games do. Raises NotAMeasure for fewer than two games,
    and where ships move: there a hit on a ship that was hit before can wait, and isn't given up.
    """
    if rules.moving:
        raise NotAMeasure("hits given up are counted only where ships stay")
    if games < 2:
        raise NotAMeasure(f"not a number of games from 2: {games!r}")
    totals = []
    for game in range(games):
        doubter = _Doubter(mind)
        play_solo(doubter, rules, game_seed(seed, game))
        totals.append(doubter.given_up)
    return Sample(tuple(totals))


class _Doubter:
    """Fires as a mind does, and adds up how much more its shots without habits would promise."""

    def __init__(self, mind: Admiral) -> None:
        self.name, self.mind, self.uniform = mind.name, mind, replace(mind, expects_habits=False)
        self.given_up = 0.0

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        return self.mind.deploy(seen, chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        seed = chance.bits(8 * SEED_BYTES).to_bytes(SEED_BYTES, "big")
        cell, other = (
            mind.aim(seen, Chance(seed, "doubt/aim", 0)) for mind in (self.mind, self.uniform)
        )
        if cell != other:
            promised = self.uniform.believe(seen, Chance(seed, "doubt/promise", 0))
            self.given_up += promised[other] - promised[cell]
        return cell

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        return self.mind.steer(seen, chance)
