"""Duels in the match store: compare-and-set writes of steps, and recovery after data loss.

    ID:7         the token of step 7 of the duel of that id, the newest one
    ID:6         -: there is a later step
    ID:7:move    the same with the move, or Stay, before the first shot of the turn
    wait:KEY     7: a hint at the newest step, under the poll key of a seat's page
    ID:shown:0   after a loss, the token of the newest step that the first seat has shown

The first writer of a step or move wins. The match store may lose everything, because each seat's
address holds a step. Nothing is read or written for a seat's move when the other seat asks.

Room for two of the largest tokens is reserved before the first step, so no later one is refused.
Each write renews the reservation, and no value of the match is kept longer.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count

from game.engine.actions import STAY
from game.engine.rules import Side
from game.features.duel import presence
from game.features.duel.model import Duel, poll_key
from game.features.duel.parts import seal_duel, unseal_duel
from game.matches import keyring
from game.matches.keyring import BadToken
from game.ops import match_store
from game.ops.match_store import MatchStoreDown

_SHORT_LIFETIME = 2 * match_store.DAY
"""The time to live of a duel before its first shot, or that somebody has left, in seconds."""
_SHORT_HINT = match_store.DAY
"""The time to live of its hints. Once they have expired, the open page asks for itself, and both
begin again."""
_GONE = "-"
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
    # The writer of that step stopped before it wrote the hint, or the hint is a day old.
    if hint != str(duel.step):
        match_store.renew(_key(duel_id, duel.step), _lifetime(duel))
        _hint(duel)
    return duel


def _last_from(start: int, duel_id: bytes) -> str | None:
    """Returns the token of the last step from `start` on, or None."""
    token = None
    for step in count(start, _AT_ONCE - 1):
        keys = [_key(duel_id, step + more) for more in range(_AT_ONCE)]
        values = match_store.read(keys)
        kept = (values[key] for key in reversed(keys) if values.get(key, _GONE) != _GONE)
        token = next(kept, token)
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
        _hint(duel)


def newest(held: Duel) -> Duel | None:
    """Returns the newest step of a duel; None if the match store has lost the step that is held.

    In that case nobody may act until both seats have shown the steps that they hold.
    """
    duel = find(held.id, held.step)
    if duel is None:
        known = find(held.id)
        # This seat hid a step after a data loss, and the match continued from an older one.
        is_other = known is not None and known.is_same_match(held) and not held.includes(known)
        return known if is_other else None
    shown = match_store.read(_shown_keys(held)).values()
    return duel if all(_opened(one).step <= duel.step for one in shown) else None


def write(duel: Duel) -> Duel:
    """Writes a step and returns it; raises WriteConflict if it has been written already.

    Raises MatchStoreFull only for the first step.
    """
    token, key = seal_duel(duel), _key(duel.id, duel.step)
    if not duel.step:
        match_store.reserve(duel.id.hex(), _reserved(duel))
    if not match_store.add(key, token, _lifetime(duel)):
        raise WriteConflict("another step was written first")
    # All before the last two is deleted, so a stalled process could recreate a step.
    _refuse_if_continued(duel, key)
    _hint(duel)
    if duel.step:
        moves = [_move_key(duel.id, duel.step - ago) for ago in (1, 2)]
        match_store.forget([*moves, _key(duel.id, duel.step - 2)])
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
    _refuse_if_continued(moved, key)
    if moved.match is not None and moved.match.actions[-1] != STAY:  # a step follows that at once
        _hint(moved)
    return moved


def moved(duel: Duel, side: Side, held: Duel | None = None) -> Duel:
    """Returns a step as a seat has it: with the move that it has made since, if any.

    If the match store has lost the move, `held` brings it back.
    """
    if duel.match is None or duel.match.side is not side or not duel.match.is_move_due:
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
    """Stores the step that a seat shows after a data loss; raises MatchStoreFull.

    Returns the newest step once all seats have shown theirs, and None before.
    """
    known = newest(held)
    if known is not None:  # the match has continued, for example in another tab
        return known
    match_store.reserve(held.id.hex(), _reserved(held))
    keys, older = _shown_keys(held), find(held.id)
    shown = {key: _opened(token) for key, token in match_store.read(keys).items()}
    before = shown.get(keys[side])
    held = held.without_move()  # `moved` brings it back
    if before is None or before.step < held.step:
        match_store.put({keys[side]: seal_duel(held)}, _lifetime(held))
        shown[keys[side]] = held
    if older is not None:  # nobody may act on it any more
        match_store.forget([_key(held.id, older.step), _move_key(held.id, older.step)])
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


def _refuse_if_continued(duel: Duel, key: str) -> None:
    """Deletes what was written under a key and raises WriteConflict if there is a later step."""
    if any(_number(hint) > duel.step for hint in match_store.read(_poll_keys(duel.id)).values()):
        match_store.forget([key])
        raise WriteConflict("the match has continued")


def _hint(duel: Duel) -> None:
    """Hints at the newest step, marks the one before as gone, and renews the reservation."""
    values = dict.fromkeys(_poll_keys(duel.id), str(duel.step))
    if duel.step:
        values[_key(duel.id, duel.step - 1)] = _GONE
    lifetime = match_store.LIFETIME if _is_kept_long(duel) else _SHORT_HINT
    match_store.put(values, lifetime, {duel.id.hex(): _reserved(duel)})


def _is_kept_long(duel: Duel) -> bool:
    return duel.is_under_way and not duel.is_closed


def _lifetime(duel: Duel) -> int:
    return match_store.LIFETIME if _is_kept_long(duel) else _SHORT_LIFETIME


def _reserved(duel: Duel) -> int:
    """Returns the time to live of its reservation: presence outlives the hint by a day."""
    return _lifetime(duel) + presence.LIFETIME


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
