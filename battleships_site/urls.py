"""Every address of the site."""

from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path, re_path, register_converter

from game.views import play, share
from game.views.settings import settings_page


class TokenConverter:
    """A token's characters. What it holds is judged by opening it."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(TokenConverter, "token")

urlpatterns = [
    path("", play.front_door, name="front_door"),
    path("robots.txt", share.robots, name="robots"),
    path("sitemap.txt", share.sitemap, name="sitemap"),
    *i18n_patterns(
        path("", play.home, name="home"),
        path("rules/", play.rules, name="rules"),
        path("about/", play.about, name="about"),
        path("setup/<slug:preset>/", play.setup, name="setup"),
        path("new/<slug:preset>/", play.new, name="new"),
        path("watch/<slug:preset>/", play.watch, name="watch"),
        path("place/<token:token>/", play.place, name="place"),
        path("play/<token:token>/", play.play, name="play"),
        path("replay/<token:token>/", play.replay, name="replay"),
        path("review/<token:token>/", play.review, name="review"),
        path("record/<token:token>/", play.record, name="record"),
        path("share/<token:token>/", share.share, name="share"),
        path("film/<token:token>/", play.film, name="film"),
        path("film/<token:token>/card.png", share.card, name="card"),
        path("elsewhere/<token:token>/", share.elsewhere, name="elsewhere"),
        path("card.png", share.site_card, name="site_card"),
        path("manifest.webmanifest", share.manifest, name="manifest"),
        path("deduction/", include("game.deduction.urls")),
        re_path(r"^(?P<back>(?:.+/)?)settings/$", settings_page, name="settings"),
    ),
]

handler400 = "game.views.play.bad_request"
handler404 = "game.views.play.not_found"
handler500 = "game.views.play.server_error"
