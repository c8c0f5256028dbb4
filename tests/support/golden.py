"""Samples of all that people keep: tokens, cookies and records, sealed with a key everybody knows.

    python -m tests.support.golden

writes those of this version, and their digests: tests/NAME/golden-VERSION.json, with a row in
tests/golden.sha256. Run it before a version is released. Every 2.x version reads what any earlier
2.x has written, so the files of released versions stay. Features bring samples of their own.
"""

import base64
import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias
from unittest.mock import patch

from django.test import override_settings

from battleships_site import __version__
from game.engine.actions import Ask
from game.engine.chance import Chance
from game.engine.fleets import complete
from game.engine.geometry import Cell, Direction
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import AtLimit, Ruleset, Side
from game.matches import record
from game.matches import tokens as forms
from game.matches.draft import Draft
from game.matches.keyring import PURPOSES, Keyring, Purpose
from game.matches.par import Par
from game.matches.record import Record
from game.matches.saved import SavedMatch
from game.matches.seed_shares import SeedShares
from game.matches.setup import Assists, Day, Learning, Tally
from game.matches.setup import Setup as AnySetup
from game.matches.setup import solo as any_solo
from game.ops import secrets
from game.players.registry import MINDS_VERSION
from tests.support.features import brought, merged

TESTS = Path(__file__).resolve().parents[1]
CORE = "web"
"""The folder of tests with the samples of the core; those of a feature are in its own."""
DIGESTS = TESTS / "golden.sha256"
ROOT = base64.b64encode(bytes(range(32))).decode()
SECRETS = {
    "secret_key": "x", "keys": [{"root": ROOT, "made": "2026-11-20", "state": "use"}],
    "daily": {"end": ROOT, "length": 3650, "first": "2026-11-22"},
}  # fmt: skip
RING = Keyring(SECRETS)


def secrets_in(folder: Path) -> Path:
    """A new secrets file with the key that everybody knows."""
    path = folder / "secrets.json"
    secrets.write(path, SECRETS)
    return path


Sample: TypeAlias = SavedMatch | Draft | Record
SERVER, CLIENT = bytes(range(16)).hex(), bytes(range(16, 32)).hex()
EDITION = 7
"""The edition of the minds with which the samples were written."""
Setup = partial(AnySetup, minds_version=EDITION)


def match_of(rules: Ruleset, actions: int = 0, *, seed: bytes = bytes(16)) -> Match:
    """A match with random fleets; each side fires at one cell after the other."""
    first, second = (
        complete(rules, (), Chance(bytes(16), "golden", side)) if rules.fleet_of(side) else ()
        for side in Side
    )
    match = Match(rules, (first, second), seed)
    cells = {side: iter(rules.board.cells) for side in Side}
    for _ in range(actions):
        match = match.fire(next(cells[match.side]))
    return match


def sunk_match(rules: Ruleset) -> Match:
    """A search alone that hits the whole fleet after two other shots."""
    match = match_of(rules, 2)
    ships = {cell for ship in match.fleets[Side.SECOND] for cell in ship.cells}
    for cell in sorted(ships - {shot.cell for shot in match.shots}):
        match = match.fire(cell)
    return match


def solo(*of: Any, hints: bool = False) -> AnySetup:
    return replace(any_solo(*of, hints=hints), minds_version=EDITION)


def _matches() -> dict[str, Sample]:
    milton, bonn = PRESETS["milton"], PRESETS["bonn"]
    taught = Learning((25, -6, 127, -127, 0, -1, 13))
    learner = Setup(milton.ruleset, (None, "commodore"), milton, tally=Tally((1, 1)))
    two = Setup(
        bonn.ruleset, (None, None), bonn, loser_begins=True, person_names=("Änne", "Ben"),
        tally=Tally((3, 255), 1), assists=Assists(was_coached=True),
    )  # fmt: skip
    sea = solo(milton.ruleset, milton, hints=True)
    sea = replace(sea, day=Day(date(2026, 11, 22), 1, bytes(range(32))), started_hour=494_000)
    alone = match_of(sea.ruleset, 7)
    shares = SeedShares(SERVER, CLIENT)
    fleet = match_of(milton.ruleset).fleets[0]
    resigned = SavedMatch(two, match_of(bonn.ruleset, 5).resign(Side.SECOND))
    share = SeedShares(SERVER)
    ask = PRESETS["ask"]
    corners = ask.ruleset.board.corners(Cell(9), Cell(27))
    asked = match_of(ask.ruleset).act(Ask(*corners)).fire(Cell(0)).fire(Cell(63))
    large = Ruleset(
        columns=15, rows=15, fleet=(8, 5, 3, 1, 1), touching=True, again=False, moving=False,
        turns=99, at_limit=AtLimit.DRAW, begins=Side.SECOND, named=True,
    )  # fmt: skip
    return {
        "bonn": SavedMatch(replace(two, person_names=("", ""), minds=("uppsala", "camlship")),
                           match_of(bonn.ruleset, 3)),
        "two persons, given up": resigned,
        "replay": replace(resigned, match=replace(resigned.match, seed=bytes(16))),
        "today's sea": SavedMatch(sea, alone, Par(31)),
        "learning": SavedMatch(replace(learner, learning=taught), match_of(milton.ruleset, 2)),
        "shares": SavedMatch(replace(learner, seed_shares=shares, started_hour=494_000),
                             match_of(milton.ruleset, 4, seed=shares.seed)),
        "share and fleet": SavedMatch(replace(learner, seed_shares=share),
                                      match_of(milton.ruleset, seed=share.with_fleet(fleet).seed)),
        "questions": SavedMatch(Setup(ask.ruleset, (None, "captain"), ask), asked),
        "own rules": SavedMatch(Setup(large), match_of(large, 30)),
        "draft": Draft(Setup(bonn.ruleset)),
        "draft, of the second": Draft(two, match_of(bonn.ruleset).fleets[0][2:5],
                                      first=match_of(bonn.ruleset).fleets[1]),
        "draft, committed": Draft(replace(learner, seed_shares=share), fleet[:2], 3,
                                  Direction.DOWN, is_held=True),
    }  # fmt: skip


def _records() -> dict[str, Sample]:
    """The records of some of the matches above, given up if they go on."""
    kept = {name: it for name, it in _matches().items() if isinstance(it, SavedMatch)}
    names = (
        "bonn", "shares", "learning", "today's sea", "two persons, given up", "questions",
        "own rules",
    )  # fmt: skip
    ended = {
        name: it.match if it.match.outcome else it.match.resign(Side.FIRST)
        for name, it in kept.items()
    }
    found = {name: replace(kept[name], match=ended[name]).record for name in names}
    given_up = found["two persons, given up"]  # without a mind it names no edition
    found["two persons, given up"] = replace(given_up, minds_version=MINDS_VERSION)
    return {f"record, {name}": record for name, record in found.items()}


def samples_by_folder() -> dict[str, dict[str, Sample]]:
    """One of each kind, by its name and the folder of its tests.

    The first word of a name is its purpose, if there is such one.
    """
    core = _matches() | _records()
    return {CORE: core, **{name: found() for name, found in brought("golden").items()}}


def samples() -> dict[str, Sample]:
    """One of each kind, by its name."""
    return {name: it for found in samples_by_folder().values() for name, it in found.items()}


_Form: TypeAlias = tuple[Callable[[Any], str], Callable[[str], Any]]
_CORE_FORMS: dict[str, _Form] = {
    "replay": (forms.seal_replay, forms.unseal_replay),
    "draft": (forms.seal_draft, forms.unseal_draft),
    "record": (record.write, record.read),
}
"""How samples are written and read, by the first word of their name; the others are matches."""
PLAIN = ("record",)
"""What isn't sealed."""


def own_seals() -> set[str]:
    """Samples that are compressed, which depends on zlib, and sealed by keys of their own."""
    return {name for names in brought("OWN_SEALS").values() for name in names}


def purpose_of(name: str) -> str | None:
    """The purpose of a sample's token, or None for what isn't sealed."""
    word = name.split(",")[0]
    if word in PLAIN:
        return None
    return next((one for one in PURPOSES if one == word), Purpose.PLAY)


def _form_of(name: str) -> _Form:
    word, matches = name.split(",")[0], (forms.seal_match, forms.unseal_match)
    found: _Form = (_CORE_FORMS | merged("GOLDEN_FORMS")).get(word, matches)
    return found


def sealed(name: str, sample: Sample) -> str:
    """The token of a sample, with a nonce of zeros."""
    with patch.object(os, "urandom", bytes):
        return _form_of(name)[0](sample)


def unsealed(name: str, token: str) -> Sample:
    """What the token of a sample holds."""
    sample: Sample = _form_of(name)[1](token)
    return sample


# --- the files ---


def files(folder: str = "*") -> list[Path]:
    """The files of samples in folders of tests, those of the oldest version first."""
    found = TESTS.glob(f"{folder}/golden-*.json")
    return sorted(found, key=lambda path: [int(part) for part in version_of(path).split(".")])


def version_of(path: Path) -> str:
    return path.stem.removeprefix("golden-")


def read(folder: str = "*") -> dict[str, list[str]]:
    """What all versions have written of each sample in folders of tests, the oldest first."""
    found: dict[str, list[str]] = {}
    for path in files(folder):
        for name, token in json.loads(path.read_text()).items():
            found.setdefault(name, []).append(token)
    return found


def digests(paths: list[Path]) -> list[str]:
    """The rows of tests/golden.sha256, as sha256sum writes them."""
    return [
        f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(TESTS.parent)}"
        for path in sorted(paths)
    ]


def is_written_as(name: str, token: str, sample: Sample) -> bool:
    """Whether the sample is written like that today."""
    if name in own_seals():
        return unsealed(name, token) == sample
    return sealed(name, sample) == token


def main() -> None:
    with TemporaryDirectory() as folder, override_settings(SECRETS_FILE=secrets_in(Path(folder))):
        for where, found in samples_by_folder().items():
            path = TESTS / where / f"golden-{__version__}.json"
            tokens = {name: sealed(name, sample) for name, sample in found.items()}
            path.write_text(json.dumps(tokens, ensure_ascii=False, indent=0) + "\n")
    DIGESTS.write_text("".join(f"{row}\n" for row in digests(files())))


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    main()
