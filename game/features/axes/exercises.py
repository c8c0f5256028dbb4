"""Exercises for a class: labels that are ready to play, whose words are never translated."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from game.features.axes.labels import COLUMNS, LANGUAGE, ROWS, parse_labels
from game.features.axes.making import GAME, query_of
from game.features.axes.names import LabelNames
from game.features.axes.parts import Axes

_SMALL, _MIDDLE, _LARGE = "3-3-2", "4-3-3-2-2", "5-4-3-3-2"
"""Fleets that leave much water on six, eight and eleven cells a side."""


class Exercise(NamedTuple):
    name: str
    title: str
    use: str
    """How a class uses it, in one line."""
    fleet: str
    columns: str
    rows: str
    language: str = ""
    example: str = ""
    """What is said of a cell, in that language."""

    @property
    def query(self) -> str:
        """The fields of own rules with these labels, one a line."""
        fields = {
            "title": self.title,
            "task": f"{self.use} {self.example}".rstrip(),
            COLUMNS: self.columns.replace(";", "\n"),
            ROWS: self.rows.replace(";", "\n"),
            LANGUAGE: self.language,
            GAME: "alone",
        }
        return query_of(fields, self.fleet)

    @property
    def shown(self) -> LabelNames:
        """The labels as boards show them."""
        return LabelNames(Axes(parse_labels(self.columns), parse_labels(self.rows), self.language))


def exercises_of() -> list[Exercise]:
    """Returns the exercises, in the language of the request but for their words."""
    return [
        Exercise(
            "coordinates",
            _("(x | y) from −5 to 5"),
            _("Say both coordinates before you fire: first x, then y."),
            _LARGE,
            "-5..5",
            "5..-5",
        ),
        Exercise(
            "times-table",
            _("Times table"),
            _("Say the product before you fire: “7 times 8 is 56.”"),
            _MIDDLE,
            "2..9",
            "2..9",
        ),
        Exercise(
            "past-tenses",
            _("Past tenses"),
            _("Say the sentence in the past before you fire:"),
            _MIDDLE,
            "I;you;he;she;we;they;the cat;my friends",
            "go;see;buy;catch;think;write;eat;sing",
            "en",
            "she / go: she went",
        ),
        Exercise(
            "minimal-pairs",
            _("Minimal pairs"),
            _("Say both words so that the others hear which you mean:"),
            _MIDDLE,
            "ship;sheep;bit;beat;full;fool;pan;pen",
            "live;leave;slip;sleep;pull;pool;bad;bed",
            "en",
            "ship / live",
        ),
        Exercise(
            "clock-times",
            _("Clock times"),
            _("Say the time in words: “3 / :15” is “a quarter past three”."),
            _MIDDLE,
            "1;2;3;4;5;6;7;8",
            ":00;:05;:10;:15;:20;:30;:45;:50",
        ),
        Exercise(
            "prepositions",
            _("German prepositions of place"),
            _("Say where the ship is, with the article:"),
            _SMALL,
            "in;an;auf;unter;über;neben",
            "Schrank;Kiste;Auto;Baum;Tasche;Haus",
            "de",
            "auf / Kiste: auf der Kiste",
        ),
    ]
