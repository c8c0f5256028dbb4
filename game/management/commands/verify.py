"""`manage.py verify TOKEN_OR_RECORD`: checks that the computer played fair.

A record needs neither the site nor its keys; a token needs the keys it was sealed with.
"""

import re
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.engine.notation import action_text, fleet_text
from game.matches import daily, fairness
from game.matches.keyring import BadToken
from game.matches.record import BadRecord, OtherEncoding, Record, read
from game.matches.seed_shares import is_share
from game.matches.text_files import decoded
from game.matches.tokens import unseal_match
from game.ops.addresses import token_in
from game.players.registry import MINDS_VERSION


class Command(BaseCommand):
    help = (
        "Replays every decision of the computer in a match from the seed and from public "
        "knowledge alone. Ends with 1 where one differs, or where a record was altered."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        given = "the path of a record, - for one on standard input, a token, or an address"
        add("match", metavar="TOKEN_OR_RECORD", help=given)
        link = "the day's link, once it is published: does the day's fleet follow from it?"
        add("--link", metavar="HEX", help=link)
        shown = "what the placing page showed: is it that of the server's seed share?"
        add("--server-hash", metavar="HASH", help=shown)
        add("--share", help="the seed share that the player sent: does the seed follow from it?")

    def handle(self, *args: Any, **options: Any) -> None:
        record = _record(options["match"])
        match, minds, minds_version = record.match, record.minds, record.minds_version
        self.stdout.write(f"commitment {record.commitment}")
        if record.day:
            self.stdout.write(str(record.day))
        if options["link"] is not None:
            self.stdout.write(_link_checked(record, options["link"]))
        for line in _check_seed_shares(record, options["server_hash"], options["share"]):
            self.stdout.write(line)
        if record.learnt:
            self.stdout.write(record.extensions[0])
        if any(minds) and minds_version != MINDS_VERSION:
            raise CommandError(
                f"edition {minds_version} of the minds played, and this is edition "
                f"{MINDS_VERSION}: the version of the game that it was played with can check it"
            )
        replay = fairness.replay(match, minds, record.learnt)
        for side, is_placed in enumerate(replay.fleets):
            if is_placed is not None:
                mind, fleet = minds[side], fleet_text(match.fleets[side])
                self.stdout.write(f"{mind} {'places' if is_placed else 'would not place'} {fleet}")
        same = sum(one.is_same for one in replay.decisions)
        self.stdout.write(f"{same} of {len(replay.decisions)} decisions are what they had to be")
        if False in replay.fleets:
            raise CommandError("before ply 0: the fleet does not follow from the seed")
        fault = replay.first_fault
        if fault is not None:
            rules = match.ruleset
            played, again = action_text(rules, fault.played), action_text(rules, fault.again)
            raise CommandError(f"at ply {fault.ply}: {fault.mind} played {played}, not {again}")
        if any(minds):
            self.stdout.write("The computer played fair.")
        else:
            self.stdout.write("No computer played in this match: there is nothing to check.")


def _link_checked(record: Record, text: str) -> str:
    """Checks that the day's link leads to the site's first link and to the seed."""
    day = record.day
    if day is None:
        raise CommandError("the record is of no day's sea, so no link belongs to it")
    try:
        link = bytes.fromhex(text)
    except ValueError as error:
        raise CommandError("a link is 64 hexadecimal digits") from error
    if not daily.check_link(link, day.number, day.first_link):
        raise CommandError("the link does not lead to the first link of the chain")
    name = daily.preset_of(day.date)
    if daily.seed_of(link, name) != record.match.seed:
        raise CommandError("the fleet of that day does not follow from its link")
    return f"the link leads to the first link in {day.number} steps, and the fleet follows from it"


def _check_seed_shares(
    record: Record, server_seed_hash: str | None, share: str | None
) -> Iterator[str]:
    """Yields what was checked of the shares of the seed, and what couldn't be."""
    seed_shares = record.seed_shares
    if seed_shares is None:
        if server_seed_hash is not None or share is not None:
            raise CommandError("the seed follows from no seed shares, so there is none to compare")
        if any(record.minds) and record.day is None:
            yield "not checked: the server drew the seed alone, perhaps more than once"
        return
    if server_seed_hash is None:
        yield "not checked: whether the server had drawn its seed share before (--server-hash)"
    elif server_seed_hash.strip().lower() != seed_shares.server_seed_hash:
        raise CommandError("the server's seed share is not the one whose hash was shown")
    else:
        yield "the server's seed share is the one whose hash was shown"
    if share is None:
        yield "not checked: whether the player's seed share is the one that was sent (--share)"
    elif share.strip().lower() != seed_shares.client.lower():  # a fleet's text has capitals
        raise CommandError("the player's seed share is not the one that was sent")
    else:
        yield "the player's seed share is the one that was sent"
    if not is_share(seed_shares.client):
        yield "the player's fleet stood for a seed share: the server may have guessed or placed it"


def _record(argument: str) -> Record:
    """Returns the record in a file, on standard input or in a token."""
    try:
        text = _text(argument)
        if text is not None:
            return read(text)
    except OtherEncoding as error:
        raise CommandError(f"the file's encoding was changed: {error}") from error
    except BadRecord as error:
        raise CommandError(f"the record fails: {error}") from error
    except OSError as error:
        raise CommandError(f"the record can't be read: {error.strerror}") from error
    token = token_in(argument)
    if not token and not re.search("://|[^/?]{61}", argument):
        raise CommandError(f"there is no file {argument!r}")
    try:
        return unseal_match(token).record
    except BadToken as error:
        raise CommandError("neither a file nor a token of this site's keys") from error


def _text(argument: str) -> str | None:
    """Returns the text on standard input (`-`) or in the file of that name, if there is one."""
    if argument == "-":
        given = sys.stdin
        return decoded(given.buffer.read()) if isinstance(given, TextIOWrapper) else given.read()
    try:
        is_file = Path(argument).is_file()
    except OSError:
        return None  # a token is longer than names of files may be
    return decoded(Path(argument).read_bytes()) if is_file else None
