"""What duels add to pages: the ways to invite a friend, and the other player beside each match."""

from game.feature import Feature, hook


class DuelConfig(Feature):
    name = "game.features.duel"
    urls = "game.features.duel.urls"
    part = "game.features.duel.parts"
    on_page = hook("pages.on_page")
    placing = hook("pages.placing")
    unfinished = hook("views.unfinished")
