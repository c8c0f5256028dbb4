"""What today's sea adds to pages: its addresses, its row on the home page, and its results."""

from __future__ import annotations

from django.urls import path, re_path, reverse
from django.utils.translation import gettext as _

from game.features.daily import views, words
from game.matches import daily
from game.matches.day_results import SEA
from game.views import site
from game.views.places import DayGame, Places

_PAST_DAY = r"^daily/(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})/$"

ROW = Places(
    addresses=[
        path("today/", views.page, name="today"),
        path("daily/", views.sea, name="daily"),
        re_path(_PAST_DAY, views.past_day, name="past_day"),
    ],
    bare=[
        path("daily/", site.in_own_language, name="any_daily"),
        re_path(_PAST_DAY, site.in_own_language, name="any_past_day"),
        path("daily.txt", views.links, name="daily_links"),
    ],
    menu=lambda: [(reverse("today"), _("Today"))] if daily.is_offered() else [],
    ways=lambda: [(reverse("daily"), _("Today’s sea"))] if daily.is_offered() else [],
    new_match_link=views.new_match_link,
    templates={
        "fair": "daily/_about.html",
        "calendar": "daily/_late.html",
        "day": "daily/_day.html",
        "home": "daily/_home.html",
        "key": "daily/_key.html",
        "next": "daily/_next.html",
    },
    always={"stored": "daily/_stored.html"},
    home=views.home,
    about=views.about,
    playing=views.playing,
    ended=views.ended,
    after=lambda request, _before, acted: views.KEPT_SEAS.marked(request, acted),
    keep=views.KEPT_SEAS.keep,
    played=views.KEPT_SEAS.has,
    cookies=(views.KEPT_SEAS.prefix,),
    helped=views.mark_helped,
    day=DayGame(
        kind=SEA,
        view="daily",
        id="act-daily",
        order=1,
        title=lambda: _("Today’s sea"),
        noun=lambda: _("a new sea"),
        begun=views.shots_of,
        state=words.state,
        mark=words.mark,
        legend=words.legend,
        past="past_day",
    ),
)
