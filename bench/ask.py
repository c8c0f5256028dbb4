"""Questions: the score of a published study with our questions, and shots in the preset `ask`.

python -m bench ask --boards 400 --games 200

Grand, Pepe, Tenenbaum and Andreas (*Shoot First, Ask Questions Later?*, arXiv 2510.20886, ICLR
2026): four ships, each of 2 to 5 cells with equal probability, may touch on 8 x 8; all placements
are equally likely, and the lengths are told. The score of up to 40 shots is F1, the harmonic mean
of hits / shots and hits / ship cells. Here a result tells whether a shot hit and whether it sank a
ship, but not which.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bench.beginners import BEGINNERS
from bench.report import Sample, Table, say, track
from bench.selfplay import game_seed, solo
from game.engine import study
from game.engine.actions import Question, Result, Shot
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet
from game.engine.observation import Observation
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.engine.uniform_fleets import uniform_fleet
from game.players.mind import Mind
from game.players.minds import MINDS, RANKS
from game.players.sinkings import lengths_left, settled

QUESTIONS = (0, 4, 8, 15)
PUBLISHED = {"random": 0.32, "people": 0.63, "greedy": 0.64, "GPT-5": 0.73, "best program": 0.81}
"""Medians, read off a figure of the study."""


class Board(NamedTuple):
    rules: Ruleset
    fleet: Fleet
    seed: int


def fresh_boards(count: int, seed: int) -> list[Board]:
    """Returns boards drawn as in the study, those of equal lengths together.

    Minds keep what they work out before a match of the last few fleets only.
    """
    boards = []
    for key in (game_seed(seed, number) for number in range(count)):
        chance = Chance(key, "ask/lengths", 0)
        lengths = [chance.choice(study.LENGTHS) for _ in range(study.SHIPS)]
        rules = replace(study.RULES, fleet=tuple(sorted(lengths, reverse=True)))
        fleet = uniform_fleet(rules, Chance(key, "ask/fleet", 0))
        boards.append(Board(rules, fleet, Chance(key, "ask/match", 0).bits(64)))
    return sorted(boards, key=lambda board: board.rules.fleet)


def public_boards() -> list[Board]:
    return [Board(*board, number) for number, board in enumerate(study.boards())]


def score(mind: Mind, board: Board, questions: int, *, in_a_row: bool) -> float:
    """Returns F1 of a mind's shots, at most study.MOST_SHOTS."""
    rules, seed = replace(board.rules, questions=questions), board.seed.to_bytes(SEED_BYTES, "big")
    opening = replace(Observation.opening(rules, Side.FIRST), is_to_act=True, shots_left=1)
    lies = sum(ship.mask for ship in board.fleet)
    shots: tuple[Shot, ...] = ()
    asked: tuple[Question, ...] = ()
    hit = 0
    while hit != lies and len(shots) < study.MOST_SHOTS:
        ply, turn, left = len(shots) + len(asked), 2 * len(shots), questions - len(asked)
        is_due = in_a_row or not asked or asked[-1].turn < turn
        seen = replace(
            opening, turn=turn, shots=shots, spent=frozenset(shot.cell for shot in shots),
            enemy_left=lengths_left(rules, shots), asked=asked, questions_left=left,
            may_ask=left > 0 and is_due,
        )  # fmt: skip
        ask = mind.ask(seen, Chance(seed, "first/ask", ply)) if seen.may_ask else None
        if ask is not None:
            is_yes = bool(lies & rules.board.rectangle(ask.first, ask.last))
            asked += (Question(ply, turn, Side.FIRST, ask, is_yes),)
            continue
        cell = mind.aim(seen, Chance(seed, "first/aim", ply))
        hit |= lies & 1 << cell
        met = [ship for ship in board.fleet if ship.mask >> cell & 1]
        result = Result.WATER
        if met:
            result = Result.HIT if met[0].mask & ~hit else Result.SUNK
        shots = tuple(settled(rules, (*shots, Shot(ply, turn, Side.FIRST, cell, result, None))))
    return 2 * hit.bit_count() / (len(shots) + lies.bit_count())


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--boards", type=int, default=400, help="fresh boards, drawn as in the study")
    add("--games", type=int, default=200, help="of each mind in the preset; 0 for none")
    add("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    admiral = MINDS["admiral"]
    if options.boards:
        fresh = fresh_boards(options.boards, options.seed)
        _print_scores(f"{options.boards} fresh boards", admiral, fresh)
        _print_scores("The 18 public boards", admiral, public_boards())
        listed = ", ".join(f"{name} {median:.2f}" for name, median in PUBLISHED.items())
        say(f"Medians of the study on its 18 boards, up to 15 questions: {listed}")
    if options.games:
        _print_preset(options.games, options.seed)


def _print_scores(title: str, mind: Mind, boards: Sequence[Board]) -> None:
    say(f"{title}, F1 of the {mind.name}")
    table = Table("questions:20, most:>6, F1:>18.3f, median:>9.3f")
    for in_a_row, how in ((True, "in a row"), (False, "one before a shot")):
        for most in QUESTIONS if in_a_row else QUESTIONS[1:]:
            tracked = track(boards, f"{most} {how}")
            scores = Sample(tuple(score(mind, it, most, in_a_row=in_a_row) for it in tracked))
            table.say(how, most, scores, scores.median)


def _print_preset(games: int, seed: int) -> None:
    rules = PRESETS["ask"].ruleset
    say(f"\nShots in the preset ask, {games} games each, and CPU of a question with its shot in ms")
    table = Table(
        "mind:12, with:>16.2f, without:>16.2f, difference:>16.2f, median:>9.1f, "
        "99%:>7.1f, worst:>7.1f"
    )
    for mind in (*(replace(one, asks=True) for one in BEGINNERS[:2]), *RANKS):
        found = solo(mind, rules, games=games, seed=seed)
        unasked = solo(mind, replace(rules, questions=0), games=games, seed=seed).shots
        asked, cpu = found.shots, found.milliseconds
        table.say(
            mind.name, asked, unasked, asked - unasked, cpu.median, cpu.percentile(99), cpu.worst
        )
