"""A review takes as many answers as it needs, and the work of each answer is bounded."""

import re
from collections.abc import Iterator
from itertools import groupby, pairwise

import pytest

from game.engine.rules import Ruleset
from game.features.review import model, review_progress, views
from game.features.review.review_progress import SECONDS, ReviewProgress
from game.matches import cell_chances, fairness
from game.matches.referee import most_at_once
from game.matches.saved import SavedMatch
from game.players.belief import tracker
from tests.support import in_both_languages
from tests.support.device import Device
from tests.support.matches import address, ended_against, with_setup

RULES = {
    "still": Ruleset(columns=12, rows=12, fleet=(4, 3, 2, 2), moving=False, turns=None),
    "moving": Ruleset(columns=12, rows=12, fleet=(4, 3, 2, 2), turns=60),
    "salvo": Ruleset(columns=12, rows=12, fleet=(4, 3, 3), salvo=True, again=False,
                     moving=False, turns=None),
}  # fmt: skip
MOST = 12
EACH_RULES = pytest.mark.parametrize(
    "name", ["salvo", *(pytest.param(it, marks=pytest.mark.long) for it in ("still", "moving"))]
)


def over(name: str = "moving", *, number: int = 3) -> SavedMatch:
    return ended_against("recruit", RULES[name], number)


@pytest.fixture(autouse=True)
def answered(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The questions that the belief has answered; the caches are empty at first.

    By the clock of these tests each question takes as long, and MOST of them end a part.
    """
    asked: list[int] = []
    monkeypatch.setattr(model, "thread_time", lambda: len(asked) * SECONDS / MOST)

    counted = tracker.proceed

    def proceed(state: object, question: object, *more: object) -> object:
        asked.append(1)
        return counted(state, question, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(tracker, "proceed", proceed)
    cell_chances.clear_cache()
    yield asked
    cell_chances.clear_cache()


def chain(client: Device, where: str) -> Iterator[str]:
    """Yields an address and those that it leads to, by redirects and by pages."""
    while where:
        yield where
        answer = client.get(where)
        assert answer.status in (200, 302)
        where = answer.next


# --- the review; the check ---


@EACH_RULES
def test_parts_that_follow_each_other_judge_as_all_at_once_does(name: str) -> None:
    match = over(name).match
    done, parts = ReviewProgress(), 0
    while not done.is_judged(match):
        cell_chances.clear_cache()
        before = done.judged
        done = review_progress.unseal(match, review_progress.seal(match, done.judging(match)))
        parts += 1
        assert done.judged[: len(before)] == before
    assert (done.judged, done.parts) == (model.judge_shots(match), parts)
    assert parts > 1
    cell_chances.clear_cache()
    assert done.review == model.review(match)


@pytest.mark.parametrize("parts", [13, pytest.param(14, marks=pytest.mark.long)])
def test_no_browser_is_led_on_by_more_than_twenty_redirects_in_a_row(
    client: Device, parts: int
) -> None:
    saved = over()
    done = review_progress.seal(saved.match, ReviewProgress(parts=parts))
    cell_chances.clear_cache()
    led = [
        client.get(where).status
        for where in chain(client, f"{address(saved, page='review')}{done}/?check=on")
    ]
    assert len(led) > 2
    assert max(len(list(group)) for status, group in groupby(led) if status == 302) <= 20
    assert led[-1] == 200


@EACH_RULES
def test_no_answer_asks_the_belief_more_than_it_may(
    client: Device, name: str, answered: list[int]
) -> None:
    most, leaps = MOST + cell_chances.BLOCK, 0
    for where in chain(client, address(over(name), page="review")):
        answered.clear()
        cell_chances.clear_cache()
        shows = client.get(where).status == 200
        assert len(answered) <= most + shows * cell_chances.BLOCK, (
            "and the board of the step it shows"
        )
        leaps += not shows
    assert leaps > 0


def test_what_says_nothing_true_of_what_was_done_begins_anew(client: Device) -> None:
    saved = over()
    start = address(saved, page="review")
    whole = ReviewProgress(model.judge_shots(saved.match))
    other = review_progress.seal(over(number=4).match, ReviewProgress())
    for text in (review_progress.seal(saved.match, whole)[:-4], "x" * 40, "-", other):
        cell_chances.clear_cache()
        answer = client.get(f"{start}{text}/")
        assert (answer.status, answer.location.startswith(start)) == (302, True)


@in_both_languages
def test_now_and_then_a_page_says_how_far_it_is_and_leads_on(
    client: Device, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "PARTS_IN_A_ROW", 2)
    cell_chances.clear_cache()
    saved = over()
    first = client.get(address(saved, page="review", language=language) + "?side=second")
    second = client.get(first.location)
    judged = re.search(r"(\d+) \w+ (\d+)", re.sub(r"<[^>]+>", " ", second.split("<h1")[1]))
    assert judged
    assert 0 < int(judged[1]) < int(judged[2]) == len(saved.match.shots)
    assert second.next == second.first(r'id="act-go-on" href="([^"]+)"')
    assert second.next.endswith("?side=second")


@pytest.mark.parametrize(("mind", "fair"), [("recruit", "yes"), ("bonn-easy", "no")])
def test_check_this_game_asks_no_more_in_an_answer_than_a_reply_may(
    client: Device, mind: str, fair: str
) -> None:
    """The check ends with the part that has the first fault of a forged opponent."""
    saved = over("still")
    saved = with_setup(saved, minds=(None, mind))
    whole = fairness.replay(saved.match, saved.setup.minds)
    most, asked = most_at_once(RULES["still"]), []
    for where in chain(client, address(saved, page="review") + "?check=on"):
        sealed = re.search(r"/review/[^/]+/([^/]+)/", where)
        asked.append(review_progress.unseal(saved.match, sealed[1]).same if sealed else 0)
    assert all(0 <= after - before <= most for before, after in pairwise(asked))
    html, fault = client.get(where), whole.first_fault
    assert html.attribute("data-fair") == fair
    if fault is None:
        assert asked[-1] > 0
        table = html.split("Every decision")[1].split("</table>")[0]
        assert table.count("<td>yes</td>") == len(whole.decisions)
    else:
        assert f"No: at step {fault.ply}," in html
