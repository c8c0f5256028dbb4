"""What the hit calculator adds to pages: its address, and an entry in the menu."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from game.feature import Feature


class CalculatorConfig(Feature):
    name = "game.features.calculator"
    countless = ("position",)

    def menu(self) -> Sequence[tuple[str, str]]:
        return [(reverse("position"), _("Hit calculator"))]
