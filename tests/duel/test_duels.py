"""Duels in the match store: one write for each step, and what a loss of it can do and can't.

The match store may forget everything at any moment. Then the newest step that either seat shows
stands, once both have shown theirs; so nothing that a seat has seen is ever undone.
"""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_django import Settings

from game.engine.actions import STAY, Fire
from game.engine.chance import Chance
from game.engine.fleets import complete
from game.engine.rules import Ruleset, Side
from game.features.duel import store as duel_store
from game.features.duel.model import Duel, opened, poll_key
from game.features.duel.parts import seal_duel, unseal_duel
from game.features.duel.store import WriteConflict
from game.matches import keyring
from game.matches.setup import Setup
from game.ops import match_store, secrets
from tests.duel.duels import (
    Copy,
    Seat,
    begun,
    dying,
    end,
    fire,
    flush,
    move,
    moves,
    opposed,
    place,
    play_turn,
    remembered,
    show,
    steps,
    targets,
)
from tests.support import times

RULES = Ruleset(columns=8, rows=8, fleet=(3, 2), again=False, moving=False, turns=None)
ID = bytes(range(16))


def started(*, moving: bool = False) -> Duel:
    """The first step of a match, in the match store."""
    fleets = [complete(RULES, (), Chance(bytes(16), "fleet", number)) for number in (0, 1)]
    setup = Setup(replace(RULES, moving=moving), (None, None), remote=True, loser_begins=True)
    duel = duel_store.write(opened(setup, ID, b"a" * 16, fleets[0], ""))
    duel = duel_store.write(duel.joined(b"b" * 16))
    return duel_store.write(duel.placed(Side.SECOND, fleets[1], ""))


def with_move(duel: Duel) -> Duel:
    """The step with the first move that may be made."""
    return duel.acted(duel.match.side, duel.match.steers(duel.match.side)[0])


def shot(duel: Duel, number: int = 0) -> Duel:
    """The step of a shot at water, not written."""
    match = duel.match
    ships = {cell for ship in match.fleets[match.side.opponent] for cell in ship.cells}
    water = [c for c in RULES.board.cells if c not in match.spent(match.side.opponent) | ships]
    return duel.acted(match.side, Fire(water[number]))


def played(duel: Duel, count: int) -> list[Duel]:
    """So many more steps, written one after the other."""
    found = [duel]
    for _shot in range(count):
        found.append(duel_store.write(shot(found[-1])))
    return found


def hints() -> set[str]:
    return {value for key, value in remembered().items() if key.startswith("wait:")}


def set_hints(step: int | None) -> None:
    keys = [f"wait:{poll_key(ID, side)}" for side in Side]
    if step is None:
        match_store.forget(keys)
    else:
        match_store.put(dict.fromkeys(keys, str(step)))


# --- writing ---


@pytest.mark.parametrize("behind", range(1, 6))
def test_a_writer_that_slept_can_not_write_a_step_of_the_past_anew(behind: int) -> None:
    found = played(started(), 8)
    last = found[-1]
    stale = shot(found[-1 - behind], 5)
    before = remembered()
    with pytest.raises(WriteConflict):
        duel_store.write(stale)
    assert remembered() == before
    assert duel_store.newest(last) == duel_store.newest(stale) == duel_store.find(ID) == last
    assert steps() == [last.step - 1, last.step]
    assert hints() == {str(last.step)}
    assert len(remembered()) == 4
    assert remembered()[f"{ID.hex()}:{last.step - 1}"] == "-", "only the last one has a token"


@pytest.mark.parametrize("behind", range(1, 6))
def test_a_mover_that_slept_can_not_decide_a_turn_of_the_past_anew(behind: int) -> None:
    found = [started(moving=True)]
    for _shot in range(6):
        stayed = duel_store.decide(found[-1].acted(found[-1].match.side, STAY))
        found.append(duel_store.write(shot(stayed)))
        assert ":move" not in str(remembered()), "a move is deleted with its step"
    stale, before = found[-1 - behind], remembered()
    with pytest.raises(WriteConflict):
        duel_store.decide(with_move(stale))
    assert remembered() == before


def test_a_match_goes_on_whose_last_two_steps_an_earlier_version_has_kept_whole() -> None:
    first, *_, before, last = played(started(), 3)
    match_store.put({f"{ID.hex()}:{step.step}": seal_duel(step) for step in (before, last)})
    assert all(duel_store.newest(held) == last for held in (first, before, last))
    after = duel_store.write(shot(last))
    assert duel_store.newest(first) == after
    assert steps() == [last.step, after.step]


# --- hints ---


@pytest.mark.parametrize("late", [*range(4), None])
def test_late_and_missing_hints_harm_nothing_and_are_mended(late: int | None) -> None:
    *_, before, last = played(started(), 4)
    for held in (before, last):
        set_hints(None if late is None else last.step - late)
        assert duel_store.newest(held) == last
        assert hints() == {str(last.step)}, "the seat that waits is told"
    assert duel_store.write(shot(last)).step == last.step + 1


def test_steps_are_found_however_far_beyond_the_hint_they_reach() -> None:
    """Processes die after each of their steps: the hints stay, and nothing is deleted."""
    duel = started()
    at = duel.step
    for _step in range(9):
        with dying("put"), pytest.raises(match_store.MatchStoreDown):
            duel_store.write(shot(duel))
        duel = shot(duel)
        assert hints() == {str(at)}
    assert duel_store.find(ID) == duel
    assert hints() == {str(duel.step)}


def test_a_process_killed_between_its_two_writes_has_moved_and_the_other_seat_is_told() -> None:
    one, other = opposed("milton")
    cell, where = next(targets(one.duel, hits=False)), one.page.form
    with dying("put"):
        one.send({"cell": cell})
    assert one.status == 503
    assert other.waits() == 204, "the hint is late"
    one.send({"cell": cell}, where)
    assert one.status == 303
    assert other.waits() == 200
    other.open()
    assert (other.phase, other.duel) == ("firing", one.duel)


# --- what is lost; any schedule ---


def test_after_a_loss_nobody_moves_before_both_have_shown_theirs() -> None:
    one, other = opposed()
    flush()
    cell, where = {"cell": next(targets(one.duel, hits=False))}, one.page.form
    for fields in (cell, {"action": "shown"}, cell):
        one.send(fields, where)
        assert (one.status, one.phase) == (200, "waiting")
        assert "data-lost" in one.page, "alone"
        assert 'data-board="own"' in one.page
        assert not re.search(r'name="(steer|cell)" value', one.page)
    assert steps() == []
    assert other.waits() == 200
    other.open()
    assert "data-lost" in other.page
    other.press("shown")
    assert (other.status, other.phase) == (303, "waiting")
    assert "data-lost" not in other.page
    one.press("shown")
    assert one.phase == "firing"
    one.send(cell)
    assert (one.status, one.duel) == (303, other.state)


@pytest.mark.parametrize("loss", ["all", "the move alone", "an older copy"])
def test_after_a_loss_the_movers_address_brings_the_move_back(loss: str) -> None:
    one, other = opposed()
    older = Copy()
    play_turn(one, other)
    play_turn(one, other)
    before, old = Copy(), one.page.form
    moved = move(one)
    other.open()
    {"all": flush, "the move alone": before.restore, "an older copy": older.restore}[loss]()
    show(one, other, one)
    assert one.duel == moved
    assert other.state == moved.without_move()
    one.send({"cell": next(targets(moved, hits=False))}, old)
    assert (one.status, one.duel) == (409, moved)
    fire(one)
    assert one.duel == other.state
    assert one.duel.includes(moved)


def test_a_move_shown_after_the_step_without_it_is_not_lost() -> None:
    """The mover has two tabs open, and the one from before the move answers first."""
    one, other = opposed()
    old, moved = one.page.form, move(one)
    new = one.page.form
    for all_have_shown in (False, True):
        flush()
        one.press("shown", old)
        if all_have_shown:
            other.press("shown")
        one.press("shown", new)
        other.press("shown")
        assert one.state == moved
        assert other.state == moved.without_move()


def test_a_line_that_was_held_back_does_not_come_back_later() -> None:
    """Its seat gave up four hits after a loss, and shows them once all have gone on."""
    one, other = opposed()
    old = one.page.form
    for _shot in range(4):
        fire(one, hits=True)
    held_back = one.page.form
    flush()
    one.open(old)
    one.press("shown", old)
    show(other)
    one.open()
    play_turn(one, other)
    fire(other)
    now = other.duel
    assert now.step < unseal_duel(held_back.split("/")[3]).step
    for _try in range(2):
        one.open(held_back)
        one.press("shown", held_back)
        other.open()
    assert one.duel == other.duel == now


def test_nothing_is_written_on_a_step_that_is_another_one_of_that_number() -> None:
    """A hit is held back after a loss, and in its place a shot at water ended the turn."""
    one, other = opposed()
    old = one.page.form
    fire(one, hits=True)
    held_back = one.page.form
    flush()
    one.press("shown", old)
    other.press("shown")
    one.open(old)
    fire(one)
    now, kept = other.state, remembered()
    one.send({"cell": next(targets(unseal_duel(held_back.split("/")[3]), hits=True))}, held_back)
    assert (one.status, one.duel) == (409, now)
    assert remembered() == kept
    assert moves(other)


def test_what_the_other_seat_has_seen_is_never_open_to_a_second_try() -> None:
    first, second = begun()
    addresses = [first.page.form]
    for _turn in range(4):
        play_turn(first, second)
        addresses.append(first.page.form)
    seen = second.duel
    for old in addresses:
        flush()
        first.open(old)
        first.press("shown", old)
        assert "data-lost" in first.page
        show(second)
        first.open(old)
        assert first.duel == second.duel == seen


def test_an_old_page_that_still_thinks_all_is_lost_does_not_undo_what_followed() -> None:
    """Each seat has the match open twice when the match store is lost; one page of each goes on."""
    first, second = begun()
    flush()
    old = [first.page.form, second.page.form]
    show(first, second, first)
    for _turn in range(5):
        play_turn(first, second)
    now = first.duel
    for device, where in zip((first, second), old, strict=True):
        device.press("shown", where)
        assert device.duel == now
        assert "data-lost" not in device.page
    assert first.state == second.state == now


def test_in_the_rematch_a_seat_that_had_placed_need_not_show_first() -> None:
    """The other one had even fired: its step is not undone by a page from before the match."""
    first, second = begun()
    end(first, second)
    flush()
    show(first)
    assert "data-lost" not in first.page, "after the end an older step is worth nothing"
    for device in (first, second):
        device.press("rematch")
    first.open()
    place(first)
    behind = first.duel
    place(second)
    if second.phase == "firing":
        fire(second)
    ahead = second.duel
    flush()
    show(first)
    assert "data-lost" not in first.page, "nor is one before the first shot"
    assert first.duel.step == behind.step
    show(second)
    assert first.waits() == 200, "its page has to be told that it is to show again"
    show(first)
    second.open()
    assert first.duel == second.duel == ahead


def test_what_a_process_can_not_open_yet_is_no_broken_address() -> None:
    """It was sealed by a key that another machine has already: the same may be tried later."""
    duel = started()
    match_store.put({f"{ID.hex()}:{duel.step}": "AQ" + "x" * 300})
    with pytest.raises(match_store.MatchStoreDown):
        duel_store.newest(duel)
    flush()
    match_store.put({f"{ID.hex()}:shown:1": "AQ" + "x" * 300})
    with pytest.raises(match_store.MatchStoreDown):
        duel_store.show(duel, Side.FIRST)


def test_a_step_is_sealed_again_under_the_key_that_is_in_use_now(
    settings: Settings, tmp_path: Path
) -> None:
    duel = started(moving=True)
    side, key = duel.match.side, f"{ID.hex()}:{duel.step}"
    decided = duel_store.decide(with_move(duel))
    path = tmp_path / "rotated.json"
    found = secrets.load(settings.SECRETS_FILE, may_create=False)
    former = [one | {"state": "accept"} for one in found["keys"]]
    secrets.write(path, found | {"keys": [*former, secrets.make_key("use")]})
    settings.SECRETS_FILE = path
    keys = key, f"{key}:move"
    assert not any(keyring.is_latest(remembered()[key]) for key in keys)
    assert duel_store.find(ID) == duel
    assert duel_store.moved(duel, side) == decided
    assert all(keyring.is_latest(remembered()[key]) for key in keys)


def test_a_step_includes_what_led_to_it_and_nothing_else() -> None:
    duel = started()
    found = played(duel, 4)
    for at, one in enumerate(found):
        assert [one.includes(other) for other in found] == [to <= at for to in range(5)]
    flush()
    still = started(moving=True)
    steers = still.match.steers(Side.FIRST)[:2]
    one_way, other_way = (still.acted(Side.FIRST, steer) for steer in steers)
    given_up = duel.resigned(Side.FIRST)
    stranger = replace(duel, seat_hashes=(duel.seat_hashes[0], b"c" * 16))
    for step, before in (
        (one_way, still), (shot(one_way), one_way), (given_up.wished(Side.FIRST), given_up),
    ):  # fmt: skip
        assert step.includes(before)
    for step, before in (
        (found[1], shot(duel, 7)), (found[2], shot(duel, 7)), (still, one_way),
        (one_way, other_way), (shot(still), one_way), (found[1], given_up), (found[2], given_up),
        (given_up, found[1]), (found[1], stranger),
    ):  # fmt: skip
        assert not step.includes(before)


class Schedule:
    """Two honest seats over a match store that something happens to."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"schedule/{seed}")
        self.devices = begun(self.chance.choice(["milton", "bonn", "salvo", "camlship"]))
        self.copies = [Copy()]
        self.seen: list[Duel] = []
        # A restored copy takes a killed process's step back: one of the two must be ruled out.
        self.may_restore = bool(seed % 2)

    def one(self) -> None:
        """Something happens."""
        device = self.chance.choice(self.devices)
        match self.chance.randrange(20):
            case 0:
                flush()
            case 1 if self.may_restore:
                self.chance.choice(self.copies[-6:]).restore()
            case 1:
                self.kill(device)
            case 2:
                match_store.forget(key for key in remembered() if key.startswith("wait:"))
            case 3:
                device.open()
            case 4 | 5:
                show(device)
            case _:
                if device.phase == "waiting":
                    show(device)
                self.act(device)
        if "data-lost" not in device.page and device.phase != "placing":
            self.seen.append(device.duel)
        self.copies.append(Copy())

    def kill(self, device: Seat) -> None:
        with dying(self.chance.choice(("put", "add"))):
            self.act(device)
        device.open(device.where)

    def act(self, device: Seat) -> None:
        if device.phase == "firing":
            cells = [*targets(device.duel, hits=False), *targets(device.duel, hits=True)]
            word = {"cell": self.chance.choice(cells)}
            if moves(device) and self.chance.random() < 0.5:
                word = {"steer": self.chance.choice(moves(device))}
            device.send(word)
            assert device.status in (200, 303, 409, 503), device.status
        if device.status != 200:
            device.open(device.where)


@pytest.mark.parametrize("seed", range(times(8, 60, 600)))
def test_after_any_schedule_both_seats_have_all_that_either_has_seen(seed: int) -> None:
    schedule = Schedule(seed)
    for _event in range(40):
        schedule.one()
    for _round in range(3):
        show(*schedule.devices)
    states = [device.state for device in schedule.devices]
    assert states[0].without_move() == states[1].without_move(), f"seed {seed}"
    last = max(states, key=lambda duel: duel.has_moved)
    for seen in schedule.seen:
        assert last.includes(seen), f"seed {seed}: step {seen.step} of {last.step}"
    assert last.step > 3, f"seed {seed}: hardly anything happened"
