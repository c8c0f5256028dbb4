"""The views before a match: choosing the setup, placing a fleet, and watching two minds."""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import push_url

from game.display import choices
from game.display.messages import Onboarding
from game.display.names import preset_card
from game.display.noticed import remembered_fleet
from game.display.rule_words import rule_line
from game.display.unfinished import of_match
from game.engine.chance import SEED_BYTES
from game.engine.fleets import IllegalFleet
from game.engine.presets import LENGTHS, OWN, PRESETS, Preset
from game.engine.rules import IllegalRules
from game.matches.draft import Draft
from game.matches.saved import SavedMatch, begin
from game.matches.setup import LONGEST_NAME, Setup
from game.matches.tokens import seal_draft, seal_match, unseal_draft
from game.ops import database
from game.players.registry import RANK_NAMES
from game.views import hooks
from game.views.addresses import address, path_if_any, place_address
from game.views.answers import fragment_or_redirect, lead_to, show
from game.views.cookies import covered_again, is_uncovered, keep_unfinished, uncover
from game.views.decorators import token_view
from game.views.difference import marked
from game.views.expiry import hour_now
from game.views.pages.base import Visit
from game.views.pages.placing import draft_curtain, placing_page
from game.views.pages.playing import match_curtain, play_page, watching_page
from game.views.preferences import Preferences, preferences_of, save_preferences
from game.views.requests import HtmxRequest, swaps
from game.web import forms
from game.web.page_json import is_in_json, json_response
from game.web.spelling import legible


def preset_or_404(name: str) -> Preset:
    try:
        return PRESETS[name]
    except KeyError:
        raise Http404(name) from None


def asked_fields(request: HttpRequest) -> dict[str, str]:
    """What the address and the form ask for; if that is no mind, the rank chosen last."""
    sent = request.GET.dict() | request.POST.dict()
    asked = {name: legible(str(text)) for name, text in sent.items()}
    rank = preferences_of(request).rank
    if rank:
        asked.setdefault("opponent", rank)
    return asked


def asked_setup(request: HttpRequest, preset: Preset, **fields: str) -> Setup:
    """The setup that a request asks for, with other values of some fields.

    Raises Refused or IllegalRules.
    """
    return hooks.new_setup(request, forms.parse_setup(preset, asked_fields(request) | fields))


@require_safe
def setup(request: HttpRequest, preset: str) -> HttpResponse:
    return _choices(request, preset_or_404(preset), asked_fields(request))


def _choices(
    request: HttpRequest, preset: Preset, fields: dict[str, str], refused: str = ""
) -> HttpResponse:
    if is_in_json(request):
        return json_response({"status": refused}, status=422)
    originals = choices.originals(preset, fields)
    rules = choices.rule_choices(preset, fields)
    additions = hooks.on_page(request, "setup")
    context = {
        "preset_card": preset_card(preset),
        "rules": [choice for choice in rules if choice.field not in choices.RARE],
        "rare_rules": [choice for choice in rules if choice.field in choices.RARE],
        "are_rare_rules_asked": bool(fields.keys() & choices.RARE),
        "are_options_asked": bool(fields.keys() & {"begins", "hints"}),
        "numbers": choices.rule_numbers(preset, fields),
        "ships": choices.ship_numbers(preset, fields),
        "ranks": choices.ranks(preset, fields),
        "originals": originals,
        "is_original": any(option.is_chosen for option in originals.options),
        "solo": (choices.beginners(fields), choices.assists(fields)),
        "watched": choices.watched_minds(preset, fields),
        "names": (fields.get("name1", ""), fields.get("name2", "")),
        "longest_name": LONGEST_NAME,
        "refused": refused,
        "has_database": database.is_on(),
        "rule_line": rule_line(preset.ruleset),
        "features": {name: it.view for name, it in additions.items()},
        "styles": [style for it in additions.values() for style in it.styles],
    }
    return render(request, "setup.html", context, status=422 if refused else 200)


def refuse_rules(
    request: HttpRequest, preset: Preset, error: IllegalRules | forms.Refused
) -> HttpResponse:
    """The page to compose rules, with the reason why these can't be played.

    What a feature refuses can be mended on the page of the preset.
    """
    fields = asked_fields(request)
    if isinstance(error, forms.Refused):
        return _choices(request, preset, fields, str(error))
    fields = choices.composing_fields(preset.ruleset, fields)
    return _choices(request, OWN, fields, forms.refusal(error))


@token_view
def new(request: HtmxRequest, preset: str) -> HttpResponse:
    chosen = preset_or_404(request.POST.get("preset", preset))  # a field of "Play now"
    try:
        setup = asked_setup(request, chosen)
    except (IllegalRules, forms.Refused) as error:
        return refuse_rules(request, chosen, error)
    draft = Draft(setup)
    if setup.remote:
        where = path_if_any("new_invitation", preset)
        if not where or not database.is_on():
            raise Http404(preset)
        where = f"{where}?{request.META['QUERY_STRING']}"
        return redirect(where, preserve_request=request.method == "POST")
    if setup.is_solo:
        return _start(request, draft, preferences_of(request))
    if request.method == "POST":
        return change(request, draft)
    draft = draft.with_server_share()
    page = placing_page(
        draft, seal_draft(draft), where=request.get_full_path(), visitor=preferences_of(request)
    )
    # A page that may be indexed describes its preset.
    return show(request, page if request.GET else page.having(preset_card=preset_card(chosen)))


@token_view
def place(request: HtmxRequest, token: str) -> HttpResponse:
    draft = unseal_draft(token)
    if draft.setup.is_solo:
        return _start(request, draft, preferences_of(request))
    if draft.seat is not None:
        return redirect(place_address(draft, token), preserve_request=request.method == "POST")
    if request.method == "POST" and request.POST.get("action") != "show":
        return change(request, draft)
    is_hidden = draft.is_secret and request.method != "POST"
    if is_hidden and not is_uncovered(request, token):
        return show(request, draft_curtain(draft, token))
    response = show(request, placing_page(draft, token, visitor=preferences_of(request)))
    return covered_again(response) if is_hidden else response


Start: TypeAlias = Callable[[HtmxRequest, Draft, Preferences], HttpResponse]
"""Returns the response to a fleet that is placed; raises IllegalFleet or Refused."""


def change(request: HtmxRequest, draft: Draft, start: Start | None = None) -> HttpResponse:
    """The response to a form of the placing page, which may start the match, or call `start`."""
    visitor = _visitor_after(request, draft)
    try:
        changed = forms.change_draft(draft, request.POST)
        if request.POST.get("action") == "quick" and changed.missing:
            changed = changed.filled()
        if _starts(request, draft, changed):
            return (start or _start)(request, changed, visitor)
    except (forms.Refused, IllegalFleet) as error:
        back = replace(
            forms.with_ship_in_hand(draft, request.POST), chosen_cells=()
        ).with_server_share()
        page = placing_page(back, seal_draft(back), visitor=preferences_of(request))
        return show(request, page.refused(forms.refusal(error)), status=422)
    changed = changed.with_server_share()
    token = seal_draft(changed)
    if forms.is_for_next_match(request.POST):
        return lead_to(request, place_address(changed, token))
    response = fragment_or_redirect(request, placing_page(changed, token, visitor=visitor))
    save_preferences(request, response, visitor)
    if changed.is_secret and not swaps(request):
        uncover(request, response, token)
    return response


def _visitor_after(request: HtmxRequest, draft: Draft) -> Preferences:
    """The visitor's preferences after a form of the placing page."""
    visitor, form = preferences_of(request), request.POST
    # "quick" places the whole fleet, and "keep" none, so the player has yet to learn how.
    if form.get("action") not in ("quick", "keep") and not forms.is_for_next_match(form):
        visitor = visitor.after(Onboarding.PLACE)
    if form.get("preset") in LENGTHS:
        visitor = replace(visitor, length=form["preset"])
    if draft.seat is not None and "name" in form:
        visitor = replace(visitor, name=forms.clean_name(form["name"]))
    return visitor


def _starts(request: HtmxRequest, draft: Draft, changed: Draft) -> bool:
    """Whether the match starts after a form, perhaps by itself with the last ship."""
    action = request.POST.get("action", "")
    if action in ("start", "quick"):
        return True
    if changed.missing:
        return False
    if changed.setup.is_dealt and forms.is_for_next_match(request.POST):
        return True
    preset, is_random = draft.setup.preset, action == "random"
    starts_at_last = preferences_of(request).starts_at_last(preset, is_random=is_random)
    return bool(draft.missing) and starts_at_last and not remembered_fleet(changed)


def _start(request: HtmxRequest, draft: Draft, visitor: Preferences) -> HttpResponse:
    """The response with the match, or the curtain for the second person.

    Raises IllegalFleet, or Refused if the player's share of the seed is malformed.
    """
    share = ""
    if draft.setup.seed_shares:
        share = forms.parse_seed_share(request.POST.get("half", ""))
    started = draft.start(hour_now(), share)
    if isinstance(started, Draft):
        return fragment_or_redirect(request, draft_curtain(started, seal_draft(started)))
    token = seal_match(started)
    if started.setup.is_shared:
        response = fragment_or_redirect(request, match_curtain(started, token))
        keep_unfinished(request, response, of_match(started), "play", token)
        return response
    rank = started.setup.opponent
    # A player who starts with the preset's own rank has not chosen it, unless they chose before.
    is_chosen = rank in RANK_NAMES and (visitor.rank or rank != started.setup.preset.opponent)
    if is_chosen and not started.all_parts:
        visitor = replace(visitor, rank=rank)
    page = marked(play_page(Visit(request, visitor), started, token), visitor)
    response = fragment_or_redirect(request, page)
    if request.htmx and forms.is_for_next_match(request.POST):  # Back leads to the match before
        push_url(response, response["HX-Replace-Url"])
        del response["HX-Replace-Url"]
    if request.method == "POST":  # a search alone also begins by a link, which others may open
        keep_unfinished(request, response, of_match(started), "play", token)
    save_preferences(request, response, visitor)
    return response


@token_view
def watch(request: HtmxRequest, preset: str) -> HttpResponse:
    """Starts a match between two minds, and redirects to its replay once it is over."""
    chosen = preset_or_404(preset)
    if request.method != "POST":
        return redirect(reverse("setup", args=[preset]))
    try:
        setup = forms.parse_duel(chosen, asked_fields(request))
        saved = begin(setup, os.urandom(SEED_BYTES), hour=hour_now())
    except IllegalRules as error:
        return refuse_rules(request, chosen, error)
    return watch_on(request, saved)


def watch_on(request: HtmxRequest, saved: SavedMatch) -> HttpResponse:
    played = saved.play_ai_batch()
    token = seal_match(played)
    if played.match.outcome is None:
        return fragment_or_redirect(request, watching_page(played, token))
    return lead_to(request, address("replay", token))
