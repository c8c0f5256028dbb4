"""Pages of rooms for tests of all pages and requests."""

PAGES = {"join": "join/"}
PATHS = ("join/",)
SHORT_LIVED = {"room": "a room lasts a day at most"}
