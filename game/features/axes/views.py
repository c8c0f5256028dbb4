"""The fields of labels on the pages of presets, their values on pages of a match, and exercises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.display.handles import Marked, handle
from game.engine.presets import Preset
from game.features.axes import labels
from game.features.axes.exercises import exercises_of
from game.features.axes.parts import Axes
from game.matches.setup import Setup
from game.views.places import Joined


@dataclass(frozen=True)
class LabelsView(Marked):
    """The labels beside the handles of cells, which stay `B7`."""

    columns: str | None = handle("column-labels")
    """One after the other, separated by `;`."""
    rows: str | None = handle("row-labels")
    language: str | None = handle("label-language")
    longest: int = 0
    """The width of the longest label if columns have no room for it, else 0."""


def choosing(preset: Preset, fields: Mapping[str, str]) -> Joined:
    """Returns the fields of the page of a preset as they were filled in."""
    names = (labels.COLUMNS, labels.ROWS, labels.LANGUAGE, labels.TYPED)
    values = {name: fields.get(name, "") for name in names}
    view = {**values, "is_open": any(values.values()), "languages": labels.languages()}
    return Joined(view, styles=("axes/axes.css",))


def with_labels(request: HttpRequest, setup: Setup) -> Setup:
    """Returns the setup of a new match with the labels that the form asks for."""
    return labels.with_labels(setup, {**request.GET.dict(), **request.POST.dict()})


def each_page(axes: Axes) -> Joined:
    columns, rows = ";".join(axes.columns), ";".join(axes.rows)
    view = LabelsView(columns, rows, axes.language or None, axes.longest)
    return Joined(view, styles=("axes/axes.css",))


@require_safe
def exercises(request: HttpRequest) -> HttpResponse:
    """Six exercises for a class, each with the address of its game."""
    return render(request, "axes/exercises.html", {"exercises": exercises_of()})
