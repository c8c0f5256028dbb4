"""The match of the page on how the computer thinks: it is what the code plays and believes."""

from __future__ import annotations

import numpy as np
import pytest

from bench import thinking
from bench.thinking import MINDS, NEAR
from game.engine.rules import Side
from game.matches import referee
from game.matches.thinking import Moment, Story, read
from game.players.minds import MINDS as PLAYERS
from game.views.thinking import FILE

AGAIN = "make it again: python -m bench thinking"


@pytest.fixture(scope="module")
def story() -> Story:
    return read(FILE.read_text())


def test_the_text_is_read_and_written_without_loss(story: Story) -> None:
    assert thinking.write(story) == FILE.read_text(), AGAIN


def test_the_match_is_one_that_the_two_minds_play(story: Story) -> None:
    kept = story.record
    seed = int.from_bytes(kept.match.seed, "big")
    assert kept.minds == MINDS
    assert thinking.play(seed) == kept, AGAIN


def test_the_moments_are_those_that_the_page_tells_of(story: Story) -> None:
    plies = thinking.plies(story.record.match)
    assert plies is not None
    assert {moment.name: moment.ply for moment in story.moments} == plies, AGAIN
    assert sorted(plies.values()) == list(plies.values())


def test_before_the_first_hit_it_fires_about_where_the_page_expects_most(story: Story) -> None:
    for moment in story.moments[:2]:
        after = story.record.match.at(moment.ply + 1)
        assert moment.view.cells[after.shots[-1].cell] >= moment.view.cells.max() - NEAR, AGAIN


def test_a_match_that_lacks_a_moment_tells_no_story(story: Story) -> None:
    match = story.record.match
    for moment in story.moments[2:]:
        assert thinking.plies(match.at(moment.ply)) is None
    assert not list(thinking.moments(match.at(story.moments[-1].ply)))
    assert thinking.plies(match.at(story.moments[-1].ply + 1)) == thinking.plies(match)


def test_the_chances_are_what_the_belief_says(story: Story) -> None:
    now = list(thinking.moments(story.record.match))
    for said, found in zip(story.moments, now, strict=True):
        assert (said.name, said.ply) == (found.name, found.ply), AGAIN
        assert np.array_equal(said.view.cells, found.view.cells), AGAIN
        assert np.array_equal(said.view.unhit, found.view.unhit), AGAIN


def test_the_mind_fires_where_the_match_says(story: Story) -> None:
    match = story.record.match

    def decided(moment: Moment) -> bool:
        stage = match.at(moment.ply)
        assert stage.side is Side.FIRST
        return referee.decide(PLAYERS["admiral"], stage) == match.at(moment.ply + 1)

    assert all(map(decided, story.moments))
