"""All addresses of the game."""

from importlib import import_module

from django.urls import path, re_path

from game.feature import features
from game.views import after, before, home, play, site
from game.views.settings_page import settings_page

_MODULES = [import_module(feature.urls) for feature in features() if feature.urls]

without_language = [
    path("", site.in_own_language, name="front_door"),
    path("continue/", home.go_on, name="continue"),
    path("robots.txt", site.robots, name="robots"),
    path(".well-known/security.txt", site.security, name="security"),
    path("sitemap.txt", site.sitemap, name="sitemap"),
    *(address for module in _MODULES for address in getattr(module, "without_language", ())),
]
"""Addresses without a language: links that are sent to others open in the reader's."""

urlpatterns = [
    path("play/<str:token>/", play.play, name="play"),  # first, as most requests are for it
    path("", home.home, name="home"),
    path("games/", home.games, name="games"),
    path("rules/", site.rules, name="rules"),
    path("about/", site.about, name="about"),
    path("thinking/", site.thinking, name="thinking"),
    path("setup/<slug:preset>/", before.setup, name="setup"),
    path("new/<slug:preset>/", before.new, name="new"),
    path("watch/<slug:preset>/", before.watch, name="watch"),
    path("place/<str:token>/", before.place, name="place"),
    path("replay/<str:token>/", after.replay, name="replay"),
    path("record/<str:token>/", after.record, name="record"),
    path("film/<str:token>/", after.public_replay, name="public_replay"),
    path("card.png", site.site_card, name="site_card"),
    path("manifest.webmanifest", site.manifest, name="manifest"),
    *(address for module in _MODULES for address in module.urlpatterns),
    re_path(r"^(?P<back>(?:.+/)?)settings/$", settings_page, name="settings"),
    path("play/<str:token>/<slug:name>/", play.lead_on, name="lead_on"),
]
"""Addresses under a language's prefix."""
