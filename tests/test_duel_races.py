"""Requests at once: one of them makes each step of a match at two devices, and none fails.

Several processes serve the site from one match store, and two of them are asked at the same time;
all three, when a match is left, ended as abandoned, and continued.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence, Set
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from game.engine import actions
from game.engine.actions import STAY, Fire
from game.engine.rules import Side
from game.matches.duel import Duel
from game.matches.presence import ABANDONED, EVERY
from game.matches.tokens import unseal_draft, unseal_duel
from tests.support.match_stores import Answer, Ask, Processes, processes, redis_served

PROCESSES = 3
NEW = "/en/new/friend/own/?columns=6&rows=6&fleet=3-2"
WITH_QUESTIONS = f"{NEW}&moving=off&questions=5"
ONLY_FOLLOWED = frozenset({303})
LOST: dict[str, Set[int]] = {
    "the same shot": set(), "two shots": {409}, "both give up": {422},
    "shot and giving up": {409, 422}, "the same move": set(), "two moves": {409},
    "move and shot": {409}, "move and giving up": {409},
    "the same question": set(), "two questions": {409}, "question and shot": {409},
}  # fmt: skip
"""How who comes second is told: that the match has gone on, or that it is over."""
ROUNDS, SHOTS = 3, 12
"""Matches of one duel, and races in one match before somebody may give up."""


class Browser:
    """One of two players, or a stranger: cookies and the address that the window shows."""

    def __init__(self, served: Processes, chance: random.Random) -> None:
        self._served, self._chance = served, chance
        self.cookies: dict[str, str] = {}
        self.where = NEW

    def form(self, **fields: str) -> Ask:
        """The request that a button of its page makes."""
        return Ask(self.where, fields, dict(self.cookies))

    def follow(self, answer: Answer) -> None:
        """Takes an answer's cookies, and goes where it leads to."""
        self.cookies.update(answer.cookies)
        self.where = answer.where or self.where

    def press(self, **fields: str) -> Answer:
        """Presses a button, and goes where it leads to."""
        answer = self._served.ask(self._chance.randrange(PROCESSES), self.form(**fields))
        self.follow(answer)
        return answer

    def look(self) -> Answer:
        """Reloads its page, and goes where that leads to."""
        asked = Ask(self.where, None, dict(self.cookies))
        answer = self._served.ask(self._chance.randrange(PROCESSES), asked)
        self.follow(answer)
        return answer

    @property
    def duel(self) -> Duel:
        """The step in its address."""
        return unseal_duel(self.where.split("/")[3])


def found(pattern: str, answer: Answer) -> str:
    """The part of a page that matches the pattern's group."""
    match = re.search(pattern, answer.text)
    assert match, (pattern, answer)
    return match[1]


def stayed(duel: Duel) -> Duel:
    """The state once the turn has begun, if nothing was moved: giving up ends it, too."""
    return duel.acted(duel.match.side, STAY) if duel.is_move_due else duel


class Races:
    """Races of one duel after the other, and who won them."""

    def __init__(self, served: Processes, seed: int, new: str) -> None:
        self._served, self._chance, self._new = served, random.Random(seed), new
        self.run: Counter[str] = Counter()
        self.contested = 0
        """Races in which one process had to give way to what the other had written."""
        self.late = 0
        """Answers that the match store could not be reached in time."""
        self.counted: Counter[str] = Counter()
        """Which of the other steps came before somebody left."""
        self._play = self._played()

    def more(self, number: int) -> None:
        """Runs that many races more."""
        until = self.run.total() + number
        while self.run.total() < until:
            next(self._play)

    def _played(self) -> Iterator[None]:
        while True:
            yield from self._duel()

    def _browser(self) -> Browser:
        return Browser(self._served, self._chance)

    def _race(
        self, kind: str, asks: Sequence[Ask], statuses: Set[int] = ONLY_FOLLOWED
    ) -> list[Answer]:
        numbers = self._chance.sample(range(PROCESSES), len(asks))
        meeting = self._chance.choice(("before", "write"))
        answers = self._served.race(numbers, asks, meeting)
        for place, answer in enumerate(answers):
            if answer.status == 503:  # the match store was late on a busy machine: pressed again
                self.late += 1
                answers[place] = self._served.ask(numbers[place], asks[place])
        self.run[kind] += 1
        self.contested += any(answer.lost for answer in answers)
        seen = {answer.status for answer in answers}
        assert 303 in seen, (kind, [(answer.status, answer.text[-3000:]) for answer in answers])
        assert seen <= statuses, (kind, seen)
        return answers

    def _duel(self) -> Iterator[None]:
        first = self._browser()
        first.where = self._new
        first.where = found(r'action="(/en/place/[^"]*)"', first.look())
        first.press(action="quick")
        invite = "/en" + found(r'data-invite="http://localhost([^"]*)"', first.look())
        second = yield from self._joining(invite)
        yield from self._in_two_tabs_placing(second)
        self._see_one_state(first, second)
        for _ in range(ROUNDS):
            yield from self._match(first, second)
            yield from self._rematch(first, second)

    def _joining(self, invite: str) -> Generator[None, None, Browser]:
        """Two strangers, or one in two tabs: one of them has the seat."""
        strangers = [self._browser(), self._browser()]
        for stranger in strangers:
            stranger.where = invite
            assert stranger.look().status == 200
        is_one = self._chance.random() < 0.5
        if is_one:
            strangers[1] = strangers[0]
        answers = self._race(
            "join in two tabs" if is_one else "two strangers join",
            [stranger.form(action="join") for stranger in strangers],
            {303} if is_one else {303, 403},
        )
        yield
        winners = [
            (stranger, answer)
            for stranger, answer in zip(strangers, answers, strict=True)
            if answer.status == 303
        ]
        assert len(winners) == (2 if is_one else 1)
        claims = {unseal_draft(answer.where.split("/")[3]).claim for _, answer in winners}
        assert len(claims) == 1
        for stranger, answer in winners:
            stranger.follow(answer)
        return winners[0][0]

    def _in_two_tabs_placing(self, browser: Browser) -> Iterator[None]:
        """Another fleet in each tab: one of them lies."""
        answers = self._race("place in two tabs", [browser.form(action="quick")] * 2)
        yield
        first, second = (unseal_duel(answer.where.split("/")[3]) for answer in answers)
        assert first == second
        browser.follow(answers[0])

    def _match(self, first: Browser, second: Browser) -> Iterator[None]:
        raced = 0
        while (match := first.duel.match).outcome is None:
            mover, other = (first, second) if match.side is Side.FIRST else (second, first)
            duel, cells = mover.duel, self._cells(mover)
            asks = [mover.form(cell=cell) for cell in cells]
            raced += 1
            can_move = duel.is_move_due and len(duel.match.steers(match.side)) > 1
            if can_move and self._chance.random() < 0.5:
                yield from self._move(mover, other, is_last=raced > SHOTS)
                continue
            if match.may_ask and raced <= SHOTS and self._chance.random() < 0.5:
                yield from self._question(mover, other, cells[0])
                continue
            if raced > SHOTS:
                kind, asks[1] = "shot and giving up", other.form(action="resign-yes")
            elif raced > SHOTS - 2 and self._chance.random() < 0.3:
                kind = "both give up"
                asks = [browser.form(action="resign-yes") for browser in (first, second)]
            elif self._chance.random() < 0.5:
                kind, asks[1] = "the same shot", asks[0]
            else:
                kind = "two shots"
            answers = self._race(kind, asks, LOST[kind] | ONLY_FOLLOWED)
            yield
            self._see_one_state(first, second)
            after, shots = first.duel, self._shots(duel, cells)
            won = [answer.status == 303 for answer in answers]
            match kind:
                case "the same shot":
                    assert after == shots[0]
                case "two shots":
                    assert sum(won) == 1
                    assert after == shots[won.index(True)]
                    shown = found(r'action="/en/duel/([^/"]+)/', answers[won.index(False)])
                    assert unseal_duel(shown) == after
                case "both give up":
                    assert sum(won) == 1
                    assert after == stayed(duel).resigned(Side(won.index(True)))
                case "shot and giving up":
                    hit = shots[0] if won[0] else duel
                    assert won[1] is not hit.is_over
                    giving = duel.match.side.opponent
                    assert after == (hit if hit.is_over else stayed(hit).resigned(giving))

    def _move(self, mover: Browser, other: Browser, *, is_last: bool) -> Iterator[None]:
        """A move, and in another tab the same, another one or a shot; or the other one gives up."""
        before, cells = mover.duel, self._cells(mover)
        side = before.match.side
        steers = self._chance.sample(before.match.steers(side), 2)
        asks = [mover.form(steer=f"{one.ship}-{one.course.value}") for one in steers]
        moved = [before.acted(side, steer) for steer in steers]
        match kind := self._chance.choice(("the same move", "two moves", "move and shot")):
            case _ if is_last:
                kind, asks[1] = "move and giving up", other.form(action="resign-yes")
            case "the same move":
                asks[1], moved[1] = asks[0], moved[0]
            case "move and shot":
                asks[1], moved[1] = mover.form(cell=cells[0]), self._shots(before, cells)[0]
        answers = self._race(kind, asks, LOST[kind] | ONLY_FOLLOWED)
        yield
        self._see_one_state(mover, other)
        won = [answer.status == 303 for answer in answers]
        if is_last:
            begun = moved[0] if won[0] else stayed(before)
            assert mover.duel == begun.resigned(side.opponent)
        else:
            assert mover.duel == moved[won.index(True)]
            assert sum(won) == 1 or kind == "the same move"

    def _question(self, mover: Browser, other: Browser, cell: str) -> Iterator[None]:
        """A question, and in another tab the same, another one or a shot: one counts."""
        before = mover.duel
        side, board = before.match.side, before.setup.ruleset.board
        asked = {one.ask for one in before.match.questions if one.side is side}
        boxes = [
            actions.Ask(*board.corners(one, last))
            for one in board.cells
            for last in board.cells
            if board.column(one) != board.column(last)
        ]
        fresh = self._chance.sample([box for box in boxes if box not in asked], 2)
        asks = [
            mover.form(action="ask", ask_from=board.name(one.first), ask_to=board.name(one.last))
            for one in fresh
        ]
        steps = [before.acted(side, one) for one in fresh]
        kind = self._chance.choice(("the same question", "two questions", "question and shot"))
        if kind == "the same question":
            asks[1], steps[1] = asks[0], steps[0]
        elif kind == "question and shot":
            asks[1], steps[1] = mover.form(cell=cell), self._shots(before, [cell])[0]
        answers = self._race(kind, asks, LOST[kind] | ONLY_FOLLOWED)
        yield
        self._see_one_state(mover, other)
        won = [answer.status == 303 for answer in answers]
        assert mover.duel == steps[won.index(True)]
        assert sum(won) == 1 or kind == "the same question"

    def _cells(self, mover: Browser) -> list[str]:
        """Two cells that may be fired at."""
        match, board = mover.duel.match, mover.duel.setup.ruleset.board
        free = [cell for cell in board.cells if cell not in match.spent(match.side.opponent)]
        return [board.name(cell) for cell in self._chance.sample(free, 2)]

    def _shots(self, before: Duel, cells: list[str]) -> list[Duel]:
        """The step that each of the shots makes alone."""
        board, side = before.setup.ruleset.board, before.match.side
        return [before.acted(side, Fire(board.parse(cell))) for cell in cells]

    def _rematch(self, first: Browser, second: Browser) -> Iterator[None]:
        before = first.duel
        if self._chance.random() < 0.5:
            asks = [browser.form(action="rematch") for browser in (first, second)]
            for browser, answer in zip(
                (first, second), self._race("both wish a rematch", asks), strict=True
            ):
                browser.follow(answer)
        else:
            asks = [first.form(action="rematch")] * 2
            answers = self._race("wish it in two tabs", asks)
            wished = {unseal_duel(answer.where.split("/")[3]) for answer in answers}
            assert [duel.step for duel in wished] == [before.step + 1]
            second.press(action="rematch")
        yield
        for browser in (first, second):
            browser.look()
            draft = unseal_draft(browser.where.split("/")[3])
            assert draft.claim.id == before.id
            assert draft.setup.tally.rounds == before.setup.tally.rounds + 1
        backs = first.where, second.where
        asks = [browser.form(action="quick") for browser in (first, second)]
        answers = self._race("both place", asks)
        yield
        # Whichever came first was led to a step without a match yet: the placing addresses know.
        for browser, back in zip((first, second), backs, strict=True):
            browser.where = back
        self._see_one_state(first, second)
        assert first.duel.step == before.step + 4
        assert {answer.status for answer in answers} == {303}

    def _see_one_state(self, first: Browser, second: Browser) -> None:
        """Sees that the addresses that both seats have lead them to the same step."""
        for browser in (first, second):
            assert browser.look().status in (200, 303)
        assert first.duel.without_move() == second.duel.without_move()
        assert first.duel.match is not None


class Endings(Races):
    """A match is left, ended as abandoned, and continued by a shot or a move, all at once."""

    def _duel(self) -> Iterator[None]:
        first, second = self._begun()
        for _ in range(self._chance.randrange(4)):
            if not first.duel.is_over:
                mover = (first, second)[first.duel.match.side]
                mover.press(cell=self._cells(mover)[0])
                self._see_one_state(first, second)
        if first.duel.is_over:
            return
        self._see_one_state(first, second)  # draws both pages, from which absence counts
        duel, browsers = first.duel, (first, second)
        side = duel.match.side
        leaver, ender = self._chance.choice([*Side]), self._chance.choice([*Side])
        mover, steers = browsers[side], duel.match.steers(side)
        if duel.is_move_due and steers and self._chance.random() < 0.5:
            steer, kind = self._chance.choice(steers), "leave, abandon and move"
            acting = mover.form(steer=f"{steer.ship}-{steer.course.value}")
            acted = duel.acted(side, steer)
        else:
            [cell, _], kind = self._cells(mover), "leave, abandon and shot"
            acting, acted = mover.form(cell=cell), self._shots(duel, [cell])[0]
        left, ended, gone_on = self._race(
            kind,
            [
                browsers[leaver].form(action="leave"),
                replace(browsers[ender].form(action="abandon"), later=ABANDONED + EVERY),
                acting,
            ],
            {303, 409, 422},
        )
        yield
        self._see_one_state(first, second)
        assert left.status == 303
        begun = acted if gone_on.status == 303 else stayed(duel)
        if gone_on.status == 303 and begun.step > duel.step:
            assert ended.status != 303, "who acts is back"
        if ended.status == 303:
            begun = begun.abandoned()
            self.counted["abandoned"] += 1
        if gone_on.status == 303:
            self.counted["gone on"] += 1
        assert first.duel == second.duel == stayed(begun).with_left(leaver)
        words = [found(r'data-outcome="([a-z]+)"', one.look()) for one in browsers]
        assert sorted(words) in (["draw", "draw"], ["lost", "won"])
        assert (words[0] == "draw") is (ended.status == 303)

    def _begun(self) -> tuple[Browser, Browser]:
        first, second = self._browser(), self._browser()
        first.where = self._new
        first.where = found(r'action="(/en/place/[^"]*)"', first.look())
        first.press(action="quick")
        second.where = "/en" + found(r'data-invite="http://localhost([^"]*)"', first.look())
        assert second.look().status == 200
        second.press(action="join")
        second.press(action="quick")
        self._see_one_state(first, second)
        return first, second


def see_endings(served: Processes, number: int) -> None:
    seed, begun = random.SystemRandom().randrange(2**32), monotonic()
    print(f"seed {seed}")
    endings = Endings(served, seed, NEW)
    endings.more(number)
    took = monotonic() - begun
    print(f"{number} endings in {took:.0f} s, {endings.contested} contested: {endings.run}")
    print(f"{endings.late} times the match store was late; before leaving: {endings.counted}")
    assert endings.contested >= number / 4


def see_races(match_store: str, number: int, new: str = NEW, endings: int = 0) -> Counter[str]:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    begun = monotonic()
    with processes(match_store, PROCESSES) as served:
        races = Races(served, seed, new)
        races.more(number)
        see_endings(served, endings)
    took = monotonic() - begun
    print(f"{races.run.total()} races in {took:.0f} s, {races.contested} contested: {races.run}")
    print(f"{races.late} times the match store was late")
    assert races.late <= max(2, number / 1000)
    assert races.contested >= number / 4
    return races.run


def test_of_two_requests_at_once_one_makes_the_step_and_both_seats_see_it(tmp_path: Path) -> None:
    see_races(f"sqlite:{tmp_path / 'match_store.sqlite3'}", 60, endings=6)


def test_of_two_questions_at_once_one_counts_and_both_seats_see_it(tmp_path: Path) -> None:
    run = see_races(f"sqlite:{tmp_path / 'match_store.sqlite3'}", 40, WITH_QUESTIONS)
    assert sum(run[kind] for kind in run if "question" in kind) >= 5


@pytest.mark.long
def test_ten_thousand_races_have_one_winner_each_in_an_sqlite_file(tmp_path: Path) -> None:
    see_races(f"sqlite:{tmp_path / 'match_store.sqlite3'}", 10_000)


@pytest.mark.long
def test_ten_thousand_races_have_one_winner_each_in_a_redis(tmp_path: Path) -> None:
    with redis_served(tmp_path / "redis") as server:
        see_races(server.url, 10_000)


@pytest.mark.long
def test_a_thousand_ends_at_once_are_seen_alike_in_an_sqlite_file(tmp_path: Path) -> None:
    with processes(f"sqlite:{tmp_path / 'match_store.sqlite3'}", PROCESSES) as served:
        see_endings(served, 1_000)


@pytest.mark.long
def test_a_thousand_ends_at_once_are_seen_alike_in_a_redis(tmp_path: Path) -> None:
    with redis_served(tmp_path / "redis") as server, processes(server.url, PROCESSES) as served:
        see_endings(served, 1_000)
