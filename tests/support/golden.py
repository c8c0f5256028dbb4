"""Tokens of the versions there have been, sealed with a key that everybody knows.

    python -m tests.support.golden

adds to golden_tokens.json what isn't there yet. What is there stays as it is: somebody may hold a
token like it.
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from django.test import override_settings

from game.engine.actions import Action, Fire, Steer
from game.engine.codec import LAYOUT
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches.draft import Claim, Draft
from game.matches.duel import Duel, opened
from game.matches.keyring import Keyring
from game.matches.saved import SavedMatch
from game.matches.seats import Seats, seat_hash_of
from game.matches.seed_shares import SeedShares
from game.matches.setup import Setup, Tally
from game.matches.tokens import (
    seal_draft,
    seal_duel,
    seal_invite,
    seal_kept_seat,
    seal_match,
    seal_replay,
    seal_seats,
)
from game.ops import secrets

PATH = Path(__file__).resolve().parents[1] / "web" / "golden_tokens.json"
ROOT = base64.b64encode(bytes(range(32))).decode()
SECRETS = {"secret_key": "x", "keys": [{"root": ROOT, "made": "2026-11-20", "state": "use"}]}
RING = Keyring(SECRETS)


def secrets_in(folder: Path) -> Path:
    """A new secrets file with the key that everybody knows."""
    path = folder / "secrets.json"
    secrets.write(path, SECRETS)
    return path


Sample: TypeAlias = SavedMatch | Draft | Duel | Seats | tuple[bytes, ...]
"""What a token may hold; bytes are those of an invitation, and of a seat that is kept."""


def told(what: Sample) -> dict[str, Any]:
    """All that a token holds, in words that don't depend on how it is written."""
    if isinstance(what, Seats):
        return {"device": what.device.hex(), "brought": [one.hex() for one in what.brought]}
    if isinstance(what, tuple):
        return {"bytes": [one.hex() for one in what]}
    if isinstance(what, Duel):
        return _told_duel(what)
    setup = what.setup
    agreed = {
        "preset": setup.preset.name, "minds": list(setup.minds), "hints": setup.hints,
        "coach": setup.coach, "was hinted": setup.was_hinted, "was coached": setup.was_coached,
        "loser begins": setup.loser_begins, "names": list(setup.names),
        "wins": list(setup.tally.wins), "draws": setup.tally.draws,
        "layout": setup.layout, "edition": setup.minds_version,
        **({"remote": True} if setup.remote else {}),
        **({} if setup.started_hour is None else {"started_hour": setup.started_hour}),
        **({} if setup.seed_shares is None else {"seed_shares": list(setup.seed_shares)}),
        "learns": setup.learns, "learnt": list(setup.learnt), "forgets": setup.forgets,
        "rules": {name: str(value) for name, value in asdict(setup.ruleset).items()},
    }  # fmt: skip
    if isinstance(what, Draft):
        first = what.first and [str(ship) for ship in what.first]
        claim = what.claim and [
            what.claim.id.hex(),
            what.claim.side.name,
            what.claim.seat_hash.hex(),
        ]
        return agreed | ({"claim": claim} if claim else {}) | {
            "placed": [str(ship) for ship in what.placed], "picked": what.picked,
            "direction": what.direction.value, "tried": [int(cell) for cell in what.chosen_cells],
            "first": first,
        }  # fmt: skip
    match = what.match
    return agreed | {
        "seed": match.seed.hex(),
        "resigned": None if match.resigned is None else match.resigned.name,
        "fleets": [[str(ship) for ship in fleet] for fleet in match.fleets],
        "actions": [_word(match, action) for action in match.actions],
    }


def _told_duel(duel: Duel) -> dict[str, Any]:
    inside = duel.saved(None) or Draft(duel.setup)
    return told(inside) | {
        "id": duel.id.hex(), "step": duel.step, "wishes": list(duel.wishes),
        "holders": [seat_hash.hex() for seat_hash in duel.seat_hashes],
        "fleets": [fleet and [str(ship) for ship in fleet] for fleet in duel.fleets],
    }  # fmt: skip


def _word(match: Match, action: Action) -> str:
    if isinstance(action, Fire):
        return match.ruleset.board.name(action.cell)
    return f"{action.ship}-{action.course.value}" if isinstance(action, Steer) else "stay"


def _duels() -> dict[str, Sample]:
    """One of each kind that two devices need."""
    from tests.support.matches import opening

    duel_id, seats = bytes(range(16)), (Seats(b"a" * 16), Seats(b"b" * 16))
    seat_hashes = [seat_hash_of(seats[side].seat_secret(duel_id, side)) for side in Side]
    bonn = opening(PRESETS["bonn"].ruleset, number=8)
    first, second = bonn.match.fleets
    setup = replace(
        bonn.setup, preset=PRESETS["bonn"], minds=(None, None), remote=True, loser_begins=True,
        tally=Tally((1, 2), 3),
    )  # fmt: skip
    waiting = opened(setup, duel_id, seat_hashes[0], first, "Änne")
    joined = waiting.joined(seat_hashes[1])
    begun = replace(joined, fleets=(first, second), match=bonn.match, step=2)
    moving = begun.acted(Side.FIRST, Fire(bonn.match.ruleset.board.parse("A1")))
    wished = moving.resigned(Side.SECOND).wished(Side.FIRST)
    claim = Claim(duel_id, Side.SECOND, seat_hashes[1])
    return {
        "duel, waiting": waiting, "duel, joined": joined, "duel, under way": moving,
        "duel, wished again": wished, "duel, placing again": wished.wished(Side.SECOND),
        "duel, of an hour": replace(moving, setup=replace(setup, started_hour=494_000)),
        "duel-draft": Draft(joined.setup, second[:3], 3, claim=claim),
        "invite": (duel_id,), "keep": (duel_id, seats[0].seat_secret(duel_id, Side.FIRST)),
        "seats": seats[0].with_secret(b"c" * 16).with_secret(b"d" * 16),
    }  # fmt: skip


def _samples() -> dict[str, Sample]:
    """One of each kind, by name."""
    from tests.support.matches import ended, opening, played

    found: dict[str, SavedMatch | Draft] = {}
    for name, preset in PRESETS.items():
        first = opening(preset.ruleset, number=7)
        first = replace(first, setup=replace(first.setup, preset=preset, hints=name == "cmu"))
        found[f"{name}, not begun"] = first
        found[f"{name}, under way"] = played(first, 13)
    found["bonn, over"] = ended(number=3)
    bonn = opening(number=5)
    two = replace(
        bonn.setup, minds=(None, None), names=("Änne", "Ben"), tally=Tally((3, 255), 1),
        loser_begins=True,
    )  # fmt: skip
    found["two persons"] = SavedMatch(two, bonn.match.fire(bonn.match.ruleset.board.parse("A1")))
    found["two minds"] = SavedMatch(replace(two, minds=("camlship", "uppsala")), bonn.match)
    found["film, of bonn"] = replace(found["bonn, over"], setup=replace(two, was_coached=True))
    found["film, of cmu"] = ended(PRESETS["cmu"].ruleset, number=4)
    fleet = bonn.match.fleets[Side.FIRST]
    found["draft, empty"] = Draft(Setup(PRESETS["bonn"].ruleset))
    found["draft, begun"] = Draft(Setup(PRESETS["bonn"].ruleset), fleet[:4], 3)
    found["draft of the second"] = Draft(two, fleet[2:5], first=fleet)
    under_way = found["milton, under way"]
    assert isinstance(under_way, SavedMatch)
    found["resigned"] = under_way.resigned(Side.SECOND)
    found["film, resigned"] = found["resigned"]
    found["of an hour"] = replace(under_way, setup=replace(under_way.setup, started_hour=494_000))
    learning = played(opening(PRESETS["uppsala"].ruleset, number=6, mind="commodore"), 5)
    taught = replace(
        learning.setup, preset=PRESETS["uppsala"], tally=Tally((1, 1)), learns=True,
        learnt=(25, -6, 127, -127, 0, -1, 13),
    )  # fmt: skip
    found["learning, first round"] = replace(learning, setup=replace(taught, learnt=()))
    found["learning"] = replace(learning, setup=taught)
    found["learning, forgotten"] = found["learning"].resigned(Side.FIRST).forgetting()
    seed_shares, placed = SeedShares(bytes(range(16)).hex()), under_way.match.fleets[Side.FIRST]
    committed = Draft(replace(under_way.setup, seed_shares=seed_shares), placed)
    found["draft, committed"] = replace(committed, placed=placed[:2])
    answers = {"of two halves": bytes(range(16, 32)).hex(), "of a half and a fleet": ""}
    for name, half in answers.items():
        begun = committed.start(half=half)
        assert isinstance(begun, SavedMatch)
        found[name] = played(begun, 9)
    found["draft, learning"] = Draft(taught, learning.match.fleets[0][1:3])
    return {f"{name}, layout {LAYOUT}": one for name, one in {**found, **_duels()}.items()}


def sealed(name: str, sample: Sample) -> str:
    """The token of a sample, of a film where its name says so."""
    if isinstance(sample, Draft):
        return seal_draft(sample)
    if isinstance(sample, Duel):
        return seal_duel(sample)
    if isinstance(sample, Seats):
        return seal_seats(sample)
    if isinstance(sample, tuple):
        return seal_invite(*sample) if len(sample) == 1 else seal_kept_seat(*sample)
    return seal_replay(sample) if name.startswith("film") else seal_match(sample)


def main() -> None:
    """Seals each sample that has no token yet."""
    golden = json.loads(PATH.read_text()) if PATH.exists() else {}
    with TemporaryDirectory() as folder, override_settings(SECRETS_FILE=secrets_in(Path(folder))):
        for name, sample in _samples().items():
            if name not in golden:
                golden[name] = {"token": sealed(name, sample), "holds": told(sample)}
                if name.startswith("film"):
                    golden[name]["holds"]["seed"] = bytes(16).hex()
    PATH.write_text(json.dumps(golden, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    main()
