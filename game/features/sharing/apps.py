"""What sharing adds to pages: links on those of a match, and the facts of a public replay."""

from game.feature import Feature, hook


class SharingConfig(Feature):
    name = "game.features.sharing"
    urls = "game.features.sharing.urls"
    playing_links = ("elsewhere",)
    links = hook("views.links")
    ended = hook("moment.ended")
    public_replay = hook("views.told")
