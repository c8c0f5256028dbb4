"""What labels add to pages: fields of a new match, its cells' names, and exercises for a class."""

from __future__ import annotations

from django.urls import path, reverse
from django.utils.translation import gettext as _

from game.features.axes import views
from game.features.axes.names import names_of
from game.views.places import Places

ROW = Places(
    addresses=[path("class/", views.exercises, name="class")],
    public=("class",),
    menu=lambda: [(reverse("class"), _("For a class"))],
    templates={
        "rules": "axes/_choices.html",
        "numbers": "axes/_numbers.html",
        "table": "axes/_table.html",
    },
    choosing=views.choosing,
    new=views.with_labels,
    names=names_of,
    each_page=views.each_page,
)
