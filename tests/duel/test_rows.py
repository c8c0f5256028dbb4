"""The row of a duel: who writes first, how long it stays, and a database that is away."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from game.engine.actions import Fire
from game.engine.geometry import Cell
from game.features.duel import models
from game.features.duel.models import DAY, LIFETIME, LIFETIME_LEFT, Duel, WriteConflict
from game.matches.keyring import kid_of
from game.ops import secrets
from game.web import rows as web_rows
from tests.duel.duels import (
    Clock,
    Seat,
    begun,
    down,
    fire,
    invitation,
    inviting,
    joining,
    moves,
    opposed,
    place,
    play_turn,
    reload,
    rows,
    targets,
)
from tests.support.device import HTMX

AWAY = "The server can’t reach its storage just now. Try again in a moment."


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    for module in (models, web_rows):
        monkeypatch.setattr(module, "time", found)
    return found


# --- who writes first ---


def test_of_two_requests_that_have_read_the_same_state_one_writes() -> None:
    one, other = opposed("milton")
    read = one.duel
    fired = read.acted(read.match.side, Fire(Cell(0)))
    given_up = read.resigned(read.match.side.opponent)
    written = models.write(fired)
    with pytest.raises(WriteConflict):
        models.write(given_up)
    assert one.duel == other.duel == written
    assert written.revision == read.revision + 1


@pytest.mark.parametrize("first", ["move", "shot"])
def test_of_a_move_and_a_shot_in_two_tabs_one_counts(first: str) -> None:
    one, other = opposed()
    form, word, cell = one.page.form, moves(one)[0], next(targets(one.duel, hits=False))
    asks = {"move": {"steer": word}, "shot": {"cell": cell}}
    one.send(asks.pop(first), form)
    assert one.status == 303
    after = one.duel
    [late] = asks.values()
    for headers in ({}, HTMX):
        one.send(late, form, **headers)
        assert (one.status, one.duel) == (409, after)
        assert one.page.says == "The match has gone on meanwhile. This is how it stands."
    assert other.waits() == (204 if first == "move" else 200)


def test_a_form_that_names_no_step_or_one_of_another_round_changes_nothing() -> None:
    one, other = opposed()
    play_turn(one, other)
    before = rows()
    for step in ("", "?step=0", "?step=99", "?step=x", "?step=3-moved"):
        for fields in ({"cell": "A1"}, {"action": "resign-yes"}, {"action": "leave"}):
            one.send(fields, one.where + step)
            assert one.status == 409 or step == "?step=3-moved", (step, fields)
    assert {row["step"] for row in rows()} == {row["step"] for row in before}


# --- how long a row stays ---


def test_a_row_is_deleted_sixty_days_after_the_last_step(clock: Clock) -> None:
    one, other = begun()
    clock.now += 59 * DAY
    play_turn(one, other)
    clock.now += LIFETIME - 1
    call_command("deleteold")
    assert len(rows()) == 1
    clock.now += 2
    call_command("deleteold")
    assert rows() == []
    assert one.waits() == 200, "its page asks for itself, and is told"
    for where in (one.where, one.where.replace("/duel/", "/invite/")):
        one.open(where)
        assert one.status == 410
        assert "60 days after its last step" in one.page.says
    assert one.get(one.where, headers=HTMX).headers["HX-Refresh"] == "true"
    assert one.send({"cell": "A1"}, f"{one.where}?step=5").status == 410


def test_a_withdrawn_invitation_and_a_match_that_both_have_left_stay_for_half_an_hour(
    clock: Clock,
) -> None:
    spare, (one, other) = inviting(), begun()
    spare.press("withdraw")
    one.press("leave")
    clock.now += LIFETIME_LEFT + 1
    assert Duel.delete_old() == 1
    other.open()
    other.press("leave")
    clock.now += LIFETIME_LEFT + 1
    assert Duel.delete_old() == 1


# --- a database that is away, or isn't there ---


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_while_the_database_is_away_pages_say_so_and_then_go_on(headers: dict[str, str]) -> None:
    one, other = opposed()
    spare, friend = inviting(), joining(inviting())
    asked: list[tuple[Seat, dict[str, str] | None, str]] = [
        (one, {"cell": "A1"}, one.page.form), (one, None, one.where), (other, None, other.where),
        (spare, None, invitation(spare)), (Seat(), {"action": "join"}, invitation(spare)),
        (one, {}, one.keep), (Seat(), None, one.where),
        (friend, {"action": "quick"}, friend.page.form),
    ]  # fmt: skip
    with down():
        for device, fields, where in asked:
            ask = device.get if fields is None else device.post
            got = ask(where, fields, headers=headers)
            assert (got.status, got.says) == (503, AWAY), (where, fields)
            assert got.has_board is (device is friend), "which keeps its fleet"
        assert [one.get(where).status for where in (one.wait, "/en/")] == [503, 200]
    fire(one)
    assert one.status == 303
    place(friend)
    assert friend.phase in ("firing", "waiting")


def test_without_a_database_nobody_is_offered_two_devices(settings: Settings) -> None:
    first, _second = begun()
    spare = inviting()
    addresses = [first.where, first.keep, first.wait, invitation(spare), joining(spare).where]
    settings.HAS_DATABASE = False
    for where in (*addresses, "/en/new/bonn/?opponent=friend"):
        assert first.get(where).status == 404, where
    for where in ("/en/", "/de/", "/en/setup/bonn/", "/en/setup/own/"):
        assert "friend" not in first.get(where)


# --- keys, and the version after this one ---


@pytest.mark.usefixtures("secrets_reread")
def test_before_a_key_is_dropped_rows_are_sealed_anew(settings: Settings, tmp_path: Path) -> None:
    settings.SECRETS_FILE = tmp_path / "secrets.json"
    old, new = secrets.make_key("use"), secrets.make_key("accept")
    secrets.write(settings.SECRETS_FILE, {"secret_key": "x", "keys": [old, new]})
    one, other = opposed("milton")
    states = {row["state"] for row in rows()}

    def keys(act: str, key: dict[str, str]) -> None:
        call_command("keys", act, kid_of(key), "--at-once", file=settings.SECRETS_FILE)

    keys("use", new)
    reload(one, other)  # which seals their cookies anew
    keys("drop", old)
    assert not states & {row["state"] for row in rows()}
    play_turn(one, other)
    assert one.duel == other.duel


def test_a_match_goes_on_while_the_next_version_has_migrated_its_table() -> None:
    """Copies of this version still answer then: a new column has a default in the database."""
    one, other = opposed("milton")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE duel_duel ADD COLUMN later varchar(9) NOT NULL DEFAULT ''")
    play_turn(one, other)
    inviting()
    assert one.duel == other.duel
