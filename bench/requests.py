"""`manage.py worst_requests`: what the dearest request costs at every address of the site.

Whoever has an address can send it again and again, so each answer has a bound. This command builds
matches that are dear to show, sends what their pages would send, and follows where answers lead.
It counts calls and takes CPU time, and tells both as shots: how many shots against a quick mind in
Bonn cost as much in the same run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean
from time import process_time_ns
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.test import Client
from django.urls import reverse

from game.deduction.match import Mode
from game.deduction.presets import SEAS
from game.deduction.referee import anywhere
from game.deduction.referee import begin as begin_deduction
from game.deduction.saved import SavedMatch as SavedDeduction
from game.deduction.saved import seal_match as seal_deduction
from game.deduction.searchers import SEARCHERS
from game.engine.actions import Phase
from game.engine.chance import SEED_BYTES, Chance
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset, Side
from game.forms import parse_setup
from game.management.commands.worst import PERSONS, calls_of
from game.matches import referee
from game.matches.draft import Draft
from game.matches.duel import DUEL_ID_BYTES, SEAT_BYTES, Duel
from game.matches.review import clear_cache
from game.matches.review_progress import ReviewProgress
from game.matches.saved import SavedMatch, begin
from game.matches.setup import Setup, solo
from game.matches.tokens import (
    seal_draft,
    seal_duel,
    seal_invite,
    seal_kept_seat,
    seal_match,
    seal_replay,
    seal_review_progress,
)  # fmt: skip
from game.players.minds import MINDS

FULL = {"columns": 10, "rows": 12, "n8": 12, "n7": 1, "n1": 17, "touching": "on", "again": "on",
        "turns": "none", "begins": "computer"}  # fmt: skip
"""A board that the ships fill: each shot of the computer hits and fires again."""
LARGE = {"columns": 15, "rows": 15, "n5": 2, "n4": 2, "n3": 5, "n2": 6, "moving": "on",
         "again": "on", "turns": "none"}  # fmt: skip
"""The largest board, and a fleet that moves about it."""
SALVOS = {"columns": 15, "rows": 15, "n2": 30, "touching": "on", "again": "on", "salvo": "on",
          "moving": "off", "turns": "none", "begins": "computer"}  # fmt: skip
"""Thirty guns, which fire again after every hit."""


SHOTS = 20
"""How many are fired to learn what one costs."""


class Request(NamedTuple):
    """One that a visitor can make."""

    name: str
    """Of the address."""
    what: str
    path: str
    form: dict[str, Any] | None = None
    """What is sent; None for a GET."""
    leads_on: bool = False
    """Whether answers lead to the next part of what was asked."""


class Cost(NamedTuple):
    """The cost of one answer."""

    calls: int
    milliseconds: float
    """CPU time."""
    status: int
    leads_to: str
    """The next address, if any."""


class Command(BaseCommand):
    """Prints a line for each request, the dearest of the answers that it leads to."""

    help = "Prints what the dearest request costs at every address, in calls and in shots."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--only", default="", help="names of addresses, parted by commas")
        parser.add_argument("--answers", type=int, default=6, help="the most to follow")

    def handle(self, *args: Any, **options: Any) -> None:
        settings.ALLOWED_HOSTS = ["localhost"]
        client, only = _Visitor(headers={"host": "localhost"}), options["only"].split(",")
        shot = client.cost_of_a_shot()
        self.stdout.write(
            f"a shot against a quick mind: {shot.calls} calls, {shot.milliseconds:.2f} ms"
        )
        self.stdout.write(f"{'address':18} {'request':30}{'answers':>8}{'calls':>9}{'shots':>7}"
                          f"{'ms':>8}{'shots':>7}  status")  # fmt: skip
        for request in dear_requests():
            if only == [""] or request.name in only:
                costs = list(client.costs(request, options["answers"]))
                calls = max(cost.calls for cost in costs)
                spent = max(cost.milliseconds for cost in costs)
                self.stdout.write(
                    f"{request.name:18} {request.what:30}{len(costs):>8}{calls:>9}"
                    f"{calls / shot.calls:>7.1f}{spent:>8.1f}{spent / shot.milliseconds:>7.1f}"
                    f"  {costs[-1].status}"
                )
                self.stdout.flush()


class _Visitor(Client):
    """Sends forms as browsers do, and measures what the answers cost."""

    def ask(self, path: str, form: dict[str, Any] | None) -> Any:
        """The answer to a GET, or to a form as htmx sends it: so it has the page, too."""
        if form is None:
            return self.get(path)
        sent, how = urlencode(form), "application/x-www-form-urlencoded"
        return self.post(path, sent, how, headers={"hx-request": "true"})

    def cost_of_a_shot(self) -> Cost:
        """The mean cost of shots in Bonn at boards that nobody has seen before."""
        saved, costs = _begun(BONN, "bonn-easy"), list[Cost]()
        for number in range(SHOTS):
            seen = observe(saved.match, Side.FIRST)
            cell = MINDS["random"].aim(seen, Chance(bytes(SEED_BYTES), "cell", number))
            where, form = _at("play", seal_match(saved)), {"cell": seen.board.name(cell)}
            costs.append(self._cost(where, form))
            saved = replace(saved, match=saved.match.fire(cell)).with_minds_played()
            while saved.match.phase is Phase.MOVING:
                saved = replace(saved, match=saved.match.stay()).with_minds_played()
        known = costs[SHOTS // 2 :]  # the first ones compile templates
        calls, spent = fmean(one.calls for one in known), fmean(one.milliseconds for one in known)
        return Cost(round(calls), spent, 200, "")

    def costs(self, request: Request, most: int) -> Iterator[Cost]:
        """The cost of its answer, and of those that it leads to, each as if asked first."""
        path = request.path
        self._cost(path, request.form)  # compiles templates
        for _ in range(most):
            cost = self._cost(path, request.form)
            yield cost
            if not request.leads_on or cost.status not in (200, 302) or not cost.leads_to:
                return
            path = cost.leads_to

    def _cost(self, path: str, form: dict[str, Any] | None) -> Cost:
        clear_cache()
        before = process_time_ns()
        answer = self.ask(path, form)
        spent = (process_time_ns() - before) / 1e6
        clear_cache()
        calls = calls_of(lambda: self.ask(path, form))
        found = answer.headers
        leads_to = found.get("Location") or (found.get("HX-Replace-Url", "") if form else "")
        return Cost(calls, spent, answer.status_code, leads_to)


# --- what is asked ---


def dear_requests() -> Iterator[Request]:
    """At least one request for each address, those that could be dear."""
    for name in ("home", "rules", "about", "daily", "thinking", "logbook", "site_card", "manifest",
                 "daily_links", "robots", "sitemap", "front_door", "deduction",
                 "deduction_daily"):  # fmt: skip
        yield Request(name, "GET", reverse(name))
    yield Request("settings", "GET", reverse("settings", args=[""]))
    yield from _before_a_match()
    late, over = _late(BONN), _over(_late(BONN))
    for what, one in (("Bonn", late), ("15 by 15", _late(_rules(LARGE)))):
        yield from _during(what, one)
        yield from _afterwards(what, _over(one))
    yield Request("watch", "Bonn", reverse("watch", args=["bonn"]),
                  {"mind1": "admiral", "mind2": "admiral"})  # fmt: skip
    watched = begin(Setup(_rules(LARGE), ("admiral", "admiral")), bytes(SEED_BYTES))
    yield Request(
        "play",
        "watched, 15 by 15",
        _at("play", seal_match(watched)),
        {"action": "go on"},
        leads_on=True,
    )
    searched = begin(solo(_rules(LARGE), PRESETS["own"]), bytes(SEED_BYTES))
    yield Request("play", "par", _at("play", seal_match(searched.resigned(Side.FIRST))),
                  {"action": "par"}, leads_on=True)  # fmt: skip
    yield from _deduction()
    yield from _by_strangers()
    yield Request("bring", "no logbook", _at("bring", "x" * 4000))
    yield Request("elsewhere", "the longest code", _at("elsewhere", seal_match(late)))
    yield Request("play", "forget", _at("play", seal_match(over)), {"action": "forget"})


def _before_a_match() -> Iterator[Request]:
    for preset in ("bonn", "own"):
        yield Request("setup", preset, reverse("setup", args=[preset]))
    for what, rules in (("full board", FULL), ("15 by 15", LARGE), ("salvos", SALVOS)):
        where = f"{reverse('new', args=['own'])}?{urlencode(rules)}&opponent=admiral"
        yield Request("new", what, where)
        for action in ("random", "quick"):
            yield Request("new", f"{what}, {action}", where, {"action": action})
        setup = Setup(_rules(rules), (None, "admiral"), preset=PRESETS["own"])
        place = _at("place", seal_draft(Draft(setup)))
        yield Request("place", f"{what}, quick", place, {"action": "quick"})
        yield Request("play", f"{what}, go on", _at("play", seal_match(_going_on(setup))),
                      {"action": "go on"}, leads_on=True)  # fmt: skip


def _during(what: str, saved: SavedMatch) -> Iterator[Request]:
    seen = observe(saved.match, Side.FIRST)
    cell = seen.board.name(seen.targets[0])
    where = _at("play", seal_match(saved))
    yield Request("play", f"{what}, a shot", where, {"cell": cell})
    yield Request("play", f"{what}, hints", where, {"hints": "on"})
    yield Request("play", f"{what}, coach", where, {"coach": "on"})
    coached = replace(saved, setup=saved.setup.switched(coach=True))
    yield Request("play", f"{what}, a shot, coach", _at("play", seal_match(coached)),
                  {"cell": cell})  # fmt: skip
    yield Request("play", f"{what}, GET with coach", _at("play", seal_match(coached)))
    for action in ("resign", "resign-yes", "anew", "show"):
        yield Request("play", f"{what}, {action}", where, {"action": action})
    yield Request("elsewhere", what, _at("elsewhere", seal_match(saved)))


def _afterwards(what: str, saved: SavedMatch) -> Iterator[Request]:
    token, public_replay = seal_match(saved), seal_replay(saved)
    for name in ("replay", "record", "review", "share"):
        yield Request(name, what, _at(name, token), leads_on=True)
    yield Request("replay", f"{what}, a step in fog", f"{_at('replay', token)}?step=40&fog=on")
    yield Request(
        "review", f"{what}, a late step", f"{_at('review', token)}?step={saved.match.ply - 1}"
    )
    short = _over(_begun(saved.match.ruleset, "admiral").play_ai_batch())
    done = ReviewProgress().judging(short.match)
    where = reverse("review", args=[seal_match(short), seal_review_progress(short.match, done)])
    yield Request("review", f"{what}, check", f"{where}?check=on")
    yield Request("film", what, _at("film", public_replay))
    yield Request("card", what, _at("card", public_replay))


def _deduction() -> Iterator[Request]:
    """The largest sea: the first guesses of a race, and all of a computer's, one after another."""
    for searcher in SEARCHERS:
        race = SavedDeduction(
            begin_deduction(SEAS["large"], Mode.RACE, bytes(SEED_BYTES)), searcher
        )
        race = race.hide(None)
        for number in range(3):
            where = reverse("deduction_play", args=[seal_deduction(race)])
            place = anywhere(SEAS["large"], Chance(bytes(SEED_BYTES), "guess", number))
            cell = race.match.rules.names(place)
            yield Request("deduction_play", f"race, {searcher}, guess {number + 1}", where,
                          {"cell": cell})  # fmt: skip
            race = race.guess(place)
        hidden = begin_deduction(SEAS["large"], Mode.HIDE, bytes(SEED_BYTES))
        watched = SavedDeduction(hidden, searcher).hide(None)
        where = reverse("deduction_play", args=[seal_deduction(watched)])
        yield Request("deduction_play", f"watch all, {searcher}", where, {"action": "all"})
        over = reverse("deduction_review", args=[seal_deduction(watched.watch(to_the_end=True))])
        yield Request("deduction_review", searcher, over)


def _by_strangers() -> Iterator[Request]:
    """To a match at two devices, by somebody who has no seat there; a seat's page costs a shot."""
    setup = Setup(_rules(LARGE), (None, None), preset=PRESETS["own"], remote=True)
    fleets = _begun(setup.ruleset, "random").match.fleets
    match = Match(setup.ruleset, fleets, bytes(SEED_BYTES))
    seat_hashes = bytes(SEAT_BYTES), bytes(range(SEAT_BYTES))
    duel = Duel(bytes(DUEL_ID_BYTES), 1, seat_hashes, setup, fleets, match)
    yield Request("duel", "without a seat", _at("duel", seal_duel(duel)))
    yield Request("invite", "to nothing", _at("invite", seal_invite(bytes(DUEL_ID_BYTES))))
    kept = seal_kept_seat(bytes(DUEL_ID_BYTES), bytes(SEAT_BYTES))
    yield Request("keep", "a seat of nothing", _at("keep", kept))


# --- matches ---


def _at(name: str, token: str) -> str:
    return reverse(name, args=[token])


def _rules(asked: dict[str, Any]) -> Ruleset:
    """The rules that the page to compose own ones makes of what is asked."""
    return parse_setup(PRESETS["own"], {name: str(value) for name, value in asked.items()}).ruleset


def _begun(rules: Ruleset, mind: str) -> SavedMatch:
    seed = bytes(SEED_BYTES)
    mine = referee.deploy(MINDS["random"], rules, Side.FIRST, seed)
    return begin(Setup(rules, (None, mind)), seed, first=mine)


def _going_on(setup: Setup) -> SavedMatch:
    """A match whose computer has more to do than its first answer did."""
    mine = referee.deploy(MINDS["random"], setup.ruleset, Side.FIRST, bytes(SEED_BYTES))
    return begin(setup, bytes(SEED_BYTES), first=mine).play_ai_batch()


def _late(rules: Ruleset) -> SavedMatch:
    """A match against the admiral whose person fires at water for as long as there is any.

    The random player plays for the admiral, which would take minutes.
    """
    match, number = _begun(rules, "random").match, 0
    last = match
    while match.outcome is None:
        if match.side is Side.FIRST:
            last = match if match.phase is Phase.FIRING else last
            match = PERSONS["patient"](match, Chance(bytes(SEED_BYTES), "patient", number))
        else:
            match = referee.decide(MINDS["random"], match)
        number += 1
    return SavedMatch(Setup(rules, (None, "admiral")), last)


def _over(late: SavedMatch) -> SavedMatch:
    return late.resigned(Side.FIRST)
