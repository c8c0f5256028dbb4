"""The pages of the deduction game's matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from game.deduction import boards, messages
from game.deduction.match import Mode, Phase, Search
from game.deduction.presets import SEAS
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
        **_match(saved),
        address=where,
        title=_(title),
        phase=match.phase.value,
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


def _match(saved: SavedMatch) -> dict[str, Any]:
    """The values that every page of a match has."""
    return {
        "day": saved.day,
        "day_line": messages.day_line(saved.day) if saved.day else "",
        "way": saved.match.mode.value,
        "turn": saved.match.turn,
        "rules": saved.match.rules,
    }


_TITLES = {
    Phase.HIDING: (gettext_noop("Hide your ships"), "deduction/_hiding.html"),
    Phase.SEARCHING: (gettext_noop("Search"), "deduction/_playing.html"),
    Phase.WATCHING: (gettext_noop("The computer searches"), "deduction/_playing.html"),
    Phase.OVER: (gettext_noop("The end"), "deduction/_over.html"),
}


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
    result = _result(saved)
    return {
        **result,
        "headline": headline,
        "why": why,
        "par_line": f"{messages.par_line(result['par'])}." if saved.day else "",
        "review_address": reverse("deduction_review", args=[token]) if saved.match.turn else "",
    }


def _result(saved: SavedMatch) -> dict[str, Any]:
    """How a match ended, and the form fields for a new match like it."""
    match = saved.match
    sea = next((name for name, rules in SEAS.items() if rules == match.rules), str(match.rules))
    return {
        "outcome": saved.result.value if saved.result else "draw",
        "par": saved.par,
        "again": {"way": match.mode.value, "searcher": saved.searcher, "sea": sea},
    }


def review_page(
    saved: SavedMatch, token: str, search: Search, steps: Sequence[Step], at: int, *, is_asked: bool
) -> Page:
    """The review at a guess; its address has the guess only if the request named one."""
    rules, step, result = search.rules, steps[at - 1], _result(saved)
    where = reverse("deduction_review", args=[token])
    # Without a day, the tree says how many guesses it needs, for the rules that it was made for.
    par = load().needs(search.place) if rules == MELBOURNE and not saved.day else result["par"]
    views = [messages.step_view(rules, number, one) for number, one in enumerate(steps, 1)]
    return page(
        "deduction",
        "deduction/_review.html",
        **_match(saved),
        address=f"{where}?guess={at}" if is_asked else where,
        title=_("Review"),
        phase="over",
        status=messages.step_line(rules, at, step),
        play_address=reverse("deduction_play", args=[token]),
        at=at,
        enemy=boards.judged(rules, search.answers[: at - 1], step),
        steps=views,
        step=views[at - 1],
        luck_line=messages.luck_line(steps, is_mine=saved.match.mode is not Mode.HIDE),
        strongest="" if par is None else messages.strongest_line(par),
        **result,
    )
