"""The pages of puzzles: one shot to find, in the pool, in today's five, or in an own position.

Nothing is judged before the answer comes, so the page of a question is made of the position alone.
"""

import os
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from game.display import fleet_lists, positions
from game.display.messages import Status
from game.display.text_view import text_view
from game.engine.chance import SEED_BYTES
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.position import Position
from game.engine.presets import PRESETS, Preset
from game.feature import Link, features
from game.features.puzzles import five, pool, progress, words
from game.features.puzzles.five import Place
from game.features.puzzles.judge import NotAPuzzle, Verdict, judge
from game.features.puzzles.pool import OWN
from game.features.puzzles.progress import Answer
from game.features.puzzles.reasons import reason_sentence
from game.matches import daily
from game.matches.results import Results
from game.matches.setup import solo
from game.views.addresses import address_elsewhere
from game.views.answers import lead_to, panel, see_other, show
from game.views.cookies import keep_results, results_of
from game.views.days import asked_day, refuse_day
from game.views.decorators import one_at_a_time
from game.views.page import Page, page
from game.views.position_query import Asked, asked_about, asked_of
from game.views.requests import HtmxRequest
from game.web import forms
from game.web.responses import error_page


class Posed(NamedTuple):
    """A puzzle as a request asks for it."""

    name: str
    sea: str
    position: Position
    grade: int = 0
    fields: Mapping[str, str] = {}
    """The fields of an own position."""

    @property
    def key(self) -> str:
        """Its name among the results."""
        return f"{self.name}?{urlencode(self.fields)}" if self.fields else self.name

    def path(self, view: str, **more: str) -> str:
        query = urlencode({**self.fields, **more}, safe="@")
        where = reverse(view, args=[self.name])
        return f"{where}?{query}" if query else where


# --- which puzzle ---


@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """Redirects to the first of the day's five that isn't answered, or to the last of all."""
    chain = daily.chain()
    if chain is None:
        return redirect("more_puzzles")
    day = asked_day(request, chain)
    if day is None:
        return refuse_day(
            request, chain, "puzzles", _("There are no five shots for that day now."),
            title=_("Five shots"), back=("more_puzzles", _("More puzzles")),
            to_today=_("To today’s five"),
        )  # fmt: skip
    results, names = results_of(request), pool.names_of(chain, day)
    first_open = five.five_of(results, chain, day).first_open
    if first_open is not None:
        return redirect("puzzle", names[first_open])
    puzzle, answer = pool.find(names[-1]), progress.first_answer(results, names[-1])
    where = reverse("puzzle", args=[names[-1]])
    if puzzle and answer:  # the browser still keeps its first answer
        where += f"?cell={puzzle.position.rules.board.name(answer.cell)}"
    return redirect(where)


@require_safe
def more(request: HttpRequest) -> HttpResponse:
    """Redirects to a puzzle that this browser hasn't answered, of a grade that suits."""
    results = results_of(request)
    marks = {entry.mark for entry in results.entries}
    seen = {one.name for one in pool.puzzles() if one.mark in marks} | pool.open_names()
    chosen = pool.next_one(progress.suitable_grade(results), seen, os.urandom(SEED_BYTES))
    return redirect("puzzle", chosen.name)


def _posed(request: HttpRequest, name: str) -> Posed | None:
    if name == OWN:
        asked = asked_of(request)
        return None if asked.refused else _own(asked)
    puzzle = pool.find(name)
    return None if puzzle is None else Posed(name, puzzle.preset, puzzle.position, puzzle.grade)


def _own(asked: Asked) -> Posed:
    return Posed(OWN, asked.sea, asked.position, fields=asked.fields)


def _unknown(request: HttpRequest) -> HttpResponse:
    ways = [(reverse("more_puzzles"), _("Another puzzle"))]
    said = _("There is no such puzzle."), _("The address may have been cut off or mistyped.")
    return error_page(request, 404, _("No puzzle"), *said, ways=ways, address=reverse("home"))


# --- own positions ---


def retry(seen: Observation, preset: Preset, shot: Cell) -> Link | None:
    """The link to a puzzle of what was seen before a shot.

    There is none unless the shot was wrong, the fleets can be counted, and the best cells are
    clearly likelier than the others.
    """
    asked = asked_about(seen, preset)
    if asked is None:
        return None
    try:
        verdict = judge(asked.position, shot)
    except NotAPuzzle:
        return None
    if verdict.verdict != "wrong" or not verdict.counted.is_clear:
        return None
    return Link("act-puzzle", _own(asked).path("puzzle"), _("Try again as a puzzle"))


# --- the page ---


@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HtmxRequest, name: str) -> HttpResponse:
    """A puzzle; the first answer that is sent on this device is judged and kept.

    Judging a position of the player's own may take a tenth of a second.
    """
    return (one_at_a_time(_puzzle) if name == OWN else _puzzle)(request, name)


def _puzzle(request: HtmxRequest, name: str) -> HttpResponse:
    posed = _posed(request, name)
    if posed is None:
        return _unknown(request)
    results = results_of(request)
    place, first = five.place_of(results, name), progress.first_answer(results, posed.key)
    sent = request.POST if request.method == "POST" else request.GET
    if sent.get("action") == "next":
        if place is None or place.five.first_open is None:
            return lead_to(request, reverse("more_puzzles"))
        return lead_to(request, reverse("puzzle", args=[place.names[place.five.first_open]]))
    is_second = first is not None
    if "cell" not in sent:
        return _asked(request, _question(posed, place, is_second=is_second), place, results)
    try:
        cell = forms.parse_cell(posed.position.rules.board, sent["cell"])
        verdict = judge(posed.position, cell)
    except words.REFUSALS as error:
        refused = _question(posed, place, is_second=is_second).refused(words.refusal(error))
        return show(request, refused, status=422)
    if request.method == "POST":
        return _answered(request, posed, place, first, verdict, results)
    if first is not None or "solution" in sent:
        is_other = first is not None and first.cell != cell
        return _shown(request, _solution(posed, place, verdict, is_second=is_other))
    solution = posed.path("puzzle", cell=sent["cell"], solution="yes")
    question = _question(posed, place, is_second=False, solution=solution)
    return _asked(request, question, place, results)


def _asked(
    request: HtmxRequest, question: Page, place: Place | None, results: Results
) -> HttpResponse:
    """The response with a question, with which the day's five begin."""
    response = _shown(request, question)
    if place is not None and not place.is_begun:
        keep_results(request, response, place.kept_in(results))
    return response


def _shown(request: HtmxRequest, shown: Page) -> HttpResponse:
    response = show(request, shown)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _answered(
    request: HtmxRequest, posed: Posed, place: Place | None, first: Answer | None,
    verdict: Verdict, results: Results,
) -> HttpResponse:  # fmt: skip
    """The response to an answer, which it keeps unless it is a second try."""
    answer = Answer(verdict.verdict, posed.grade, verdict.cell)
    results = progress.with_answer(results, posed.key, answer)
    is_first_of_day = place is not None and not place.five.verdicts[place.number]
    if place is not None and is_first_of_day:
        place = place.answered((first or answer).verdict)
        results = place.kept_in(results)
    solved = _solution(posed, place, verdict, is_second=first not in (None, answer))
    response = _shown(request, solved) if request.htmx else see_other(solved.address)
    if place is not None and is_first_of_day and place.five.first_open is None:
        ended = progress.logged(place.day, place.five)
        for feature in features():
            feature.day_ended(request, response, ended)
    keep_results(request, response, results)
    return response


def _question(posed: Posed, place: Place | None, *, is_second: bool, solution: str = "") -> Page:
    """The question; `solution` is where somebody's answer that the address held is judged."""
    return page(
        "puzzles", "puzzles/_puzzle.html", **_posing(posed, place),
        address=posed.path("puzzle"), phase="puzzle", is_second=is_second,
        title=_title(place),
        status=words.question(
            place and place.number, is_second=is_second, is_answered=bool(solution)
        ),
        solution_address=solution,
        board=words.question_board(posed.position),
        is_fresh=place is not None and not place.five.answered,
    )  # fmt: skip


def _solution(posed: Posed, place: Place | None, answered: Verdict, *, is_second: bool) -> Page:
    name = posed.position.rules.board.name
    said, verdict = words.solution(answered), words.verdict_words(answered)
    return page(
        "puzzles", "puzzles/_puzzle.html", **_posing(posed, place),
        address=posed.path("puzzle", cell=name(answered.cell)), phase="solved",
        title=f"{verdict[:-1]} · {_title(place)}", status=said,
        board=words.solution_board(answered), is_second=is_second,
        verdict=answered.verdict, best=" ".join(map(name, answered.counted.best)),
        chance=answered.counted.per_mille(answered.in_fleets),
        best_chance=answered.counted.per_mille(answered.counted.most),
        position_address=Asked(posed.sea, posed.position).address,
        share_address=posed.path("share_puzzle", cell=name(answered.cell)),
        result=_result(place) if place else "",
    ).having(status=Status(reason_sentence(answered), verdict, is_struck=True))  # fmt: skip


def _title(place: Place | None) -> str:
    return _("Five shots") if place else _("Puzzle")


def _result(place: Place) -> str:
    """The result of the day's five; empty while one of them is open."""
    if place.five.first_open is not None:
        return ""
    return words.result(place.chain.number(place.day), place.five)


def _posing(posed: Posed, place: Place | None) -> dict[str, Any]:
    """The values that the question and the solution have."""
    position = posed.position
    seen, setup = positions.observation(position), solo(position.rules, PRESETS[posed.sea])
    verdicts = place.five.verdicts if place else ()
    return {
        "turn": 0,
        "setup": setup,
        "kind": "position",
        "scripts": ("game/boards.js", "game/days.js") if place else ("game/boards.js",),
        "styles": ("game/match.css", "game/solo.css", "game/position.css", "puzzles/puzzles.css"),
        "name": posed.name,
        "sea": posed.sea,
        "lengths": " ".join(map(str, position.left)),
        "sea_title": positions.sea_title(posed.sea, position.rules),
        "fleet": fleet_lists.enemy_fleet(seen),
        "report": text_view(seen, setup),
        "number": place.number + 1 if place else 0,
        "day": place.day.isoformat() if place else "",
        "signs": words.signs(verdicts) if any(verdicts) else "",
        "signs_in_words": words.signs_in_words(verdicts),
        "form_action": posed.path("puzzle"),
        "pool_hash": pool.pool_hash() if place else "",
    }


@require_safe
def share(request: HtmxRequest, name: str) -> HttpResponse:
    """The result of the day's five once all are answered; else the puzzle alone."""
    posed = _posed(request, name)
    if posed is None:
        return _unknown(request)
    place, cell = five.place_of(results_of(request), name), request.GET.get("cell", "")
    context = {
        "sentence": _("A Battleship puzzle: where is a ship most likely?"),
        "sea_address": address_elsewhere(request, posed.path("any_puzzle")),
        "link_label": _("Link to the puzzle"),
        "play_address": posed.path("puzzle", **({"cell": cell} if cell else {})),
    }  # fmt: skip
    if place is not None and place.five.first_open is None:
        pool_hash = pool.pool_hash()[:8]
        context |= {
            "sentence": _result(place), "signs": words.signs(place.five.verdicts),
            "sea_address": address_elsewhere(request, reverse("any_puzzles")),
            "link_label": _("Link to today’s five"),
            "note": _("From the collection of puzzles %(hash)s.") % {"hash": pool_hash},
        }  # fmt: skip
    return panel(request, "game/_share.html", context)
