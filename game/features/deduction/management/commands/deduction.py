"""`manage.py deduction`: the deduction game in a terminal, for people and, `--terse`, for programs.

The person doesn't enter a hiding place: the computer notices feedback that contradicts itself.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TextIO, TypeAlias, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from rich.text import Text

from game.engine.chance import SEED_BYTES
from game.engine.geometry import LETTERS, NotACell
from game.features.deduction import boards, words
from game.features.deduction.hiding_places import entropy, foremost, possible
from game.features.deduction.match import MOST_GUESSES, Mode, Search, hiding_place, next_guess
from game.features.deduction.rules import (
    MELBOURNE,
    SEARCHER,
    Answer,
    Cells,
    IllegalRules,
    NotAPlace,
    NotFeedback,
    Rules,
    parse_rules,
)
from game.features.deduction.searchers import SEARCHERS, Evidence, Searcher
from game.management import streams
from game.management.screen import Screen
from game.management.terminal_options import (
    add_language_and_seed,
    look_of,
    refuse_unless,
    seed_of,
    speaking,
)
from game.ops import languages
from game.web.spelling import folded, in_one_case

WAYS = [mode.value for mode in Mode]


class Command(BaseCommand):
    help = "Plays the deduction game line by line. `help` says what can be typed."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--way", default="search", help=", ".join(WAYS))
        parser.add_argument("--searcher", default=SEARCHER, help=", ".join(SEARCHERS))
        parser.add_argument("--sea", default=str(MELBOURNE), help="columns, rows, ships: 8x4x3")
        add_language_and_seed(parser)
        parser.add_argument("--terse", action="store_true", help="answers without words")

    def handle(self, *args: Any, **options: Any) -> None:
        streams.prepare()
        prompt = "> " if sys.stdin.isatty() and not options["terse"] else ""
        self._screen = Screen(sys.stdout, look_of(cast("TextIO", self.stdout), options))
        with speaking(options):
            game = _game(options)
            self._say(game.greeting(), prompt)
            for line in sys.stdin:
                lines = game.answer(streams.typed(line))
                self._say(lines, "" if game.is_over else prompt)
                if game.is_over:
                    return

    def _say(self, lines: Sequence[Line], prompt: str) -> None:
        self.stdout.write(self._screen.text(lines) + prompt, ending="")
        self.stdout.flush()


def _game(options: Mapping[str, Any]) -> Terminal:
    refuse_unless(options["way"], "--way", WAYS)
    refuse_unless(options["searcher"], "--searcher", SEARCHERS)
    try:
        rules = parse_rules(options["sea"])
    except IllegalRules as error:
        raise CommandError(words.text_refusal()) from error
    return Terminal(
        rules, Mode(options["way"]), SEARCHERS[options["searcher"]],
        seed_of(options) or os.urandom(SEED_BYTES), terse=options["terse"],
    )  # fmt: skip


class Verb(Enum):
    """What a line asks for besides guesses and answers. locale/languages.toml has its words."""

    LEFT = "places_left"
    HEAT = "heat"
    BEST = "best"
    HELP = "help"
    QUIT = "quit"


Line: TypeAlias = str | Text
_VERBS = {
    folded(word): verb
    for verb in Verb
    for word in languages.words_of(settings.LANGUAGE_TABLE, verb.value)
}


@dataclass
class Terminal:
    """One game: `answer` takes a line and returns lines until `is_over`."""

    rules: Rules
    mode: Mode
    searcher: Searcher
    seed: bytes
    terse: bool = False
    is_over: bool = False
    theirs: tuple[Answer, ...] = ()
    guess: Cells | None = None
    """The computer's guess that awaits feedback."""

    def __post_init__(self) -> None:
        """The seed decides where the computer hides."""
        self._mine = Search(self.rules, hiding_place(self.rules, self.seed))

    def greeting(self) -> list[str]:
        lines = [] if self.terse else [words.sea_line(self.rules), _help(self.rules)]
        return lines + (self._ask() if self.mode is Mode.HIDE else [])

    def answer(self, line: str) -> Sequence[Line]:
        """The lines that answer a line, with the styles of the screen; never raises."""
        text = in_one_case(line)
        if not text:
            return []
        match _VERBS.get(folded(text)):
            case Verb.QUIT:
                return self._left()
            case Verb.HELP:
                return [_help(self.rules)]
            case Verb() as verb:
                return self._told(verb)
        try:
            return self._answered(text) if self.guess is not None else self._guessed(text)
        except (NotACell, NotAPlace) as error:
            return [f"? {error}" if self.terse else words.how_many(self.rules)]
        except NotFeedback as error:
            return [f"? {error}" if self.terse else _("Answer with three numbers: 0,2,1")]

    def _left(self) -> list[str]:
        self.is_over = True
        if self.mode is Mode.HIDE:
            return []
        place = self.rules.names(self._mine.place)
        return [place] if self.terse else [" ".join(words.given_up()), place]

    def _told(self, what: Verb) -> Sequence[Line]:
        """The answer to left, heat or best."""
        hides = self.mode is Mode.HIDE
        seen = Evidence(self.rules, self.theirs) if hides else self._mine.evidence
        places = possible(*seen)
        if what is Verb.LEFT:
            return [str(len(places)) if self.terse else words.places_left(len(places))]
        if what is Verb.BEST:
            return [self.rules.names(foremost(self.rules, places, entropy))]
        return _drawn(self.rules, boards.warmth(seen))

    def _guessed(self, text: str) -> Sequence[Line]:
        self._mine = self._mine.guess(self.rules.parse(text.upper()))
        answer = self._mine.answers[-1]
        told = str(answer.feedback) if self.terse else _answer_line(self.rules, answer)
        return [told, *(self._ask() if self.mode is Mode.RACE else self._ended())]

    def _ask(self) -> list[str]:
        self.guess = next_guess(self.searcher, Evidence(self.rules, self.theirs), self.seed)
        cells = self.rules.names(self.guess)
        asked = _("The computer guesses %(cells)s. How many are on a ship, one away, two away?")
        return [f"guess {cells}" if self.terse else asked % {"cells": cells}]

    def _answered(self, text: str) -> list[str]:
        assert self.guess is not None  # noqa: S101 (by the caller)
        answers = (*self.theirs, Answer(self.guess, self.rules.parse_feedback(text)))
        if not len(possible(self.rules, answers)):
            impossible = _("No hiding place fits these answers.")
            return ["? impossible" if self.terse else impossible]
        self.theirs, self.guess = answers, None
        ended = self._ended()
        return ended or (self._ask() if self.mode is Mode.HIDE else [])

    def _ended(self) -> list[str]:
        lines = []
        if self._mine.is_found:
            count = len(self._mine.guesses)
            lines.append(f"found {count} you" if self.terse else words.found(count))
        if self.theirs and self.theirs[-1].feedback == self.rules.found:
            count = len(self.theirs)
            lines.append(f"found {count} computer" if self.terse else words.found_you(count))
        self.is_over = bool(lines) or self._mine.is_over or len(self.theirs) >= MOST_GUESSES
        if lines or not self.is_over:
            return lines
        if self.terse:
            return ["lost"]
        where = [_("Here is where the ships were."), self.rules.names(self._mine.place)]
        return [" ".join(words.not_found()), *(where if self.mode is not Mode.HIDE else ())]


def _answer_line(rules: Rules, answer: Answer) -> Text:
    line = Text(words.answer_line(rules, answer))
    styles = ("hit", "chosen", "water")  # of the numbers on a ship, one away and two away
    for number, style in zip(re.finditer(r"\b\d+", line.plain), styles, strict=True):
        line.stylize(style if int(number[0]) else "", *number.span())
    return line


def _drawn(rules: Rules, known: boards.Warmth) -> list[Text]:
    """The heat of every cell in percent, under the letters of the columns."""
    lines = [Text("   " + " ".join(f"{letter:>3}" for letter in LETTERS[: rules.columns]))]
    for cell in rules.board.cells:
        if rules.board.column(cell) == 0:
            lines.append(Text(f"{rules.board.row(cell) + 1:<3}"))
        gap = " " if rules.board.column(cell) else ""
        lines[-1].append(f"{gap}{known.percent(cell):3}", f"heat{known.level(cell)}")
    return lines


def _help(rules: Rules) -> str:
    return _(
        "Guess cells, such as %(example)s. Answer a guess with its three numbers, such as 0,2,1: "
        "on a ship, one away, two away. Also: left, heat, best, help, quit."
    ) % {"example": rules.names(list(rules.board.cells)[: rules.ships])}
