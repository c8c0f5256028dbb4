"""A page of a game as a value, before it is rendered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from game.display.match_view import MatchView
from game.display.messages import Status


class Page(NamedTuple):
    """A page of a game, of which htmx swaps a part."""

    address: str
    folder: str
    """Has the templates page.html, and fragment.html for htmx."""
    values: dict[str, Any]
    view: MatchView | None = None
    """What the page of a match shows; `values` are what only the HTML has besides."""

    def having(self, **values: Any) -> Page:
        return self._replace(values={**self.values, **values})

    def showing(self, **changes: Any) -> Page:
        """The page with other values of its view."""
        return self._replace(view=self.view and replace(self.view, **changes))

    def saying(self, sentence: str, *, is_refused: bool = False) -> Page:
        """The page with another sentence as its status."""
        status = Status(sentence, is_refused=is_refused)
        return self.showing(status=status) if self.view else self.having(status=status)

    def refused(self, sentence: str) -> Page:
        """The page with the reason why an action was refused as its status."""
        return self.saying(sentence, is_refused=True)

    @property
    def context(self) -> dict[str, Any]:
        if self.view is None:
            return {"cell_names": None, **self.values}
        names = ("address", "features", "title", "phase", "setup", "status")
        shown = {name: getattr(self.view, name) for name in names}
        cell_names = self.view.setup.cell_names
        return {"view": self.view, "cell_names": cell_names, **shown, **self.values}


def page(
    folder: str, body: str, *, address: str, title: str, phase: str, turn: int, status: str,
    **values: Any,
) -> Page:  # fmt: skip
    """A page of a game that is no match; `body` is the game region's template.

    `turn` counts from 0, and `status` is what has just happened or is to be done.
    """
    given = {"body": body, "address": address, "title": title, "phase": phase, "turn": turn}
    return Page(address, folder, {**given, "status": Status(status), **values})
