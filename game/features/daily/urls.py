"""The addresses of today's sea, of past ones and of the day."""

from django.urls import path, re_path

from game.features.daily import views
from game.views import site

_PAST_DAY = r"^daily/(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})/$"

urlpatterns = [
    path("today/", views.page, name="today"),
    path("daily/", views.sea, name="daily"),
    re_path(_PAST_DAY, views.past_day, name="past_day"),
]
without_language = [
    path("daily/", site.in_own_language, name="any_daily"),
    re_path(_PAST_DAY, site.in_own_language, name="any_past_day"),
    path("daily.txt", views.links, name="daily_links"),
]
