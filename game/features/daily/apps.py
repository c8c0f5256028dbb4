"""What today's sea adds to pages: its row on the home page, its results, and the days."""

from game.feature import Feature, hook


class DailyConfig(Feature):
    name = "game.features.daily"
    urls = "game.features.daily.urls"
    part = "game.features.daily.parts"
    cookies = ("sea-",)
    menu = hook("views.menu")
    on_page = hook("views.on_page")
    new_match_link = hook("views.new_match_link")
    playing = hook("views.playing")
    ended = hook("views.ended")
    acted = hook("views.marked")
    on_saved = hook("views.keep")
    helped = hook("views.mark_helped")
    day_game = hook("views.day_game")
