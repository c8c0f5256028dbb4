"""Samples of all that people keep: tokens, cookies and records, sealed with a key everybody knows.

    python -m tests.support.golden

adds to golden_tokens.json each sample that is written differently today than there, and to
golden_pages.json the JSON of pages that aren't there. What is there stays: every 1.x version reads
what an earlier one has written.
"""

import base64
import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial, reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias
from unittest.mock import patch

from django.test import override_settings

from game.deduction import saved as deduction
from game.deduction.match import Mode
from game.deduction.rules import MELBOURNE
from game.engine.actions import Ask
from game.engine.chance import Chance
from game.engine.fleets import complete
from game.engine.geometry import Cell, Direction
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import AtLimit, Ruleset, Side
from game.matches import daily, logbook, record, results
from game.matches import tokens as forms
from game.matches.challenge import Challenge, Score, challenge_of
from game.matches.draft import Claim, Draft
from game.matches.duel import Duel, opened
from game.matches.keyring import Keyring, Purpose
from game.matches.logbook import Logbook
from game.matches.record import Record
from game.matches.results import Results
from game.matches.saved import Par, SavedMatch, start_par, take_up
from game.matches.seats import Seats, seat_hash_of
from game.matches.seed_shares import SeedShares
from game.matches.setup import Assists, Day, Learning, Tally
from game.matches.setup import Setup as AnySetup
from game.matches.setup import solo as any_solo
from game.ops import secrets
from game.players.registry import MINDS_VERSION
from game.views.preferences import Preferences, parse_preferences
from tests.support import deduction as deduction_matches
from tests.support.device import Device

PATH = Path(__file__).resolve().parents[1] / "web" / "golden_tokens.json"
PAGES_PATH = PATH.with_name("golden_pages.json")
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


Sample: TypeAlias = (
    SavedMatch | Draft | Duel | Challenge | Seats | bytes | tuple[bytes, bytes] | Record
    | deduction.SavedMatch | Logbook | Results | Preferences
)  # fmt: skip
"""Bytes are those of an invitation, and of a seat that is kept."""
DUEL_ID, SERVER, CLIENT = bytes(range(16)), bytes(range(16)).hex(), bytes(range(16, 32)).hex()
SEATS = Seats(b"a" * 16), Seats(b"b" * 16)
EDITION = 7
"""The edition of the minds with which the samples were written."""
Setup = partial(AnySetup, minds_version=EDITION)
HASHES = [seat_hash_of(SEATS[side].seat_secret(DUEL_ID, side)) for side in Side]


def _match(rules: Ruleset, actions: int = 0, *, seed: bytes = bytes(16)) -> Match:
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


def _sunk(rules: Ruleset) -> Match:
    """A search alone that hits the whole fleet after two other shots."""
    match = _match(rules, 2)
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
    alone = _match(sea.ruleset, 7)
    shares = SeedShares(SERVER, CLIENT)
    fleet = _match(milton.ruleset).fleets[0]
    resigned = SavedMatch(two, _match(bonn.ruleset, 5).resign(Side.SECOND))
    share = SeedShares(SERVER)
    ask = PRESETS["ask"]
    corners = ask.ruleset.board.corners(Cell(9), Cell(27))
    asked = _match(ask.ruleset).act(Ask(*corners)).fire(Cell(0)).fire(Cell(63))
    helped = Setup(bonn.ruleset, (None, "sailor"), bonn, assists=Assists(hints=True))
    salvo, short = PRESETS["salvo"], PRESETS["short"]
    large = Ruleset(
        columns=15, rows=15, fleet=(8, 5, 3, 1, 1), touching=True, again=False, moving=False,
        turns=99, at_limit=AtLimit.DRAW, begins=Side.SECOND, named=True,
    )  # fmt: skip
    return {
        "bonn": SavedMatch(replace(two, names=("", ""), minds=("uppsala", "camlship")),
                           _match(bonn.ruleset, 3)),
        "two persons, given up": resigned,
        "replay": replace(resigned, match=replace(resigned.match, seed=bytes(16))),
        "today's sea": SavedMatch(sea, alone, Par(start_par(alone), EDITION)),
        "learning": SavedMatch(replace(learner, learning=taught), _match(milton.ruleset, 2)),
        "first round": SavedMatch(replace(learner, learning=Learning()), _match(milton.ruleset)),
        "shares": SavedMatch(replace(learner, seed_shares=shares, started_hour=494_000),
                             _match(milton.ruleset, 4, seed=shares.seed)),
        "share and fleet": SavedMatch(replace(learner, seed_shares=share),
                                      _match(milton.ruleset, seed=share.with_fleet(fleet).seed)),
        "hints": SavedMatch(helped, _match(bonn.ruleset, 27)),
        "questions": SavedMatch(Setup(ask.ruleset, (None, "captain"), ask), asked),
        "salvo": SavedMatch(Setup(salvo.ruleset, preset=salvo), _match(salvo.ruleset, 12)),
        "watched": SavedMatch(Setup(short.ruleset, ("recruit", "admiral"), short),
                              _match(short.ruleset, 9)),
        "own rules": SavedMatch(Setup(large), _match(large, 30)),
        "draft": Draft(Setup(bonn.ruleset)),
        "draft, of the second": Draft(two, _match(bonn.ruleset).fleets[0][2:5],
                                      first=_match(bonn.ruleset).fleets[1]),
        "draft, committed": Draft(replace(learner, seed_shares=share), fleet[:2], 3,
                                  Direction.DOWN, is_held=True),
    }  # fmt: skip


def _duels() -> dict[str, Sample]:
    bonn = PRESETS["bonn"]
    begun = _match(bonn.ruleset, 2)
    setup = Setup(bonn.ruleset, (None, None), bonn, remote=True, tally=Tally((1, 2), 3))
    waiting = opened(setup, DUEL_ID, HASHES[0], begun.fleets[0], "Änne")
    joined = waiting.joined(HASHES[1])
    moving = replace(
        joined, fleets=begun.fleets, match=begun, step=4, setup=replace(setup, started_hour=494_000)
    )
    still = replace(moving, step=2, match=_match(bonn.ruleset))
    return {
        "duel, waiting": waiting, "duel, under way": moving,
        "duel, moved": still.acted(Side.FIRST, still.match.steers(Side.FIRST)[0]),
        "duel, wished again": moving.resigned(Side.SECOND).wished(Side.FIRST),
        "draft, for a seat": Draft(joined.setup, begun.fleets[1][:3], 3,
                                   claim=Claim(DUEL_ID, Side.SECOND, HASHES[1])),
        "invite": DUEL_ID, "keep": (DUEL_ID, SEATS[0].seat_secret(DUEL_ID, Side.FIRST)),
        "seats": SEATS[0].with_secret(b"c" * 16).with_secret(b"d" * 16),
    }  # fmt: skip


def _challenges() -> dict[str, Sample]:
    """Three links: of a match against a computer, of one sent back, and of today's sea."""
    short, ask = PRESETS["short"], PRESETS["ask"]
    against = _match(short.ruleset, 40, seed=bytes(range(16))).resign(Side.FIRST)
    alone = solo(ask.ruleset, ask, hints=True)
    sea = solo(daily.sea_rules(PRESETS["milton"].ruleset), PRESETS["milton"])
    sea = replace(sea, day=Day(date(2026, 11, 22), 1, bytes(range(32))))
    score = Score("Anna", 31, True, ("hints", "back"), is_known=True)
    first = challenge_of(Setup(short.ruleset, (None, "sailor"), short), against, "Änne")
    return {
        "challenge": first,
        "challenge, sent back": challenge_of(
            alone, _sunk(alone.ruleset), "Ben", was_known=True, answers=score
        ),
        "challenge, of today's sea": challenge_of(sea, _sunk(sea.ruleset)),
        "taken up": take_up(replace(first, is_known=True), against.fleets[0], hour=494_000),
        "draft, for a challenge": Draft(first.for_friend, against.fleets[0][:2], challenge=first),
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


def _of_browsers() -> dict[str, Sample]:
    """What a browser keeps beside matches."""
    day, noon = date(2026, 11, 22), 494_000
    days = (
        logbook.Day(day, logbook.Kind.SEA, 31, 38), logbook.Day(day, logbook.Kind.DEDUCTION, 9, 0),
        logbook.Day(day, logbook.Kind.FIVE, 2, 0, is_helped=True),
        logbook.Day(date(2026, 12, 24), logbook.Kind.SEA, 64, 40, is_sunk=False),
    )  # fmt: skip
    ended = logbook.Ended(logbook.mark_of(bytes(16)), logbook.Cell(1, 6), 44, is_won=True, skill=71)
    sought = deduction_matches.saved(Mode.SEARCH, *deduction_matches.MISSES)
    race = deduction_matches.saved(Mode.RACE, deduction_matches.MISSES[0], searcher="easy")
    return {
        "logbook": reduce(Logbook.with_day, days, Logbook()).with_match(ended, drawn=b"abc"),
        "results": Results().with_first(results.Kind.DAY, "27", 5)
        .with_first(results.Kind.PUZZLE, "p1", 1).with_first(results.Kind.CHALLENGE, b"token", 33),
        "deduction": replace(sought, started_hour=noon),
        "deduction, a race": race,
        "deduction, of a day": replace(
            deduction.begin_daily(day, bytes(16)), heat=True, was_helped=True
        ).guess(MELBOURNE.parse(deduction_matches.PLACE)),
        "preferences": Preferences(
            theme="dark", speed="relaxed", sound="on", volume="80", name="Änne", rank="captain",
            length="short", sound_prompt="seen", onboarded="3", presence="off",
        ),
    }  # fmt: skip


def samples() -> dict[str, Sample]:
    """One of each kind, by name; the first word of a name is its purpose, if there is such one."""
    return _matches() | _duels() | _challenges() | _records() | _of_browsers()


_FORMS: dict[str, tuple[Callable[[Any], str], Callable[[str], Any]]] = {
    "replay": (forms.seal_replay, forms.unseal_replay),
    "draft": (forms.seal_draft, forms.unseal_draft),
    "duel": (forms.seal_duel, forms.unseal_duel),
    "invite": (forms.seal_invite, forms.unseal_invite),
    "keep": (lambda kept: forms.seal_kept_seat(*kept), forms.unseal_kept_seat),
    "seats": (forms.seal_seats, forms.unseal_seats),
    "challenge": (forms.seal_challenge, forms.unseal_challenge),
    "deduction": (deduction.seal_match, deduction.unseal_match),
    "logbook": (logbook.seal, logbook.unseal),
    "results": (results.seal, results.unseal),
    "record": (record.write, record.read),
    "preferences": (str, parse_preferences),
}
"""How samples are written and read, by the first word of their name; the others are matches."""
PLAIN = ("preferences", "record")
"""What isn't sealed."""


def purpose_of(name: str) -> Purpose | None:
    """The purpose of a sample's token, or None for what isn't sealed."""
    word = name.split(",")[0]
    if word in PLAIN:
        return None
    return next((one for one in Purpose if one.value == word), Purpose.PLAY)


def sealed(name: str, sample: Sample) -> str:
    """The token of a sample, with a nonce of zeros."""
    seal, _unseal = _FORMS.get(name.split(",")[0], (forms.seal_match, forms.unseal_match))
    with patch.object(os, "urandom", bytes):
        return seal(sample)


def unsealed(name: str, token: str) -> Sample:
    """What the token of a sample holds."""
    _seal, unseal = _FORMS.get(name.split(",")[0], (forms.seal_match, forms.unseal_match))
    sample: Sample = unseal(token)
    return sample


# --- pages ---

PAGES = {
    "bonn": "play", "two persons, given up": "play", "today's sea": "play", "hints": "play",
    "questions": "play", "draft, committed": "place", "challenge": "challenge",
}  # fmt: skip
"""The samples whose pages are pinned in JSON, and where they are."""


def page_in_json(name: str, token: str) -> Any:
    """The JSON of a sample's page, with its tokens masked."""
    client = Device(headers={"accept": "application/json"})
    with patch.object(os, "urandom", bytes):
        page = client.get(f"/en/{PAGES[name]}/{token}/")
    return json.loads(re.sub(r"[A-Za-z0-9_-]{80,}", "TOKEN", page))


# --- the files ---


def tokens() -> dict[str, list[str]]:
    """The spellings of each sample, the oldest first, by its name."""
    found: dict[str, list[str]] = json.loads(PATH.read_text())
    return found


def pages() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PAGES_PATH.read_text())
    return found


def is_written_as(name: str, token: str, sample: Sample) -> bool:
    """Whether the sample is written like that today; a logbook's bytes depend on zlib's version."""
    if isinstance(sample, Logbook):
        return unsealed(name, token) == sample
    return sealed(name, sample) == token


def main() -> None:
    with TemporaryDirectory() as folder, override_settings(SECRETS_FILE=secrets_in(Path(folder))):
        kept = tokens() if PATH.exists() else {}
        for name, sample in samples().items():
            spellings = kept.setdefault(name, [])
            if not spellings or not is_written_as(name, spellings[-1], sample):
                spellings.append(sealed(name, sample))
        shown = pages() if PAGES_PATH.exists() else {}
        for name in PAGES:
            shown.setdefault(name, page_in_json(name, kept[name][-1]))
    PATH.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(page, ensure_ascii=False)}"
        for name, page in shown.items()
    )
    PAGES_PATH.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    main()
