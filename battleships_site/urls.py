"""Every address of the site."""

from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path, re_path, register_converter

from game import publishing, views
from game.settings_page import settings_page


class TokenConverter:
    """A token's characters. What it holds is judged by opening it."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(TokenConverter, "token")

urlpatterns = [
    path("", views.front_door, name="front_door"),
    path("robots.txt", publishing.robots, name="robots"),
    path("sitemap.txt", publishing.sitemap, name="sitemap"),
    *i18n_patterns(
        path("", views.home, name="home"),
        path("rules/", views.rules, name="rules"),
        path("about/", views.about, name="about"),
        path("setup/<slug:preset>/", views.setup, name="setup"),
        path("new/<slug:preset>/", views.new, name="new"),
        path("watch/<slug:preset>/", views.watch, name="watch"),
        path("place/<token:token>/", views.place, name="place"),
        path("play/<token:token>/", views.play, name="play"),
        path("replay/<token:token>/", views.replay, name="replay"),
        path("review/<token:token>/", views.review, name="review"),
        path("record/<token:token>/", views.record, name="record"),
        path("share/<token:token>/", publishing.share, name="share"),
        path("film/<token:token>/", views.film, name="film"),
        path("film/<token:token>/card.png", publishing.card, name="card"),
        path("elsewhere/<token:token>/", publishing.elsewhere, name="elsewhere"),
        path("card.png", publishing.site_card, name="site_card"),
        path("manifest.webmanifest", publishing.manifest, name="manifest"),
        path("deduction/", include("game.deduction.urls")),
        re_path(r"^(?P<back>(?:.+/)?)settings/$", settings_page, name="settings"),
    ),
]

handler400 = "game.views.bad_request"
handler404 = "game.views.not_found"
handler500 = "game.views.server_error"
