"""What rooms add to pages: a button for teachers, and at a pupil's end the way to the class."""

from game.feature import Feature, hook


class RoomConfig(Feature):
    name = "game.features.room"
    urls = "game.features.room.urls"
    part = "game.features.room.parts"
    cookies = ("room",)
    on_page = hook("views.on_page")
    acted = hook("searching.recorded")
    on_saved = hook("searching.keep_ply")
    ended = hook("searching.at_end")
