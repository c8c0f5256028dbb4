"""The labels that a form asks for: one a line or separated by `;`, or a range as `10..100/10`.

A row or a column of a spreadsheet is read, too: cells between tabs or commas, quoted as in CSV.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from game.display.words import plural
from game.engine.fleets import check_room
from game.engine.geometry import LARGEST, LETTERS
from game.engine.presets import OWN, SMALLEST_OWN
from game.engine.rules import TooLong
from game.features.axes.answers import parse_answers
from game.features.axes.parts import MOST_BYTES, MOST_LANGUAGE, Axes
from game.matches.setup import Setup
from game.ops.text_width import signs
from game.web.forms import Refused
from game.web.spelling import cleaned, folded, in_one_case, is_seen

LONGEST = 14
"""The most visible characters of a label."""
COLUMNS, ROWS, LANGUAGE, TYPED = "column_labels", "row_labels", "label_language", "cells"
ANSWERS, CODE = "answers", "exercise"
"""The fields of forms and addresses."""
_LONGEST_CODE = 5
_RANGE = re.compile(r"(-?\d{1,4})\.{2,3}(-?\d{1,4})(?:/(\d{1,4}))?", re.ASCII)
_PARTS = re.compile(r" ?([/|]) ?")
_QUOTED = r"[ \xa0]*\"((?:[^\"]|\"\")*)\"[ \xa0]*"
"""A cell of a spreadsheet that contains what separates cells; its quotes are doubled."""
_LINES = r"[;\uff1b\u061b\u037e\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"
_COMMAS = r"[,\uff0c\u060c\u3001]"
"""What separates labels; commas do only where nothing else does."""
_DECIMALS = re.compile(rf"(?=.*\d,\d)(?:[^,\d]|\d++(?:,\d++)?(?!,\d)|{_COMMAS}\s)+", re.DOTALL)
"""Numbers with a decimal comma, between which commas with a space stand."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,4})?", re.ASCII)
_LANGUAGES = "ar cs da de el en es fi fr hu it ja ko nb nl pl pt ru sv tr uk"
_MOST_TEXT = 2000
"""How much of a field is read, in characters."""
_MOST_SHOWN = 3 * LONGEST
"""How much of a refused label is shown, in characters."""


def with_labels(setup: Setup, fields: Mapping[str, str]) -> Setup:
    """Returns the setup with the labels of the fields; raises Refused or IllegalRules."""
    setup, refused = read_labels(setup, fields)
    for sentence in refused.values():
        raise Refused(sentence)
    return setup


def read_labels(setup: Setup, fields: Mapping[str, str]) -> tuple[Setup, dict[str, str]]:
    """Returns the setup with the labels of the fields, and what is refused, by the fields' names.

    What is refused isn't in the setup. In own rules the labels say how many columns and rows there
    are. Raises IllegalRules if these can't be played, or if the match could outgrow its address.
    """
    refused, rules, is_own = dict[str, str](), setup.ruleset, setup.preset is OWN
    columns = rows = tuple[str, ...]()
    with _collected(refused, COLUMNS):
        columns = parse_labels(fields.get(COLUMNS, ""))
        _check_count(columns, _("columns"), None if is_own else rules.columns)
    with _collected(refused, ROWS):
        rows = parse_labels(fields.get(ROWS, ""))
        _check_count(rows, _("rows"), None if is_own else rules.rows)
    if refused or not (columns or rows):
        return setup, refused
    if is_own:
        rules = replace(rules, columns=len(columns) or rules.columns, rows=len(rows) or rules.rows)
        check_room(rules)
    columns = columns or tuple(LETTERS[: rules.columns])
    rows = rows or tuple(str(row + 1) for row in range(rules.rows))
    language = fields.get(LANGUAGE, "").strip()
    language = language if _LANGUAGE.fullmatch(language) else ""
    is_typed = fields.get(TYPED) == "typed"
    axes = Axes(columns, rows, language, is_typed, code=fields.get(CODE, "")[:_LONGEST_CODE])
    if len(axes.text.encode()) > MOST_BYTES:
        longest = max((*columns, *rows), key=lambda label: len(label.encode()))
        refused.setdefault(
            COLUMNS if longest in columns else ROWS,
            _("The labels are too long for a link: shorten some, such as “%(label)s”.")
            % {"label": longest},
        )
    if refused:
        return setup, refused
    if is_typed and (written := fields.get(ANSWERS, "")):
        with _collected(refused, ANSWERS):
            axes = replace(axes, answers=parse_answers(axes, written))
    if is_typed and not (axes.answers and all(axes.answers)):
        for field, labels in ((COLUMNS, columns), (ROWS, rows)):
            with _collected(refused, field):
                _check_different(labels, language)
    said = f"{axes.text}{setup.title}{setup.task}".encode()
    taken = MOST_LANGUAGE + len(said) + len(axes.packed_answers)
    if not rules.has_room(rules.limit, taken):
        raise TooLong("too long to be kept in an address with these labels")
    return replace(setup, ruleset=rules).with_part(axes), refused


@contextmanager
def _collected(refused: dict[str, str], field: str) -> Iterator[None]:
    """Keeps what is refused of a field instead of raising it."""
    try:
        yield
    except Refused as error:
        refused[field] = str(error)


def parse_labels(written: str) -> tuple[str, ...]:
    """Returns the labels of an axis, none of an empty text; raises Refused."""
    text = written[:_MOST_TEXT].strip()
    if found := _RANGE.fullmatch("".join(in_one_case(text).split())):
        return _range(found[0], int(found[1]), int(found[2]), int(found[3] or 1))
    typed = [cell for cell in _cells(text) if cell.strip()]
    # Within a cell's name only its separator has spaces on both sides.
    labels = tuple(_PARTS.sub(r"\1", cleaned(cell)) for cell in typed)
    for number, (cell, label) in enumerate(zip(typed, labels, strict=True)):
        shown = label if len(label) <= _MOST_SHOWN else f"{label[:_MOST_SHOWN]}…"
        words = {"label": shown, "most": LONGEST}
        if not is_seen(label, "LNPS"):
            code = f"U+{ord(cell.strip()[0]):04X}"
            raise Refused(_("A label has to be seen: “%(label)s”.") % {"label": code})
        if signs(label) > LONGEST:
            raise Refused(_("A label has at most %(most)s characters: “%(label)s”.") % words)
        if label in labels[:number]:
            raise Refused(_("Two labels are the same: “%(label)s”.") % words)
    return labels


def _cells(text: str) -> list[str]:
    """Returns the labels as they were written, without the quotes that a spreadsheet adds."""
    bare = re.sub(_QUOTED, "", text)
    if re.search(_LINES, bare):
        between = _LINES
    elif _DECIMALS.fullmatch(bare):
        between = rf"{_COMMAS}\s"  # the other commas are those of numbers
    else:
        between = _COMMAS
    cells, at = list[str](), 0
    cell = re.compile(rf"(?:{_QUOTED}|((?:(?!{between}).)*))(?:{between}|\Z)", re.DOTALL)
    while at < len(text) and (matched := cell.match(text, at)):
        quoted, plain = matched.groups()
        # A program tells the labels apart by semicolons.
        cells.append(plain if quoted is None else quoted.replace('""', '"').replace(";", ","))
        at = matched.end()
    return cells


def _check_different(labels: tuple[str, ...], language: str) -> None:
    """Raises Refused if a typed name couldn't tell two labels apart."""
    by_spelling = dict[str, str]()
    for label in labels:
        other = by_spelling.setdefault(folded(label, language), label)
        if other is not label:
            raise Refused(
                _(
                    "Where cells are typed, labels have to differ by more than case or accents: "
                    "“%(other)s” and “%(label)s”."
                )
                % {"label": label, "other": other}
            )


def _range(text: str, first: int, last: int, step: int) -> tuple[str, ...]:
    """Returns the numbers from the first to the last; raises Refused."""
    way = step if first <= last else -step
    if not step or (last - first) % step or abs(last - first) // step >= LARGEST:
        raise Refused(
            _("Not a range of %(least)s to %(most)s numbers: “%(label)s”.")
            % {"least": SMALLEST_OWN, "most": LARGEST, "label": text}
        )
    return tuple(map(str, range(first, last + (1 if way > 0 else -1), way)))


def _check_count(labels: tuple[str, ...], axis: str, count: int | None) -> None:
    """Raises Refused unless there are as many labels as the board has columns or rows, or none.

    Without a count the board can still have any size.
    """
    least, most = (SMALLEST_OWN, LARGEST) if count is None else (count, count)
    if labels and not least <= len(labels) <= most:
        wanted = str(count or _("%(least)s to %(most)s") % {"least": least, "most": most})
        said = plural(
            "The board has %(wanted)s %(axis)s, but there is %(count)s label, “%(label)s”.",
            "The board has %(wanted)s %(axis)s, but there are %(count)s labels, up to “%(label)s”.",
            len(labels),
            wanted=wanted,
            axis=axis,
            label=labels[-1],
        )
        raise Refused(said)


def languages() -> list[tuple[str, str]]:
    """Returns the languages that are offered for labels, each called by its own name."""
    return [(code, get_language_info(code)["name_local"]) for code in _LANGUAGES.split()]
