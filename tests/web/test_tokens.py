"""Tokens are sealed, opened and bound to their purpose, and no changed token is opened."""

import string
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st

from game.engine.actions import STAY, Fire, Steer
from game.engine.codec import action_bytes, encode_actions
from game.engine.fleets import Course, all_placements, make_fleet
from game.engine.geometry import Cell, Direction
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import AtLimit, Ruleset, Side
from game.matches import keyring, tokens
from game.matches.draft import Draft
from game.matches.keyring import BadToken, Keyring, Purpose
from game.matches.saved import SavedMatch
from game.matches.seed_shares import SeedShares
from game.matches.setup import LONGEST_NAME, MOST_LEARNT, Assists, Learning, Setup, Tally
from game.matches.token_format import encode_saved
from game.matches.tokens import seal_draft, seal_match, unseal_draft, unseal_match
from game.ops import secrets
from game.players.belief.habits import HABITS
from game.players.minds import MINDS
from tests.support.golden import samples
from tests.support.matches import opening, played
from tests.support.served import LATE, ROOT

RING = Keyring(secrets.make())
SAMPLES = {name: one for name, one in samples().items() if isinstance(one, SavedMatch)}


@given(st.binary(max_size=900))
@settings(max_examples=50)
def test_what_was_sealed_is_what_is_opened(content: Any) -> None:
    token = RING.seal(Purpose.PLAY, content)
    assert RING.unseal(Purpose.PLAY, token) == content
    assert "=" not in token
    with pytest.raises(ValueError, match="too long"):
        RING.seal(Purpose.PLAY, content + bytes(3000))


@pytest.fixture
def _remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MOST_RECENT", 48)
    tokens.recent.clear()


@pytest.mark.usefixtures("_remembered")
@pytest.mark.parametrize("name", SAMPLES)
def test_a_match_of_any_kind_is_remembered_as_it_is_in_its_token(name: str) -> None:
    saved = SAMPLES[name]
    token = seal_match(saved)
    remembered, decoded = unseal_match(token), unseal_match(token)
    assert (remembered is saved) is (saved.match.outcome is None)
    assert decoded is not saved
    assert decoded == saved
    for side in Side:
        assert observe(decoded.match, side) == observe(saved.match, side)


@pytest.mark.usefixtures("_remembered")
def test_a_match_that_is_remembered_is_refused_once_its_key_was_dropped(tmp_path: Path) -> None:
    token = seal_match(opening())
    others = tmp_path / "secrets.json"
    secrets.load(others, may_create=True)
    with override_settings(SECRETS_FILE=others), pytest.raises(BadToken):
        unseal_match(token)
    assert tokens.recent


def test_no_token_with_one_character_changed_added_or_cut_is_opened() -> None:
    token = seal_match(opening())
    alphabet = string.ascii_letters + string.digits + "-_"
    refused = 0
    for place, was in [*enumerate(token)][::5]:
        others = [c for c in alphabet if c != was] + ["=", "+", "/", " ", "é", "\0", "ａ"]
        changed = [token[:place] + c + token[place + 1 :] for c in others]
        changed += [token[:place] + token[place + 1 :], token[:place] + "A" + token[place:]]
        changed.append(token[:place])
        for text in changed:
            if text == token:
                continue
            with pytest.raises(BadToken, match=r"^not a token$"):
                unseal_match(text)
            refused += 1
    assert refused > 14 * len(token)


# --- lengths ---


def longest(saved: SavedMatch) -> int:
    """The most characters of the token of a match that goes on from here."""
    rules = saved.match.ruleset
    most = len(encode_saved(saved)) + action_bytes(rules, rules.most_actions)
    return 4 * -(-(most + keyring.OVERHEAD) // 3)


@pytest.mark.parametrize("columns", [4, 10, 15])
def test_the_longest_match_of_any_rules_fits_an_address(columns: int) -> None:
    for moving, salvo, again in product((True, False), repeat=3):
        rules = Ruleset(
            columns=columns, rows=columns, fleet=(3, 2, 2) if columns == 4 else (5, 4, 3, 3, 2),
            touching=True, moving=moving, salvo=salvo, again=again, turns=None,
            at_limit=AtLimit.DRAW, begins=Side.SECOND,
        )  # fmt: skip
        assert longest(opening(rules)) <= 4000


@pytest.mark.parametrize("name", PRESETS)
def test_fleets_and_moves_do_not_show_in_the_length_of_a_token(name: str) -> None:
    """Pages of two worlds have tokens of one length, too: tests/web/test_leaks.py."""
    rules = PRESETS[name].ruleset
    for actions in (0, 3, 12):
        one, other = (played(opening(rules, number=number), 0) for number in (1, 2))
        count = played(one, actions).match.ply
        still = [STAY if rules.moving and ply % 2 == 0 else Fire(Cell(0)) for ply in range(count)]
        moving = [Steer(0, Course.AFT) if it is STAY else Fire(Cell(9)) for it in still]
        assert len(encode_saved(one)) == len(encode_saved(other))
        assert len(encode_actions(rules, still)) == len(encode_actions(rules, moving))


# --- drafts; secrets ---


def test_the_number_of_ships_that_are_placed_does_not_show_in_the_length_of_a_draft() -> None:
    setup = Setup(PRESETS["bonn"].ruleset)
    drafts = [Draft(setup), Draft(setup, chosen_cells=(Cell(3), Cell(4))), Draft(setup).filled()]
    assert len({len(seal_draft(draft)) for draft in drafts}) == 1


NAMES = st.text(max_size=LONGEST_NAME).map(lambda text: " ".join(text.split()))


@st.composite
def setups(draw: Any) -> Any:
    preset = draw(st.sampled_from(list(PRESETS.values())))
    mind = st.sampled_from([None, *MINDS])
    wins = st.tuples(st.integers(0, 255), st.integers(0, 255))
    switch = st.booleans()
    return Setup(
        preset.ruleset,
        draw(st.tuples(mind, mind)),
        preset=preset,
        person_names=draw(st.tuples(NAMES, NAMES)),
        tally=Tally(draw(wins), draw(st.integers(0, 255))),
        minds_version=draw(st.integers(1, 255)),
        loser_begins=draw(switch),
        assists=Assists(*draw(st.tuples(*(switch for _ in Assists._fields)))),
        is_dealt=draw(switch),
    )


@st.composite
def learning(draw: Any) -> Any:
    """A setup in which the computer learns about the only person."""
    setup = replace(
        draw(setups()), minds=draw(st.sampled_from([(None, "admiral"), ("sailor", None)]))
    )
    learnt = draw(st.just(()) | LEARNT)
    return replace(setup, learning=Learning(learnt, draw(st.booleans())))


LEARNT = st.tuples(*(st.integers(-MOST_LEARNT, MOST_LEARNT) for _ in HABITS)).filter(any)


@given(setups() | learning())
@settings(max_examples=80)
def test_whatever_is_agreed_before_a_match_travels_with_it(setup: Any) -> None:
    saved = SavedMatch(setup, opening(setup.ruleset).match)
    assert unseal_match(seal_match(saved)) == saved
    draft = Draft(setup, direction=Direction.DOWN, chosen_cells=(Cell(3), Cell(4)))
    if setup.is_shared:
        draft = replace(draft, first=saved.match.fleets[0])
    assert unseal_draft(seal_draft(draft)) == draft


def test_a_match_with_all_that_it_can_have_fits_an_address() -> None:
    seed_shares = SeedShares("0" * 32, "1" * 32)
    agreed: dict[str, Any] = {"learning": Learning(), "seed_shares": seed_shares}
    setup = Setup(PRESETS["bonn"].ruleset, (None, "admiral"), started_hour=1, **agreed)
    match = replace(opening(setup.ruleset).match, seed=seed_shares.seed)
    assert longest(SavedMatch(setup, match)) <= 600
    rules = Ruleset(columns=15, rows=15, fleet=(1,) * 225, touching=True, turns=None)
    whole = make_fleet(rules, all_placements(rules.board, 1))
    setup, match = replace(setup, ruleset=rules), Match(rules, (whole, whole), seed_shares.seed)
    assert longest(SavedMatch(setup, match)) <= 4000
    assert unseal_match(seal_match(SavedMatch(setup, match))).setup == setup


def test_processes_that_start_at_once_all_read_the_same_secrets(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secrets.json"
    code = f"""if True:
        from pathlib import Path
        from game.ops import secrets
        print(secrets.load(Path({str(path)!r}), may_create=True))
    """
    words = [sys.executable, "-c", code]
    started = [subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE) for _ in range(4)]
    assert len({process.communicate(timeout=LATE)[0] for process in started}) == 1
    assert list(path.parent.iterdir()) == [path]
