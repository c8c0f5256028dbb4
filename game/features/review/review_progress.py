"""The progress of an ended match's review, which one answer hands to the next as bytes.

    digest of the match 8 | parts u8 | decisions asked again u16
    | zlib( for each judged shot: its chance u16 | the best cell u8, its chance u16
            | the best cell to search u8, its chance u16, the chance of the shot's cell u16 )

A review of a long match takes seconds, and so does asking a computer again. Each answer does a
part, and the address of the next one holds the results so far. Chances are in ten-thousandths; cell
255 stands for none. The bytes are ordered by columns, which saves up to a quarter after zlib.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from operator import attrgetter

from game.engine import codec
from game.engine.actions import Shot
from game.engine.codec import BadEncoding, Reader
from game.engine.geometry import Cell
from game.engine.match import Match
from game.features.review.model import Review, judge_shots, review_of
from game.matches.cell_chances import JudgedShot, Search
from game.matches.keyring import Sealed

PURPOSE = "review-progress"
SECONDS = 0.1
"""The processor time after which a part ends. An answer may take 0.25 s, and the last shot
and the page need some of it."""
_HEAD = struct.Struct(">8sBH")
_JUDGED = struct.Struct(">HBHBHH")
_UNIT = 10_000
_NOWHERE = 255


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """The judged shots, in the order of judge_shots, and the decisions asked again."""

    judged: tuple[JudgedShot, ...] = ()
    same: int = 0
    """How many decisions of the computer were asked again, and were the same."""
    parts: int = 0
    """The number of answers so far."""

    def is_judged(self, match: Match) -> bool:
        return len(self.judged) == len(match.shots)

    def judging(self, match: Match) -> ReviewProgress:
        """Returns the progress after one more part of the shots has been judged."""
        judged = (*self.judged, *judge_shots(match, len(self.judged), SECONDS))
        return replace(self, judged=judged, parts=self.parts + 1)

    @property
    def review(self) -> Review:
        return review_of(self.judged)


def encode(match: Match, so_far: ReviewProgress) -> bytes:
    """Returns the progress of an ended match's review as bytes; twin of decode."""
    head = _HEAD.pack(_digest(match), so_far.parts % 256, so_far.same)
    return head + zlib.compress(_columns(so_far.judged), 9)


def _columns(judged: Iterable[JudgedShot]) -> bytes:
    rows = b"".join(map(_encode_judged, judged))
    return b"".join(rows[at :: _JUDGED.size] for at in range(_JUDGED.size))


def decode(match: Match, content: bytes) -> ReviewProgress:
    """Returns the progress of that match's review; raises BadEncoding, also for another match."""
    reader = Reader(content)
    digest, parts, same = _HEAD.unpack(reader.take(_HEAD.size))
    if digest != _digest(match):
        raise BadEncoding("of another match")
    columns = zlib.decompress(reader.rest())
    shots, count = sorted(match.shots, key=attrgetter("side", "ply")), len(columns) // _JUDGED.size
    rows = b"".join(columns[at::count] for at in range(count))
    judged = tuple(map(_decode_judged, shots, _JUDGED.iter_unpack(rows)))
    return ReviewProgress(judged, same, parts)


def _digest(match: Match) -> bytes:
    content = codec.encode_rules(match.ruleset) + codec.encode(match, has_seed=False)
    return sha256(content).digest()[:8]


def _encode_judged(shot: JudgedShot) -> bytes:
    search = shot.search or Search(Cell(_NOWHERE), 0.0, 0.0)
    return _JUDGED.pack(
        round(shot.chance * _UNIT), shot.best, round(shot.best_chance * _UNIT),
        search.cell, round(search.chance * _UNIT), round(search.chosen * _UNIT),
    )  # fmt: skip


def _decode_judged(shot: Shot, figures: Iterable[int]) -> JudgedShot:
    chance, best, best_chance, cell, found, chosen = figures
    search = Search(Cell(cell), found / _UNIT, chosen / _UNIT) if cell != _NOWHERE else None
    return JudgedShot(
        shot.ply, shot.turn, shot.side, shot.cell, shot.result,
        chance / _UNIT, Cell(best), best_chance / _UNIT, search,
    )  # fmt: skip


def _sealed(match: Match) -> Sealed[ReviewProgress]:
    return Sealed(PURPOSE, partial(encode, match), partial(decode, match))


def seal(match: Match, so_far: ReviewProgress) -> str:
    """Returns a review's progress as text; raises ValueError if that is too long for an address."""
    return _sealed(match).seal(so_far)


def unseal(match: Match, text: str) -> ReviewProgress:
    """Returns the progress of that match's review; raises BadToken."""
    return _sealed(match).unseal(text)
