"""The fields of labels on the pages of presets, and exercises."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.feature import PageAddition
from game.features.axes import labels
from game.features.axes.exercises import exercises_of
from game.views.before import asked_fields


def fields_of_setup(request: HttpRequest) -> PageAddition:
    """Returns the fields of the page of a preset as they were filled in."""
    fields = asked_fields(request)
    names = (labels.COLUMNS, labels.ROWS, labels.LANGUAGE, labels.TYPED)
    values = {name: fields.get(name, "") for name in names}
    view = {**values, "is_open": any(values.values()), "languages": labels.languages()}
    return PageAddition(view, styles=("axes/axes.css",))


@require_safe
def exercises(request: HttpRequest) -> HttpResponse:
    """Six exercises for a class, each with the address of its game."""
    return render(request, "axes/exercises.html", {"exercises": exercises_of()})
