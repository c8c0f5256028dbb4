"""What a class has found, once its room is closed."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

from django.utils.formats import localize
from django.utils.translation import gettext as _

from game.display import boards
from game.display.boards import BoardView, CellView
from game.display.words import joined, plural
from game.engine.geometry import Cell
from game.engine.rules import Side
from game.features.room.models import Pupil
from game.matches.cell_chances import cell_chances
from game.matches.par import work_out_par
from game.matches.saved import SavedMatch

_BARS = 14
"""How many bars the histogram has at most."""
_WIDTHS = (1, 2, 5, 10, 20)
WIDE, HIGH, _FOOT = 600, 220, 28
"""The histogram in units of its picture, and the room below its bars."""


@dataclass(frozen=True)
class Bar:
    """A bar of the histogram: those who needed so many shots."""

    label: str
    count: int
    x: int
    y: int
    width: int
    height: int
    is_own: bool = False

    @property
    def middle(self) -> int:
        return self.x + self.width // 2


def par_of(saved: SavedMatch) -> int | None:
    """Returns par, or None if it takes longer; the next call goes on."""
    par = work_out_par(saved.match)
    return par and par.shots


def results_of(
    saved: SavedMatch, pupils: Sequence[Pupil], par: int | None, own: str | None
) -> dict[str, Any]:
    """Returns what the pupils have found; `own` is the key of the one who looks."""
    found = [it for it in pupils if it.shots]
    counted = sorted(it.shots for it in found if not it.is_marked)
    middle = median(counted) if counted else None
    mine = next((it.shots for it in found if it.key == own), None)
    unfinished = len(pupils) - len(found)
    bars, scale = _bars([it.shots for it in found], unfinished, mine, par)
    marks = [(_("median"), middle), (_("par"), par)]
    first, chances = _heat_maps(saved, pupils)
    return {
        "sentence": _sentence(len(pupils), middle, par),
        "joined": len(pupils),
        "found": len(found),
        "unfinished": unfinished,
        "marked": len(found) - len(counted),
        "mean": round(mean(counted), 1) if counted else None,
        "par": par,
        "own": mine,
        "bars": bars,
        # What stands above the bars, and where.
        "marks": [(name, scale(shots)) for name, shots in marks if shots and bars],
        "first": first,
        "chances": chances,
    }


def _sentence(number: int, middle: float | None, par: int | None) -> str:
    if middle is None:
        said = plural("%(count)s pupil searched.", "%(count)s pupils searched.", number)
    else:
        shots = int(middle) if middle == int(middle) else middle  # 38 rather than 38.0
        said = _("Half of you found it in %(shots)s shots.") % {"shots": localize(shots)}
    return joined(said, _("Par was %(par)s.") % {"par": par} if par else "")


def _bars(
    shots: Sequence[int], unfinished: int, own: int | None, par: int | None
) -> tuple[list[Bar], Callable[[float], int]]:
    """Returns the bars, those of searches without an end last, and where a number of shots is."""
    if not shots and not unfinished:
        return [], int
    shown = [*shots, *([par] if shots and par else [])]
    least, most = (min(shown), max(shown)) if shown else (0, 0)
    width = next((it for it in _WIDTHS if (most - least) // it < _BARS - 1), _WIDTHS[-1])
    start = least - least % width
    counts = Counter((it - start) // width for it in shots)
    number = (most - start) // width + 1 if shots else 0
    tallest = max(*counts.values(), unfinished, 1)
    across = min(90, WIDE // (number + bool(unfinished)))

    def bar(at: int, label: str, count: int, *, is_own: bool = False) -> Bar:
        height = (HIGH - 2 * _FOOT) * count // tallest
        y = HIGH - _FOOT - height
        return Bar(label, count, at * across + 2, y, across - 4, height, is_own)

    def scale(count: float) -> int:
        return int(min(max((count - start + 0.5) / width, 0), number) * across)

    bars = []
    for at in range(number):
        first = start + at * width
        label = f"{first}" if width == 1 else f"{first}–{first + width - 1}"
        is_own = own is not None and (own - start) // width == at
        bars.append(bar(at, label, counts[at], is_own=is_own))
    if unfinished:
        bars.append(bar(number, "…", unfinished))
    return bars, scale


def _heat_maps(saved: SavedMatch, pupils: Sequence[Pupil]) -> tuple[BoardView, BoardView]:
    """Returns the fleet below the first shots of all, and the chances before the first shot."""
    seen, names = saved.seen, saved.setup.cell_names
    fleet = saved.match.placements(Side.SECOND)
    shown = boards.enemy_board(seen, names, reveal=fleet, is_live=False)
    asked = [it for it in pupils if it.first]
    counts = Counter(cell for it in asked for cell in it.cells)
    figured = {cell for cell, _count in counts.most_common(3)}

    def warm(cell: Cell, drawn: CellView) -> CellView:
        if not counts[cell]:
            return drawn
        share = counts[cell] / len(asked)
        return drawn._replace(
            heat=round(100 * share), is_figured=cell in figured, warmth=round(10 * share**0.75)
        )

    blank = boards.enemy_board(seen, names, is_live=False)
    chances = boards.with_chances(blank, seen, cell_chances(seen))
    return shown.redrawn(warm)._replace(kind="first"), chances._replace(kind="chances")
