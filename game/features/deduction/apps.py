"""What the deduction game adds to pages: its addresses, its cards, and a game of the day."""

from game.feature import Feature, hook


class DeductionConfig(Feature):
    name = "game.features.deduction"
    urls = "game.features.deduction.urls"
    part = "game.features.deduction.searchers"
    public = ("deduction",)
    cookies = ("deduction-",)
    new_match_link = hook("views.new_match_link")
    unfinished = hook("views.unfinished")
    day_game = hook("views.day_game")
