"""How a duel is written in its row, and its seats in a draft and in a private link."""

from game.engine import codec
from game.engine.codec import Reader, encode_flags
from game.engine.fleets import Fleet, make_fleet
from game.engine.match import Match
from game.engine.rules import Pair, Side
from game.features.duel.state import ID_LENGTH, KEY_LENGTH, Claim, DuelState
from game.matches import keyring
from game.matches.keyring import Sealed
from game.matches.parts import FeaturePart, PartFormat
from game.matches.token_format import decode_match, decode_setup, encode_match, encode_setup


def encode(duel: DuelState) -> bytes:
    """Returns what a row has sealed; its columns have the rest."""
    setup, match, fleets = duel.setup, duel.match, duel.fleets
    content = [
        encode_setup(setup), duel.begun.to_bytes(4, "big"),
        encode_flags(*duel.wishes, *duel.left, match, *(fleet is not None for fleet in fleets)),
    ]  # fmt: skip
    if match:
        content.append(encode_match(setup, match))
    else:
        content += [codec.encode_ships(setup.ruleset, fleet or ()) for fleet in fleets]
    return b"".join(content)


def decode(content: bytes) -> DuelState:
    """Returns the state without what its row's columns have; raises ValueError or LookupError."""
    reader = Reader(content)
    setup, begun = decode_setup(reader), reader.number(4)
    wished, wishes, left, leaves, has_match, *placed = reader.flags(7)
    match: Match | None = None
    if has_match:
        match = decode_match(reader, setup)
        fleets: Pair[Fleet | None] = match.fleets
    else:
        rules = setup.ruleset
        first, second = (
            make_fleet(rules, codec.decode_ships(reader, rules, rules.fleet)) if is_placed else None
            for is_placed in placed
        )
        fleets = (first, second)
    ends = (wished, wishes), (left, leaves)
    return DuelState("", 0, 0, ("", ""), setup, fleets, match, *ends, begun)


_DUELS = Sealed("duel", encode, decode)
seal_duel, unseal_duel = _DUELS.seal, _DUELS.unseal


def seal_kept_seat(duel_id: str, seat_secret: bytes) -> str:
    """Returns a token that brings a seat to another device."""
    return keyring.seal("keep", duel_id.encode() + seat_secret)


def unseal_kept_seat(token: str) -> tuple[str, bytes]:
    """Returns the id of the duel and the secret of the seat; raises BadToken."""
    content = keyring.unseal("keep", token)
    return content[:ID_LENGTH].decode("ascii"), content[ID_LENGTH:]


def _encode_claim(claim: Claim) -> bytes:
    return f"{claim.id}{int(claim.side)}{claim.seat_hash}".encode()


def _decode_claim(content: bytes) -> Claim:
    reader = Reader(content)
    duel_id, side = reader.take(ID_LENGTH).decode("ascii"), Side(int(reader.take(1)))
    return Claim(duel_id, side, reader.take(KEY_LENGTH).decode("ascii"))


PART = FeaturePart([PartFormat(Claim, 3, _encode_claim, _decode_claim)])
