"""The most expensive answer at every address, and in long matches of all presets and minds.

python -m bench worst --only review share
python -m bench worst --only reply --clicks 50

Anybody can send an address again and again, so the rules and minds limit the work of an answer, and
this command measures its maximum. Calls and CPU time are also given in shots: how many shots
against a quick mind in Bonn cost as much in the same run. The number of calls is the same in each
run, while CPU time depends on the machine.
"""

from __future__ import annotations

import gc
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, product
from statistics import fmean
from typing import NamedTuple

from bench.client import Answer, Browser
from bench.clock import calls_of, cpu_milliseconds
from bench.matches import PERSONS, begun, clicks
from bench.report import Table, say, track
from bench.requests import Request, expensive_requests, own_rules
from game.engine.chance import Chance
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset
from game.matches.cell_chances import clear_cache
from game.matches.setup import Setup
from game.players.belief.position_chances import look
from game.players.minds import MINDS

MOST_ANSWERS = 6
"""The number of answers that are followed if each leads to the next."""
SHOTS = 20
"""The number of shots that are fired to measure the cost of one; the first half warms up."""
RULES = {**{name: preset.ruleset for name, preset in PRESETS.items()}, **own_rules()}


class Cost(NamedTuple):
    """The cost of one answer."""

    calls: int
    milliseconds: float
    """CPU time."""
    answer: Answer | None = None


def add_options(parser: ArgumentParser) -> None:
    only = "only rows that contain one of these words"
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help=only)
    parser.add_argument("--clicks", type=int, default=400, help="the most of one match")
    parser.add_argument("--top", type=int, help="print at the end only so many, the dearest first")


def run(options: Namespace) -> None:
    gc.collect()
    gc.freeze()  # as battleships_site.wsgi does
    browser = Browser()
    shots = list(islice(_shots(browser), SHOTS))[SHOTS // 2 :]
    calls, milliseconds = fmean(it.calls for it in shots), fmean(it.milliseconds for it in shots)
    say(f"a shot against a quick mind: {calls:.0f} calls, {milliseconds:.2f} ms")
    table = Table("request:56, answers:>8, calls:>9, shots:>7.1f, ms:>8.1f, shots:>7.1f, status:>8")
    every = _rows(browser, options.clicks)
    rows = [row for row in every if any(word in row[0] for word in options.only)]
    measured = []
    for name, costs in track(rows, "requests"):
        found = list(costs)
        most, longest = max(it.calls for it in found), max(it.milliseconds for it in found)
        status = found[-1].answer.status if found[-1].answer else ""
        row = (name, len(found), most, most / calls, longest, longest / milliseconds, status)
        measured.append(row)
        if not options.top:
            table.say(*row)
    for row in sorted(measured, key=lambda row: -row[4])[: options.top or 0]:
        table.say(*row)


def _rows(browser: Browser, clicks: int) -> Iterator[tuple[str, Iterator[Cost]]]:
    """Yields what is measured, and the costs of its answers."""
    for request in expensive_requests():
        yield f"{request.name:18} {request.what}", _answers(browser, request)
    for name, mind, person in product(RULES, MINDS, PERSONS):
        costs = _replies(RULES[name], mind, person, clicks)
        yield f"{'reply':18} {name}, {mind}, {person}", costs


def _shots(browser: Browser) -> Iterator[Cost]:
    """Yields the costs of shots at boards that nobody has seen before."""
    for click in clicks("bonn"):
        if click.kind == "bonn shot":
            yield _sent(browser, Request("play", "", click.path, click.fields))


def _answers(browser: Browser, request: Request) -> Iterator[Cost]:
    """Yields the costs of the answer and of those that it leads to, without a cached review."""
    _send(browser, request)  # compiles templates
    for _ in range(MOST_ANSWERS):
        yield (cost := _sent(browser, request))
        if not (request.leads_on and cost.answer and cost.answer.leads_to):
            return
        request = request._replace(path=cost.answer.leads_to)


def _sent(browser: Browser, request: Request) -> Cost:
    answers: list[Answer] = []
    cost = _cost(lambda: answers.append(_send(browser, request)))
    return cost._replace(answer=answers[0])


def _send(browser: Browser, request: Request) -> Answer:
    # htmx sends forms: then the answer contains the page, and is no redirect.
    is_form = request.form is not None
    return browser.send(request.path, request.form, htmx=is_form, accept=request.accept)


def _replies(rules: Ruleset, mind: str, person: str, clicks: int) -> Iterator[Cost]:
    """Yields the costs of the computer's parts of a match, for so many clicks."""
    saved = begun(Setup(rules, (None, mind)))
    for number in range(clicks):
        yield _cost(saved.play_ai_batch)
        saved = saved.play_ai_batch()
        if saved.match.outcome is not None:
            return
        if not saved.is_minds_turn:
            action = PERSONS[person](saved.match, Chance(saved.match.seed, person, number))
            saved = replace(saved, match=saved.match.act(action))


def _cost(act: Callable[[], object]) -> Cost:
    """Returns the cost of an action, which is done twice: counting calls takes time."""
    _clear_caches()
    spent = cpu_milliseconds(act)
    _clear_caches()
    return Cost(calls_of(act), spent)


def _clear_caches() -> None:
    clear_cache()
    look.cache_clear()
