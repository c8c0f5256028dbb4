"""What games on paper add to pages: a link to print on the page of a preset and of a match."""

from game.feature import Feature


class PaperConfig(Feature):
    name = "game.features.paper"
    playing_links = ("paper_of",)
