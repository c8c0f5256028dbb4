"""The view of a match, from the first shot to its result."""

from dataclasses import replace

from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from game.display import messages
from game.display.unfinished import of_match
from game.engine.actions import IllegalAction
from game.engine.geometry import NotACell
from game.matches.draft import Draft
from game.matches.par import PAR_MIND
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_draft, seal_match, unseal_match
from game.ops import metrics
from game.views import cookies, hooks
from game.views.addresses import address
from game.views.answers import Answer, fragment_or_redirect, see_other, show
from game.views.before import watch_on
from game.views.decorators import safe_token_view, token_view
from game.views.difference import marked, since
from game.views.expiry import check_open
from game.views.onboarding import after_action
from game.views.page import Page
from game.views.pages.base import Visit
from game.views.pages.ended import over_page
from game.views.pages.placing import placing_page
from game.views.pages.playing import (
    LONGEST_TYPED,
    asking_to_resign,
    drawer_panel,
    match_curtain,
    page_before,
    play_page,
    watching_page,
)
from game.views.preferences import preferences_of, save_preferences
from game.views.requests import HtmxRequest, swaps, typed
from game.views.wrecks import asking_page, keep_asked, wreck_question
from game.web.forms import Refused, parse_action, refusal, single


@token_view
def play(request: HtmxRequest, token: str) -> HttpResponse:
    """A match.

    If two persons share a device, GET shows neither board, so that going back or reloading reveals
    nothing. The response to pressing the button does, and so does the page that the redirect after
    an action leads to while it is still the same person's turn.
    """
    saved = _opened(token)
    return (_answer if request.method == "POST" else _show)(request, saved, token)


@safe_token_view
def lead_on(request: HtmxRequest, token: str, name: str) -> HttpResponse:
    """Redirects to what a page of a match leads to, so that it need not name the token."""
    if name not in hooks.playing_links():
        raise Http404(name)
    return redirect(address(name, token))


@token_view
def lead_back(request: HtmxRequest, token: str) -> HttpResponse:
    """Redirects to a match that is still open, and refuses another one as its page does."""
    _opened(token)
    return redirect(address("play", token))


def _opened(token: str) -> SavedMatch:
    """The match of a token; raises BadToken or Expired."""
    saved = unseal_match(token)
    check_open(saved.setup, saved.match)
    return saved


def _show(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    if saved.match.outcome is None and not saved.setup.persons:
        return show(request, watching_page(saved, token))
    visit, is_over = Visit.of(request), saved.match.outcome is not None
    opens_drawer = visit.opens_drawer and not is_over
    is_hidden = not is_over and saved.setup.is_shared and not (opens_drawer and request.htmx)
    if is_hidden and not cookies.is_uncovered(request, token):
        return show(request, match_curtain(saved, token))
    if opens_drawer:
        response = drawer_panel(visit, saved, token)
    else:
        response = show(request, _page(visit, saved, token, is_plain=not request.GET))
    return cookies.covered_again(response) if is_hidden else response


def _answer(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    visit, is_over = Visit.of(request), saved.match.outcome is not None
    if not is_over and not saved.setup.persons:
        return watch_on(request, saved)
    if request.POST.get("action") == "anew":
        return _begin_anew(request, saved)
    if request.POST.get("action") == "show" and visit.opens_drawer and not is_over:
        return drawer_panel(visit, saved, token)
    try:
        answer = _answer_to_action(visit, saved, token) or _act(visit, saved, token)
    except (Refused, IllegalAction, NotACell) as error:
        page = _page(visit.quiet, saved, token).refused(refusal(error))
        said = typed(request, LONGEST_TYPED, saved.setup.cell_names)
        response = Answer(page.having(typed=said), status=422).response(request)
        cookies.keep_misspelt(request, response, saved, error)
        return response
    return answer.response(request)


def _answer_to_action(visit: Visit, saved: SavedMatch, token: str) -> Answer | None:
    """The answer to a button that is no move; None for every other form."""
    is_over = saved.match.outcome is not None
    match visit.request.POST.get("action"):
        case "show":
            return Answer(_page(visit, saved, token, is_plain=not visit.request.GET))
        case "resign" if not is_over:
            return Answer(asking_to_resign(_page(visit.quiet, saved, token)))
        case "resign-yes":
            acted = saved.resigned(saved.viewer)
            metrics.count_action("resign")
            return _lead_on(visit, saved, acted)
        case "par" if saved.is_par_due:
            return _work_out_par(visit, saved, token)
        case "forget" if is_over:
            forgotten = saved.forgetting()
            page = _page(visit.quiet, forgotten, seal_match(forgotten))
            return Answer(page, is_accepted=True)
    return None


def _act(visit: Visit, saved: SavedMatch, token: str) -> Answer:
    """The answer to a switch of help, a shot or a move; refuses every other form."""
    request = visit.request
    if cell := wreck_question(request, saved):
        page = asking_page(saved, _page(visit.quiet, saved, token), cell)
        return Answer(page, keep=lambda response: keep_asked(request, response, saved))
    if switched := _switched(request):
        acted = replace(saved, setup=saved.setup.with_help(**switched))
        return _lead_on(visit.quiet, saved, acted)
    acted = _with_action(request, saved)
    with metrics.time_mind(saved.setup.opponent):
        if acted.is_minds_turn:
            acted = acted.play_ai_batch()
    if saved.is_minds_turn:
        visit = visit._replace(shots_already_shown=len(saved.match.shots))
    return _lead_on(visit, saved, acted)


def _work_out_par(visit: Visit, saved: SavedMatch, token: str) -> Answer:
    """The answer after the admiral has played for par, or a part of its match."""
    with metrics.time_mind(PAR_MIND):
        played = saved.with_par()
    if played.par:
        token = seal_match(played)
    return Answer(_page(visit.quiet, played, token), is_accepted=True)


def _begin_anew(request: HtmxRequest, saved: SavedMatch) -> HttpResponse:
    draft = Draft(saved.setup.for_new_match())
    if draft.setup.is_solo:
        return see_other(address("place", seal_draft(draft)))
    draft = draft.with_server_share()
    page = placing_page(draft, seal_draft(draft), visitor=preferences_of(request))
    return fragment_or_redirect(request, page)


def _switched(request: HtmxRequest) -> dict[str, bool]:
    asked = ((name, request.POST.get(name)) for name in ("hints", "coach"))
    return {name: said == "on" for name, said in asked if said in ("on", "off")}


def _with_action(request: HtmxRequest, saved: SavedMatch) -> SavedMatch:
    """The match after the person's action; raises Refused, IllegalAction or NotACell.

    Returns the match unchanged if the computer still has actions left.
    """
    if saved.is_minds_turn:
        if request.POST.get("action") != "go on":
            raise Refused(messages.computer_plays_on())
        return saved
    action = parse_action(saved.setup.cell_names, single(request.POST))
    metrics.count_action(type(action).__name__.lower())
    return saved.acted(action)


def _lead_on(visit: Visit, saved: SavedMatch, acted: SavedMatch) -> Answer:
    """The answer to a form that was accepted, by which the browser keeps the match."""
    request, before = visit.request, visit
    acted = hooks.acted(request, saved, acted)
    visit = visit._replace(visitor=after_action(visit.visitor, saved, acted))
    token, is_over = seal_match(acted), acted.match.outcome is not None
    is_shared = acted.setup.is_shared and not is_over
    is_handed_over = is_shared and acted.viewer is not saved.viewer

    def keep(response: HttpResponse) -> None:
        save_preferences(request, response, visit.visitor)
        if is_shared and not is_handed_over and not swaps(request):
            cookies.uncover(request, response, token)
        if saved.match.outcome is None:  # the address of a match that is over may be a friend's
            unfinished = of_match(acted)
            cookies.keep_unfinished(request, response, unfinished, "play", token, is_over=is_over)
            hooks.on_saved(request, response, acted, token)

    is_plain = not request.GET
    if is_handed_over:
        page = match_curtain(acted, token)
    else:
        page = _page(visit, acted, token, is_plain=is_plain)
        if is_plain and not is_over and saved.match.outcome is None:
            page = since(request, lambda: page_before(before, saved), before.visitor, page)
    return Answer(page, is_accepted=True, keep=keep)


def _page(visit: Visit, saved: SavedMatch, token: str, *, is_plain: bool = False) -> Page:
    """The page of a match with its boards, or with its result once it is over.

    `is_plain` is whether it shows what its address gives, and nothing else.
    """
    if saved.match.outcome is None:
        page = play_page(visit, saved, token)
        return marked(page, visit.visitor) if is_plain else page
    return over_page(visit, saved, token, hooks.ended(visit.request, saved, token))
