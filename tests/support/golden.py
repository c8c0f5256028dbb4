"""Samples of all that people keep: tokens, cookies and records, sealed with a key everybody knows.

    python -m tests.support.golden

adds to this version's golden_tokens-VERSION.json each sample that is written differently today
than in any such file, and to golden_pages-VERSION.json the JSON of pages that aren't there. Every
1.x version reads what an earlier one has written, so the files of earlier versions, whose digests
are in tests/golden.sha256, are never written again. Features bring samples of their own.
"""

import base64
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
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
from game.matches.record import Record
from game.matches.saved import Par, SavedMatch, start_par
from game.matches.seed_shares import SeedShares
from game.matches.setup import Assists, Day, Learning, Tally
from game.matches.setup import Setup as AnySetup
from game.matches.setup import solo as any_solo
from game.ops import secrets
from game.players.registry import MINDS_VERSION
from tests.support.device import Device
from tests.support.features import brought, merged

TESTS = Path(__file__).resolve().parents[1]
CORE = "web"
"""The folder of tests with the samples of the core; those of a feature are in its own."""
TOKEN_FILES, PAGE_FILES = "golden_tokens", "golden_pages"
"""How the names of the files begin."""
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
        bonn.ruleset, (None, None), bonn, loser_begins=True, names=("Änne", "Ben"),
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
    helped = Setup(bonn.ruleset, (None, "sailor"), bonn, assists=Assists(hints=True))
    salvo, short = PRESETS["salvo"], PRESETS["short"]
    large = Ruleset(
        columns=15, rows=15, fleet=(8, 5, 3, 1, 1), touching=True, again=False, moving=False,
        turns=99, at_limit=AtLimit.DRAW, begins=Side.SECOND, named=True,
    )  # fmt: skip
    return {
        "bonn": SavedMatch(replace(two, names=("", ""), minds=("uppsala", "camlship")),
                           match_of(bonn.ruleset, 3)),
        "two persons, given up": resigned,
        "replay": replace(resigned, match=replace(resigned.match, seed=bytes(16))),
        "today's sea": SavedMatch(sea, alone, Par(start_par(alone), EDITION)),
        "learning": SavedMatch(replace(learner, learning=taught), match_of(milton.ruleset, 2)),
        "first round": SavedMatch(replace(learner, learning=Learning()), match_of(milton.ruleset)),
        "shares": SavedMatch(replace(learner, seed_shares=shares, started_hour=494_000),
                             match_of(milton.ruleset, 4, seed=shares.seed)),
        "share and fleet": SavedMatch(replace(learner, seed_shares=share),
                                      match_of(milton.ruleset, seed=share.with_fleet(fleet).seed)),
        "hints": SavedMatch(helped, match_of(bonn.ruleset, 27)),
        "questions": SavedMatch(Setup(ask.ruleset, (None, "captain"), ask), asked),
        "salvo": SavedMatch(Setup(salvo.ruleset, preset=salvo), match_of(salvo.ruleset, 12)),
        "watched": SavedMatch(Setup(short.ruleset, ("recruit", "admiral"), short),
                              match_of(short.ruleset, 9)),
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
        "salvo", "watched", "own rules",
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
OWN_SEALS = {name for names in brought("OWN_SEALS").values() for name in names}
"""Samples that are compressed, which depends on zlib's version, and sealed by keys of their own."""
PLAIN = ("record",)
"""What isn't sealed."""


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


# --- pages ---

CORE_PAGES = {
    "bonn": "play", "two persons, given up": "play", "today's sea": "play", "hints": "play",
    "questions": "play", "draft, committed": "place",
}  # fmt: skip
"""The samples whose pages are pinned in JSON, and where they are."""


def pages_of(folder: str) -> dict[str, str]:
    """Those whose samples are in that folder of tests."""
    return CORE_PAGES if folder == CORE else brought("GOLDEN_PAGES").get(folder, {})


def pinned() -> dict[str, str]:
    """Those of the core and of all features."""
    return CORE_PAGES | merged("GOLDEN_PAGES")


def page_in_json(name: str, token: str) -> Any:
    """The JSON of a sample's page, with its tokens masked."""
    client = Device(headers={"accept": "application/json"})
    with patch.object(os, "urandom", bytes):
        page = client.get(f"/en/{pinned()[name]}/{token}/")
    return json.loads(re.sub(r"[A-Za-z0-9_-]{80,}", "TOKEN", page))


# --- the files ---


def files(kind: str = "golden_*", folder: str = "*") -> list[Path]:
    """The files of samples in folders of tests, those of the oldest version first."""
    found = TESTS.glob(f"{folder}/{kind}-*.json")
    return sorted(found, key=lambda path: [int(part) for part in version_of(path).split(".")])


def version_of(path: Path) -> str:
    """The version that has written a file of samples."""
    return path.stem.rpartition("-")[2]


def read(folder: str, kind: str) -> dict[str, list[Any]]:
    """What all versions have written of the samples of a folder of tests, the oldest first."""
    found: dict[str, list[Any]] = {}
    for path in files(kind, folder):
        for name, it in json.loads(path.read_text()).items():
            found.setdefault(name, []).extend(it if isinstance(it, list) else [it])
    return found


def _read_all(kind: str) -> dict[str, list[Any]]:
    return {name: it for where in samples_by_folder() for name, it in read(where, kind).items()}


def tokens() -> dict[str, list[str]]:
    """The spellings of each sample, the oldest first, by its name."""
    return _read_all(TOKEN_FILES)


def pages() -> dict[str, list[Any]]:
    """The JSON of pages, the oldest first, by the names of their samples."""
    return _read_all(PAGE_FILES)


def is_written_as(name: str, token: str, sample: Sample) -> bool:
    """Whether the sample is written like that today."""
    if name in OWN_SEALS:
        return unsealed(name, token) == sample
    return sealed(name, sample) == token


def main() -> None:
    with TemporaryDirectory() as folder, override_settings(SECRETS_FILE=secrets_in(Path(folder))):
        for where, found in samples_by_folder().items():
            _add(where, found)


def _add(folder: str, found: Mapping[str, Sample]) -> None:
    """Adds to the files of this version in a folder of tests what no version's files have."""
    kept, shown = read(folder, TOKEN_FILES), read(folder, PAGE_FILES)
    own = _own(folder, TOKEN_FILES)
    for name, sample in found.items():
        if name not in kept or not is_written_as(name, kept[name][-1], sample):
            token = sealed(name, sample)
            own.setdefault(name, []).append(token)
            kept.setdefault(name, []).append(token)
    _write(folder, TOKEN_FILES, own)
    new = {name: page_in_json(name, kept[name][-1]) for name in pages_of(folder).keys() - shown}
    _write(folder, PAGE_FILES, _own(folder, PAGE_FILES) | new)


def _path(folder: str, kind: str) -> Path:
    return TESTS / folder / f"{kind}-{__version__}.json"


def _own(folder: str, kind: str) -> dict[str, Any]:
    """What this version has written of a kind in a folder of tests."""
    path = _path(folder, kind)
    return json.loads(path.read_text()) if path.exists() else {}


def _write(folder: str, kind: str, found: Mapping[str, Any]) -> None:
    lines = (f"{json.dumps(it)}: {json.dumps(found[it], ensure_ascii=False)}" for it in found)
    if found:
        _path(folder, kind).write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    import django

    django.setup()
    main()
