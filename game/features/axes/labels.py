"""The labels that a form asks for: one a line or separated by `;`, or a range as `10..100/10`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from game.display.words import plural
from game.engine.fleets import check_room
from game.engine.geometry import LARGEST, LETTERS
from game.engine.presets import OWN, SMALLEST_OWN
from game.engine.rules import TooLong
from game.features.axes.parts import MOST_BYTES, MOST_LANGUAGE, Axes, key, visible
from game.matches.setup import Setup
from game.web.forms import Refused, clean_line, is_seen

LONGEST = 14
"""The most visible characters of a label."""
COLUMNS, ROWS, LANGUAGE, TYPED = "column_labels", "row_labels", "label_language", "cells"
"""The fields of forms and addresses."""
_RANGE = re.compile(r"(-?\d{1,4})\.\.(-?\d{1,4})(?:/(\d{1,4}))?", re.ASCII)
_SEPARATOR = re.compile(r" ?([/|]) ?")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,4})?", re.ASCII)
_LANGUAGES = "ar cs da de el en es fi fr hu it ja ko nb nl pl pt ru sv tr uk"
_MOST_TEXT = 2000
"""How much of a field is read, in characters."""
_MOST_SHOWN = 3 * LONGEST
"""How much of a refused label is shown, in characters."""


def with_labels(setup: Setup, fields: Mapping[str, str]) -> Setup:
    """Returns the setup with the labels that the fields ask for, if any; raises Refused.

    In own rules they say how many columns and rows there are. Raises IllegalRules if these can't be
    played, or if the match could outgrow its address with the labels.
    """
    columns, rows = (parse_labels(fields.get(name, "")) for name in (COLUMNS, ROWS))
    if not columns and not rows:
        return setup
    rules = setup.ruleset
    if setup.preset is OWN:
        rules = replace(rules, columns=len(columns) or rules.columns, rows=len(rows) or rules.rows)
        check_room(rules)
    columns = columns or tuple(LETTERS[: rules.columns])
    rows = rows or tuple(str(row + 1) for row in range(rules.rows))
    _check_count(columns, rules.columns, _("columns"))
    _check_count(rows, rules.rows, _("rows"))
    language = fields.get(LANGUAGE, "").strip()
    language = language if _LANGUAGE.fullmatch(language) else ""
    axes = Axes(columns, rows, language, fields.get(TYPED) == "typed")
    if len(axes.text.encode()) > MOST_BYTES:
        longest = max((*columns, *rows), key=lambda label: len(label.encode()))
        raise Refused(
            _("The labels are too long for a link: shorten some, such as “%(label)s”.")
            % {"label": longest}
        )
    if not rules.has_room(rules.limit, taken=MOST_LANGUAGE + len(axes.text.encode())):
        raise TooLong("too long to be kept in an address with these labels")
    return replace(setup, ruleset=rules).with_part(axes)


def parse_labels(written: str) -> tuple[str, ...]:
    """Returns the labels of an axis, none of an empty text; raises Refused."""
    text = written[:_MOST_TEXT].replace("\N{MINUS SIGN}", "-").strip()
    if found := _RANGE.fullmatch("".join(text.split())):
        return _range(found[0], int(found[1]), int(found[2]), int(found[3] or 1))
    typed = [line for line in re.split(r"[;\r\n]", text) if line.strip()]
    # Within a cell's name only its separator has spaces on both sides.
    labels = tuple(_SEPARATOR.sub(r"\1", clean_line(line)) for line in typed)
    by_key = dict[str, str]()
    for line, label in zip(typed, labels, strict=True):
        shown = label if len(label) <= _MOST_SHOWN else f"{label[:_MOST_SHOWN]}…"
        words = {"label": shown, "most": LONGEST}
        if not is_seen(label, "LNPS"):
            code = f"U+{ord(line.strip()[0]):04X}"
            raise Refused(_("A label has to be seen: “%(label)s”.") % {"label": code})
        if visible(label) > LONGEST:
            raise Refused(_("A label has at most %(most)s characters: “%(label)s”.") % words)
        if key(label) in by_key:
            raise Refused(
                _(
                    "Labels have to differ by more than case or accents: “%(other)s” and "
                    "“%(label)s”."
                )
                % {"label": label, "other": by_key[key(label)]}
            )
        by_key[key(label)] = label
    return labels


def _range(text: str, first: int, last: int, step: int) -> tuple[str, ...]:
    """Returns the numbers from the first to the last; raises Refused."""
    way = step if first <= last else -step
    if not step or (last - first) % step or abs(last - first) // step >= LARGEST:
        raise Refused(
            _("Not a range of %(least)s to %(most)s numbers: “%(label)s”.")
            % {"least": SMALLEST_OWN, "most": LARGEST, "label": text}
        )
    return tuple(map(str, range(first, last + (1 if way > 0 else -1), way)))


def _check_count(labels: tuple[str, ...], wanted: int, axis: str) -> None:
    """Raises Refused unless there are as many labels as columns or rows."""
    if len(labels) != wanted:
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
