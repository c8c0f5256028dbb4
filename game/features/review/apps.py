"""What the review adds to pages: its addresses, and a link on all pages of an ended match."""

from game.feature import Feature, hook


class ReviewConfig(Feature):
    name = "game.features.review"
    urls = "game.features.review.urls"
    links = hook("views.links")
