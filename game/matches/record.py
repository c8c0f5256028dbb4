"""An exported match as text for people and programs; docs/record.md has the grammar.

    battleship-record 5
    rules 10x10 5-4-4-3-3-3-2-2-2-2 apart again moving single 150 afloat first
    ...
    server 5f0c...a1
    client 90d2...3e
    ...
    0 first 3-fore - 8c01aa
    1 first B7 hit 17d3f0

A question with its answer is `4 first ask A1 D4 yes 5e0b21`.
A record has one spelling: `read` writes the match again and compares. Every line ends with the
start of a running hash, so a change is reported at the line where it was made.

If the seed doesn't follow from two shares, one line for the seed, `seed 17f9...c4`, stands in place
of `server` and `client`. An extension says what the computer had learnt, `extensions learnt 25 -6 3
-9 1 -2 13`, or which day's sea it was, `extensions day 2026-11-22 1 9f86...08`: the number of its
link, and the chain's first.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from itertools import zip_longest

from game.engine import notation
from game.engine.actions import Fire, IllegalAction
from game.engine.chance import SEED_BYTES
from game.engine.fleets import Fleet, IllegalFleet, make_fleet
from game.engine.match import Match
from game.engine.match_state import MatchState
from game.engine.notation import SIDES, NotNotation, fleet_text, rules_text
from game.engine.rules import Ruleset, Side
from game.matches.fairness import Names
from game.matches.seed_shares import SeedShares, is_share
from game.matches.setup import ASSISTS, MOST_LEARNT, Day
from game.matches.text_files import plain_lines
from game.players.registry import CODES, HABITS, MINDS_VERSION

MOST_CHARACTERS = 200_000
"""More than the longest record of a match."""
_CHECK = 6
_PERSON = "person"
_ABANDONED = "abandoned"
VERSION = 5
"""The version of records, the only one that is read."""
COMMITMENT, WITH_SHARES = "battleship-commitment-1", "battleship-commitment-2"
"""The versions of a statement; the second is that of a match whose seed follows from two shares."""
_BEGINNING = ("battleship-record", "rules", *SIDES)
_END = ("marks", "commitment", "extensions", "check")
_HEAD = (*_BEGINNING, "seed", *_END)
_HEAD_WITH_SHARES = (*_BEGINNING, "server", "client", *_END)
"""The first word of each line before the first action."""
_TAIL = 2
"""The number of lines after the last action."""
_EDITION = re.compile(r"[1-9][0-9]{0,2}", re.ASCII)
_LEARNT = re.compile(r"-?[0-9]{1,3}", re.ASCII)
_DAY = re.compile(
    r"extensions day (?P<date>\d{4}-\d\d-\d\d) (?P<number>[1-9]\d{0,4}) (?P<first>[0-9a-f]{64})",
    re.ASCII,
)
_SEED = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", re.ASCII)


class BadRecord(ValueError):
    """The text is not the record of a legal match, or it was changed."""

    def __init__(
        self, says: str, *, line: int, ply: int | None = None, is_end: bool = False
    ) -> None:
        """`line` counts from 1; `ply` is that of the line's action, if it has one."""
        place = f"ply {ply}" if ply is not None else "at the end" if is_end else "before ply 0"
        super().__init__(f"{place} (line {line}): {says}")
        self.line, self.ply = line, ply


class OtherEncoding(BadRecord):
    """The text has signs that no record has, so that its encoding was changed."""


@dataclass(frozen=True, slots=True)
class Record:
    """A match, who played it, and the help that was used."""

    match: Match
    minds: Names
    assists: tuple[str, ...] = ()
    minds_version: int = MINDS_VERSION
    """The version of the minds when the match began."""
    learnt: tuple[int, ...] = ()
    """What earlier rounds taught the computer: a number for each of HABITS, or nothing."""
    day: Day | None = None
    seed_shares: SeedShares | None = None
    """The shares that the seed follows from, if it follows from any."""

    @property
    def players(self) -> tuple[str, ...]:
        """Each side with its fleet before any ship moved, as in `second sailor.5 J6v5 H7v4`."""
        return tuple(
            f"{word} {f'{name}.{self.minds_version}' if name else _PERSON} {fleet_text(fleet)}"
            for word, name, fleet in zip(SIDES, self.minds, self.match.fleets, strict=True)
        )

    @property
    def extensions(self) -> tuple[str, ...]:
        """What was learnt, in the order of HABITS, and the day, as in `learnt 25 -6 3`."""
        learnt = (" ".join(("learnt", *map(str, self.learnt))),) if self.learnt else ()
        return (*learnt, str(self.day)) if self.day else learnt

    @property
    def seed_source(self) -> tuple[str, ...]:
        """The shares that the seed follows from, in two lines, if it follows from any."""
        shares = self.seed_shares
        return (f"server {shares.server}", f"client {shares.client}") if shares else ()

    @property
    def statement(self) -> str | None:
        """The line whose hash is the commitment, secret until the end; None without a computer.

            battleship-commitment-1|RULES|second sailor.5 J6v5 H7v4 ...|seed 000102...0f

        What was learnt, the day and the seed shares stand before the seed. That has 128 random
        bits; without it somebody could try all fleets (about 2^35 in the classic game). After the
        match the line is revealed, and anyone can hash it.
        """
        if not any(self.minds):
            return None
        begins = COMMITMENT if self.seed_shares is None else WITH_SHARES
        rules, seed = rules_text(self.match.ruleset), f"seed {self.match.seed.hex()}"
        minds = [line for line, name in zip(self.players, self.minds, strict=True) if name]
        return "|".join((begins, rules, *minds, *self.extensions, *self.seed_source, seed))

    @property
    def commitment(self) -> str | None:
        """The SHA-256 of the statement in hexadecimal; None without a computer."""
        line = self.statement
        return None if line is None else sha256(line.encode()).hexdigest()


def write(record: Record) -> str:
    return "".join(f"{line}\n" for line in _lines(record))


def _lines(record: Record) -> Iterator[str]:
    head = list(_head(record))
    yield from head
    yield from _checked(head, _moves(record))


def _head(record: Record) -> Iterator[str]:
    yield f"battleship-record {VERSION}"
    yield f"rules {rules_text(record.match.ruleset)}"
    yield from record.players
    yield from record.seed_source or (f"seed {record.match.seed.hex()}",)
    yield f"marks {' '.join(record.assists) or 'none'}"
    yield f"commitment {record.commitment or 'none'}"
    yield f"extensions {next(iter(record.extensions), 'none')}"


def _moves(record: Record) -> Iterator[str]:
    """Yields the lines after the head, without their checks."""
    match = record.match
    told = {one.ply: "yes" if one.is_yes else "no" for one in match.questions}
    for shot in match.shots:  # `hit`, or `hit-3` if hits are named
        told[shot.ply] = shot.result.value + (f"-{shot.ship}" if shot.ship is not None else "")
    for ply, (side, action) in enumerate(zip(match.sides, match.actions, strict=True)):
        result = told.get(ply, "untold" if isinstance(action, Fire) else "-")
        yield f"{ply} {side.name.lower()} {notation.action_text(match.ruleset, action)} {result}"
    word = "none" if match.resigned is None else match.resigned.name.lower()
    yield f"resigned {_ABANDONED if match.abandoned else word}"
    if (outcome := match.outcome) is None:
        yield "end unfinished -"
    else:
        winner = "draw" if outcome.winner is None else outcome.winner.name.lower()
        yield f"end {winner} {outcome.reason.value}"


def _checked(head: Sequence[str], lines: Iterable[str]) -> Iterator[str]:
    """Yields the check of the head, then the lines with their checks, the last one whole."""
    chain = sha256("\n".join(head).encode())
    before = "check"
    for line in lines:
        yield f"{before} {chain.hexdigest()[:_CHECK]}"
        chain = sha256(chain.digest() + line.encode())
        before = line
    yield f"{before} {chain.hexdigest()}"


def read(text: str) -> Record:
    """Returns the record in a text; raises BadRecord, which says where the error is.

    What editors change is ignored: kinds of spaces, of dashes and of line ends, and empty lines.
    """
    if len(text) > MOST_CHARACTERS:
        raise BadRecord("too long for a record", line=1)
    lines = plain_lines(text) or [""]
    for number, line in enumerate(lines, start=1):
        if not line.isascii():
            raise OtherEncoding(f"signs that no record has: {line[:80]!r}", line=number)
    if lines[0] != f"battleship-record {VERSION}":
        raise BadRecord(f"not a record of version {VERSION}: {lines[0][:40]!r}", line=1)
    return _Lines(lines).record()


class _Lines:
    """The lines of a record that is read."""

    def __init__(self, lines: list[str]) -> None:
        self._all = lines
        has_shares = any(line.startswith("server ") for line in lines[: len(_HEAD)])
        self._words = _HEAD_WITH_SHARES if has_shares else _HEAD
        self._head, self._end = len(self._words), len(lines) - _TAIL
        if self._end < self._head or not lines[-1].startswith("end "):
            raise BadRecord("cut off: the last line is not the end", line=len(lines))

    def record(self) -> Record:
        begun, head = self._parse_beginning(), self._all[: self._head - 1]
        self._compare(_head(begun), head)
        # Checks come before moves, because an altered move may be legal and a later one not.
        unchecked = (line.rpartition(" ")[0] for line in self._all[self._head :])
        self._compare((*head, *_checked(head, unchecked)), self._all)
        record = replace(begun, match=self._parse_moves(begun.match))
        self._compare(_lines(record), self._all)
        return record

    def _compare(self, mine: Iterable[str], theirs: Iterable[str]) -> None:
        """Raises BadRecord at the first line that differs."""
        for number, (has, says) in enumerate(zip_longest(mine, theirs), start=1):
            if has != says:
                raise self._error(_difference(has, says), number)

    def _error(self, says: str, number: int) -> BadRecord:
        """Returns the error at a line, with the ply of its action."""
        is_end = number > self._end
        ply = None if is_end or number <= self._head else number - self._head - 1
        return BadRecord(says, line=number, ply=ply, is_end=is_end)

    @contextmanager
    def _line(self, number: int) -> Iterator[None]:
        """Adds the line and its ply to errors raised within."""
        try:
            yield
        except (NotNotation, IllegalFleet, IllegalAction) as error:
            raise self._error(str(error), number) from error

    @contextmanager
    def _said(self, word: str) -> Iterator[str]:
        """Yields the rest of the head's line that begins with a word, inside `_line`."""
        number = 1 + self._words.index(word)
        with self._line(number):
            yield _field(self._all[number - 1], word)

    def _parse_beginning(self) -> Record:
        """Returns the record before the first action, whose lines `record` compares."""
        with self._said("rules") as text:
            rules = notation.parse_rules(text)
        players, fleets = [], []
        for word, side in SIDES.items():
            with self._said(word) as text:
                name, _, ships = text.partition(" ")
                players.append(_player(name))
                fleet = notation.parse_fleet(rules, ships)
                fleets.append(make_fleet(rules, fleet) if rules.fleet_of(side) else fleet)
        (first, first_version), (second, second_version) = players
        is_against_mind = (first is None) != (second is None)
        own = fleets[Side.FIRST if first is None else Side.SECOND] if is_against_mind else ()
        shares = self._seed_shares(own) if self._words is _HEAD_WITH_SHARES else None
        seed = shares.seed if shares else self._seed()
        with self._said("marks") as text:
            assists = text.split(" ")
        extensions = self._all[self._words.index("extensions")]
        with self._said("first"):
            match = Match(rules, (fleets[0], fleets[1]), seed)
        return Record(
            match, (first, second), tuple(assist for assist in ASSISTS if assist in assists),
            first_version or second_version or MINDS_VERSION,
            _learnt(extensions, rules) if is_against_mind else (), _day(extensions), shares,
        )  # fmt: skip

    def _seed(self) -> bytes:
        with self._said("seed") as text:
            if not _SEED.fullmatch(text):
                raise NotNotation(f"not a seed of {SEED_BYTES} bytes: {text[:40]!r}")
            return bytes.fromhex(text)

    def _seed_shares(self, fleet: Fleet) -> SeedShares:
        """Returns the shares of the seed in a match of a person with that fleet against a mind.

        Without such a person or fleet, nobody can have answered with the player's share.
        """
        with self._said("server") as server:
            if not fleet:
                raise NotNotation("seed shares, but nobody who placed a fleet against a computer")
            if not is_share(server):
                raise NotNotation(f"not a seed share of the server's: {server[:40]!r}")
        with self._said("client") as client:
            if not is_share(client) and client != fleet_text(fleet):
                raise NotNotation(f"neither a seed share nor the person's fleet: {client[:40]!r}")
        return SeedShares(server, client)

    def _parse_moves(self, begun: Match) -> Match:
        """Returns the match after all moves; raises BadRecord at the first illegal one."""
        actions = []
        for number, line in enumerate(self._all[self._head : self._end], start=self._head + 1):
            with self._line(number):
                text = " ".join(line.split(" ")[2:-2])
                actions.append(notation.parse_action(begun.ruleset, text))
        state = MatchState(begun.ruleset, begun.fleets)
        for number, action in enumerate(actions, start=self._head + 1):
            with self._line(number):
                state.act(action)
        match = replace(begun, actions=tuple(actions))
        with self._line(self._end + 1):
            word = _field(self._all[self._end], "resigned").partition(" ")[0]
            if word == _ABANDONED:
                return match.abandon()
            return match.resign(SIDES[word]) if word in SIDES else match


def _difference(mine: str | None, theirs: str | None) -> str:
    if theirs is None or mine is None:
        return "cut off" if theirs is None else "more lines than the match has"
    if mine.startswith("commitment "):
        return (
            "the commitment does not go with the rules, the fleets, what was learnt, "
            "the seed shares and the seed"
        )
    if mine.startswith("extensions "):
        return f"an unknown extension: {theirs[:40]!r}"
    if mine.rpartition(" ")[0] == theirs.rpartition(" ")[0]:
        return "altered: the check does not go with it"
    return f"it says {theirs[:80]!r} where the match has {mine[:80]!r}"


def _field(line: str, word: str) -> str:
    if not line.startswith(f"{word} "):
        raise NotNotation(f"not the line that begins with {word!r}: {line[:40]!r}")
    return line[len(word) + 1 :]


def _player(text: str) -> tuple[str | None, int | None]:
    """Returns a mind and its version, or None twice for a person."""
    name, _, minds_version = text.partition(".")
    if text == _PERSON:
        return None, None
    if name not in CODES or not _EDITION.fullmatch(minds_version):
        raise NotNotation(f"not a player: {text[:20]!r}")
    return name, int(minds_version)


def _learnt(line: str, rules: Ruleset) -> tuple[int, ...]:
    """Returns what was learnt by the line of extensions; nothing for any other line."""
    words = line.removeprefix("extensions learnt ").split(" ")
    learnt = tuple(map(int, words)) if all(map(_LEARNT.fullmatch, words)) else ()
    from game.players.belief.rounds import MOST_FLEETS, fleets_of  # loads NumPy

    habits, numbers = learnt[: len(HABITS)], learnt[len(HABITS) :]
    fleets = fleets_of(learnt, rules)
    if len(habits) < len(HABITS) or max(map(abs, habits)) > MOST_LEARNT:
        return ()
    if len(fleets) > MOST_FLEETS or len(fleets) * len(rules.fleet) != len(numbers):
        return ()
    return learnt if any(habits) or fleets else ()


def _day(line: str) -> Day | None:
    """Returns the day of the line of extensions; None for any other line."""
    match = _DAY.fullmatch(line)
    try:
        return match and Day(
            date.fromisoformat(match["date"]), int(match["number"]), bytes.fromhex(match["first"])
        )
    except ValueError:  # not a date of the calendar
        return None
