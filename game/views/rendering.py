"""Templates as text, exactly as Django renders them, but faster.

    render_cached("game/_status.html", {"is_long": False, "status": Slot("B7: hit.")})

Django renders a template once for each of its variants; the slots, texts that change from answer
to answer, are inserted afterwards. A board is joined from its cells: Django renders each kind of
cell once, and the cells' names are inserted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache, lru_cache
from html import escape  # what Django's calls, without its wrapping: 1 us instead of 2
from itertools import chain
from typing import Any

from django.template.loader import get_template, render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from game.display.boards import Arrow, BoardOf, Hull
from game.display.fleets import FleetLine
from game.display.names import pictures, wreck_picture
from game.display.questions import Box
from game.display.shot_log import Entry, LogRow
from game.display.text_view import TextView
from game.engine.rules import Pair

_MARK = "\0"
"""Encloses the name of a slot. Inserted texts are never searched for it, so a player's name can't
imitate one."""
_NAME, _ARROWS = "\0name\0", "\0arrows\0"


class Slot(str):
    """A text that a template may only print, without a filter, or test for being empty."""

    __slots__ = ()


def placeholder(name: str) -> str:
    """The mark for the slot of that name inside another value, such as an address."""
    return f"{_MARK}{name}{_MARK}"


def render_cached(template: str, values: Mapping[str, Hashable]) -> SafeString:
    """The template's text, the same as Django renders from these values.

    Each Slot and SafeString is a slot. A template may use the other values as it likes: they are
    the variant, and each variant is rendered once per language.
    """
    return SafeString("".join(_parts(template, values)))


def render_page(template: str, values: Mapping[str, Hashable]) -> bytes:
    """What `render_cached` returns, in UTF-8.

    The parts are encoded one by one: most are ASCII, which takes less than half of the time.
    """
    return b"".join([part.encode() for part in _parts(template, values)])


def _parts(template: str, values: Mapping[str, Hashable]) -> list[str]:
    slots: dict[str, str] = {}
    variant = []
    for name, value in values.items():
        # For the skeleton Django sees only placeholders, which are safe: it escapes no slot.
        if isinstance(value, Slot):
            slots[name] = escape(value)
        elif isinstance(value, SafeString):
            slots[name] = value
        else:
            variant.append((name, value))
    filled = tuple([name for name, text in slots.items() if text])
    pieces, names = _skeleton(template, get_language() or "en", tuple(variant), filled)
    parts = [pieces[0]]
    for name, piece in zip(names, pieces[1:], strict=True):
        parts += (slots[name], piece)
    return parts


@lru_cache(maxsize=256)  # presets, phases and help of an hour; up to 60 kB each
def _skeleton(
    template: str,
    _language: str,
    variant: tuple[tuple[str, Hashable], ...],
    filled: tuple[str, ...],
) -> tuple[list[str], list[str]]:
    """The template's text in pieces, and the names of the slots between them.

    `_language` is only part of the cache's key: Django renders in the active language.
    """
    marks = {name: SafeString(placeholder(name)) for name in filled}
    pieces = render_to_string(template, dict(variant) | marks).split(_MARK)
    return pieces[::2], pieces[1::2]  # text, name, text, name, ..., text


def board(
    view: BoardOf[Any], cells: str, role: str = "grid", *, has_radar: bool = False
) -> SafeString:
    """A board as a grid or a table; `cells` is the template of a cell."""
    return render_cached("game/_board.html", {
        "kind": view.kind, "columns": view.columns, "rows": len(view.rows),
        "letters": view.letters, "role": role, "has_radar": has_radar, "is_plain": view.is_plain,
        "body": SafeString("".join(_rows(view, cells))),
        "hulls": SafeString("".join(map(hull, view.hulls)) + _boxes(view)),
    })  # fmt: skip


def _rows(view: BoardOf[Any], cells: str) -> list[str]:
    language = get_language() or "en"
    drawn = _cells(view, cells, language)
    for cell, offered in view.arrows.items():
        row, column = divmod(cell, view.columns)
        pieces = _cell_pieces(cells, language, view.rows[row][column], True)
        text = f"{view.letters[column]}{row + 1}".join(pieces)
        drawn[cell] = text.replace(_ARROWS, "".join(map(arrow, offered)))
    return [
        f'<tr role="row"><th role="rowheader" scope="row">{start // view.columns + 1}</th>'
        f"{''.join(drawn[start : start + view.columns])}</tr>\n"
        for start in range(0, len(drawn), view.columns)
    ]


def _cells(view: BoardOf[Any], cells: str, language: str) -> list[str]:
    shown = list(chain.from_iterable(view.rows))
    # Cells are told apart by identity: hashing one takes 0.4 us, and most are the same object.
    kinds = {
        at: _cell_pieces(cells, language, cell, False)
        for at, cell in {id(cell): cell for cell in shown}.items()
    }
    names = _names(view.letters, len(view.rows))
    return [name.join(kinds[id(cell)]) for name, cell in zip(names, shown, strict=True)]


@lru_cache(maxsize=24)  # the presets have one board, own rules any; up to 14 kB each
def _names(letters: str, rows: int) -> tuple[str, ...]:
    return tuple(f"{letter}{row + 1}" for row in range(rows) for letter in letters)


# The key is the kind of cell, not its place: all boards in both languages have about 900 kinds.
@lru_cache(maxsize=2048)
def _cell_pieces(template: str, _language: str, cell: Any, has_arrows: bool) -> list[str]:
    """The text of a kind of cell, split where the cell's name stands."""
    arrows = SafeString(_ARROWS if has_arrows else "")
    return cell_text(template, cell, _NAME, arrows).split(_NAME)


def cell_text(template: str, cell: Any, name: str, arrows: str) -> str:
    """What Django renders for a cell, without the line breaks of its template."""
    given = {"it": cell, "name": name, "words": cell.words, "arrows": arrows}
    return render_to_string(template, given).replace("\n", "")


def arrow(it: Arrow) -> SafeString:
    return SafeString(
        f'<button class="steer steer-{it.points}" name="steer" value="{it.value}" '
        f'aria-label="{escape(it.label)}"></button>'
    )


@cache
def _sprite() -> list[str]:
    return get_template("ships.svg").render().splitlines()


@lru_cache(maxsize=256)  # fleets in play; up to 4 kB each
def ship_pictures(fleet: tuple[int, ...] = ()) -> SafeString:
    """The pictures that a page of a fleet refers to; all of them for an empty fleet."""
    wanted = {*pictures(fleet), *(wreck_picture(fleet, length) for length in fleet)}
    return SafeString(
        "\n".join(
            line
            for line in _sprite()
            if not (fleet and line.startswith("<symbol")) or line.split('"')[1] in wanted
        )
    )


_BOW_WAVES = '<use class="wake" href="#wake"/>'


def hull(it: Hull) -> SafeString:
    """The picture of a ship over the cells, or the trail that it has left."""
    where = (
        f'data-x="{it.x}" data-y="{it.y}" data-length="{it.length}" '
        f'data-direction="{"v" if it.is_down else "h"}"'
    )
    if it.look == "trail":
        return SafeString(f'<i class="hull is-trail" {where}></i>')
    width = it.length * 40
    around = _BOW_WAVES
    if it.look == "sunk":
        around = f'<rect class="danger" x="3" y="3" width="{width - 6}" height="34" rx="16"/>'
    return SafeString(
        f'<i class="hull is-{it.look}" data-hull="{it.id}" {where}><svg viewBox="0 0 {width} 40">'
        f'{around}<use href="#{it.picture}"/></svg></i>'
    )


def _boxes(view: BoardOf[Any]) -> str:
    """The rectangles of questions, drawn over the sea."""
    if not view.boxes:
        return ""
    drawn = "".join(
        f'<i data-x="{it.x}" data-y="{it.y}">'
        f'<b {_box_name(it)} class="{"is-yes" if it.is_yes else "is-no"}{_box_look(it)}" '
        f'data-x="{it.x + it.columns - 1}" data-y="{it.y + it.rows - 1}"></b></i>'
        for it in view.boxes
    )
    return f'<div class="boxes">{drawn}</div>'


def _box_name(it: Box) -> str:
    return f'data-asked="{it.step}"' if it.step else f'id="{_box_id(it)}"'


def _box_look(it: Box) -> str:
    return f" is-{it.look}" if it.look else ""


def _box_id(it: Box) -> str:
    return f"box-{it.cells.replace(' ', '-')}"


def questions(boxes: Iterable[Box]) -> SafeString:
    """The questions with their answers, if any; each is a link that marks its rectangle."""
    items = "".join(
        f'<li><a href="#{_box_id(it)}" data-question="{it.cells}" '
        f'data-answer="{"yes" if it.is_yes else "no"}">{escape(it.words)}</a></li>\n'
        for it in boxes
    )
    return SafeString(f"<ol>\n{items}</ol>" if items else "")


def fleet(lines: Iterable[FleetLine]) -> SafeString:
    return SafeString('<ul class="fleet">\n' + "".join(map(_fleet_line, lines)) + "</ul>")


@lru_cache(maxsize=128)  # the states of the ships of one length; 1 kB each
def _fleet_line(line: FleetLine) -> str:
    ships = "".join(
        _fleet_ship(line.length, look, state, picture) for look, state, picture in line.ships
    )
    afloat = f'<span class="sr-only">{escape(line.afloat)}</span>' if line.afloat else ""
    sunk = f'<span class="sr-only">{escape(line.sunk)}</span>' if line.sunk else ""
    gone = ' class="is-gone"' if line.is_gone else ""
    of = len(line.ships)
    left = f"{line.left}/{of}" if line.left < of else f"× {of}" if of > 1 else ""
    count = f' <small aria-hidden="true">{left}</small>' if left else ""
    return (
        f'<li data-length="{line.length}" data-left="{line.left}" data-of="{of}"{gone}>'
        f'<span class="fleet-name">{escape(line.name)}{count}</span>'
        f'<span class="fleet-ships">{ships}{afloat}{sunk}</span></li>\n'
    )


def _fleet_ship(length: int, look: str, state: str, picture: str) -> str:
    words = f'<span class="sr-only">{escape(state)}</span>' if state else ""
    return (
        f'<span class="fleet-ship is-{look}">'
        f'<svg viewBox="0 0 {length * 40} 40" aria-hidden="true"><use href="#{picture}"/></svg>'
        f"{words}</span>"
    )


def meter(value: int, most: int) -> SafeString:
    """A bar for a number of turns; screen readers have it in words beside it."""
    return SafeString(f'<progress max="{most}" value="{value}" aria-hidden="true"></progress>')


def text_view(view: TextView, *, moving: bool, has_last: bool = True, goal: str = "") -> SafeString:
    rows = "".join(f'<li value="{row.number}">{escape(row.marks)}</li>' for row in view.rows)
    ships = "".join(f"<li>{escape(ship)}</li>" for ship in view.ships)
    return render_cached("game/_report.html", {
        "moving": moving, "is_solo": not view.ships, "has_last": has_last,
        "last": Slot(view.last), "to_find": Slot(view.to_find), "open_hits": Slot(view.open_hits),
        "rows": SafeString(rows), "afloat": Slot(view.afloat), "ships": SafeString(ships),
        "questions": Slot(view.questions), "noticed": Slot(view.noticed), "goal": Slot(goal),
    })  # fmt: skip


def shot_log(rows: Iterable[LogRow], names: Pair[str], *, is_solo: bool) -> SafeString:
    """The table of a log; `names` are those of the side that it is for and of the other side."""
    if not (body := "".join(_log_row(row, is_solo=is_solo) for row in rows)):
        return SafeString("")
    mine, theirs = map(Slot, names)
    return render_cached("game/_log.html", {
        "rows": SafeString(body), "mine": mine, "theirs": theirs, "is_solo": is_solo,
    })  # fmt: skip


def _log_row(row: LogRow, *, is_solo: bool) -> str:
    sides = (row.mine,) if is_solo else (row.mine, row.theirs)
    cells = (", ".join(map(_log_entry, side)) for side in sides)
    return f"<tr><th>{row.turn}</th><td>{'</td><td>'.join(cells)}</td></tr>\n"


SHORT_ENTRY = 12
"""An entry of the log that stays on one line, such as `J10: Treffer`."""


def _log_entry(entry: Entry) -> str:
    text = escape(entry.text)
    if len(text) <= SHORT_ENTRY:  # the name of a ship would make the column too wide for a phone
        text = text.replace(": ", ":\N{NO-BREAK SPACE}")
    return f"<b>{text}</b>" if entry.is_hit else text


LONG_STATUS = 70
"""A status line of more characters may scroll, and what the enemy did begins no line in it."""


def status_line(
    status: str,
    *,
    is_refused: bool = False,
    struck: str = "",
    reply: str = "",
    is_final: bool = False,
    keys: str = "",
) -> SafeString:
    """The content of the status line.

    If the status begins with `struck`, the sentence of a hit or a sinking, that stands out; with
    `reply`, the sentence of the enemy's shots, a line begins if the status is not too long and the
    match goes on. `keys` follows on devices with keys.
    """
    struck = struck if status.startswith(struck) else ""
    before, reply, after = status.removeprefix(struck).partition(reply or "\0")
    values = {
        "is_refused": is_refused, "is_long": len(status) > LONG_STATUS, "is_final": is_final,
        "status": Slot(before), "struck": Slot(struck), "reply": Slot(f"{reply}{after}"),
        "keys": Slot(keys),
    }  # fmt: skip
    return SafeString(render_cached("game/_status.html", values).strip())
