"""The two shares of a seed: the server can't choose its luck, and `verify` finds one that does."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest
from django.core.management import CommandError, call_command

from game.engine.actions import Fire
from game.engine.chance import Chance
from game.engine.fleets import Fleet, complete, make_fleet, parse_placement
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.notation import fleet_text
from game.engine.rules import Ruleset, Side
from game.matches import keyring, token_format
from game.matches.draft import Draft
from game.matches.keyring import Purpose
from game.matches.record import BadRecord, read, write
from game.matches.saved import SavedMatch
from game.matches.seed_shares import SeedShares
from game.matches.setup import Setup
from game.matches.tokens import seal_match, seal_replay, unseal_match, unseal_replay

SMALL = Ruleset(columns=6, rows=6, fleet=(3, 2, 2), again=False, moving=False, turns=24)
SERVER, CLIENT = "00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"
TRIES = 100
"""Matches of each planted server."""


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


# --- the seed ---


def test_the_seed_is_what_a_shell_computes() -> None:
    seed_shares = SeedShares(SERVER, CLIENT)
    assert seed_shares.line == f"battleship-seed-1|{SERVER}|{CLIENT}"
    assert seed_shares.seed.hex() == "ac249852b04cf44c4911e31fcf877d80"
    assert seed_shares.seed.hex() == sha256(seed_shares.line.encode()).hexdigest()[:32]
    assert seed_shares.server_seed_hash == sha256(SERVER.encode()).hexdigest()


# --- tokens ---


@pytest.mark.parametrize("client", [CLIENT, ""], ids=["by a script", "by the fleet"])
def test_a_token_holds_both_shares_and_the_seed_follows(client: str) -> None:
    saved = match_of(SERVER, client, fleet())
    for one in (saved, given_up(saved)):
        assert unseal_match(seal_match(one)) == one
    content = keyring.unseal(Purpose.PLAY, seal_match(saved))
    assert saved.match.seed not in content, "what can be derived takes no room"
    plain = replace(saved, setup=replace(saved.setup, seed_shares=None))
    assert len(content) - len(token_format.encode_saved(plain)) == (16 if client else 0)


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
    seed_shares, board = SeedShares(SERVER, CLIENT), SMALL.board
    first, second = (
        make_fleet(SMALL, [parse_placement(board, text) for text in texts])
        for texts in (("A1h3", "A3h2", "E5h2"), ("F2v3", "B2h2", "B5h2"))
    )
    shots = tuple(Fire(board.parse(name)) for name in ("B2", "A1", "C2", "B1"))
    match = Match(SMALL, (first, second), seed_shares.seed, shots)
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


def test_the_record_of_a_fleet_that_is_a_share_names_the_fleet() -> None:
    record = given_up(match_of(SERVER, "", fleet())).record
    text = write(record)
    assert f"\nclient {fleet_text(fleet())}\n" in text
    assert read(text) == record
    other = text.replace("\nclient ", "\nclient A1h2 ")
    with pytest.raises(BadRecord, match=r"^before ply 0 \(line 6\): neither a seed share nor"):
        read(other)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [("server 0", "server 1", 8), ("client f", "client e", 8), ("server 0", "server x", 5),
     ("client f", "client ", 6), ("server", "seed", 6), ("record 5", "record 4", 1),
     ("first person", "first random.4", 5), ("second random.4", "second person", 5)],
)  # fmt: skip
def test_an_altered_share_fails_at_its_line(old: str, new: str, line: int) -> None:
    with pytest.raises(BadRecord, match=rf"\(line {line}\)"):
        read(GOLDEN.replace(old, new, 1))


# --- planted servers ---


class Played(NamedTuple):
    """A match as its player knows it: what the placing page showed, what was sent, and the end."""

    server_seed_hash: str
    share: str
    record: str


def verify(folder: Path, played: Played, *options: str) -> str:
    path, said = folder / "battleship.txt", io.StringIO()
    path.write_text(played.record)
    call_command("verify", str(path), *options, stdout=said)
    return said.getvalue()


def fully(played: Played) -> tuple[str, ...]:
    return "--server-hash", played.server_seed_hash, "--share", played.share


def is_lucky(saved: SavedMatch) -> bool:
    """What a dishonest server waits for: the person's first shots all miss."""
    hidden = {cell for ship in saved.match.fleets[Side.SECOND] for cell in ship.cells}
    return hidden.isdisjoint(map(Cell, range(4)))


def luckiest(matches: Iterator[SavedMatch]) -> SavedMatch:
    return next(filter(is_lucky, matches))


def honest(number: int) -> Played:
    server, client = drawn("server", number), drawn("client", number)
    over = given_up(match_of(server, client, fleet(number)))
    return Played(SeedShares(server).server_seed_hash, client, write(over.record))


def draws_again(number: int) -> Played:
    """It draws anew until it likes what it sees, after it has shown the hash of its share."""
    server_seed_hash, client = (
        SeedShares(drawn("server", number)).server_seed_hash,
        drawn("client", number),
    )
    tries = (
        match_of(drawn("again", 1000 * number + at), client, fleet(number)) for at in range(999)
    )
    return Played(server_seed_hash, client, write(given_up(luckiest(tries)).record))


def chooses_its_share(number: int) -> Played:
    """It waits for the player's share, then counts its own up until it likes the fleet."""
    server, client = drawn("server", number), drawn("client", number)
    after = range(int(server, 16) + 1, int(server, 16) + 999)
    tries = (match_of(f"{one % 2**128:032x}", client, fleet(number)) for one in after)
    return Played(
        SeedShares(server).server_seed_hash, client, write(given_up(luckiest(tries)).record)
    )


def swaps_the_players_share(number: int) -> Played:
    """It keeps its own share, and puts another in place of the player's."""
    server, client = drawn("server", number), drawn("client", number)
    tries = (
        match_of(server, drawn("swap", 1000 * number + at), fleet(number)) for at in range(999)
    )
    return Played(
        SeedShares(server).server_seed_hash, client, write(given_up(luckiest(tries)).record)
    )


def keeps_to_neither(number: int) -> Played:
    """It plays by a seed of its own, and reveals the shares as if that followed from them."""
    server, client = drawn("server", number), drawn("client", number)
    owed = match_of(server, client, fleet(number))
    tries = (match_of(drawn("own", 1000 * number + at), client, fleet(number)) for at in range(999))
    over = given_up(next(one for one in tries if one.match.fleets != owed.match.fleets))
    forged = replace(over.match, seed=owed.match.seed)
    record = replace(over.record, match=forged, seed_shares=owed.record.seed_shares)
    return Played(SeedShares(server).server_seed_hash, client, write(record))


PLANTED: dict[Callable[[int], Played], str] = {
    draws_again: "the server's seed share is not the one whose hash was shown",
    chooses_its_share: "the server's seed share is not the one whose hash was shown",
    swaps_the_players_share: "the player's seed share is not the one that was sent",
    keeps_to_neither: "before ply 0: the fleet does not follow from the seed",
}


@pytest.mark.parametrize("server", PLANTED)
def test_a_server_that_chooses_its_luck_is_refused(
    server: Callable[[int], Played], tmp_path: Path
) -> None:
    refused = 0
    for number in range(TRIES):
        played = server(number)
        with pytest.raises(CommandError, match=PLANTED[server]):
            verify(tmp_path, played, *fully(played))
        refused += 1
    assert refused == TRIES


def test_an_honest_server_is_never_refused(tmp_path: Path) -> None:
    accepted = 0
    for number in range(TRIES):
        played = honest(number)
        said = verify(tmp_path, played, *fully(played))
        accepted += "The computer played fair." in said and "not checked" not in said
    assert accepted == TRIES


def test_without_what_was_noted_verify_says_what_it_could_not_check(tmp_path: Path) -> None:
    played = honest(0)
    said = verify(tmp_path, played)
    assert "not checked: whether the server had drawn its seed share before (--server-hash)" in said
    assert "not checked: whether the player's seed share is the one that was sent (--share)" in said
    assert "The computer played fair." in said
    said = verify(tmp_path, played, "--server-hash", played.server_seed_hash.upper())
    assert "the server's seed share is the one whose hash was shown" in said
    assert said.count("not checked") == 1


def test_verify_takes_the_names_that_its_options_had_in_1_0(tmp_path: Path) -> None:
    played, other = honest(0), honest(1)
    old = verify(tmp_path, played, "--noted", played.server_seed_hash, "--half", played.share)
    assert old == verify(tmp_path, played, *fully(played))
    for option, text in (("--noted", other.server_seed_hash), ("--half", other.share)):
        with pytest.raises(CommandError, match="is not the one"):
            verify(tmp_path, played, option, text)


def test_what_was_noted_in_capitals_is_the_same(tmp_path: Path) -> None:
    played = honest(0)
    loud = Played(played.server_seed_hash.upper(), f" {played.share.upper()} ", played.record)
    assert "not checked" not in verify(tmp_path, loud, *fully(loud))
    fleet_of = fleet_text(fleet())
    over = Played("", fleet_of, write(given_up(match_of(SERVER, "", fleet())).record))
    for share in (fleet_of, fleet_of.lower()):
        assert "the player's seed share is the one" in verify(tmp_path, over, "--share", share)


def test_verify_says_where_the_fleet_stood_for_a_share(tmp_path: Path) -> None:
    over = given_up(match_of(SERVER, "", fleet()))
    played = Played(SeedShares(SERVER).server_seed_hash, fleet_text(fleet()), write(over.record))
    assert "the player's fleet stood for a seed share" in verify(tmp_path, played, *fully(played))
    with pytest.raises(CommandError, match="the player's seed share is not"):
        verify(tmp_path, played, "--share", CLIENT)


def test_of_a_seed_without_shares_verify_says_that_there_is_no_such_proof(tmp_path: Path) -> None:
    plain = Played("0" * 64, CLIENT, write(replace(honest_match().record, seed_shares=None)))
    assert "not checked: the server drew the seed alone" in verify(tmp_path, plain)
    for options in (("--server-hash", plain.server_seed_hash), ("--share", plain.share)):
        with pytest.raises(CommandError, match="follows from no seed shares"):
            verify(tmp_path, plain, *options)


def honest_match() -> SavedMatch:
    return given_up(match_of(SERVER, CLIENT, fleet()))


def test_verify_checks_the_shares_of_a_token_too() -> None:
    said = io.StringIO()
    server_seed_hash = SeedShares(SERVER).server_seed_hash
    options = "--server-hash", server_seed_hash, "--share", CLIENT
    call_command("verify", seal_match(honest_match()), *options, stdout=said)
    assert "not checked" not in said.getvalue()
