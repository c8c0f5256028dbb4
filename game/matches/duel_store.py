"""Duels in the match store: compare-and-set writes of steps, and recovery after data loss.

    ID:7         the token of step 7 of the duel of that id; the last two steps are kept
    ID:7:move    the same with the move, or Stay, before the first shot of the turn
    wait:KEY     7: a hint at the newest step, under the poll key of a seat's page
    ID:shown:0   after a loss, the token of the newest step that the first seat has shown

The first writer of a step or move wins. The match store may lose everything, because each seat's
address holds a step. Nothing is read or written for a seat's move when the other seat asks. Until
the first shot a duel expires after two days, unless a page of it stays open: joining one's own
invitations takes no more room than inviting.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count

from game.engine.rules import Side
from game.matches import keyring
from game.matches.duel import Duel, poll_key
from game.matches.keyring import BadToken
from game.matches.tokens import seal_duel, unseal_duel
from game.ops import match_store
from game.ops.match_store import MatchStoreDown

__all__ = ["MatchStoreDown", "WriteConflict", "decide", "find", "moved", "newest", "show", "write"]

INVITATION_LIFETIME = 2 * match_store.DAY
"""The time to live of a duel before its first shot, in seconds."""
_INVITATION_HINT = match_store.DAY
"""The time to live of its hints. Once they have expired, the open page asks for itself, and both
begin again."""
_AT_ONCE = 3
"""How many steps are read at once. The newest step is seldom further on than that."""


class WriteConflict(Exception):
    """Another process has already written this step, or a later one."""


def find(duel_id: bytes, least: int = 0) -> Duel | None:
    """Returns the newest step of a duel, from step `least` on, or None."""
    wait = _poll_keys(duel_id)[Side.FIRST]
    hint = match_store.read([wait]).get(wait, "")
    # The hint may be older than the newest step.
    start = max(_number(hint), least)
    token = _last_from(start, duel_id)
    if token is None:
        if _number(hint) == start > 0:  # the hint would hide older steps
            match_store.forget(_poll_keys(duel_id))
        return None
    duel = _opened(token)
    _seal_anew(_key(duel_id, duel.step), token, duel)
    # The writer of that step stopped before it wrote the hint, or the invitation is a day old.
    if hint != str(duel.step):
        if not duel.is_under_way:
            match_store.renew(_key(duel_id, duel.step), INVITATION_LIFETIME)
        _hint(duel)
    return duel


def _last_from(start: int, duel_id: bytes) -> str | None:
    """Returns the token of the last step from `start` on, or None."""
    token = None
    for step in count(start, _AT_ONCE - 1):
        keys = [_key(duel_id, step + more) for more in range(_AT_ONCE)]
        values = match_store.read(keys)
        token = next((values[key] for key in reversed(keys) if key in values), token)
        if keys[-1] not in values:
            break
    return token


def _opened(token: str) -> Duel:
    try:
        return unseal_duel(token)
    except BadToken:  # this process doesn't have its key yet, or no longer
        raise MatchStoreDown("a stored step can't be opened") from None


def _seal_anew(key: str, token: str, duel: Duel) -> None:
    """Seals a stored state by the key in use: the match may outlive the key of its last step."""
    if not keyring.is_latest(token):
        match_store.put({key: seal_duel(duel)}, _lifetime(duel))


def newest(held: Duel) -> Duel | None:
    """Returns the newest step of a duel; None if the match store has lost the step that is held.

    In that case nobody may act until both seats have shown the steps that they hold.
    """
    duel = find(held.id, held.step)
    if duel is None:
        known = find(held.id)
        # This seat hid a step after a data loss, and the match continued from an older one.
        is_other = known is not None and known.is_same_match(held) and not held.includes(known)
        return known if known is not None and is_other else None
    shown = match_store.read(_shown_keys(held)).values()
    return duel if all(_opened(one).step <= duel.step for one in shown) else None


def write(duel: Duel) -> Duel:
    """Writes a step and returns it; raises WriteConflict if it has been written already."""
    token, key = seal_duel(duel), _key(duel.id, duel.step)
    if not match_store.add(key, token, _lifetime(duel)):
        raise WriteConflict("another step was written first")
    # Steps older than the last two are deleted, so a stalled process could recreate one.
    if _has_continued(duel):
        match_store.forget([key])
        raise WriteConflict("the match has continued")
    _hint(duel)
    if duel.step > 1:
        match_store.forget([_key(duel.id, duel.step - 2), _move_key(duel.id, duel.step - 2)])
    return duel


def decide(moved: Duel) -> Duel:
    """Writes the move of a turn, or that its side stays; returns what was written first.

    Before its first shot a turn has to be decided: a shot in one tab and a move in another one
    would both count otherwise. Raises WriteConflict if the match has continued.
    """
    key = _move_key(moved.id, moved.step)
    if not match_store.add(key, seal_duel(moved), _lifetime(moved)):
        token = match_store.read_one(key)
        if token is None:
            raise WriteConflict("the match has continued")
        return _opened(token)
    if _has_continued(moved):
        match_store.forget([key])
        raise WriteConflict("the match has continued")
    return moved


def moved(duel: Duel, side: Side, held: Duel | None = None) -> Duel:
    """Returns a step as a seat has it: with the move that it has made since, if any.

    If the match store has lost the move, `held` brings it back.
    """
    if duel.match is None or duel.match.side is not side or not duel.is_move_due:
        return duel
    key = _move_key(duel.id, duel.step)
    token = match_store.read_one(key)
    if token is not None:
        found = _opened(token)
        _seal_anew(key, token, found)
        return found
    if held is not None and held != duel and held.includes(duel):
        with suppress(WriteConflict):
            return decide(held)
    return duel


def show(held: Duel, side: Side) -> Duel | None:
    """Stores the step that a seat shows after a data loss.

    Returns the newest step once all seats have shown theirs, and None before.
    """
    known = newest(held)
    if known is not None:  # the match has continued, for example in another tab
        return known
    keys = _shown_keys(held)
    shown = {key: _opened(token) for key, token in match_store.read(keys).items()}
    before = shown.get(keys[side])
    held = held.without_move()  # `moved` brings it back
    if before is None or before.step < held.step:
        match_store.put({keys[side]: seal_duel(held)}, _lifetime(held))
        shown[keys[side]] = held
    last = max(shown.values(), key=lambda duel: duel.step)
    # Before the first shot and after the end a player gains nothing from an older step.
    is_running = last.match is not None and not last.is_over
    if is_running and len(shown) < len(keys):
        match_store.forget(_poll_keys(held.id))  # makes the other seat's page show its step
        return None
    match_store.add(_key(last.id, last.step), seal_duel(last), _lifetime(last))
    _hint(last)
    match_store.forget(keys)
    return newest(last)


def _has_continued(duel: Duel) -> bool:
    hints = match_store.read(_poll_keys(duel.id)).values()
    return any(_number(hint) > duel.step for hint in hints)


def _hint(duel: Duel) -> None:
    lifetime = None if duel.is_under_way else _INVITATION_HINT
    match_store.put(dict.fromkeys(_poll_keys(duel.id), str(duel.step)), lifetime)


def _lifetime(duel: Duel) -> int | None:
    return None if duel.is_under_way else INVITATION_LIFETIME


def _number(hint: str) -> int:
    """Returns the step of a hint; 0 if this site has not written it."""
    return int(hint) if hint.isdecimal() and len(hint) < 6 else 0


def _key(duel_id: bytes, step: int) -> str:
    return f"{duel_id.hex()}:{step}"


def _move_key(duel_id: bytes, step: int) -> str:
    return f"{_key(duel_id, step)}:move"


def _poll_keys(duel_id: bytes) -> list[str]:
    return [f"wait:{poll_key(duel_id, side)}" for side in Side]


def _shown_keys(duel: Duel) -> list[str]:
    return [f"{duel.id.hex()}:shown:{int(side)}" for side in Side]
