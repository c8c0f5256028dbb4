"""All addresses of the site: those of the game, in each language."""

from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path

from game.urls import without_language

urlpatterns = [*without_language, *i18n_patterns(path("", include("game.urls")))]

handler400 = "game.views.errors.bad_request"
handler404 = "game.views.errors.not_found"
handler500 = "game.views.errors.server_error"
