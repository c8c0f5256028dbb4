"""The command of the terminal: which puzzles follow, and what is drawn."""

from game.feature import TerminalSession
from game.features.puzzles.terminal import Puzzles


def drawn(lines: str, seed: bytes | None = bytes(16)) -> list[str]:
    """The titles of the boards and the sentences below, while lines are typed."""
    typed, found = iter(lines.split("|")), list[str]()
    session = TerminalSession(
        lambda prompt: next(typed),
        found.append,
        lambda board, title, seen, sentences: found.append(" ".join((title, *sentences))),
        seed,
    )
    Puzzles(session).solve("")
    return found


def test_the_seed_of_a_session_decides_its_puzzles() -> None:
    lines = "z9|a1|a2|a3|a4|a5|b1|b2|b3|c1|help||q"
    assert drawn(lines) == drawn(lines) != drawn(lines, b"x" * 16)
    assert drawn(lines, None)[1] == "That is not a cell of this board."
    assert "Enter: another puzzle. q: back to the game." in drawn(lines)
