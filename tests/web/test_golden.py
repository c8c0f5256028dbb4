"""Tokens that were sealed long ago still open, hold what they held, and go on."""

from __future__ import annotations

import base64
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from pytest_django import Settings

from game.engine.actions import Outcome, Phase, Reason
from game.engine.chance import Chance
from game.engine.codec import LAYOUT
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches.draft import Draft
from game.matches.duel import Duel
from game.matches.keyring import BadToken, Keyring, Purpose
from game.matches.record import read, write
from game.matches.saved import SavedMatch
from game.matches.tokens import (
    seal_draft,
    seal_match,
    unseal_draft,
    unseal_duel,
    unseal_invite,
    unseal_kept_seat,
    unseal_match,
    unseal_replay,
    unseal_seats,
)
from game.players.minds import MINDS
from game.players.registry import MINDS_VERSION
from tests.support.golden import PATH, RING, ROOT, Sample, sealed, secrets_in, told

GOLDEN = json.loads(PATH.read_text())
PURPOSES = {
    "film": Purpose.REPLAY, "draft": Purpose.DRAFT, "duel": Purpose.DUEL,
    "duel-draft": Purpose.DUEL_DRAFT, "invite": Purpose.INVITE, "keep": Purpose.KEEP,
    "seats": Purpose.SEATS,
}  # fmt: skip
"""By the first word of a name; the others are matches."""
NONCE = slice(5, 17)


def purpose_of(name: str) -> Purpose:
    return PURPOSES.get(re.split("[ ,]", name)[0], Purpose.PLAY)


MATCHES = [name for name in GOLDEN if purpose_of(name) is Purpose.PLAY]
SETUPS = [name for name in GOLDEN if "layout" in GOLDEN[name]["holds"]]


@pytest.fixture(scope="module")
def golden_secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return secrets_in(tmp_path_factory.mktemp("golden"))


@pytest.fixture(autouse=True)
def _golden_key(settings: Settings, golden_secrets: Path) -> None:
    settings.SECRETS_FILE = golden_secrets


def opened(name: str) -> Sample:
    token = GOLDEN[name]["token"]
    match purpose_of(name):
        case Purpose.PLAY:
            return unseal_match(token)
        case Purpose.REPLAY:
            return unseal_replay(token)
        case Purpose.DUEL:
            return unseal_duel(token)
        case Purpose.INVITE:
            return (unseal_invite(token),)
        case Purpose.KEEP:
            return unseal_kept_seat(token)
        case Purpose.SEATS:
            return unseal_seats(token)
    return unseal_draft(token)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_token_opens_and_holds_what_it_held(name: str) -> None:
    now, then = told(opened(name)), GOLDEN[name]["holds"]
    assert {key: now[key] for key in then if key != "rules"} | {"rules": ""} == then | {"rules": ""}
    assert then.get("rules", {}).items() <= now.get("rules", {}).items()


@pytest.mark.parametrize("name", GOLDEN)
def test_what_it_holds_is_sealed_into_the_same_characters_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = GOLDEN[name]["token"]
    nonce = base64.urlsafe_b64decode(token)[NONCE]
    monkeypatch.setattr(os, "urandom", lambda count: nonce)
    assert sealed(name, opened(name)) == token


@pytest.mark.parametrize("name", MATCHES)
def test_a_golden_match_goes_on_from_where_it_was(name: str) -> None:
    begun = saved = unseal_match(GOLDEN[name]["token"])
    for number in range(12):
        match = saved.match
        if match.outcome is not None:
            break
        mind, seen = MINDS["random"], observe(match, match.side)
        chance = Chance(bytes(16), "golden", number)
        if match.phase is Phase.MOVING:
            match = match.act(mind.steer(seen, chance))
        else:
            match = match.fire(mind.aim(seen, chance))
        saved = replace(saved, match=match).with_minds_played()
        assert len(seal_match(saved)) == len(GOLDEN[name]["token"])
        assert unseal_match(seal_match(saved)) == saved
    assert saved.match.ply > begun.match.ply or saved.match.outcome


def test_there_is_a_golden_token_of_every_preset_in_the_layout_of_today() -> None:
    kept = {GOLDEN[name]["holds"]["preset"] for name in SETUPS if name.endswith(f"layout {LAYOUT}")}
    assert kept >= set(PRESETS)


def test_there_is_a_golden_token_of_every_purpose_but_the_other_games() -> None:
    """And but for how far a review has come, which begins anew where it can't be opened."""
    others = {Purpose.DEDUCTION, Purpose.REVIEW_PROGRESS}
    assert {purpose_of(name) for name in GOLDEN} == set(Purpose) - others


@pytest.mark.parametrize("name", SETUPS)
def test_a_token_keeps_its_layout(name: str) -> None:
    sample = opened(name)
    assert isinstance(sample, SavedMatch | Draft | Duel)
    assert sample.setup.layout == (2 if name.endswith("layout 2") else 1)


def test_a_match_of_layout_1_goes_on_under_the_limit_that_it_began_with() -> None:
    saved = unseal_match(GOLDEN["bonn, under way"]["token"])
    assert saved.setup.minds_version == 1
    seen = observe(saved.match, saved.setup.person)
    assert (saved.match.ruleset.turns, saved.match.ruleset.countdown) == (75, 20)
    assert (seen.own_limit, seen.own_turn) == (38, saved.match.turn // 2 + 1)


@pytest.mark.parametrize(
    ("name", "then", "now"),
    [("bonn", 75, 150), ("bonn-still", 75, 150), ("own", 75, 75), ("cmu", 100, 100),
     ("milton", None, None)],
)  # fmt: skip
def test_the_next_round_of_a_match_of_layout_1_is_one_of_today(
    name: str, then: int | None, now: int | None
) -> None:
    before = unseal_match(GOLDEN[f"{name}, under way"]["token"]).setup
    setup = before.next_round(Outcome(Side.FIRST, Reason.ALL_SUNK))
    assert (before.ruleset.turns, setup.ruleset.turns) == (then, now)
    assert (before.ruleset.named, setup.ruleset.named) == (False, name == "milton")
    assert (setup.layout, setup.minds_version) == (LAYOUT, MINDS_VERSION)


def test_a_draft_of_layout_1_begins_a_match_of_today() -> None:
    draft = Draft(unseal_match(GOLDEN["bonn, not begun"]["token"]).setup)
    assert unseal_draft(seal_draft(draft)) == draft
    started = draft.filled().start()
    assert isinstance(started, SavedMatch)
    assert (started.setup.layout, started.match.ruleset.turns) == (LAYOUT, 150)


def test_giving_up_a_match_of_layout_1_seals_it_in_that_of_today() -> None:
    saved = unseal_match(GOLDEN["bonn, under way"]["token"]).resigned(Side.FIRST)
    assert saved.setup.layout == LAYOUT
    assert unseal_match(seal_match(saved)) == saved
    assert read(write(saved.record)) == saved.record


def test_the_golden_tokens_open_with_no_other_key_and_for_no_other_purpose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = base64.b64encode(bytes(32)).decode()
    wrong = Keyring({"keys": [{"root": other, "state": "use"}]})
    both = Keyring({"keys": [{"root": other, "state": "use"}, {"root": ROOT, "state": "accept"}]})
    kid = base64.urlsafe_b64decode(wrong.seal(Purpose.PLAY, b""))[1:5]
    for name, entry in GOLDEN.items():
        token = entry["token"]
        purpose = purpose_of(name)
        assert both.unseal(purpose, token)
        with pytest.raises(BadToken):
            wrong.unseal(purpose, token)
        for stranger in set(Purpose) - {purpose}:
            with pytest.raises(BadToken):
                RING.unseal(stranger, token)
        data = base64.urlsafe_b64decode(token)
        renamed = base64.urlsafe_b64encode(data[:1] + kid + data[5:]).decode()
        with pytest.raises(BadToken) as raised:
            both.unseal(purpose, renamed)
        assert raised.value.reason == "seal"


@pytest.mark.parametrize(
    ("plain", "sealed"),
    [
        ("", "07f5f4169bbf55a8400cd47ea6fd400f"),
        ("0100000000000000", "c2ef328e5c71c83b843122130f7364b761e0b97427e3df28"),
    ],
)
def test_the_cipher_is_that_of_rfc_8452(plain: str, sealed: str) -> None:
    """Its appendix C.2: the key is 01 and the nonce 03, each filled with zeros."""
    cipher = AESGCMSIV(bytes([1, *bytes(31)]))
    nonce = bytes([3, *bytes(11)])
    assert cipher.encrypt(nonce, bytes.fromhex(plain), b"").hex() == sealed
