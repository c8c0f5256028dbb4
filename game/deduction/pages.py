"""The deduction game's pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from game.deduction import boards, messages
from game.deduction.match import Mode, Phase, Search
from game.deduction.presets import SEA, SEAS
from game.deduction.review import Step
from game.deduction.rules import MELBOURNE
from game.deduction.saved import SavedMatch
from game.deduction.tree import load
from game.engine.translation import gettext_noop
from game.views.answers import Page, page

LONGEST_TYPED = 40
"""How much of an illegal input is shown again, in characters."""


def play_page(
    saved: SavedMatch, token: str, *, chosen: Sequence[str] = (), typed: str = ""
) -> Page:
    """The page of a match; `chosen` and `typed` are from a refused form."""
    match = saved.match
    title, template = _TITLES[match.phase]
    where = reverse("deduction_play", args=[token])
    ended = _ended(saved, token) if match.phase is Phase.OVER else {}
    said = [messages.status_message(saved), ended.get("par_line", "")]
    return page(
        "deduction",
        template,
        address=where,
        title=_(title),
        day=saved.day,
        day_line=_day_line(saved),
        phase=match.phase.value,
        way=match.mode.value,
        turn=match.turn,
        rules=match.rules,
        status=" ".join(filter(None, said)),
        form_action=where,
        rule_line=messages.rule_line(saved),
        turn_line=messages.turn_line(match),
        heat=saved.heat,
        chosen=len(chosen),
        full=messages.full(match.rules),
        example=" ".join(("B3", "C4", "F1")[: match.rules.ships]),
        typed=typed,
        **_boards(saved, chosen),
        **ended,
    )


_TITLES = {
    Phase.HIDING: (gettext_noop("Hide your ships"), "deduction/_hiding.html"),
    Phase.SEARCHING: (gettext_noop("Search"), "deduction/_playing.html"),
    Phase.WATCHING: (gettext_noop("The computer searches"), "deduction/_playing.html"),
    Phase.OVER: (gettext_noop("The end"), "deduction/_over.html"),
}


def _day_line(saved: SavedMatch) -> str:
    return messages.day_line(saved.day) if saved.day else ""


def _boards(saved: SavedMatch, chosen: Sequence[str]) -> dict[str, Any]:
    """The boards and guesses that the person may see."""
    match = saved.match
    if match.phase is Phase.HIDING:
        return {"own": boards.hiding(match.rules, chosen)}
    is_over = match.phase is Phase.OVER
    found: dict[str, Any] = {}
    if match.theirs is not None:
        left = boards.warmth(boards.evidence(match.theirs)).left
        found |= {
            "own": boards.hidden(match.theirs, warm=saved.heat and not is_over),
            "theirs": boards.trail(match.theirs, counted=True),
            "own_left": messages.suspected(left),
        }
    if match.mine is not None:
        found["mine"] = boards.trail(match.mine, counted=saved.heat or is_over)
    if match.mine is not None and is_over:
        found["enemy"] = boards.full_boards(match.mine)
    elif match.mine is not None:
        seen = boards.evidence(match.mine)
        found["enemy"] = boards.searched(seen, warm=saved.heat, chosen=chosen)
        if saved.heat:
            left = boards.warmth(seen).left
            found |= {"left_count": left, "left": messages.places_left(left)}
    return found


def _ended(saved: SavedMatch, token: str) -> dict[str, Any]:
    headline, why = messages.verdict(saved)
    has_guesses = saved.match.turn > 0
    par = saved.par
    return {
        "outcome": _outcome(saved),
        "headline": headline,
        "why": why,
        "par": par,
        "par_line": "" if par is None else f"{messages.par_line(par)}.",
        "review_address": reverse("deduction_review", args=[token]) if has_guesses else "",
        "again": _again(saved),
    }


def _outcome(saved: SavedMatch) -> str:
    return saved.result.value if saved.result else "draw"


def _again(saved: SavedMatch) -> dict[str, str]:
    rules = saved.match.rules
    sea = next((name for name, offered in SEAS.items() if offered == rules), SEA)
    return {"way": saved.match.mode.value, "searcher": saved.searcher, "sea": sea}


def review_page(
    saved: SavedMatch, token: str, search: Search, steps: Sequence[Step], at: int, *, is_asked: bool
) -> Page:
    """The review at a guess; its address has the guess only if the request named one."""
    rules, match, step = saved.match.rules, saved.match, steps[at - 1]
    par = saved.par
    where = reverse("deduction_review", args=[token])
    return page(
        "deduction",
        "deduction/_review.html",
        address=f"{where}?guess={at}" if is_asked else where,
        title=_("Review"),
        day=saved.day,
        day_line=_day_line(saved),
        phase="over",
        way=match.mode.value,
        turn=match.turn,
        rules=rules,
        status=messages.step_line(rules, at, step),
        outcome=_outcome(saved),
        again=_again(saved),
        par=par,
        play_address=reverse("deduction_play", args=[token]),
        at=at,
        enemy=boards.judged(rules, search.answers[: at - 1], step),
        steps=[messages.step_view(rules, number, one) for number, one in enumerate(steps, 1)],
        step=messages.step_view(rules, at, step),
        luck_line=messages.luck_line(steps, is_mine=match.mode is not Mode.HIDE),
        strongest=_strongest(search) if par is None else messages.strongest_line(par),
    )


def _strongest(search: Search) -> str:
    """How many guesses the tree needs for that place; empty for rules without a tree."""
    if search.rules != MELBOURNE:
        return ""
    return messages.strongest_line(load().needs(search.place))
