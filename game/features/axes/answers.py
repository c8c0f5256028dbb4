"""The answers of single cells, such as `she went` for `she / go`, as a teacher pastes them.

    she / go: she went        a line for each cell, or its labels and the answer in three columns

A table of a spreadsheet is read, too: as many rows and columns as the board has, with its labels or
without.
"""

import re
from csv import reader
from itertools import chain

from django.utils.translation import gettext as _

from game.engine.geometry import NotACell
from game.features.axes.names import LabelNames
from game.features.axes.parts import MOST_ANSWERS, Axes
from game.web.forms import Refused
from game.web.spelling import cleaned, is_same

LONGEST_ANSWER = 40
"""The most characters of an answer."""
_COLON = re.compile(r"[:：=]\s+|：")


def parse_answers(axes: Axes, written: str) -> tuple[str, ...]:
    """Returns the answer of each cell, row by row, empty for one without; raises Refused."""
    lines = [line for line in written.splitlines() if line.strip()]
    table = [[*map(cleaned, cells)] for cells in reader(lines, delimiter="\t", strict=False)]
    size = len(axes.rows), len(axes.columns)
    if any(len(row) > 3 for row in table):
        answers = [*chain.from_iterable(_grid(axes, table, *size))]
    else:
        answers = _listed(axes, table)
    for number, answer in enumerate(answers):
        if len(answer) > LONGEST_ANSWER:
            words = {"answer": f"{answer[:LONGEST_ANSWER]}…", "most": LONGEST_ANSWER}
            raise Refused(_("An answer has at most %(most)s characters: “%(answer)s”.") % words)
        if answer and answer in answers[:number]:
            raise Refused(_("Two cells have the same answer: “%(answer)s”.") % {"answer": answer})
    found = tuple(answers) if any(answers) else ()
    if len(Axes((), (), answers=found).packed_answers) > MOST_ANSWERS:
        raise Refused(_("The answers are too long for a link: leave some out."))
    return found


def _listed(axes: Axes, table: list[list[str]]) -> list[str]:
    """Returns the answers of lines that name a cell each; raises Refused."""
    names, answers = LabelNames(axes), [""] * (len(axes.columns) * len(axes.rows))
    for row in table:
        name, answer = " / ".join(row[:-1]), row[-1]
        if len(row) == 1:  # labels may have a colon, too
            name, *_between = _COLON.split(row[0], maxsplit=1)
            answer = row[0][len(name) :].lstrip(":：= ")
        if not answer:
            words = {"line": row[0][:LONGEST_ANSWER]}
            raise Refused(_("Write “column / row: answer” in place of “%(line)s”.") % words)
        try:
            answers[names.read(name)] = answer
        except NotACell as error:
            raise Refused(str(error)) from error
    return answers


def _grid(axes: Axes, table: list[list[str]], rows: int, columns: int) -> list[list[str]]:
    """Returns the rows of a table, without the labels that it may have; raises Refused."""
    labels = ["", *axes.columns]
    if len(table) == rows + 1 and is_same(" ".join(table[0]), " ".join(labels), axes.language):
        table = table[1:]
    if all(
        len(row) > columns and is_same(row[0], label, axes.language)
        for row, label in zip(table, axes.rows, strict=False)
    ):
        table = [row[1:] for row in table]
    widths = {len(row) for row in table}
    if len(table) != rows or widths != {columns}:
        words = {"rows": rows, "columns": columns, "is": len(table), "wide": max(widths)}
        raise Refused(
            _(
                "The table of answers needs %(rows)s rows and %(columns)s columns, but it has "
                "%(is)s and %(wide)s."
            )
            % words
        )
    return table
