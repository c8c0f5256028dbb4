"""What the hit calculator adds to pages: its address, and an entry in the menu."""

from __future__ import annotations

from django.urls import path, reverse
from django.utils.translation import gettext as _

from game.features.calculator import views
from game.views.places import Places

ROW = Places(
    addresses=[path("position/", views.position, name="position")],
    countless=("position",),
    menu=lambda: [(reverse("position"), _("Hit calculator"))],
)
