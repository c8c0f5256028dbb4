"""The most expensive answer at every address, and in long matches of all presets and minds.

python -m bench worst --only review share
python -m bench worst --only reply --clicks 50
python -m bench worst --tries 200 --top 20

Anybody can send an address again and again, so the rules and minds limit the work of an answer, and
this command measures its maximum. Calls and CPU time are also given in shots: how many shots
against a quick mind in Bonn cost as much in the same run. The number of calls is the same in each
run, while CPU time depends on the machine. `--tries` sends each request so often, with another
match or position every tenth time, and prints the mean and the maximum of its CPU time.
"""

from __future__ import annotations

import gc
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice, product
from statistics import fmean
from typing import Any, NamedTuple

from bench.client import Answer, Browser
from bench.clock import calls_of, cpu_milliseconds
from bench.matches import PERSONS, begun, clicks_of
from bench.progress import say, track
from bench.requests import Request, expensive_requests, own_rules
from game.engine.chance import Chance
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset
from game.matches.review import clear_cache
from game.matches.setup import Setup
from game.players.belief.position import look
from game.players.minds import MINDS

MOST_ANSWERS = 6
"""The number of answers that are followed if each leads to the next."""
SAME = 10
"""The number of tries with the same position."""
SHOTS = 20
"""The number of shots that are fired to measure the cost of one."""
RULES = {**{name: preset.ruleset for name, preset in PRESETS.items()}, **own_rules()}


class Cost(NamedTuple):
    """The cost of one answer."""

    calls: float
    milliseconds: float
    """CPU time."""
    answer: Answer | None = None


def add_options(parser: ArgumentParser) -> None:
    only = "only rows that contain one of these words"
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help=only)
    parser.add_argument("--clicks", type=int, default=400, help="the most of one match")
    parser.add_argument("--top", type=int, help="print at the end only so many, the dearest first")
    parser.add_argument("--tries", type=int, default=0, help="of each request of an address")


def run(options: Namespace) -> None:
    def is_asked(name: str) -> bool:
        return any(word in name for word in options.only)

    gc.collect()
    gc.freeze()  # as battleships_site.wsgi does
    browser = Browser()
    if options.tries:
        _try(browser, options.tries, is_asked, options.top)
        return
    shots = list(_shots(browser))[SHOTS // 2 :]  # the first ones compile templates
    shot = Cost(fmean(one.calls for one in shots), fmean(one.milliseconds for one in shots))
    say(f"a shot against a quick mind: {shot.calls:.0f} calls, {shot.milliseconds:.2f} ms")
    say(f"{'request':56}{'answers':>8}{'calls':>9}{'shots':>7}{'ms':>8}{'shots':>7}"
        "  status")  # fmt: skip
    rows = [row for row in _rows(browser, options.clicks) if is_asked(row[0])]
    measured: list[tuple[float, str]] = []
    for name, costs in track(rows, "requests"):
        found = list(costs)
        answer = found[-1].answer
        calls, spent = max(one.calls for one in found), max(one.milliseconds for one in found)
        line = (
            f"{name:56}{len(found):>8}{calls:>9}{calls / shot.calls:>7.1f}"
            f"{spent:>8.1f}{spent / shot.milliseconds:>7.1f}  {answer.status if answer else ''}"
        )
        measured.append((spent, line))
        if not options.top:
            say(line)
    for _, line in sorted(measured, reverse=True)[: options.top or 0]:
        say(line)


def _try(browser: Browser, tries: int, is_asked: Callable[[str], bool], most: int | None) -> None:
    """Prints the mean and the maximum of each request's CPU time."""
    spent = defaultdict[str, list[float]](list)
    with suppress(KeyboardInterrupt):  # then it prints what there is
        for number in track(range(-(-tries // SAME)), "positions"):
            for request in expensive_requests(number):
                name = f"{request.name:18} {request.what}"
                if is_asked(name):
                    for _ in range(min(SAME, tries - number * SAME)):
                        costs = _answers(browser, request, is_counted=False)
                        spent[name] += [one.milliseconds for one in costs]
    say(f"{'request':56}{'answers':>8}{'mean ms':>9}{'max ms':>8}")
    dearest = sorted(spent.items(), key=lambda row: -max(row[1]))
    for name, times in dearest[:most]:
        say(f"{name:56}{len(times):>8}{fmean(times):>9.1f}{max(times):>8.1f}")


def _rows(browser: Browser, clicks: int) -> Iterator[tuple[str, Iterator[Cost]]]:
    """What is measured, and the costs of its answers."""
    for request in expensive_requests():
        yield f"{request.name:18} {request.what}", _answers(browser, request)
    for name, mind, person in product(RULES, MINDS, PERSONS):
        costs = _replies(RULES[name], mind, person, clicks)
        yield f"{'reply':18} {name}, {mind}, {person}", costs


def _shots(browser: Browser) -> Iterator[Cost]:
    """The costs of shots at boards that nobody has seen before."""
    clicks = clicks_of(begun(Setup(BONN, (None, "bonn-easy"))))
    for where, fields in islice((one for one in clicks if "cell" in one[1]), SHOTS):
        yield _sent(browser, where, fields)


def _answers(browser: Browser, request: Request, *, is_counted: bool = True) -> Iterator[Cost]:
    """The costs of the answer and of those that it leads to, each without a cached review.

    Templates are compiled before. `is_counted` is whether calls are counted, too.
    """
    path = request.path
    if (request.name, request.what) not in _sent_before:
        _sent_before.add((request.name, request.what))
        _sent(browser, path, request.form, request.accept, is_counted=False)
    for _ in range(MOST_ANSWERS):
        cost = _sent(browser, path, request.form, request.accept, is_counted=is_counted)
        yield cost
        path = cost.answer.leads_to if cost.answer and request.leads_on else ""
        if not path:
            return


_sent_before: set[tuple[str, str]] = set()


def _sent(
    browser: Browser, path: str, form: dict[str, Any] | None, accept: str = "", *,
    is_counted: bool = True,
) -> Cost:  # fmt: skip
    answers: list[Answer] = []

    def send() -> None:
        # htmx sends forms: then the answer contains the page, and is no redirect.
        answers.append(browser.send(path, form, htmx=form is not None, accept=accept))

    return _cost(send, is_counted=is_counted)._replace(answer=answers[0])


def _replies(rules: Ruleset, mind: str, person: str, clicks: int) -> Iterator[Cost]:
    """The costs of the computer's parts of a match, for so many clicks."""
    saved = begun(Setup(rules, (None, mind)))
    for number in range(clicks):
        yield _cost(saved.play_ai_batch)
        saved = saved.play_ai_batch()
        if saved.match.outcome is not None:
            return
        if not saved.is_minds_turn:
            action = PERSONS[person](saved.match, Chance(saved.match.seed, person, number))
            saved = replace(saved, match=saved.match.act(action))


def _cost(act: Callable[[], object], *, is_counted: bool = True) -> Cost:
    clear_cache()
    look.cache_clear()
    spent = cpu_milliseconds(act)
    clear_cache()
    look.cache_clear()
    return Cost(calls_of(act) if is_counted else 0, spent)
