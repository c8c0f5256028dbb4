"""The fields of labels on the pages of presets, their values on pages of a match, and exercises."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.display.handles import Marked, handle
from game.feature import PageAddition
from game.features.axes import labels
from game.features.axes.exercises import exercises_of
from game.features.axes.parts import Axes
from game.views.before import asked_fields


@dataclass(frozen=True)
class LabelsView(Marked):
    """The labels beside the handles of cells, which stay `B7`."""

    columns: str | None = handle("column-labels")
    """One after the other, separated by `;`."""
    rows: str | None = handle("row-labels")
    language: str | None = handle("label-language")
    longest: int = 0
    """The width of the longest label if columns have no room for it, else 0."""


def fields_of_setup(request: HttpRequest) -> PageAddition:
    """Returns the fields of the page of a preset as they were filled in."""
    fields = asked_fields(request)
    names = (labels.COLUMNS, labels.ROWS, labels.LANGUAGE, labels.TYPED)
    values = {name: fields.get(name, "") for name in names}
    view = {**values, "is_open": any(values.values()), "languages": labels.languages()}
    return PageAddition(view, styles=("axes/axes.css",))


def labels_on_page(axes: Axes) -> PageAddition:
    columns, rows = ";".join(axes.columns), ";".join(axes.rows)
    view = LabelsView(columns, rows, axes.language or None, axes.longest)
    return PageAddition(view, styles=("axes/axes.css",))


@require_safe
def exercises(request: HttpRequest) -> HttpResponse:
    """Six exercises for a class, each with the address of its game."""
    return render(request, "axes/exercises.html", {"exercises": exercises_of()})
