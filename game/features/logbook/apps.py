"""What the logbook adds to pages: its address, and what it keeps of each match and day."""

from game.feature import Feature, hook


class LogbookConfig(Feature):
    name = "game.features.logbook"
    urls = "game.features.logbook.urls"
    cookies = ("logbook",)
    menu = hook("cookie.menu")
    ended = hook("cookie.ended")
    on_saved = hook("cookie.keep_match")
    day_ended = hook("cookie.keep_day")
    day_results = hook("cookie.day_results")
    judged = hook("cookie.keep_skill")
