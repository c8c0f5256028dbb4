"""What a browser remembers of typed cells: what was misspelt in its last match that had any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

from game.display.public_values import PublicValues
from game.display.unfinished import mark_of
from game.features.axes.names import Misspelt
from game.matches.saved import SavedMatch
from game.web.memory import Memory

_MOST, _LONGEST = 20, 40


class Kept(NamedTuple):
    mark: str = ""
    """Identifies the match among those of the browser."""
    typed: Sequence[str] = ()


MISSPELT = Memory("misspelt", Kept(), lambda kept: kept, lambda found: Kept(*found))


@dataclass(frozen=True)
class ExerciseView(PublicValues):
    """What the page of a match has of its exercise."""

    code: str = ""
    misspelt: Sequence[str] = ()


def keep_misspelt(
    request: HttpRequest, response: HttpResponse, saved: SavedMatch, error: Exception
) -> None:
    """Has the browser of a player remember what was misspelt, unless two share it."""
    typed = request.POST.get("cell", "")[:_LONGEST].strip()
    if not isinstance(error, Misspelt) or saved.setup.is_shared or not typed:
        return
    before = misspelt_in(request, saved)
    if typed not in before:
        kept = Kept(mark_of(saved.match.seed), [*before, typed][-_MOST:])
        MISSPELT.keep(request, response, kept)


def misspelt_in(request: HttpRequest, saved: SavedMatch) -> Sequence[str]:
    """Returns what was misspelt in a match by the browser that asks, in its order."""
    kept = MISSPELT.read(request)
    return kept.typed if kept.mark == mark_of(saved.match.seed) else ()
