"""The match of the page on how the computer thinks: it is what the code plays and believes."""

from game.matches.thinking import FILE, read
from tests.support import thinking

AGAIN = "make it again: python -m tests.support.thinking"


def test_the_page_shows_what_the_minds_play_and_the_belief_says() -> None:
    text = FILE.read_text()
    seed = int.from_bytes(read(text).record.match.seed, "big")
    assert thinking.write(thinking.play(seed)) == text, AGAIN


def test_what_the_page_says_of_each_moment_is_true() -> None:
    story = read(FILE.read_text())
    assert [moment.name for moment in story.moments] == ["opening", "water", "hit", "sunk", "old"]
    assert thinking.can_be_told(story), AGAIN
