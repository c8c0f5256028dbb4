"""Sentences for the deduction game's values, and the choices on its first page."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from game.display import refusals
from game.display.choices import Number, choice
from game.display.names import day_name
from game.display.words import grouped, plural, signed
from game.engine.geometry import LARGEST, SMALLEST
from game.features.deduction import match as matches
from game.features.deduction.hiding_places import LUCKY, Step
from game.features.deduction.match import MOST_GUESSES, Match, Mode, Phase, Result, Search
from game.features.deduction.rules import (
    MELBOURNE,
    MOST_PLACES,
    MOST_SHIPS,
    SEA,
    SEARCHER,
    SEAS,
    Answer,
    Rules,
)
from game.features.deduction.saved import DeductionGame

SEARCHERS = {
    "easy": pgettext_lazy("searcher", "easy"),
    "middle": pgettext_lazy("searcher", "medium"),
    "strong": pgettext_lazy("searcher", "strong"),
}
_MODES = {
    Mode.SEARCH: gettext_lazy("You search"),
    Mode.HIDE: gettext_lazy("You hide"),
    Mode.RACE: gettext_lazy("A race"),
}


def refusal(error: Exception) -> str:
    sentences: dict[type[Exception], str] = {
        matches.NotSearching: _("It is not your turn to guess."),
        matches.NotHiding: _("There is nothing for you to hide now."),
        matches.NotWatching: _("It is not the computer’s turn."),
    }
    return sentences.get(type(error)) or refusals.refusal(error)


def rules_refusal() -> str:
    """Says which seas there are, for numbers that make none."""
    return _(
        "A sea has %(least)s to %(most)s columns and rows, 1 to %(ships)s ships, and at most "
        "%(places)s hiding places."
    ) % {
        "least": SMALLEST, "most": LARGEST, "ships": MOST_SHIPS, "places": grouped(MOST_PLACES),
    }  # fmt: skip


def text_refusal() -> str:
    """Says how a sea is written and which there are, for a text that names none."""
    written = _("Write a sea as its columns, rows and ships, such as 8x4x3.")
    return f"{written} {rules_refusal()}"


def how_many(rules: Rules) -> str:
    return plural(
        "Choose exactly %(count)s cell.", "Choose exactly %(count)s different cells.", rules.ships
    )


def full(rules: Rules) -> str:
    """Why no further cell can be chosen."""
    return plural(
        "Only %(count)s cell can be chosen: take it back first.",
        "Only %(count)s cells can be chosen: take one back first.",
        rules.ships,
    )


def rule_line(saved: DeductionGame) -> str:
    rules, match = saved.match.rules, saved.match
    parts = [f"{day_line(saved.day)}."] if saved.day else []
    parts += (f"{_MODES[match.mode]}.", sea_line(rules))
    if match.mode is not Mode.SEARCH:
        parts.append(_("The computer’s search: %(name)s.") % {"name": SEARCHERS[saved.searcher]})
    return " ".join(parts)


def day_line(day: date) -> str:
    """`Deduction of 22 November 2026`."""
    return _("Deduction of %(day)s") % {"day": day_name(day)}


def sea_line(rules: Rules) -> str:
    return plural(
        "%(rows)s by %(columns)s cells, %(ships)s ship, %(places)s hiding places.",
        "%(rows)s by %(columns)s cells, %(ships)s ships, %(places)s hiding places.",
        rules.ships,
        **asdict(rules),
        places=grouped(rules.places),
    )


def answer_line(rules: Rules, answer: Answer) -> str:
    """`B3 C3 H3: on a ship 0, one away 2, two away 1`."""
    return _("%(cells)s: on a ship %(exact)s, one away %(one)s, two away %(two)s") % {
        "cells": rules.names(answer.guess),
        **answer.feedback._asdict(),
    }


def suspected(count: int) -> str:
    return plural(
        "For the computer, %(places)s hiding place is still possible.",
        "For the computer, %(places)s hiding places are still possible.",
        count,
        places=grouped(count),
    )


def places_left(count: int) -> str:
    return plural(
        "%(places)s hiding place is left.",
        "%(places)s hiding places are left.",
        count,
        places=grouped(count),
    )


def status_message(saved: DeductionGame) -> str:
    match = saved.match
    parts = []
    if match.mine is not None and match.mine.guesses:
        mine = _last(match.mine)
        is_alone = match.theirs is None
        parts.append(f"{mine}." if is_alone else _("You guess %(answer)s.") % {"answer": mine})
    if match.theirs is not None and match.theirs.guesses:
        parts.append(_("The computer guesses %(answer)s.") % {"answer": _last(match.theirs)})
    parts.append(to_do(match) if match.phase is not Phase.OVER else " ".join(verdict(saved)))
    return " ".join(parts)


def _last(search: Search) -> str:
    return answer_line(search.rules, search.answers[-1])


def to_do(match: Match) -> str:
    if match.phase is Phase.HIDING:
        return plural(
            "Choose the cell where your ship hides.",
            "Choose the %(count)s cells where your ships hide.",
            match.rules.ships,
        )
    if match.phase is Phase.WATCHING:
        if match.turn == 0:
            return _("Your ships are hidden. Let the computer guess.")
        return _("Let it go on guessing.")
    return plural("Guess %(count)s cell.", "Guess %(count)s cells.", match.rules.ships)


def turn_line(match: Match) -> str:
    if match.phase is Phase.OVER:
        return guesses(match.turn)
    if match.phase is Phase.HIDING:
        return ""
    return _("Guess %(number)s") % {"number": match.turn + 1}


def guesses(count: int) -> str:
    return plural("%(count)s guess", "%(count)s guesses", count)


def verdict(saved: DeductionGame) -> tuple[str, str]:
    """The headline of an ended match, and the reason in one sentence."""
    match = saved.match
    if match.mode is Mode.HIDE:
        return _verdict_of_hiding(saved)
    if match.is_given_up:
        return given_up()
    if match.mode is Mode.SEARCH and match.result is Result.WON:
        return found(match.turn), _("That was the hiding place.")
    if match.mode is Mode.SEARCH or (match.turn == MOST_GUESSES and match.result is Result.DRAW):
        return not_found()
    if match.result is Result.WON:
        return _("You won!"), _("You found the ships first.")
    if match.result is Result.LOST:
        return _("You lost."), _("The computer found your ships first.")
    return _("A draw."), _("Both found the ships in the same round.")


def found(count: int) -> str:
    return plural("Found in %(count)s guess!", "Found in %(count)s guesses!", count)


def found_you(count: int) -> str:
    return _("It found you in %(guesses)s.") % {"guesses": guesses(count)}


def given_up() -> tuple[str, str]:
    return _("Given up."), _("Here is where the ships were.")


def not_found() -> tuple[str, str]:
    return _("Not found."), _("No more than %(count)s guesses.") % {"count": MOST_GUESSES}


def _verdict_of_hiding(saved: DeductionGame) -> tuple[str, str]:
    turn, mean = saved.match.turn, saved.mean
    if saved.match.theirs is None or not saved.match.theirs.is_found:
        return _("Never found!"), not_found()[1]
    if mean is None:
        return _("Found."), found_you(turn)
    headline = {
        Result.WON: _("Well hidden!"),
        Result.LOST: _("Found quickly."),
        Result.DRAW: _("Found about as fast as usual."),
    }[saved.result or Result.DRAW]
    return headline, found_you(turn) + " " + _("On average it needs %(mean)s.") % {
        "mean": grouped(mean, 1)
    }


def luck_line(steps: Sequence[Step], *, is_mine: bool) -> str:
    total = sum(step.luck for step in steps)
    if abs(total) < LUCKY:
        return _("Overall, luck made no difference.")
    value = {"value": signed(total)}
    if is_mine:
        return _("Your luck overall: %(value)s, in halvings of the hiding places.") % value
    return _("The computer’s luck overall: %(value)s, in halvings of the hiding places.") % value


def step_view(rules: Rules, place: int, step: Step) -> dict[str, Any]:
    kind, word = "even", _("as expected")
    if step.luck >= LUCKY:
        kind, word = "good", _("lucky")
    elif step.luck <= -LUCKY:
        kind, word = "bad", _("unlucky")
    return {
        "number": place,
        "guess": rules.names(step.guess),
        "feedback": step.feedback,
        "before": grouped(step.before),
        "expected": grouped(step.expected, 1),
        "after": grouped(step.after),
        "best": rules.names(step.best),
        "best_expected": grouped(step.best_expected, 1),
        "is_best": step.is_best,
        "is_possible": step.is_possible,
        "luck": word,
        "luck_kind": kind,
        "luck_value": signed(step.luck),  # in halvings
    }


def step_line(rules: Rules, place: int, step: Step) -> str:
    answer = answer_line(rules, Answer(step.guess, step.feedback))
    return _("Guess %(number)s, %(answer)s.") % {"number": place, "answer": answer}


# --- the choices on the first page ---

OWN = "own"
"""The sea whose columns, rows and ships are typed."""


def start_choices(fields: Mapping[str, str]) -> dict[str, Any]:
    """Returns who searches and how, the sea, and the numbers of an own sea, as asked for."""
    ways = {
        Mode.SEARCH.value: _("You search"),
        Mode.HIDE.value: _("The computer"),
        Mode.RACE.value: _("Both: a race"),
    }
    searchers = {name: str(label) for name, label in SEARCHERS.items()}
    seas = {
        # The rows come before the columns, as in the other sentences of the game.
        name: plural(
            "%(ships)s ship, %(rows)s×%(columns)s",
            "%(ships)s ships, %(rows)s×%(columns)s",
            rules.ships,
            **asdict(rules),
        )
        for name, rules in SEAS.items()
    }
    seas[OWN] = pgettext("sea", "another")
    return {
        "ways": choice(fields, "way", _("Who searches"), ways, Mode.SEARCH.value),
        "searchers": choice(
            fields, "searcher", _("How the computer searches"), searchers, SEARCHER
        ),
        "seas": choice(fields, "sea", _("The sea"), seas, SEA),
        "numbers": [
            Number(field, label, fields.get(field, str(usual)), least, most)
            for field, label, usual, least, most in (
                ("columns", _("Columns"), MELBOURNE.columns, SMALLEST, LARGEST),
                ("rows", _("Rows"), MELBOURNE.rows, SMALLEST, LARGEST),
                ("ships", _("Ships"), MELBOURNE.ships, 1, MOST_SHIPS),
            )
        ],
    }
