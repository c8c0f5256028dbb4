"""The pages. A view reads: get, refuse, act, answer."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, wraps
from typing import Any, cast

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language, get_language_from_request
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect, replace_url
from django_htmx.middleware import HtmxDetails

from game.display import boards, fleets, messages, options, review_page, sharing
from game.display.names import (
    opponent_line,
    player_names,
    preset_card,
    preset_cards,
    public_names,
    rule_line,
    rules_refusal,
    score_line,
    tally_line,
)
from game.display.replay import next_of, replay_context, step_text, step_words
from game.display.shot_effects import cues, new_shots
from game.display.text_view import text_view
from game.engine.chance import SEED_BYTES
from game.engine.fleets import IllegalFleet
from game.engine.geometry import NotACell
from game.engine.match import IllegalAction
from game.engine.observation import Observation, Phase, observe
from game.engine.presets import OWN, PRESETS, Placing, Preset
from game.engine.rules import IllegalRules, Pair, Side
from game.forms import (
    Refused,
    change_draft,
    parse_action,
    parse_duel,
    parse_setup,
    with_ship_in_hand,
)
from game.matches import fairness
from game.matches.draft import Draft
from game.matches.keyring import BadToken
from game.matches.record import write
from game.matches.review import outlook
from game.matches.saved import SavedMatch, begin
from game.matches.setup import LONGEST_NAME, Setup
from game.matches.tokens import seal_draft, seal_match, unseal_draft, unseal_match, unseal_replay
from game.ops import metrics
from game.players.registry import MINDS_VERSION
from game.templatetags.waters import status_line
from game.views import demo
from game.views.live import LIVE, live_page

View = Callable[..., HttpResponse]


def of_a_game(view: View, methods: Sequence[str] = ("GET", "HEAD", "POST")) -> View:
    """Marks a view whose address may hold a token: there is one answer to a bad one.

    Such a page needs no CSRF token: there is no cookie whose authority a forged form could borrow,
    and forms from other sites are refused before they get here.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except BadToken as error:
            metrics.refused(error.reason)
            response = bad_token(request)
        patch_vary_headers(response, ["HX-Request"])
        return response

    return csrf_exempt(require_http_methods(methods)(wrapper))


def of_an_ended_match(unseal: Callable[[str], SavedMatch]) -> Callable[[View], View]:
    """Marks a view of a match that is over, and hands it what the token holds beside the token.

    There is nothing to send there, and a match that goes on is played on instead.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, token: str) -> HttpResponse:
            saved = unseal(token)
            if saved.match.outcome is None:
                return redirect(_address("play", token))
            return view(request, saved, token)

        return of_a_game(wrapper, methods=("GET", "HEAD"))

    return decorate


def _htmx(request: HttpRequest) -> HtmxDetails:
    return cast("HtmxDetails", request.htmx)  # type: ignore[attr-defined]


_UNSAID: dict[str, Any] = {
    "film": None, "review": None, "is_watching": False, "is_refused": False, "outcome": None,
    "player": "", "statement": None, "waters_of": ("", ""), "headline": "", "cues": (),
    "card": None, "typed": "", "prospect": None,
}  # fmt: skip
"""What most pages leave unsaid: templates look for what isn't there at some cost."""


def _answer(
    request: HttpRequest,
    context: dict[str, Any],
    address: str,
    *,
    status: int = 200,
    is_here: bool = False,
) -> HttpResponse:
    """The page as it is, the game's part of it for htmx, or after a plain form the way to it.

    `is_here` answers a plain form with the page itself: the address shows less than it.
    """
    is_htmx = bool(_htmx(request))
    if request.method == "POST" and status == 200 and not is_htmx and not is_here:
        response: HttpResponse = HttpResponseRedirect(address)
        response.status_code = 303
        return response
    template = "game/fragment.html" if is_htmx else "game/page.html"
    said = {**_UNSAID, **context, "address": address}
    if said["phase"] in LIVE:
        response = HttpResponse(live_page(request, template, said), status=status)
    else:
        said["status_line"] = status_line(said["status"], said["is_refused"])
        response = render(request, template, said, status=status)
    return replace_url(response, address) if is_htmx else response


# --- pages without a game ---


@csrf_exempt
@require_safe
def front_door(request: HttpRequest) -> HttpResponse:
    """Leads to the home page in the visitor's language."""
    response = redirect(f"/{get_language_from_request(request)}/")
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


@csrf_exempt
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What the game is, its start, and the gallery of its variants."""
    return render(request, "home.html", {"gallery": preset_cards(), "hero": demo.demo()})


@csrf_exempt
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """How it is played."""
    fleet = Counter(PRESETS["bonn"].ruleset.fleet)
    context = {"fleet": sorted(fleet.items(), reverse=True), "gallery": preset_cards()}
    return render(request, "rules.html", context)


@csrf_exempt
@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Where it comes from, and whether the computer plays fair."""
    return render(request, "about.html")


# --- before a match ---


def _preset(name: str) -> Preset:
    try:
        return PRESETS[name]
    except KeyError:
        raise Http404(name) from None


def _fields(request: HttpRequest) -> dict[str, str]:
    return {name: str(text) for name, text in [*request.GET.items(), *request.POST.items()]}


@csrf_exempt
@require_safe
def setup(request: HttpRequest, preset: str) -> HttpResponse:
    """What can be chosen before a match of a preset, or the composer of one's own rules."""
    return _options(request, _preset(preset), _fields(request))


def _options(
    request: HttpRequest, preset: Preset, fields: dict[str, str], refused: str = ""
) -> HttpResponse:
    context = {
        "prospect": preset_card(preset),
        "rules": options.rule_choices(preset, fields),
        "numbers": options.rule_numbers(preset, fields),
        "ships": options.ship_numbers(preset, fields),
        "minds": (options.ranks(preset, fields), options.originals(preset, fields)),
        "solo": (options.beginners(fields), options.hints(fields)),
        "watched": options.watched_minds(preset, fields),
        "names": (fields.get("name1", ""), fields.get("name2", "")),
        "longest_name": LONGEST_NAME,
        "refused": refused,
        "rule_line": rule_line(preset.ruleset),
    }
    return render(request, "setup.html", context, status=422 if refused else 200)


def _refuse_rules(request: HttpRequest, preset: Preset, error: IllegalRules) -> HttpResponse:
    """The composer, with the reason why these rules can't be played."""
    fields = _fields(request)
    if preset is not OWN:
        fields = {"columns": fields.get("size", ""), "rows": fields.get("size", ""), **fields}
    return _options(request, OWN, fields, rules_refusal(error))


@of_a_game
def new(request: HttpRequest, preset: str) -> HttpResponse:
    """The placing page of a preset."""
    chosen = _preset(preset)
    try:
        draft = Draft(parse_setup(chosen, _fields(request)))
    except IllegalRules as error:
        return _refuse_rules(request, chosen, error)
    if request.method == "POST":
        return _placed(request, draft)
    context = _placing(draft, seal_draft(draft))
    if not request.GET:
        context["prospect"] = preset_card(chosen)
    return _answer(request, context, request.get_full_path())


@of_a_game
def watch(request: HttpRequest, preset: str) -> HttpResponse:
    """Plays a match between two minds, and leads to its recap."""
    chosen = _preset(preset)
    if request.method != "POST":
        return redirect(reverse("setup", args=[preset]))
    try:
        saved = begin(parse_duel(chosen, _fields(request)), os.urandom(SEED_BYTES))
    except IllegalRules as error:
        return _refuse_rules(request, chosen, error)
    return _watch_on(request, saved)


MAX_ACTIONS_PER_REQUEST = 16
"""How often minds act in one answer while nobody but they play."""


def _watch_on(request: HttpRequest, saved: SavedMatch) -> HttpResponse:
    """Leads to the recap of a match that minds play, as soon as they have played it to its end."""
    played = saved.with_minds_played(most=MAX_ACTIONS_PER_REQUEST)
    token = seal_match(played)
    if played.match.outcome is None:
        return _answer(request, _watching(played, token), _address("play", token))
    if _htmx(request):
        return HttpResponseClientRedirect(_address("replay", token))
    response = redirect(_address("replay", token))
    response.status_code = 303
    return response


def _watching(saved: SavedMatch, token: str) -> dict[str, Any]:
    """A match between minds, before its end: nothing of it is shown but how far it is."""
    names = player_names(saved.setup)
    return {
        "phase": "handover",
        "turn": saved.match.turn,
        "form_action": _address("play", token),
        "setup": saved.setup,
        "is_watching": True,
        "names": names,
        "status": messages.turn_line(observe(saved.match, saved.viewer)),
    }


@of_a_game
def place(request: HttpRequest, token: str) -> HttpResponse:
    """A fleet being placed."""
    draft = unseal_draft(token)
    if request.method != "POST":
        context = _draft_curtain if draft.is_secret else _placing
        return _answer(request, context(draft, token), _address("place", token))
    if request.POST.get("action") == "show":
        return _answer(request, _placing(draft, token), _address("place", token), is_here=True)
    return _placed(request, draft)


def _placed(request: HttpRequest, draft: Draft) -> HttpResponse:
    action = request.POST.get("action", "")
    try:
        changed = change_draft(draft, request.POST)
        if action == "quick" and changed.missing:
            changed = changed.filled()
        if action in ("start", "quick"):
            return _started(request, changed)
    except Refused as refused:
        back = replace(with_ship_in_hand(draft, request.POST), chosen_cells=())
        return _refuse_draft(request, back, str(refused))
    token = seal_draft(changed)
    return _answer(request, _placing(changed, token), _address("place", token))


def _started(request: HttpRequest, draft: Draft) -> HttpResponse:
    try:
        started = draft.start()
    except IllegalFleet as error:
        raise Refused(messages.refusal(error)) from error
    if isinstance(started, SavedMatch):
        return _show(request, started, is_open=not started.setup.is_shared)
    token = seal_draft(started)
    return _answer(request, _draft_curtain(started, token), _address("place", token))


def _refuse_draft(request: HttpRequest, draft: Draft, sentence: str) -> HttpResponse:
    token = seal_draft(draft)
    context = {**_placing(draft, token), "status": sentence, "is_refused": True}
    return _answer(request, context, _address("place", token), status=422)


def _placing(draft: Draft, token: str) -> dict[str, Any]:
    setup = draft.setup
    return {
        "phase": "placing",
        "turn": 0,
        "form_action": _address("place", token),
        "draft": draft,
        "setup": setup,
        "waters": boards.placing_board(draft),
        "harbour": fleets.ships_to_place(draft),
        "status": messages.placing_message(draft),
        "rule_line": rule_line(setup.ruleset),
        "opponent_line": opponent_line(setup),
        "tally_line": tally_line(setup),
        "placer": player_names(setup)[draft.side] if setup.is_shared else "",
        "rules_address": _rules_address(setup) if setup.preset is OWN else "",
        "direction": draft.direction.value,
        "placed_last": messages.placed_last(draft),
        "last_bow": setup.ruleset.board.name(draft.placed[-1].bow) if draft.placed else "",
        "misplaced_words": messages.cannot_place_template(),
    }


def _rules_address(setup: Setup) -> str:
    return f"{reverse('new', args=[OWN.name])}?{options.rules_query(setup.ruleset)}"


def _draft_curtain(draft: Draft, token: str) -> dict[str, Any]:
    """What both of two persons may see while one of them places."""
    return {
        "phase": "handover",
        "turn": 0,
        "form_action": _address("place", token),
        "setup": draft.setup,
        "is_placing": True,
        "next": player_names(draft.setup)[draft.side],
        "status": tally_line(draft.setup),
    }


# --- the match ---


@of_a_game
def play(request: HttpRequest, token: str) -> HttpResponse:
    """A match, from the first shot to its end.

    Where two persons share a device, an address alone shows neither board: only the answer to
    whoever presses the button does, so that going back or reloading betrays nothing.
    """
    saved = unseal_match(token)
    if not saved.setup.persons and saved.match.outcome is None:
        if request.method == "POST":
            return _watch_on(request, saved)
        return _answer(request, _watching(saved, token), _address("play", token))
    if request.method != "POST":
        is_open = saved.match.outcome is not None or not saved.setup.is_shared
        return _shown(request, saved, token, is_open=is_open)
    if request.POST.get("action") == "show":
        return _shown(request, saved, token, is_open=True, is_here=True)
    if request.POST.get("action") == "anew":
        return _begun_anew(request, saved)
    try:
        acted = _act(saved, request)
    except (IllegalAction, NotACell) as error:
        return _refuse(request, saved, token, messages.refusal(error))
    except Refused as refused:
        return _refuse(request, saved, token, str(refused))
    is_same = acted.match.outcome is not None or acted.viewer is saved.viewer
    return _show(request, acted, is_open=is_same or not acted.setup.is_shared)


def _begun_anew(request: HttpRequest, saved: SavedMatch) -> HttpResponse:
    """The placing page of a match like this one, which stays as it is at its own address."""
    draft = Draft(saved.setup.unmarked())
    token = seal_draft(draft)
    return _answer(request, _placing(draft, token), _address("place", token))


def _act(saved: SavedMatch, request: HttpRequest) -> SavedMatch:
    if switched := _switched(request):
        return replace(saved, setup=saved.setup.switched(**switched))
    action = parse_action(saved.match.ruleset, request.POST.dict())
    acted = replace(saved, match=saved.match.act(action))
    metrics.moved(action)
    with metrics.thinking(saved.setup.opponent):
        return acted.with_minds_played()


def _switched(request: HttpRequest) -> dict[str, bool]:
    """The help that a form switches on or off, if it does."""
    asked = ((name, request.POST.get(name)) for name in ("hints", "coach"))
    return {name: said == "on" for name, said in asked if said in ("on", "off")}


def _show(request: HttpRequest, saved: SavedMatch, *, is_open: bool) -> HttpResponse:
    return _shown(request, saved, seal_match(saved), is_open=is_open)


def _shown(
    request: HttpRequest, saved: SavedMatch, token: str, *, is_open: bool, is_here: bool = False
) -> HttpResponse:
    context = _playing(request, saved, token) if is_open else _curtain(saved, token)
    return _answer(request, context, _here(request, token), is_here=is_here)


def _curtain(saved: SavedMatch, token: str) -> dict[str, Any]:
    """What both of two persons may see between their turns."""
    return {
        "phase": "handover",
        "turn": saved.match.turn,
        "form_action": _address("play", token),
        "setup": saved.setup,
        "next": player_names(saved.setup)[saved.viewer],
        "status": messages.public_status_message(saved),
        "tally_line": tally_line(saved.setup),
    }


def _refuse(request: HttpRequest, saved: SavedMatch, token: str, sentence: str) -> HttpResponse:
    context = _playing(request, saved, token)
    context |= {"status": sentence, "is_refused": True, "cues": ()}
    if "typed" in request.POST:
        context["typed"] = request.POST.get("cell", "")[:LONGEST_TYPED]
    return _answer(request, context, _here(request, token), status=422)


LONGEST_TYPED = 20
"""Characters of a typed cell that are given back where it was none."""


def _here(request: HttpRequest, token: str) -> str:
    """The address of a match; in DEBUG it keeps the switch that shows the enemy."""
    return _address("play", token) + ("?show=enemy" if _shows_enemy(request) else "")


def _shows_enemy(request: HttpRequest) -> bool:
    return settings.DEBUG and request.GET.get("show") == "enemy"


def _playing(request: HttpRequest, saved: SavedMatch, token: str) -> dict[str, Any]:
    setup, match = saved.setup, saved.match
    person = saved.viewer
    seen = observe(match, person)
    is_over = seen.outcome is not None
    if is_over:
        enemy, own = boards.revealed(match, person)
    elif _shows_enemy(request):
        own = boards.own_board(seen)
        enemy = boards.enemy_board(
            seen, hints=setup.hints, reveal=match.placements(person.opponent)
        )
    else:
        own, enemy = boards.own_board(seen), boards.enemy_board(seen, hints=setup.hints)
    mine, theirs = new_shots(match, person)
    context: dict[str, Any] = {
        "phase": seen.phase.value,
        "turn": seen.turn,
        "token": token,
        "setup": setup,
        "form_action": _here(request, token),
        "enemy": boards.with_fresh_wrecks(enemy, seen.board, mine),
        "own": boards.with_fresh_wrecks(own, seen.board, theirs),
        "status": messages.status_message(seen, setup, messages.own_move(match, person)),
        "player": player_names(setup)[person] if setup.is_shared else "",
        "tally_line": tally_line(setup),
        "enemy_fleet": fleets.enemy_fleet(seen, mine),
        "own_fleet": fleets.own_fleet(seen, theirs),
        "rule_line": rule_line(setup.ruleset),
        "opponent_line": opponent_line(setup),
        "turn_line": messages.turn_line(seen),
        "is_countdown": messages.is_countdown(seen),
        "is_moving": seen.phase is Phase.MOVING,
        "legend": boards.Legend(setup.ruleset.moving, setup.hints, setup.coach),
        "debug_switch": settings.DEBUG,
        "shows_enemy": _shows_enemy(request),
        "plain_address": _address("play", token),
        "elsewhere_address": _address("elsewhere", token),
        **_pledge(saved, len(seen.shots)),
        "cues": () if _switched(request) else tuple(cues(mine, theirs).items()),
    }
    if not is_over:
        context["report"] = text_view(seen, setup)
    if setup.coach and not is_over:
        context |= _coached(seen, context["enemy"])
    return context | (_ended(saved, token) if is_over else {})


def _coached(seen: Observation, enemy: boards.BoardView) -> dict[str, Any]:
    """The chances over the enemy's waters and in words, while the person is to fire."""
    if not (seen.is_to_act and seen.shots_left):
        return {"coach_line": messages.coach_waits()}
    view = outlook(seen)
    return {
        "enemy": review_page.with_chances(enemy, seen, view),
        "coach_line": messages.coach_line(seen.board, view.ranked(seen.targets)),
    }


def _pledge(saved: SavedMatch, shots: int) -> dict[str, Any]:
    """The commitment, and once it is over the line that it is the hash of.

    `shots` is how many the person has fired: the browser notes when it saw the commitment first.
    """
    match, setup = saved.match, saved.setup
    line = fairness.statement(match, setup.minds, setup.minds_version)
    return {
        "commitment": line and fairness.fingerprint(line),
        "statement": line if match.outcome is not None else None,
        "shots": shots,
    }


def _ended(saved: SavedMatch, token: str) -> dict[str, Any]:
    setup = saved.setup
    seen = observe(saved.match, saved.viewer)
    headline, why = messages.verdict(seen, setup)
    return {
        "outcome": _outcome(saved),
        "headline": headline,
        "why": why,
        "figures": messages.figures(seen, setup),
        "recap_address": _address("replay", token),
        "review_address": _address("review", token),
        "record_address": _address("record", token),
        "share_address": _address("share", token),
        **_afterwards(saved),
        "status": f"{messages.status_message(seen, setup)} {headline} {why}",
    }


def _outcome(saved: SavedMatch) -> str:
    """`won`, `lost` or `draw` for one person; for two, or none, the side that won."""
    outcome = saved.match.outcome
    if outcome is None or outcome.winner is None:
        return "draw"
    if len(saved.setup.persons) != 1:
        return outcome.winner.name.lower()
    return "won" if outcome.winner is saved.setup.person else "lost"


def _afterwards(saved: SavedMatch) -> dict[str, Any]:
    """How it goes on after a match, and whose waters are shown."""
    setup, outcome = saved.setup, saved.match.outcome
    if outcome is None:
        raise ValueError("a match that goes on has no next round")
    following = setup.next_round(outcome)
    has_score = setup.is_shared or setup.preset.has_rounds or setup.tally.rounds
    is_mine = len(setup.persons) == 1
    mine, theirs = saved.viewer, saved.viewer.opponent
    names = player_names(setup)
    return {
        "again_address": _address("place", seal_draft(Draft(following))) if setup.persons else "",
        "has_rounds": setup.is_shared or setup.preset.has_rounds,
        "score_line": score_line(following) if has_score else "",
        "is_again_by_enter": setup.preset.placing is Placing.CELLS,
        "watch_address": reverse("watch", args=[setup.preset.name]),
        "waters_of": ("", "") if is_mine else (names[mine], names[theirs]),
    }


# --- after the match ---


@of_an_ended_match(unseal_match)
def replay(request: HttpRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The recap of an ended match: a page for each step, or a film of all."""
    address = _address("replay", token)
    context = {
        **_recapped(request, saved, player_names(saved.setup), address),
        **_afterwards(saved),
        "play_address": _address("play", token),
        "review_address": _address("review", token),
        "share_address": _address("share", token),
    }
    return _answer(request, context, _at_step(request, address, context))


@of_an_ended_match(unseal_replay)
def film(request: HttpRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The recap for whoever was given its link: it leads to nothing else of the match."""
    address, names = _address("film", token), public_names(saved.setup)
    context = {
        **_recapped(request, saved, names, address),
        "waters_of": (names[saved.viewer], names[saved.viewer.opponent]),
        "told": sharing.result(saved),
        "card": sharing.card(saved, _address("card", token)),
    }
    return _answer(request, context, _at_step(request, address, context))


def _at_step(request: HttpRequest, address: str, shown: dict[str, Any]) -> str:
    is_told = "step" in request.GET or shown["is_foggy"]
    return f"{address}?step={shown['step']}{shown['fog']}" if is_told else address


def _recapped(
    request: HttpRequest, saved: SavedMatch, names: Pair[str], address: str
) -> dict[str, Any]:
    """The step that is asked for, and the ways to the others."""
    last = saved.match.ply
    step = _step(request.GET.get("step", ""), last)
    is_foggy = request.GET.get("fog") == "on"
    shown = replay_context(saved.match, saved.viewer, names, step, is_foggy=is_foggy)
    return {
        "phase": "over",
        "outcome": _outcome(saved),
        "turn": shown["turns"][step],
        "setup": saved.setup,
        "step": step,
        **shown,
        "is_foggy": is_foggy,
        "fog": "&fog=on" if is_foggy else "",
        "next_hit": next_of(saved.match, step, sunk=False),
        "next_sunk": next_of(saved.match, step, sunk=True),
        "last_hit": next_of(saved.match, step, sunk=False, back=True),
        "last_sunk": next_of(saved.match, step, sunk=True, back=True),
        "status": step_text(shown["steps"], step),
        "says": str(shown["steps"][step - 1]) if step else step_text([], 0),
        "step_words": step_words(),
        "last": last,
        "before": max(step - 1, 0),
        "after": min(step + 1, last),
        "plain_address": address,
    }


@of_an_ended_match(unseal_match)
def review(request: HttpRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The review of an ended match: the chance of each shot, and whether the computer played fair.

    `step` asks for the board before the action of that ply, `side` for the other side's shots,
    and `check` has every decision of the computer made again.
    """
    match, setup = saved.match, saved.setup
    asked = request.GET.get("side", "")
    side = Side[asked.upper()] if asked in ("first", "second") else setup.person
    step = _step(request.GET["step"], match.ply) if "step" in request.GET else None
    shown = review_page.review_page(setup, match, side, step)
    context = {
        "phase": "over",
        "outcome": _outcome(saved),
        "turn": match.at(shown["step"]).turn,
        "setup": setup,
        "review": shown,
        "step": shown["step"],
        "status": shown["says"],
        **_pledge(saved, len(observe(match, setup.person).shots)),
        **(_checked(saved) if request.GET.get("check") == "on" else {}),
        "plain_address": _address("review", token),
        "recap_address": _address("replay", token),
        "record_address": _address("record", token),
        "play_address": _address("play", token),
        "share_address": _address("share", token),
        **_afterwards(saved),
    }
    query = request.GET.urlencode()
    return _answer(request, context, _address("review", token) + (f"?{query}" if query else ""))


def _checked(saved: SavedMatch) -> dict[str, Any]:
    if saved.setup.minds_version != MINDS_VERSION:
        return {"is_dated": True}
    return {
        "check": fairness.replay(saved.match, saved.setup.minds),
        "decisions": review_page.decisions(saved.setup, saved.match),
    }


@of_an_ended_match(unseal_match)
def record(request: HttpRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """An ended match as a text that people can read and `manage.py verify` can check."""
    return HttpResponse(
        write(saved.record),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="battleship.txt"'},
    )


def _step(text: str, last: int) -> int:
    return min(int(text), last) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def _address(name: str, token: str) -> str:
    before, after = _around(name, get_language() or "en")
    return f"{before}{token}{after}"


@lru_cache(maxsize=64)
def _around(name: str, _language: str) -> tuple[str, str]:
    """What stands in an address before its token, and what behind it."""
    before, _token, after = reverse(name, args=[_ANY]).partition(_ANY)
    return before, after


_ANY = "token"


# --- refusals ---


def bad_token(request: HttpRequest) -> HttpResponse:
    """The one answer to an address whose token is cut, forged, foreign or of an unknown version."""
    return render(request, "400.html", {"address": reverse("home")}, status=400)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own refusals: a form too large, a host unknown."""
    metrics.refused("form")
    return render(request, "400_form.html", {"address": "/"}, status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An address where nothing is."""
    return render(request, "404.html", {"address": reverse("home")}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours: a page that needs nothing which could be at fault."""
    try:
        looks = f'<link rel="stylesheet" href="{static("game/site.css")}">'
    except ValueError:  # the static files were never collected: perhaps that is the fault
        looks = ""
    return HttpResponse(FAULT.replace("<title>", f"{looks}<title>"), status=500)


FAULT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Battleship · Schiffe versenken</title>
</head>
<body>
<main id="main">
<div class="card lost">
<h1>Something went wrong here</h1>
<p>It was our fault, and your match is not lost: go back and try the same again.</p>
<div lang="de">
<h1>Hier ist etwas schiefgegangen</h1>
<p>Das lag an uns, und deine Partie ist nicht verloren: Geh zurück und versuche dasselbe noch
einmal.</p>
</div>
<p><a class="button primary" href="/">Battleship · Schiffe versenken</a></p>
</div>
</main>
</body>
</html>
"""
