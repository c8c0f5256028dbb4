"""How cells are called by the labels of their column and row, and how a typed name is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from html import escape

from django.utils.html import conditional_escape
from django.utils.translation import gettext as _

from game.engine.geometry import Board, Cell, NotACell
from game.features.axes.parts import MINUS, Axes, key
from game.web.forms import Refused, clean_line, parse_cell

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?", re.ASCII)
_BETWEEN = re.compile(
    r"[\s/|,;\uff0f\uff5c\uff0c\u3001]+|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_]|[-:])"
)
"""What may separate the labels; nothing has to between letters and digits."""
_SLASH = re.compile(r" ?[/|\uff0f\uff5c] ?")
"""What separates the labels rather than a space does."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_MOST_TYPED = 120
"""How much of a typed name is read, in characters."""


@dataclass(frozen=True)
class LabelNames:
    """The names of cells on a board with labels: `red / dog`, or `(−3 | 4)` of two numbers."""

    axes: Axes

    @property
    def language(self) -> str:
        return self.axes.language

    @property
    def is_typed(self) -> bool:
        return self.axes.is_typed

    @cached_property
    def columns(self) -> Sequence[str]:
        return [_shown(label) for label in self.axes.columns]

    @cached_property
    def rows(self) -> Sequence[str]:
        return [_shown(label) for label in self.axes.rows]

    @cached_property
    def _columns_by_key(self) -> Mapping[str, int]:
        return _by_key(self.axes.columns)

    @cached_property
    def _rows_by_key(self) -> Mapping[str, int]:
        return _by_key(self.axes.rows)

    def name(self, cell: Cell) -> str:
        """Returns the name of a cell, as it stands in sentences."""
        row, column = divmod(cell, len(self.axes.columns))
        labels = self.axes.columns[column], self.axes.rows[row]
        form = "({} | {})" if all(map(_NUMBER.fullmatch, labels)) else "{} / {}"
        return form.format(*map(_shown, labels))

    def marked(self, sentence: str) -> str:
        """Returns a sentence in HTML, in which names are in their language and can be spoken."""
        return self._names.sub(self._as_html, conditional_escape(sentence))

    def read(self, board: Board, text: str) -> Cell:
        """Returns the cell that was typed, such as `red dog`; raises Refused.

        The row may come first where the other order names no cell, and `B7` is read where no label
        is called so.
        """
        whole = clean_line(text[:_MOST_TYPED]).translate(MINUS)
        typed = whole.strip(" ()[]")
        pairs = [*_in_two(whole), *_in_two(typed)]
        turned = [(other, one) for one, other in pairs]
        cuts = [(typed[:at], typed[at:]) for at in range(1, len(typed))]  # 3:15 is 3 and :15, too
        for readings in ([_parted(" / ", whole)], [_parted(_SLASH, typed)], pairs, turned, cuts):
            cells = self._cells(board, readings)
            if len(cells) == 1:
                return cells[0]
            if cells:
                words = {"one": self.name(cells[0]), "other": self.name(cells[1])}
                raise Refused(_("That can be %(one)s or %(other)s: type a / between.") % words)
        try:
            return parse_cell(board, typed)
        except NotACell as error:
            raise Refused(self._why_not([*pairs, *turned])) from error

    def _cells(self, board: Board, readings: Iterable[tuple[str, str]]) -> list[Cell]:
        """Returns the cells whose column and row are called so."""
        columns, rows = self._columns_by_key, self._rows_by_key
        keys = {(key(one), key(other)) for one, other in readings}
        found = (pair for pair in keys if pair[0] in columns and pair[1] in rows)
        return sorted({board.cell(columns[one], rows[other]) for one, other in found})

    def _why_not(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Returns what is wrong with a name in two parts, of which one may be a label."""
        columns, rows = self._columns_by_key, self._rows_by_key
        for one, other in pairs:
            if key(one) in columns:
                return self._no_such(other, self.rows, rows, is_row=True)
            if key(other) in rows:
                return self._no_such(one, self.columns, columns, is_row=False)
        example = self.name(Cell(len(self.columns) + 1))
        return _("Type a column and a row, such as %(cell)s.") % {"cell": example}

    @staticmethod
    def _no_such(
        typed: str, labels: Sequence[str], keys: Mapping[str, int], *, is_row: bool
    ) -> str:
        near = get_close_matches(key(typed), keys, n=1)
        words = {"typed": typed, "label": labels[keys[near[0]]] if near else ""}
        if is_row and near:
            return _("There is no row “%(typed)s”. Did you mean %(label)s?") % words
        if near:
            return _("There is no column “%(typed)s”. Did you mean %(label)s?") % words
        if is_row:
            return _("There is no row “%(typed)s”.") % words
        return _("There is no column “%(typed)s”.") % words

    @cached_property
    def _names(self) -> re.Pattern[str]:
        one, other = map(_any_of, (self.columns, self.rows))
        return re.compile(rf"(?<![\w&#])(?:\(({one}) \| ({other})\)|({one}) / ({other}))(?!\w)")

    def _as_html(self, found: re.Match[str]) -> str:
        labels = [label for label in found.groups() if label is not None]
        if found[1] is not None:
            minus = _("minus")
            spoken = ", ".join(label.replace("\N{MINUS SIGN}", f"{minus} ") for label in labels)
            shown = f'<span aria-hidden="true">{found[0]}</span>'
            said = f'<span class="sr-only" data-spoken>{spoken}</span>'
            return f'<span class="called">{shown}{said}</span>'
        language = f' lang="{escape(self.language)}"' if self.language else ""
        pair = " / ".join(f"<bdi{language}>{label}</bdi>" for label in labels)
        return f'<span class="called">{pair}</span>'


@lru_cache(maxsize=64)  # the exercises in play; up to 40 kB each
def names_of(axes: Axes) -> LabelNames:
    return LabelNames(axes)


def _shown(label: str) -> str:
    """Returns a label, a number with the sign that has the width of a plus."""
    return label.replace("-", "\N{MINUS SIGN}") if _NUMBER.fullmatch(label) else label


def _any_of(labels: Iterable[str]) -> str:
    return "|".join(re.escape(escape(label)) for label in sorted(labels, key=len, reverse=True))


def _parted(between: re.Pattern[str] | str, text: str) -> tuple[str, str]:
    """Returns what stands before and behind the first separator; one is empty without any."""
    one, *other = re.split(between, text, maxsplit=1)
    return one, "".join(other)


def _in_two(text: str) -> Iterator[tuple[str, str]]:
    """Yields a text in two parts, at each place where they may be separated."""
    for between in _BETWEEN.finditer(text):
        one, other = text[: between.start()], text[between.end() :]
        if one and other:
            yield one, other


def _by_key(labels: Sequence[str]) -> dict[str, int]:
    """Returns the numbers of the labels by their keys, and by those with `ae` for `ä`."""
    found = {key(label): number for number, label in enumerate(labels)}
    for number, label in enumerate(labels):
        found.setdefault(key(label.casefold().translate(_UMLAUTS)), number)
    return found
