"""What labels add to pages: fields of a new match, and exercises for a class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from game.feature import Feature, PageAddition, PageName

if TYPE_CHECKING:
    from game.engine.observation import Observation
    from game.matches.saved import SavedMatch
    from game.matches.setup import Setup


class AxesConfig(Feature):
    name = "game.features.axes"
    part = "game.features.axes.parts"
    public = ("class",)

    def on_page(self, request: HttpRequest, page: PageName) -> PageAddition | None:
        from game.features.axes.views import fields_of_setup

        return fields_of_setup(request) if page == "setup" else None

    def new_setup(self, request: HttpRequest, setup: Setup) -> Setup:
        from game.features.axes.labels import with_labels

        return with_labels(setup, {**request.GET.dict(), **request.POST.dict()})

    def playing(self, saved: SavedMatch, seen: Observation) -> PageAddition | None:
        from game.features.axes.parts import Axes
        from game.features.axes.views import ExerciseView

        axes = saved.setup.part(Axes)
        return PageAddition(ExerciseView(axes.code if axes else ""))

    def ended(self, request: HttpRequest, saved: SavedMatch, token: str) -> PageAddition | None:
        from game.features.axes.views import ExerciseView
        from game.views.cookies import misspelt_in

        typed = misspelt_in(request, saved)
        return PageAddition(ExerciseView(misspelt=typed)) if typed else None

    def menu(self) -> Sequence[tuple[str, str]]:
        return [(reverse("class"), _("For a class"))]
