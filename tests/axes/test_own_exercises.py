"""Exercises of one's own: how they are made, opened, answered and removed."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import call_command

from game.features.axes import models
from game.features.axes.models import Exercise
from tests.support.device import Device

PRONOUNS, VERBS = (
    ["I", "you", "he", "she", "we", "they"],
    ["go", "see", "buy", "eat", "sing", "run"],
)
PAST = ["went", "saw", "bought", "ate", "sang", "ran"]
TABLE = "\n".join("\t".join(f"{who} {verb}" for who in PRONOUNS) for verb in PAST)
FIELDS = {
    "title": "Past tenses", "task": "Say it in the past.", "column_labels": "\n".join(PRONOUNS),
    "row_labels": "\t".join(VERBS), "label_language": "en", "game": "alone", "cells": "typed",
    "answers": TABLE, "action": "make",
}  # fmt: skip
GERMAN = {"accept-language": "de"}


@pytest.fixture
def code(client: Device) -> str:
    """The code of a new exercise."""
    where: str = client.pressed("/en/class/new/", FIELDS)
    assert where.startswith("/en/class/exercise/")
    return where.split("/")[-2]


def begun(device: Device, where: str) -> str:
    """The address of the match to which a link for pupils leads."""
    for _redirect in range(3):
        where = device.get(where, headers=GERMAN).headers["Location"]
        if "/play/" in where:
            return where
    raise AssertionError(where)


def typed(device: Device, where: str, text: str) -> str:
    """What is said of a typed cell."""
    said: str = device.ask_json(where, {"cell": text, "typed": "on"}).json()["status"]
    return said


@pytest.mark.django_db
def test_a_short_link_opens_the_sea_in_the_language_of_the_phone(client: Device, code: str) -> None:
    for link in (f"/c/{code}", f"/c/{code.lower()}/"):
        where = begun(Device(), link)
        assert where.startswith("/de/play/")
        page = client.see(where)
        assert "Past tenses" in page
        assert "Say it in the past." in page
        assert client.get(where, headers={"accept": "application/json"}).json()["task"]


@pytest.mark.django_db
def test_a_long_link_needs_no_row(client: Device, code: str) -> None:
    page = client.see(f"/en/class/exercise/{code}/")
    long = page.attribute('id="act-long"\\s+href')
    Exercise.objects.all().delete()
    link = client.see(long).attribute("readonly\\s+value")
    where = begun(client, link.removeprefix("http://localhost"))
    assert "she / go, " in typed(client, where, "She went")


@pytest.mark.django_db
def test_an_answer_is_typed_and_what_was_misspelt_is_shown_at_the_end_to_the_pupil_alone(
    client: Device, code: str
) -> None:
    where = begun(client, f"/c/{code}").replace("/de/", "/en/")
    for text, said in (
        ("she wnet", "“she wnet” is nearly right: mind the spelling."),
        ("she go", "For she / go, type the answer, not the labels."),
        ("xyzzy", "“xyzzy” is the answer of no cell."),
    ):
        assert said in typed(client, where, text)
    pressed = client.post(where, {"action": "press"})
    assert (pressed.status, "Here cells are typed, not pressed" in pressed) == (422, True)
    over = client.pressed(where, {"action": "resign-yes"})
    assert "she wnet" in client.see(over)
    assert "she wnet" not in Device().see(over)
    assert "Say it in the past." in client.see(over.replace("/play/", "/replay/"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"row_labels": "go\nsee"}, "row_labels", "The board has 6 to 15 rows, but there are 2"),
        ({"column_labels": ""}, "column_labels", "Write one label a line, 6 or more"),
        ({"answers": "she / go: x\nshe / see: x"}, "answers", "Two cells have the same answer"),
        ({"answers": "she / gone: x"}, "answers", "There is no row “gone”. Did you mean go?"),
        ({"answers": TABLE.replace("\tthey ran", "").replace("I went\t", "")}, "answers", "needs"),
        ({"answers": "she went"}, "answers", "Write “column / row: answer”"),
        ({"answers": f"she / go: {'x' * 41}"}, "answers", "An answer has at most 40 characters"),
        ({"column_labels": "sie;Sie;a;b;c;d", "answers": ""}, "column_labels", "case or accents"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    client: Device, change: dict[str, str], field: str, sentence: str
) -> None:
    page = client.post("/en/class/new/", FIELDS | change)
    assert page.status == 422
    assert sentence in page.first(rf'id="refused-{field}" role="alert">([^<]*)')


@pytest.mark.django_db
def test_answers_are_read_from_lines_and_from_tables_with_labels(client: Device) -> None:
    head = "\t".join(["", *PRONOUNS])
    rows = zip(VERBS, TABLE.split("\n"), strict=True)
    labelled = "\n".join([head, *(f"{verb}\t{row}" for verb, row in rows)])
    for answers in (labelled, "she / go: she went", "she\tgo\tshe went", "she / go = she went"):
        made = client.pressed("/en/class/new/", FIELDS | {"answers": answers})
        where = begun(client, f"/c/{made.split('/')[-2]}").replace("/de/", "/en/")
        assert "she / go, " in typed(client, where, "she went")


@pytest.mark.django_db
def test_a_network_makes_so_many_a_day_and_the_same_one_once(
    client: Device, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "MOST_A_DAY", 2)
    assert client.pressed("/en/class/new/", FIELDS).endswith(f"/{code}/")
    client.pressed("/en/class/new/", FIELDS | {"title": "Another"})
    refused = client.post("/en/class/new/", FIELDS | {"title": "One more"})
    assert refused.status == 429
    long = next(it for it in refused.links if "?" in it)
    assert parse_qs(urlsplit(long).query)["title"] == ["One more"]


@pytest.mark.django_db
def test_an_exercise_is_reported_and_removed_by_the_operator(
    client: Device, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = client.see(begun(client, f"/c/{code}").replace("/de/", "/en/"))
    where = page.attribute('id="act-report"\\s+href')
    assert "Thank you" in client.post(where, {"action": "report"})
    call_command("exercises")
    assert f"{code}  1  " in capsys.readouterr().out
    call_command("exercises", remove=code)
    assert client.get(f"/c/{code}").status == 410
    assert client.get("/c/ZZZZZ").status == 404


@pytest.mark.django_db
def test_an_unused_exercise_is_deleted_after_a_year(code: str) -> None:
    Exercise.objects.update(ends=1)
    assert Exercise.delete_old() == 1
    assert models.find(code) is None
