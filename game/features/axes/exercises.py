"""Exercises for a class: labels that are ready to play, whose words are never translated."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

_FLEET = "4-3-3-2-2"
"""A fleet that leaves much water on eight by eight cells."""


class Exercise(NamedTuple):
    name: str
    title: str
    use: str
    """How a class uses it, in one line."""
    address: str
    shown: tuple[str, str]
    """A few labels of both axes."""


def _exercise(
    name: str, title: str, use: str, columns: str, rows: str, language: str = ""
) -> Exercise:
    fields = {"fleet": _FLEET, "column_labels": columns, "row_labels": rows}
    fields |= {"label_language": language} if language else {}
    address = f"{reverse('new', args=['own'])}?{urlencode(fields)}"
    return Exercise(name, title, use, address, (columns, rows))


def exercises_of() -> list[Exercise]:
    """Returns the exercises, in the language of the request but for their words."""
    return [
        _exercise(
            "coordinates",
            _("(x | y) from −5 to 5"),
            _("Say both coordinates before you fire: first x, then y."),
            "-5..5",
            "5..-5",
        ),
        _exercise(
            "times-table",
            _("Times table"),
            _("Say the product of the column and the row before you fire."),
            "2..9",
            "2..9",
        ),
        _exercise(
            "past-tenses",
            _("Past tenses"),
            _("Say the whole sentence: she went to school."),
            "I;you;he;she;we;they;the cat;my friends",
            "went;saw;bought;caught;thought;wrote;ate;sang",
            "en",
        ),
        _exercise(
            "minimal-pairs",
            _("Minimal pairs"),
            _("Say both words so that the others hear which you mean: ship or sheep."),
            "ship;sheep;bit;beat;full;fool;pan;pen",
            "live;leave;slip;sleep;pull;pool;bad;bed",
            "en",
        ),
        _exercise(
            "clock-times",
            _("Clock times"),
            _("Say the time in words: a quarter past three."),
            "1;2;3;4;5;6;7;8",
            ":00;:05;:10;:15;:20;:30;:45;:50",
        ),
        _exercise(
            "prepositions",
            _("German prepositions of place"),
            _("Say where it is, with the right case: auf dem Tisch."),
            "in;an;auf;unter;über;neben",
            "Tisch;Bett;Schrank;Tür;Regal;Sofa",
            "de",
        ),
    ]
