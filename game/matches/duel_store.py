"""Duels in the match store: the newest step, one write for each step, and what a loss leaves.

    ID:7         the token of step 7 of the duel of that id; the last two steps are kept
    wait:WORD    7: a hint at the newest step, under the word that a seat's page asks by
    ID:shown:0   after a loss, the token of the newest step that the first seat has shown

The first writer of a step wins. The match store may lose everything: each seat's address holds a
step.
"""

from __future__ import annotations

from itertools import count

from game.engine.rules import Side
from game.matches import keyring
from game.matches.duel import Duel, poll_key
from game.matches.keyring import BadToken
from game.matches.tokens import seal_duel, unseal_duel
from game.ops import match_store
from game.ops.match_store import MatchStoreDown

__all__ = ["MatchStoreDown", "WriteConflict", "find", "newest", "show", "write"]

_AT_ONCE = 3
"""How many steps are asked for at once: the newest is seldom further on than that."""


class WriteConflict(Exception):
    """Another step stands where one was to be written."""


def find(duel_id: bytes, least: int = 0) -> Duel | None:
    """The newest step of the duel of that id, from step `least` on, or None."""
    wait = _poll_keys(duel_id)[Side.FIRST]
    hint = match_store.read([wait]).get(wait, "")
    # The hint may be late, and then the steps lie beyond it.
    start = max(_number(hint), least)
    token = _last_from(start, duel_id)
    if token is None:
        if _number(hint) == start > 0:  # a hint at nothing would hide the steps below it
            match_store.forget(_poll_keys(duel_id))
        return None
    duel = _opened(token)
    if not keyring.is_latest(token):  # the match outlives the key that sealed its last step
        match_store.put({_key(duel_id, duel.step): seal_duel(duel)})
    if hint != str(duel.step):  # whoever wrote that step didn't come to tell the seat that waits
        _hint(duel)
    return duel


def _last_from(start: int, duel_id: bytes) -> str | None:
    """The token of the last step there is, from one on."""
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
    except BadToken:  # sealed by a key that this process doesn't have yet, or no more
        raise MatchStoreDown("what is remembered can't be opened") from None


def newest(held: Duel) -> Duel | None:
    """The newest step of a duel of which one step is held; None where the match store knows less.

    Then nobody moves before both seats have shown what they hold.
    """
    duel = find(held.id, held.step)
    if duel is None:
        known = find(held.id)
        # A step that its seat held back after a loss: both have gone on without it since.
        is_other = known is not None and known.is_same_match(held) and not held.includes(known)
        return known if known is not None and is_other else None
    shown = match_store.read(_shown_keys(held)).values()
    return duel if all(_opened(one).step <= duel.step for one in shown) else None


def write(duel: Duel) -> Duel:
    """Writes the next step, and returns it; raises WriteConflict if another stands there."""
    token, key = seal_duel(duel), _key(duel.id, duel.step)
    if not match_store.add(key, token):
        raise WriteConflict("another step was written first")
    # Steps older than the last two are deleted: one could be written anew by a process that slept.
    if any(_number(hint) > duel.step for hint in match_store.read(_poll_keys(duel.id)).values()):
        match_store.forget([key])
        raise WriteConflict("the match went on meanwhile")
    _hint(duel)
    if duel.step > 1:
        match_store.forget([_key(duel.id, duel.step - 2)])
    return duel


def show(held: Duel, side: Side) -> Duel | None:
    """After a loss, keeps what a seat shows; the newest step once all seats have shown theirs."""
    known = newest(held)
    if known is not None:  # it has gone on meanwhile, such as in another tab
        return known
    keys = _shown_keys(held)
    shown = {key: _opened(token) for key, token in match_store.read(keys).items()}
    before = shown.get(keys[side])
    if before is None or before.step < held.step:
        match_store.put({keys[side]: seal_duel(held)})
        shown[keys[side]] = held
    last = max(shown.values(), key=lambda duel: duel.step)
    # Before the first shot and after the end there is nothing that a second try could use.
    is_running = last.match is not None and not last.is_over
    if is_running and len(shown) < len(keys):
        match_store.forget(_poll_keys(held.id))  # the other seat's page asks, and shows its own
        return None
    match_store.add(_key(last.id, last.step), seal_duel(last))
    _hint(last)
    match_store.forget(keys)
    return newest(last)


def _hint(duel: Duel) -> None:
    match_store.put(dict.fromkeys(_poll_keys(duel.id), str(duel.step)))


def _number(hint: str) -> int:
    """The step of a hint; 0 for what no process of this site has written."""
    return int(hint) if hint.isdecimal() and len(hint) < 6 else 0


def _key(duel_id: bytes, step: int) -> str:
    return f"{duel_id.hex()}:{step}"


def _poll_keys(duel_id: bytes) -> list[str]:
    return [f"wait:{poll_key(duel_id, side)}" for side in Side]


def _shown_keys(duel: Duel) -> list[str]:
    return [f"{duel.id.hex()}:shown:{int(side)}" for side in Side]
