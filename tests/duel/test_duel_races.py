"""Requests at once: one of them makes each step of a match at two devices, and none fails.

Several processes serve the site from one match store, and two of them are asked at the same time;
all three, when a match is left, ended as abandoned, and continued.
"""

import random
import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence, Set
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import pytest

from game.engine import actions
from game.engine.actions import STAY, Fire, Steer
from game.engine.rules import Side
from game.features.duel.model import Claim, Duel
from game.features.duel.parts import unseal_duel
from game.features.duel.presence import ABANDONED, EVERY
from game.matches.tokens import unseal_draft
from tests.duel.processes import Answer, Ask, Processes, processes
from tests.support.match_stores import redis_served

pytestmark = pytest.mark.deep
PROCESSES = 3
NEW = "/en/new/friend/own/?columns=6&rows=6&fleet=3-2"
WITH_QUESTIONS = f"{NEW}&moving=off&questions=5"
DONE, TOO_LATE, OVER = 303, 409, 422
"""The statuses of a step that counts, of one after which the match has gone on, and is over."""
ROUNDS, SHOTS = 3, 12
"""Matches of one duel, and races in one match before somebody may give up."""


class Browser:
    """One of two players, or a stranger: cookies and the address that the window shows."""

    def __init__(self, served: Processes, chance: random.Random, where: str) -> None:
        self._served, self._chance = served, chance
        self.cookies: dict[str, str] = {}
        self.where = where

    def form(self, **fields: str) -> Ask:
        """The request that a button of its page makes."""
        return Ask(self.where, fields, dict(self.cookies))

    def follow(self, answer: Answer) -> Answer:
        """Takes an answer's cookies, and goes where it leads to."""
        self.cookies.update(answer.cookies)
        self.where = answer.where or self.where
        return answer

    def press(self, **fields: str) -> Answer:
        """Presses a button, and goes where it leads to."""
        return self.follow(self._served.ask(self._chance.randrange(PROCESSES), self.form(**fields)))

    def look(self) -> Answer:
        """Reloads its page, and goes where that leads to."""
        request = replace(self.form(), fields=None)
        return self.follow(self._served.ask(self._chance.randrange(PROCESSES), request))

    @property
    def duel(self) -> Duel:
        """The step in its address."""
        return unseal_duel(self.where.split("/")[3])


class Option(NamedTuple):
    """What the side to act may do: the button, and the step that it makes alone."""

    name: str
    request: Ask
    step: Duel


def found(pattern: str, answer: Answer) -> str:
    """The part of a page that matches the pattern's group."""
    match = re.search(pattern, answer.text)
    assert match, (pattern, answer)
    return match[1]


def stayed(duel: Duel) -> Duel:
    """The state once the turn has begun, if nothing was moved: giving up ends it, too."""
    return duel.acted(duel.match.side, STAY) if duel.match.is_move_due else duel


class Races:
    """Races of one duel after the other, and who won them."""

    def __init__(self, served: Processes, seed: int, new: str = NEW) -> None:
        self._served, self._chance, self._new = served, random.Random(seed), new
        self.run: Counter[str] = Counter()
        self.contested = 0
        """Races in which one process had to give way to what the other had written."""
        self.late = 0
        """Answers that the match store could not be reached in time."""
        self._play = self._played()

    def more(self, number: int) -> None:
        """Runs that many races more."""
        until = self.run.total() + number
        while self.run.total() < until:
            next(self._play)

    def _played(self) -> Iterator[None]:
        while True:
            yield from self._duel()

    def _browser(self, where: str) -> Browser:
        return Browser(self._served, self._chance, where)

    def _race(
        self, kind: str, requests: Sequence[Ask], statuses: Set[int] = frozenset({DONE})
    ) -> list[Answer]:
        numbers = self._chance.sample(range(PROCESSES), len(requests))
        meeting = self._chance.choice(("before", "write"))
        answers = self._served.race(numbers, requests, meeting)
        for place, answer in enumerate(answers):
            if answer.status == 503:  # the match store was late on a busy machine: pressed again
                self.late += 1
                answers[place] = self._served.ask(numbers[place], requests[place])
        self.run[kind] += 1
        self.contested += any(answer.lost for answer in answers)
        seen = {answer.status for answer in answers}
        assert {DONE} <= seen <= statuses, (kind, [(it.status, it.text[-3000:]) for it in answers])
        return answers

    def _see_one_state(self, first: Browser, second: Browser) -> None:
        """Sees that the addresses that both seats have lead them to the same step."""
        for browser in (first, second):
            assert browser.look().status in (200, DONE)
        assert first.duel.without_move() == second.duel.without_move()
        assert first.duel.match is not None

    # --- a duel, whose steps are raced for ---

    def _duel(self) -> Iterator[None]:
        first, invite = self._inviting()
        second = yield from self._joining(invite)
        answers = self._race("place in two tabs", [second.form(action="quick")] * 2)
        yield
        one, other = (unseal_duel(answer.where.split("/")[3]) for answer in answers)
        assert one == other, "another fleet in each tab: one of them lies"
        second.follow(answers[0])
        self._see_one_state(first, second)
        for _ in range(ROUNDS):
            yield from self._match(first, second)
            yield from self._rematch(first, second)

    def _inviting(self) -> tuple[Browser, str]:
        first = self._browser(self._new)
        first.where = found(r'action="(/en/place/[^"]*)"', first.look())
        first.press(action="quick")
        return first, "/en" + found(r'data-invite="http://localhost([^"]*)"', first.look())

    def _joining(self, invite: str) -> Generator[None, None, Browser]:
        """Two strangers, or one in two tabs: one of them has the seat."""
        strangers = [self._browser(invite), self._browser(invite)]
        if is_one := self._chance.random() < 0.5:
            strangers[1] = strangers[0]
        for stranger in strangers:
            assert stranger.look().status == 200
        requests = [stranger.form(action="join") for stranger in strangers]
        kind = "join in two tabs" if is_one else "two strangers join"
        answers = self._race(kind, requests, {DONE} if is_one else {DONE, 403})
        yield
        winners = [
            (stranger, answer)
            for stranger, answer in zip(strangers, answers, strict=True)
            if answer.status == DONE
        ]
        assert len(winners) == (2 if is_one else 1)
        claims = {unseal_draft(answer.where.split("/")[3]).part(Claim) for _, answer in winners}
        assert len(claims) == 1
        for stranger, answer in winners:
            stranger.follow(answer)
        return winners[0][0]

    def _options(self, mover: Browser) -> list[Option]:
        """Two of each kind of action that are lawful."""
        duel = mover.duel
        match, board, side = duel.match, duel.setup.ruleset.board, duel.match.side
        free = [cell for cell in board.cells if cell not in match.spent(side.opponent)]
        acts: list[actions.Action] = [Fire(cell) for cell in self._chance.sample(free, 2)]
        if duel.match.is_move_due and len(match.steers(side)) > 1:
            acts += self._chance.sample(match.steers(side), 2)
        if match.may_ask:
            asked = {one.ask for one in match.questions if one.side is side}
            pairs = combinations_with_replacement(board.cells, 2)
            boxes = {actions.Ask(*board.corners(*pair)) for pair in pairs} - asked
            fresh = [box for box in boxes if board.column(box.first) != board.column(box.last)]
            acts += self._chance.sample(sorted(fresh, key=str), 2)
        return [self._option(mover, action) for action in acts]

    def _option(self, mover: Browser, action: actions.Action) -> Option:
        duel = mover.duel
        board, step = duel.setup.ruleset.board, duel.acted(duel.match.side, action)
        match action:
            case Fire():
                return Option("shot", mover.form(cell=board.name(action.cell)), step)
            case Steer():
                fields = {"steer": f"{action.ship}-{action.course.value}"}
                return Option("move", mover.form(**fields), step)
            case actions.Ask():
                corners = board.name(action.first), board.name(action.last)
                fields = {"action": "ask", "ask_from": corners[0], "ask_to": corners[1]}
                return Option("question", mover.form(**fields), step)
        raise AssertionError(action)

    def _match(self, first: Browser, second: Browser) -> Iterator[None]:
        raced = 0
        while (match := first.duel.match).outcome is None:
            mover, other = (first, second) if match.side is Side.FIRST else (second, first)
            raced += 1
            if raced > SHOTS:
                yield from self._giving_up(mover, other)
            elif raced > SHOTS - 2 and self._chance.random() < 0.3:
                yield from self._both_giving_up(first, second, mover.duel)
            else:
                yield from self._acting(mover, other)

    def _acting(self, mover: Browser, other: Browser) -> Iterator[None]:
        """Two tabs act, or do the same: one step is made."""
        options = self._options(mover)
        raced = [self._chance.choice(options[-2:]), self._chance.choice(options)]
        is_same = raced[0] == raced[1]
        kind = f"the same {raced[0].name}" if is_same else f"{raced[0].name} and {raced[1].name}"
        answers = self._race(kind, [one.request for one in raced], {DONE, TOO_LATE})
        yield
        self._see_one_state(mover, other)
        won = [answer.status == DONE for answer in answers]
        assert mover.duel == raced[won.index(True)].step
        assert all(won) if is_same else sum(won) == 1
        if kind == "shot and shot" and not all(won):
            shown = found(r'action="/en/duel/([^/"]+)/', answers[won.index(False)])
            assert unseal_duel(shown) == mover.duel

    def _giving_up(self, mover: Browser, other: Browser) -> Iterator[None]:
        """The one acts while the other one gives up."""
        duel, option = mover.duel, self._chance.choice(self._options(mover))
        requests = [option.request, other.form(action="resign-yes")]
        kind = f"{option.name} and giving up"
        answers = self._race(kind, requests, {DONE, TOO_LATE, OVER})
        yield
        self._see_one_state(mover, other)
        begun = option.step if answers[0].status == DONE else duel
        assert (answers[1].status == DONE) is not begun.is_over
        giving = duel.match.side.opponent
        assert mover.duel == (begun if begun.is_over else stayed(begun).resigned(giving))

    def _both_giving_up(self, first: Browser, second: Browser, duel: Duel) -> Iterator[None]:
        requests = [browser.form(action="resign-yes") for browser in (first, second)]
        answers = self._race("both give up", requests, {DONE, OVER})
        yield
        self._see_one_state(first, second)
        (giving,) = (side for side in Side if answers[side].status == DONE)
        assert first.duel == stayed(duel).resigned(giving)

    def _rematch(self, first: Browser, second: Browser) -> Iterator[None]:
        before, browsers = first.duel, (first, second)
        if self._chance.random() < 0.5:
            requests = [browser.form(action="rematch") for browser in browsers]
            answers = self._race("both wish a rematch", requests)
            for browser, answer in zip(browsers, answers, strict=True):
                browser.follow(answer)
        else:
            answers = self._race("wish it in two tabs", [first.form(action="rematch")] * 2)
            wished = {unseal_duel(answer.where.split("/")[3]) for answer in answers}
            assert [duel.step for duel in wished] == [before.step + 1]
            second.press(action="rematch")
        yield
        for browser in browsers:
            browser.look()
            draft = unseal_draft(browser.where.split("/")[3])
            assert draft.part(Claim).id == before.id
            assert draft.setup.tally.rounds == before.setup.tally.rounds + 1
        # Whichever comes first is led to a step without a match yet: the placing addresses know.
        self._race("both place", [browser.form(action="quick") for browser in browsers])
        yield
        self._see_one_state(first, second)
        assert first.duel.step == before.step + 4


class Endings(Races):
    """A match is left, ended as abandoned, and continued by a shot or a move, all at once."""

    def _duel(self) -> Iterator[None]:
        first, invite = self._inviting()
        second = self._browser(invite)
        assert second.look().status == 200
        second.press(action="join")
        second.press(action="quick")
        self._see_one_state(first, second)
        browsers = first, second
        for _ in range(self._chance.randrange(4)):
            if not first.duel.is_over:
                mover = browsers[first.duel.match.side]
                mover.follow(self._served.ask(0, self._options(mover)[0].request))
                self._see_one_state(first, second)
        if first.duel.is_over:
            return
        self._see_one_state(first, second)  # draws both pages, from which absence counts
        duel, option = (
            first.duel,
            self._chance.choice(self._options(browsers[first.duel.match.side])),
        )
        leaver, ender = self._chance.choice([*Side]), self._chance.choice([*Side])
        abandon = replace(browsers[ender].form(action="abandon"), later=ABANDONED + EVERY)
        left, ended, gone_on = (
            answer.status
            for answer in self._race(
                f"leave, abandon and {option.name}",
                [browsers[leaver].form(action="leave"), abandon, option.request],
                {DONE, TOO_LATE, OVER},
            )
        )
        yield
        self._see_one_state(first, second)
        assert left == DONE
        begun = option.step if gone_on == DONE else stayed(duel)
        if gone_on == DONE and begun.step > duel.step:
            assert ended != DONE, "who acts is back"
        if ended == DONE:
            begun = begun.abandoned()
        assert first.duel == second.duel == stayed(begun).with_left(leaver)
        words = sorted(found(r'data-outcome="([a-z]+)"', one.look()) for one in browsers)
        assert words == (["draw", "draw"] if ended == DONE else ["lost", "won"])


KINDS = (
    (Races, NEW, 60, 10_000),
    (Races, WITH_QUESTIONS, 40, 10_000),
    (Endings, NEW, 12, 1_000),
)
"""What is raced for by which rules, and how often, in `make check` and in `make long`."""


def see(match_store: str, *, is_long: bool = False) -> None:
    """Runs races of each kind, of which a quarter have to be contested."""
    with processes(match_store, PROCESSES) as served:
        for kind, new, *numbers in KINDS:
            number, begun = numbers[is_long], monotonic()
            seed = random.SystemRandom().randrange(2**32)
            print(f"seed {seed}")
            races = kind(served, seed, new)
            races.more(number)
            run, took = races.run, monotonic() - begun
            print(f"{run.total()} races in {took:.0f} s, {races.contested} contested: {run}")
            print(f"{races.late} times the match store was late")
            assert races.late <= max(2, number / 1000)
            assert races.contested >= number / 4
            if new == WITH_QUESTIONS:
                assert sum(run[name] for name in run if "question" in name) >= 5


def test_of_several_requests_at_once_one_makes_the_step_and_both_seats_see_it(
    tmp_path: Path,
) -> None:
    see(f"sqlite:{tmp_path / 'match_store.sqlite3'}")


@pytest.mark.long
@pytest.mark.parametrize("store", ["sqlite", "redis"])
def test_thousands_of_races_have_one_winner_each(tmp_path: Path, store: str) -> None:
    if store == "sqlite":
        see(f"sqlite:{tmp_path / 'match_store.sqlite3'}", is_long=True)
    else:
        with redis_served(tmp_path / "redis") as server:
            see(server.url, is_long=True)
