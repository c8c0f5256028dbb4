"""Pages of rooms for tests of all pages and requests."""

PAGES = {"join": "join/"}
PATHS = ("join/",)
