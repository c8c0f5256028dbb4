"""An exported match as text for people and programs; docs/record.md has the grammar.

    battleship-record 1
    rules 10x10 5-4-4-3-3-3-2-2-2-2 apart again moving single 75 afloat first
    ...
    0 first B7 hit 8c01aa

A record has one spelling: `read` writes the match again and compares. Every line ends with the
start of a running hash, so a change is reported at the line where it was made.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import zip_longest

from game.engine.chance import SEED_BYTES
from game.engine.fleets import IllegalFleet, make_fleet
from game.engine.match import Action, IllegalAction, Match, Reason
from game.engine.notation import (
    SIDES,
    NotNotation,
    action_text,
    fleet_text,
    parse_action,
    parse_fleet,
    parse_rules,
    rules_text,
)
from game.matches import fairness
from game.matches.setup import MARKS
from game.players.registry import MINDS, MINDS_VERSION

VERSION = 1
MOST_CHARACTERS = 200_000
"""More than the longest record of a match."""
_CHECK = 6
_PERSON = "person"
_HEAD = 8
"""The number of lines before the first action."""
_REASONS = {reason: reason.value.removesuffix(" at the limit").replace(" ", "-")
            for reason in Reason}  # fmt: skip
_EDITION = re.compile(r"([1-9][0-9]{0,2})?", re.ASCII)
_SEED = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", re.ASCII)


class BadRecord(ValueError):
    """The text is not the record of a legal match, or it was changed."""

    def __init__(self, says: str, *, line: int, ply: int | None = None) -> None:
        """`line` counts from 1; `ply` is that of the line's action, if it has one."""
        place = "before ply 0" if line <= _HEAD else "at the end" if ply is None else f"ply {ply}"
        super().__init__(f"{place} (line {line}): {says}")
        self.line, self.ply = line, ply


@dataclass(frozen=True, slots=True)
class Record:
    """A match, who played it, and the help that was used."""

    match: Match
    minds: fairness.Names
    marks: tuple[str, ...] = ()
    minds_version: int = MINDS_VERSION
    """The version of the minds when the match began."""


def write(record: Record) -> str:
    """The record as text; twin of read."""
    return "".join(f"{line}\n" for line in _lines(record))


def _lines(record: Record) -> Iterator[str]:
    match, minds_version = record.match, record.minds_version
    players = [
        _PERSON if name is None else fairness.mind_text(name, minds_version)
        for name in record.minds
    ]
    head = [
        f"battleship-record {VERSION}",
        f"rules {rules_text(match.ruleset)}",
        *(
            f"{word} {players[side]} {fleet_text(match.fleets[side])}"
            for word, side in SIDES.items()
        ),
        f"seed {match.seed.hex()}",
        f"marks {' '.join(record.marks) or 'none'}",
        f"commitment {fairness.commitment(match, record.minds, minds_version) or 'none'}",
    ]
    chain = sha256("\n".join(head).encode())
    yield from head
    yield f"check {chain.hexdigest()[:_CHECK]}"
    results = {shot.ply: shot.result.value for shot in match.shots}
    for ply, (side, action) in enumerate(zip(match.sides, match.actions, strict=True)):
        word = action_text(match.ruleset, action)
        result = results.get(ply, "untold") if word[0].isupper() else "-"
        line = f"{ply} {side.name.lower()} {word} {result}"
        chain = sha256(chain.digest() + line.encode())
        yield f"{line} {chain.hexdigest()[:_CHECK]}"
    line = f"end {_outcome(match)}"
    yield f"{line} {sha256(chain.digest() + line.encode()).hexdigest()}"


def _outcome(match: Match) -> str:
    outcome = match.outcome
    if outcome is None:
        return "unfinished -"
    winner = "draw" if outcome.winner is None else outcome.winner.name.lower()
    return f"{winner} {_REASONS[outcome.reason]}"


def read(text: str) -> Record:
    """The record in a text; raises BadRecord, which says where the error is.

    Spaces at the ends of lines and empty lines at the end are ignored.
    """
    if len(text) > MOST_CHARACTERS:
        raise BadRecord("too long for a record", line=1)
    lines = [line.rstrip() for line in text.rstrip().split("\n")]
    if lines[0] != f"battleship-record {VERSION}":
        raise BadRecord(f"not a record of version {VERSION}: {lines[0][:40]!r}", line=1)
    if len(lines) <= _HEAD or not lines[-1].startswith("end "):
        raise BadRecord("cut off: the last line is not the end", line=len(lines))
    record = _parse(lines)
    for number, (mine, theirs) in enumerate(zip_longest(_lines(record), lines), start=1):
        if mine != theirs:
            ply = number - _HEAD - 1 if _HEAD < number < len(lines) else None
            raise BadRecord(_difference(mine, theirs), line=number, ply=ply)
    return record


def _difference(mine: str | None, theirs: str | None) -> str:
    if theirs is None or mine is None:
        return "cut off" if theirs is None else "more lines than the match has"
    if mine.startswith("commitment "):
        return "the commitment does not go with the rules, the fleets and the seed"
    if mine.rpartition(" ")[0] == theirs.rpartition(" ")[0]:
        return "altered: the check does not go with it"
    return f"it says {theirs[:80]!r} where the match has {mine[:80]!r}"


def _parse(lines: list[str]) -> Record:
    """The record that the lines name; `read` checks that they are exactly its lines."""
    with _line(2):
        rules = parse_rules(_field(lines[1], "rules"))
    players, fleets = [], []
    for number, word in enumerate(SIDES, start=3):
        with _line(number):
            name, _, ships = _field(lines[number - 1], word).partition(" ")
            players.append(_player(name))
            fleets.append(make_fleet(rules, parse_fleet(rules, ships)))
    with _line(5):
        seed = _seed(_field(lines[4], "seed"))
    with _line(6):
        marks = _field(lines[5], "marks").split(" ")
    actions = []
    for ply, line in enumerate(lines[_HEAD:-1]):
        with _line(_HEAD + 1 + ply, ply):
            actions.append(parse_action(rules, (line.split(" ") + [""] * 3)[2]))
    match = _played(Match(rules, (fleets[0], fleets[1]), seed), actions)
    (first, one), (second, other) = players
    minds_version = one or other or MINDS_VERSION
    return Record(
        match, (first, second), tuple(mark for mark in MARKS if mark in marks), minds_version
    )


@contextmanager
def _line(number: int, ply: int | None = None) -> Iterator[None]:
    """Adds the line and the ply to errors raised within."""
    try:
        yield
    except (NotNotation, IllegalFleet, IllegalAction) as error:
        raise BadRecord(str(error), line=number, ply=ply) from error


def _field(line: str, word: str) -> str:
    if not line.startswith(f"{word} "):
        raise NotNotation(f"not the line that begins with {word!r}: {line[:40]!r}")
    return line[len(word) + 1 :]


def _player(text: str) -> tuple[str | None, int | None]:
    """A mind and its version, or None twice for a person."""
    name, _, minds_version = text.partition(".")
    if text == _PERSON:
        return None, None
    if name not in MINDS or not _EDITION.fullmatch(minds_version):
        raise NotNotation(f"not a player: {text[:20]!r}")
    return name, int(minds_version or 1)


def _seed(text: str) -> bytes:
    if not _SEED.fullmatch(text):
        raise NotNotation(f"not a seed of {SEED_BYTES} bytes: {text[:40]!r}")
    return bytes.fromhex(text)


def _played(begun: Match, actions: list[Action]) -> Match:
    """The match after the actions; raises BadRecord at the first illegal one."""

    def goes(count: int) -> Match:
        return replace(begun, actions=tuple(actions[:count]))

    def fails(ply: int) -> bool:
        try:
            goes(ply + 1)
        except IllegalAction:
            return True
        return False

    try:
        return goes(len(actions))
    except IllegalAction:
        ply = bisect_left(range(len(actions)), True, key=fails)
        with _line(_HEAD + 1 + ply, ply):
            goes(ply + 1)
        raise
