"""What labels add to pages: fields of a new match, and exercises for a class."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from game.feature import Feature, hook


class AxesConfig(Feature):
    name = "game.features.axes"
    urls = "game.features.axes.urls"
    part = "game.features.axes.parts"
    public = ("class",)
    on_page = hook("views.fields_of_setup")
    new_setup = hook("views.new_setup")
    playing = hook("views.playing")
    ended = hook("views.ended")

    def menu(self) -> Sequence[tuple[str, str]]:
        return [(reverse("class"), _("For a class"))]
