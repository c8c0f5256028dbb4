"""How cells are called by the labels of their column and row, and how a typed name is read."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cached_property, lru_cache
from html import escape
from itertools import chain
from typing import TypeAlias

from django.utils.html import conditional_escape
from django.utils.translation import gettext as _

from game.engine.geometry import Board, Cell, NotACell
from game.features.axes.parts import Axes
from game.matches.cell_names import CellNames
from game.web.forms import Misspelt, Refused, parse_cell
from game.web.spelling import SPELLINGS, Spelling, cleaned, folded, with_point

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?", re.ASCII)
_BETWEEN = re.compile(r"[\s/|,;／｜，；、،؛]+|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_]|[-−‐-―－:])")
"""What may separate the labels; nothing has to between letters and digits."""
_SLASH = re.compile(r" ?[/|／｜⁄∕] ?")
"""What separates the labels rather than a space does."""
_BRACKETS = " ()[]（）"
Index: TypeAlias = Mapping[str, Sequence[int]]
"""The numbers of labels by their spelling."""
_MOST_TYPED = 120
"""How much of a typed name is read, in characters."""
_MOST_SPELT = 2 * _MOST_TYPED
"""The same after ligatures have become words."""


_NEAR = 0.7
"""How much of a wrong answer is that of a cell, so that its spelling may be wrong."""


class LabelNames(CellNames):
    """The names of cells on a board with labels: `red / dog`, or `(−3 | 4)` of two numbers."""

    def __init__(self, axes: Axes) -> None:
        super().__init__(
            Board(len(axes.columns), len(axes.rows)),
            is_labelled=True,
            is_typed=axes.is_typed,
            has_answers=bool(axes.answers),
            language=axes.language,
            longest=axes.longest,
            styles=("axes/axes.css",),
        )
        self.axes = axes

    @cached_property
    def columns(self) -> Sequence[str]:
        return [_shown(label) for label in self.axes.columns]

    @cached_property
    def rows(self) -> Sequence[str]:
        return [_shown(label) for label in self.axes.rows]

    @property
    def answers(self) -> Sequence[tuple[str, Sequence[str]]]:
        given, width = self.axes.answers, len(self.columns)
        if not given:
            return ()
        return [(row, given[at * width :][:width]) for at, row in enumerate(self.rows)]

    @property
    def handles(self) -> Mapping[str, str | int]:
        language = {"label-language": self.language} if self.language else {}
        columns, rows = (";".join(labels) for labels in (self.axes.columns, self.axes.rows))
        return {"column-labels": columns, "row-labels": rows, **language}

    @cached_property
    def _indexes(self) -> Sequence[tuple[Index, Index]]:
        """The columns and the rows by each of their spellings, the strictest first."""
        return [
            (self._index(self.axes.columns, spelt), self._index(self.axes.rows, spelt))
            for spelt in SPELLINGS
        ]

    @cached_property
    def _answers(self) -> Sequence[Index]:
        """The cells by each of their answers' spellings, the strictest first."""
        return [self._index(self.axes.answers, spelt) for spelt in SPELLINGS]

    def _index(self, labels: Sequence[str], spelt: Spelling) -> Index:
        numbers: dict[str, list[int]] = {}
        for number, label in enumerate(labels):
            numbers.setdefault(_pointed(spelt, spelt(label, self.language)), []).append(number)
        return numbers

    def name(self, cell: Cell) -> str:
        """Returns the name of a cell, as it stands in sentences."""
        row, column = divmod(cell, len(self.axes.columns))
        labels = self.axes.columns[column], self.axes.rows[row]
        form = "({} | {})" if all(map(_NUMBER.fullmatch, labels)) else "{} / {}"
        return form.format(*map(_shown, labels))

    def marked(self, sentence: str) -> str:
        """Returns a sentence in HTML, in which names are in their language and can be spoken."""
        return self._names.sub(self._as_html, conditional_escape(sentence))

    def read(self, text: str) -> Cell:
        """Returns the cell that was typed, such as `red dog`; raises Refused.

        The row may come first where the other order names no cell, and `B7` is read where no label
        is called so.
        """
        line = cleaned(text[:_MOST_TYPED])
        if (answered := self._answered(line)) is not None:
            return answered
        cell = self._labelled(line)
        if self.axes.answers and self.axes.answers[cell]:
            words = {"cell": self.name(cell)}
            raise Misspelt(_("For %(cell)s, type the answer, not the labels.") % words)
        return cell

    def _answered(self, line: str) -> Cell | None:
        """Returns the cell whose answer a line is, the strictest spelling first; raises Refused.

        Returns None if there is none, and the line may be labels.
        """
        answers, language = self.axes.answers, self.axes.language
        if not answers:
            return None
        if not line:
            raise Refused(_("Type the answer of a cell."))
        for spelt, answered in zip(SPELLINGS, self._answers, strict=True):
            cells = answered.get(_pointed(spelt, spelt(line, language)), ())
            if len(cells) == 1:
                return Cell(cells[0])
            if cells:
                one, other, *_more = (self.name(Cell(at)) for at in cells)
                words = {"one": one, "other": other}
                raise Refused(
                    _("That can be %(one)s or %(other)s: mind capitals and accents.") % words
                )
        if get_close_matches(folded(line, language), self._answers[2], 1, _NEAR):
            why = _("“%(typed)s” is nearly right: mind the spelling.") % {"typed": line}
        elif all(answers):
            why = _("“%(typed)s” is the answer of no cell.") % {"typed": line}
        else:
            return None
        with suppress(Refused):
            self._labelled(line)
            return None
        raise Misspelt(why)

    def _labelled(self, line: str) -> Cell:
        """Returns the cell that a line names by its labels; raises Refused."""
        board = self.board
        for level, (spelt, (columns, rows)) in enumerate(
            zip(SPELLINGS, self._indexes, strict=True)
        ):
            for readings in _readings(spelt(line, self.language)[:_MOST_SPELT]):
                cells = {
                    board.cell(column, row)
                    for column_text, row_text in readings
                    for column in columns.get(_pointed(spelt, column_text), ())
                    for row in rows.get(_pointed(spelt, row_text), ())
                }
                if len(cells) > 1:
                    cells = self._closest(cells, line, level)
                if len(cells) > 1:
                    first, second, *_more = map(self.name, sorted(cells))
                    words = {"one": first, "other": second}
                    raise Refused(_("That can be %(one)s or %(other)s: type a / between.") % words)
                if cells:
                    return cells.pop()
        try:
            return parse_cell(board, line.strip(_BRACKETS))
        except NotACell as error:
            raise Misspelt(self._why_not(line)) from error

    def _closest(self, cells: set[Cell], line: str, level: int) -> set[Cell]:
        """Returns the cells of which most labels are read by a stricter spelling, too.

        So `Sie DOG` is not asked about where there are `sie` and `Sie`, and a row `dog`.
        """
        for spelt, (columns, rows) in zip(SPELLINGS[:level], self._indexes, strict=False):
            read_columns, read_rows = set[int](), set[int]()
            for pair in chain.from_iterable(_readings(spelt(line, self.language)[:_MOST_SPELT])):
                for part in pair:
                    read_columns.update(columns.get(_pointed(spelt, part), ()))
                    read_rows.update(rows.get(_pointed(spelt, part), ()))
            width = len(self.columns)
            counts = {
                cell: (cell % width in read_columns) + (cell // width in read_rows)
                for cell in cells
            }
            cells = {cell for cell in cells if counts[cell] == max(counts.values())}
        return cells

    def _why_not(self, line: str) -> str:
        """Returns what is wrong with a name in two parts, of which one may be a label."""
        pairs = list(dict.fromkeys((*_in_two(line), *_in_two(line.strip(_BRACKETS)))))
        parts = {part for pair in pairs for part in pair if len(part) <= _MOST_TYPED // 3}
        spelt = {part: folded(part, self.language) for part in parts}
        columns, rows = self._indexes[2]
        for column, row in (*pairs, *((second, first) for first, second in pairs)):
            if spelt.get(column) in columns:
                return self._no_such(row, self.rows, is_row=True)
            if spelt.get(row) in rows:
                return self._no_such(column, self.columns, is_row=False)
        example = self.name(Cell(len(self.columns) + 1))
        return _("Type a column and a row, such as %(cell)s.") % {"cell": example}

    def _no_such(self, typed: str, labels: Sequence[str], *, is_row: bool) -> str:
        by_spelling = {folded(label, self.language): label for label in labels}
        near = get_close_matches(folded(typed, self.language), by_spelling, n=1)
        words = {"typed": typed, "label": by_spelling[near[0]] if near else ""}
        if is_row and near:
            return _("There is no row “%(typed)s”. Did you mean %(label)s?") % words
        if near:
            return _("There is no column “%(typed)s”. Did you mean %(label)s?") % words
        if is_row:
            return _("There is no row “%(typed)s”.") % words
        return _("There is no column “%(typed)s”.") % words

    @cached_property
    def _names(self) -> re.Pattern[str]:
        column, row = map(_any_of, (self.columns, self.rows))
        return re.compile(rf"(?<![\w&#])(?:\(({column}) \| ({row})\)|({column}) / ({row}))(?!\w)")

    def _as_html(self, name: re.Match[str]) -> str:
        labels = [label for label in name.groups() if label is not None]
        if name[1] is not None:
            minus = _("minus")
            spoken = ", ".join(label.replace("\N{MINUS SIGN}", f"{minus} ") for label in labels)
            shown = f'<span aria-hidden="true">{name[0]}</span>'
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


def _readings(line: str) -> Iterator[list[tuple[str, str]]]:
    """Yields the pairs of a column and a row that a line can be, the likeliest first."""
    typed = line.strip(_BRACKETS)
    pairs = [*_in_two(line), *_in_two(typed)]
    yield [_parted(" / ", line)]
    yield [_parted(_SLASH, typed)]
    yield pairs
    yield [(second, first) for first, second in pairs]
    # 3:15 is 3 and :15, too.
    yield [(typed[:at].strip(), typed[at:].strip()) for at in range(1, len(typed))]


def _pointed(spelt: Spelling, text: str) -> str:
    """Returns a spelling with decimal points, unless it is the strictest."""
    return text if spelt is SPELLINGS[0] else with_point(text)


def _parted(between: re.Pattern[str] | str, text: str) -> tuple[str, str]:
    """Returns what stands before and behind the first separator; one is empty without any."""
    first, *second = re.split(between, text, maxsplit=1)
    return first, "".join(second)


def _in_two(text: str) -> Iterator[tuple[str, str]]:
    """Yields a text in two parts, at each place where they may be separated."""
    for between in _BETWEEN.finditer(text):
        first, second = text[: between.start()], text[between.end() :]
        if first and second:
            yield first.strip(), second.strip()
