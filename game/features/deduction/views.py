"""The pages of the deduction game, and the forms that act in it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from game.display.unfinished import ALONE, YOU, Unfinished, mark_of
from game.display.words import grouped, plural
from game.engine.actions import IllegalAction
from game.engine.geometry import NotACell
from game.feature import DayGame, DayMark, DayState, features
from game.features.deduction import boards, words
from game.features.deduction.hiding_places import Step, review
from game.features.deduction.match import Mode, Phase, Result, Search
from game.features.deduction.rules import (
    MEANS,
    MELBOURNE,
    SEA,
    SEARCHER,
    SEAS,
    Cells,
    IllegalRules,
    NotAPlace,
    Rules,
    parse_rules,
)
from game.features.deduction.saved import (
    DeductionGame,
    begin,
    begin_daily,
    seal_match,
    unseal_match,
)
from game.features.deduction.searchers import SEARCHERS, guesses_needed
from game.matches import daily
from game.matches.daily import Chain
from game.matches.day_results import DayResult
from game.views.addresses import address
from game.views.answers import fragment_or_redirect, show
from game.views.cookies import keep_unfinished
from game.views.days import (
    KeptDays,
    asked_day,
    chain_or_404,
    redirect_to_kept,
    refuse_day,
    search_mark,
    search_state,
)
from game.views.decorators import safe_token_view, token_view
from game.views.expiry import check_hour, hour_now
from game.views.page import Page, page
from game.views.requests import HtmxRequest, step_of, typed
from game.web.forms import Refused, typed_cells
from game.web.spelling import cleaned

KEPT_DAYS = KeptDays("deduction-", seal_match, unseal_match)
GAME = "deduction"
"""Its name in unfinished matches and, in place of a preset's, where the seed of a day is made:
never changed."""
DAY_KIND = 1
"""Its code among the games of a day: never changed."""


@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HtmxRequest) -> HttpResponse:
    """The introduction to the deduction game, and the form that starts it."""
    fields = {name: cleaned(str(text)) for name, text in request.POST.items()}
    refused = ""
    if request.method == "POST":
        try:
            return _follow(request, _started(fields))
        except Refused as error:
            refused = str(error)
    mean = grouped(MEANS[MELBOURNE]["strong"], 2)
    context = {
        "mean": mean, "examples": _examples(), "distances": _distances(),
        "has_daily": daily.is_running(daily.chain(), daily.now()), "refused": refused,
        **words.start_choices(fields),
    }  # fmt: skip
    return render(request, "deduction/home.html", context, status=422 if refused else 200)


@require_safe
def daily_match(request: HttpRequest) -> HttpResponse:
    """Redirects to the match of the player's own day, which `?day=` names, or of UTC's."""
    chain = chain_or_404()
    day = asked_day(request, chain)
    if day is None:
        return refuse_day(
            request, chain, "deduction_daily", _("There is no deduction for that day now."),
            title=_("Another day"), back=("deduction", _("Deduction")),
            to_today=_("Today’s deduction"),
        )  # fmt: skip
    fresh = begin_daily(day, _seed(chain, day), hour_now())
    return redirect_to_kept(request, KEPT_DAYS, fresh, "deduction_play")


def _seed(chain: Chain, day: date) -> bytes:
    return daily.seed_of(chain.link(day), GAME)


def day_game() -> DayGame:
    """The deduction among the games of a day."""

    def begun(request: HttpRequest, chain: Chain, day: date) -> int:
        kept = KEPT_DAYS.read(request, (day, _seed(chain, day)))
        return kept.match.turn if kept else 0

    def state(ended: DayResult | None, begun: int) -> DayState:
        return search_state(ended, begun, words.guesses)

    def mark(ended: DayResult) -> DayMark:
        counted = plural("Deduction: %(count)s guess", "Deduction: %(count)s guesses", ended.shots)
        return search_mark(ended, "guesses", counted)

    return DayGame(
        kind=DAY_KIND,
        view="deduction_daily",
        id="act-deduction-daily",
        order=3,
        title=lambda: _("Deduction"),
        noun=lambda: _("a deduction"),
        begun=begun,
        state=state,
        mark=mark,
        legend=lambda: [("guesses", _("guesses of a deduction"))],
    )


def _examples() -> list[tuple[str, str, tuple[int, int, int]]]:
    pairs = (("H1 B2 D3", "B3 C3 H3"), ("H1 B2 D3", "H1 B2 H2"), ("A1 D2 B3", "G3 H2 H4"))
    return [
        (place, guess, MELBOURNE.feedback(MELBOURNE.parse(place), MELBOURNE.parse(guess)))
        for place, guess in pairs
    ]


def _distances() -> list[list[int]]:
    """The distance of each cell of a picture from its middle, 3 for all beyond two."""
    return [[min(max(abs(column - 4), abs(row - 3)), 3) for column in range(9)] for row in range(7)]


@token_view
def play(request: HtmxRequest, token: str) -> HttpResponse:
    saved = _opened(token)
    if request.method != "POST":
        return show(request, play_page(saved, token))
    try:
        return _follow(request, _acted(saved, request.POST))
    except Refused as refused:
        sentence = str(refused)
    is_typed = "typed" in request.POST
    chosen = [] if is_typed else request.POST.getlist("cell")
    shown = play_page(saved, token, chosen=chosen, typed=typed(request, LONGEST_TYPED))
    return show(request, shown.refused(sentence), status=422)


@token_view
def lead_back(request: HtmxRequest, token: str) -> HttpResponse:
    """Redirects to a match that is still open, and refuses another one as its page does."""
    _opened(token)
    return redirect(address("deduction_play", token))


def _opened(token: str) -> DeductionGame:
    """The match of a token; raises BadToken or Expired."""
    saved = unseal_match(token)
    if saved.match.phase is not Phase.OVER:
        check_hour(saved.started_hour, is_of_a_day=saved.day is not None)
    return saved


def _follow(request: HtmxRequest, saved: DeductionGame) -> HttpResponse:
    saved = KEPT_DAYS.marked(request, saved)
    token = seal_match(saved)
    response = fragment_or_redirect(request, play_page(saved, token))
    KEPT_DAYS.keep(request, response, saved, token)
    day = saved.day.isoformat() if saved.day else ALONE
    unfinished = Unfinished(GAME, day, YOU, mark_of(saved.match.seed))
    is_over = saved.match.phase is Phase.OVER
    keep_unfinished(request, response, unfinished, "deduction_play", token, is_over=is_over)
    if saved.day is not None and saved.par is not None:
        is_found, guesses = saved.result is Result.WON, saved.match.turn
        result = DayResult(saved.day, DAY_KIND, guesses, saved.par, is_found, saved.is_helped)
        for feature in features():
            feature.day_ended(request, response, result)
    return response


@safe_token_view
def judge(request: HtmxRequest, token: str) -> HttpResponse:
    """The review of the person's search, or of the computer's if the person only hid."""
    saved = unseal_match(token)
    match = saved.match
    search = match.theirs if match.mode is Mode.HIDE else match.mine
    if match.phase is not Phase.OVER or search is None or not search.guesses:
        return redirect(reverse("deduction_play", args=[token]))
    steps = review(match.rules, search.answers)
    asked = request.GET.get("guess")
    at = step_of(asked or "", len(steps), first=1)
    return show(request, review_page(saved, token, search, steps, at, is_asked=asked is not None))


# --- forms ---


def _started(fields: Mapping[str, str]) -> DeductionGame:
    """A new match as the form asks, with defaults for missing values; raises Refused."""
    modes = {mode.value: mode for mode in Mode}
    searcher = fields.get("searcher", "")
    return begin(
        _sea(fields),
        modes.get(fields.get("way", ""), Mode.SEARCH),
        searcher if searcher in SEARCHERS else SEARCHER,
        hour_now(),
    )


def _sea(fields: Mapping[str, str]) -> Rules:
    """The sea that a form names, types in three fields, or writes as `8x4x3`; raises Refused."""
    sea = fields.get("sea") or SEA
    if sea in SEAS:
        return SEAS[sea]
    if sea == words.OWN:
        sea = "x".join(fields.get(name, "").strip() for name in ("columns", "rows", "ships"))
    try:
        return parse_rules(sea)
    except IllegalRules as error:
        raise Refused(words.rules_refusal()) from error


def _acted(saved: DeductionGame, fields: QueryDict) -> DeductionGame:
    """The saved match after the form's action; raises Refused."""
    if fields.get("heat") in ("on", "off"):
        return saved.with_heat(is_shown=fields["heat"] == "on")
    try:
        match fields.get("action", ""):
            case "random":
                return saved.hide(None)
            case "next" | "all" as how:
                return saved.watch(to_the_end=how == "all")
            case "surrender":
                return replace(saved, match=saved.match.give_up())
        if saved.match.phase is Phase.HIDING:
            return saved.hide(_chosen(saved.match.rules, fields))
        if saved.match.phase is Phase.SEARCHING:
            return saved.guess(_chosen(saved.match.rules, fields))
        return saved.guess(())
    except IllegalAction as error:
        raise Refused(words.refusal(error)) from error


def _chosen(rules: Rules, fields: QueryDict) -> Cells:
    """The cells chosen in the form, as many as there are ships; raises Refused."""
    texts = fields.getlist("cell")
    if not texts and "action" not in fields:
        raise Refused(_("Nothing was chosen."))
    text = cleaned(" ".join(texts))
    try:
        return rules.parse(" ".join(typed_cells(text)) or text)
    except NotACell as error:
        raise Refused(_("That is not a cell of this board.")) from error
    except NotAPlace as error:
        raise Refused(words.how_many(rules)) from error


# --- the pages of matches ---

LONGEST_TYPED = 40
"""How much of an illegal input is shown again, in characters."""


def play_page(
    saved: DeductionGame, token: str, *, chosen: Sequence[str] = (), typed: str = ""
) -> Page:
    """The page of a match; `chosen` and `typed` are from a refused form."""
    match = saved.match
    title, body = _PHASES[match.phase]
    where = reverse("deduction_play", args=[token])
    ended = _ended(saved, token) if match.phase is Phase.OVER else {}
    said = [words.status_message(saved), ended.get("par_line", "")]
    return page(
        "deduction",
        body,
        **_match(saved),
        address=where,
        title=str(title),
        phase=match.phase.value,
        status=" ".join(filter(None, said)),
        form_action=where,
        rule_line=words.rule_line(saved),
        turn_line=words.turn_line(match),
        heat=saved.heat,
        chosen=len(chosen),
        full=words.full(match.rules),
        example=" ".join(("B3", "C4", "F1")[: match.rules.ships]),
        typed=typed,
        **_boards(saved, chosen),
        **ended,
    )


def _match(saved: DeductionGame) -> dict[str, Any]:
    """The values that every page of a match has."""
    return {
        "day": saved.day,
        "day_line": words.day_line(saved.day) if saved.day else "",
        "way": saved.match.mode.value,
        "turn": saved.match.turn,
        "rules": saved.match.rules,
    }


_PHASES = {
    Phase.HIDING: (gettext_lazy("Hide your ships"), "deduction/_hiding.html"),
    Phase.SEARCHING: (gettext_lazy("Search"), "deduction/_playing.html"),
    Phase.WATCHING: (gettext_lazy("The computer searches"), "deduction/_playing.html"),
    Phase.OVER: (gettext_lazy("The end"), "deduction/_over.html"),
}
"""The title of each phase's page, and its template."""


def _boards(saved: DeductionGame, chosen: Sequence[str]) -> dict[str, Any]:
    """The boards and guesses that the person may see."""
    match = saved.match
    if match.phase is Phase.HIDING:
        return {"own": boards.hiding(match.rules, chosen)}
    is_over = match.phase is Phase.OVER
    shown: dict[str, Any] = {}
    if match.theirs is not None:
        left = boards.warmth(match.theirs.evidence).left
        shown |= {
            "own": boards.hidden(match.theirs, warm=saved.heat and not is_over),
            "theirs": boards.trail(match.theirs, counted=True),
            "own_left": words.suspected(left),
        }
    if match.mine is not None:
        shown["mine"] = boards.trail(match.mine, counted=saved.heat or is_over)
    if match.mine is not None and is_over:
        shown["enemy"] = boards.full_boards(match.mine)
    elif match.mine is not None:
        shown["enemy"] = boards.searched(match.mine.evidence, warm=saved.heat, chosen=chosen)
        if saved.heat:
            left = boards.warmth(match.mine.evidence).left
            shown |= {"left_count": left, "left": words.places_left(left)}
    return shown


def _ended(saved: DeductionGame, token: str) -> dict[str, Any]:
    headline, why = words.verdict(saved)
    result, par = _result(saved), ""
    if saved.day:
        par = plural("Par: %(count)s guess", "Par: %(count)s guesses", result["par"])
    return {
        **result,
        "headline": headline,
        "why": why,
        "par_line": par and f"{par}.",
        "review_address": reverse("deduction_review", args=[token]) if saved.match.turn else "",
    }


def _result(saved: DeductionGame) -> dict[str, Any]:
    """How a match ended, and the form fields for a new match like it."""
    match = saved.match
    sea = next((name for name, rules in SEAS.items() if rules == match.rules), str(match.rules))
    return {
        "outcome": saved.result.value if saved.result else "draw",
        "par": saved.par,
        "again": {"way": match.mode.value, "searcher": saved.searcher, "sea": sea},
    }


def review_page(
    saved: DeductionGame,
    token: str,
    search: Search,
    steps: Sequence[Step],
    at: int,
    *,
    is_asked: bool,
) -> Page:
    """The review at a guess; its address has the guess only if the request named one."""
    rules, step, result = search.rules, steps[at - 1], _result(saved)
    where = reverse("deduction_review", args=[token])
    # Without a day, the tree says how many guesses it needs, for the rules that it was made for.
    par = guesses_needed(search.place) if rules == MELBOURNE and not saved.day else result["par"]
    strongest = par and plural(
        "The strongest searcher finds this hiding place in %(count)s guess.",
        "The strongest searcher finds this hiding place in %(count)s guesses.",
        par,
    )
    views = [words.step_view(rules, number, one) for number, one in enumerate(steps, 1)]
    return page(
        "deduction",
        "deduction/_review.html",
        **_match(saved),
        address=f"{where}?guess={at}" if is_asked else where,
        title=_("Review"),
        phase="over",
        status=words.step_line(rules, at, step),
        play_address=reverse("deduction_play", args=[token]),
        at=at,
        enemy=boards.judged(rules, search.answers[: at - 1], step),
        steps=views,
        step=views[at - 1],
        luck_line=words.luck_line(steps, is_mine=saved.match.mode is not Mode.HIDE),
        strongest=strongest or "",
        **result,
    )
