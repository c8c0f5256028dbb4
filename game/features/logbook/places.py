"""What the logbook adds to pages: its address, and what it keeps of each match and day."""

from __future__ import annotations

from django.urls import path, reverse
from django.utils.translation import gettext as _

from game.features.logbook import cookie, views
from game.matches import daily
from game.views.places import Places

ROW = Places(
    addresses=[
        path("logbook/", views.logbook, name="logbook"),
        path("logbook/bring/<str:token>/", views.bring, name="bring"),
    ],
    menu=lambda: [(reverse("logbook"), _("Logbook"))] if daily.is_offered() else [],
    always={"stored": "logbook/_stored.html", "storage": "logbook/_storage.html"},
    keep=cookie.keep_match,
    day_ended=cookie.keep_day,
    days=lambda request: cookie.kept_book(request).days,
    cookies=(cookie.LOGBOOK,),
    judged=cookie.keep_skill,
    proposed=cookie.proposed,
)
