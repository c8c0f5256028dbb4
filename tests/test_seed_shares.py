"""The two shares of a seed: the server can't choose its luck, and `verify` finds one that does."""

import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest
from django.core.management import CommandError

from game.engine.chance import Chance
from game.engine.fleets import Fleet, complete
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.notation import parse_fleet
from game.engine.rules import Ruleset, Side
from game.matches import keyring
from game.matches.draft import Draft
from game.matches.keyring import Purpose
from game.matches.record import BadRecord, read, write
from game.matches.saved import SavedMatch
from game.matches.seed_shares import SeedShares
from game.matches.setup import Setup
from game.matches.token_format import encode_saved
from game.matches.tokens import seal_match, seal_replay, unseal_match, unseal_replay
from tests.support.boards import play
from tests.support.matches import verified, with_setup

SMALL = Ruleset(columns=6, rows=6, fleet=(3, 2, 2), again=False, moving=False, turns=24)
SERVER, CLIENT = "00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"


def drawn(label: str, number: int) -> str:
    """A seed share that somebody draws."""
    return f"{Chance(bytes(16), label, number).bits(128):032x}"


def fleet(number: int = 0) -> Fleet:
    return complete(SMALL, (), Chance(bytes(16), "person", number))


def match_of(server: str, client: str, placed: Fleet, mind: str = "random") -> SavedMatch:
    """The match that follows from both shares, before its first shot."""
    setup = Setup(SMALL, (None, mind), seed_shares=SeedShares(server))
    started = Draft(setup, placed).start(None, client)
    assert isinstance(started, SavedMatch)
    return started


def given_up(saved: SavedMatch, shots: int = 4) -> SavedMatch:
    """The match after the person has fired a few shots and given up."""
    for _ in range(shots):
        if saved.match.outcome is None:
            free = min(set(SMALL.board.cells) - saved.match.spent(Side.SECOND))
            saved = replace(saved, match=saved.match.fire(free)).with_minds_played()
    return saved if saved.match.outcome else saved.resigned(Side.FIRST)


# --- the seed; tokens ---


def test_the_seed_is_what_a_shell_computes() -> None:
    seed_shares = SeedShares(SERVER, CLIENT)
    assert seed_shares.line == f"battleship-seed-1|{SERVER}|{CLIENT}"
    assert seed_shares.seed.hex() == "ac249852b04cf44c4911e31fcf877d80"
    assert seed_shares.seed.hex() == sha256(seed_shares.line.encode()).hexdigest()[:32]
    assert seed_shares.server_seed_hash == sha256(SERVER.encode()).hexdigest()


@pytest.mark.parametrize("client", [CLIENT, ""], ids=["by a script", "by the fleet"])
def test_a_token_holds_both_shares_and_the_seed_follows(client: str) -> None:
    saved = match_of(SERVER, client, fleet())
    for one in (saved, given_up(saved)):
        assert unseal_match(seal_match(one)) == one
    content = keyring.unseal(Purpose.PLAY, seal_match(saved))
    assert saved.match.seed not in content, "what can be derived takes no room"
    plain = with_setup(saved, seed_shares=None)
    assert len(content) - len(encode_saved(plain)) == (16 if client else 0)


def test_a_shared_replay_tells_no_seed_share() -> None:
    over = given_up(match_of(SERVER, CLIENT, fleet()))
    assert bytes.fromhex(SERVER) not in keyring.unseal(Purpose.REPLAY, seal_replay(over))
    assert unseal_replay(seal_replay(over)).setup.seed_shares is None


# --- the statement and the record ---

GOLDEN = """\
battleship-record 5
rules 6x6 3-2-2 apart once still single 24 afloat first
first person A1h3 A3h2 E5h2
second random.4 F2v3 B2h2 B5h2
server 00112233445566778899aabbccddeeff
client ffeeddccbbaa99887766554433221100
marks none
commitment 372918306574495eb3c53c818ff4c820ea79a6df7f0cb366de40981ab5e0713f
extensions none
check bb6dd6
0 first B2 hit 38a431
1 second A1 hit bc73b7
2 first C2 sunk 93f012
3 second B1 hit a98f94
resigned first f80e9a
end second resigned 46ca3275582609c66bd2566005ce02d426b52648e84464f64a07b351d07aa898
"""
"""A record whose seed follows from two seed shares."""


def golden() -> SavedMatch:
    seed_shares = SeedShares(SERVER, CLIENT)
    fleets = parse_fleet(SMALL, "A1h3 A3h2 E5h2"), parse_fleet(SMALL, "F2v3 B2h2 B5h2")
    match = play(Match(SMALL, fleets, seed_shares.seed), "B2 A1 C2 B1")
    setup = Setup(SMALL, (None, "random"), minds_version=4, seed_shares=seed_shares)
    return SavedMatch(setup, match.resign(Side.FIRST))


def test_a_record_with_shares_is_written_as_it_always_was() -> None:
    assert write(golden().record) == GOLDEN
    assert read(GOLDEN) == golden().record


def test_a_statement_whose_seed_does_not_follow_fails() -> None:
    record = golden().record
    forged = replace(record, match=replace(record.match, seed=bytes(16)))
    with pytest.raises(BadRecord, match=r"^before ply 0 \(line 8\): the commitment does not go"):
        read(write(forged))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("server 0", "server 1", 8),
        ("client f", "client e", 8),
        ("server 0", "server x", 5),
        ("client f", "client ", 6),
        ("server", "seed", 6),
        ("record 5", "record 4", 1),
        ("first person", "first random.4", 5),
        ("second random.4", "second person", 5),
    ],
)
def test_an_altered_share_fails_at_its_line(old: str, new: str, line: int) -> None:
    with pytest.raises(BadRecord, match=rf"\(line {line}\)"):
        read(GOLDEN.replace(old, new, 1))


# --- planted servers ---


def noted(server: str, client: str) -> tuple[str, ...]:
    """What the player has noted of a match, for `verify`: what was shown, and what was sent."""
    return "--server-hash", SeedShares(server).server_seed_hash, "--share", client


def is_lucky(saved: SavedMatch) -> bool:
    """What a dishonest server waits for: the person's first shots all miss."""
    hidden = {cell for ship in saved.match.fleets[Side.SECOND] for cell in ship.cells}
    return hidden.isdisjoint(map(Cell, range(4)))


def honest(number: int = 0) -> tuple[str, tuple[str, ...]]:
    """The record of a match, and what its player has noted."""
    server, client = drawn("server", number), drawn("client", number)
    over = given_up(match_of(server, client, fleet(number)))
    return write(over.record), noted(server, client)


OTHER_SERVER = "the server's seed share is not the one whose hash was shown"
OTHER_PLAYER = "the player's seed share is not the one that was sent"
numbers = pytest.mark.parametrize("number", range(2))


@numbers
@pytest.mark.parametrize(
    ("shares", "why"),
    [
        # it draws anew until it likes what it sees, after it has shown the hash of its share
        (lambda at, server, client: (drawn("again", at), client), OTHER_SERVER),
        # it waits for the player's share, then counts its own up until it likes the fleet
        (
            lambda at, server, client: (f"{int(server, 16) + 1 + at:032x}"[-32:], client),
            OTHER_SERVER,
        ),
        # it keeps its own share, and puts another in place of the player's
        (lambda at, server, client: (server, drawn("swap", at)), OTHER_PLAYER),
    ],
)
def test_a_server_that_chooses_its_luck_is_refused(
    number: int, shares: Callable[[int, str, str], tuple[str, str]], why: str
) -> None:
    server, client = drawn("server", number), drawn("client", number)
    tries = (shares(1000 * number + at, server, client) for at in range(999))
    lucky = next(filter(is_lucky, (match_of(*one, fleet(number)) for one in tries)))
    with pytest.raises(CommandError, match=why):
        verified(write(given_up(lucky).record), *noted(server, client))


@numbers
def test_a_server_that_plays_by_a_seed_of_its_own_is_refused(number: int) -> None:
    """It reveals the shares as if the seed followed from them."""
    server, client = drawn("server", number), drawn("client", number)
    owed = match_of(server, client, fleet(number))
    over = given_up(match_of(drawn("own", number), client, fleet(number)))
    assert over.match.fleets != owed.match.fleets
    forged = replace(over.match, seed=owed.match.seed)
    record = replace(over.record, match=forged, seed_shares=owed.record.seed_shares)
    with pytest.raises(CommandError, match="before ply 0: the fleet does not follow from the seed"):
        verified(write(record), *noted(server, client))


@numbers
def test_an_honest_server_is_never_refused(number: int) -> None:
    record, options = honest(number)
    said = verified(record, *options)
    assert "The computer played fair." in said
    assert "not checked" not in said


def test_verify_says_what_it_could_not_check_and_takes_capitals() -> None:
    record, (_, server_seed_hash, _, share) = honest()
    hash_missing = "whether the server had drawn its seed share before (--server-hash)"
    share_missing = "whether the player's seed share is the one that was sent (--share)"
    for options, missing in (
        ([], [hash_missing, share_missing]),
        (["--server-hash", server_seed_hash.upper()], [share_missing]),
        (["--share", f" {share.upper()} "], [hash_missing]),
    ):
        said = verified(record, *options)
        assert re.findall("not checked: (.*)", said) == missing
        assert ("the server's seed share is the one whose hash" in said) != (
            hash_missing in missing
        )
        assert "The computer played fair." in said
    _, (_, other_hash, _, other_share) = honest(1)
    for wrong in (("--server-hash", other_hash), ("--share", other_share)):
        with pytest.raises(CommandError, match="is not the one"):
            verified(record, *wrong)
