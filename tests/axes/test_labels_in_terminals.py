"""Labels in the terminal: what is drawn is what every command reads, and a cell beats a command."""

from collections.abc import Callable
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command

from bench.matches import begun
from game.engine.notation import action_text
from game.engine.presets import OWN
from game.features.axes.labels import parse_labels
from game.features.axes.parts import Axes
from game.matches.draft import Draft
from game.matches.setup import Setup
from game.matches.tokens import unseal_draft, unseal_match
from tests.support.features import needs_features
from tests.support.matches import address, draft_address

pytestmark = needs_features("terminal")

Typed = Callable[[str, str], tuple[str, str]]
Labels = tuple[str, str]
TURNED = ("F;E;D;C;B;A", "6..1")
"""Columns and rows of which the first is called as the last one usually is."""
HALF = ("F;E;D;C;B;A", "house;dog;the cat;3;sea;cow")
NUMBERS = ("1..6", "6..1")
WORDS = ("dark red;blue;I;you;he;she", "dog;the cat;-1;3;sea;cow")
COMMANDS = ("quit;help;ask;take;move;b", "dog;quit;yes;c4;d4;fore")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """What is printed after lines were typed, which `|` separates, and the token at the end."""

    def play(where: str, lines: str) -> tuple[str, str]:
        monkeypatch.setattr("sys.stdin", StringIO(lines.replace("|", "\n") + "\n"))
        call_command("play", where, lang="en")
        said = capsys.readouterr().out
        return said, said.rstrip().rpartition("\n")[2].split("/")[-2]

    return play


def setup(labels: Labels, *, moving: bool = False) -> Setup:
    questions = 0 if moving else 9
    rules = replace(
        OWN.ruleset, columns=6, rows=6, fleet=(3, 2), questions=questions, moving=moving
    )
    axes = Axes(parse_labels(labels[0]), parse_labels(labels[1]))
    return Setup(rules, (None, "random"), OWN).with_part(axes)


ACTIONS = [
    (TURNED, "a1", "F6"), (TURNED, "f6", "A1"), (TURNED, "1 a", "F6"), (TURNED, "A / 6", "F1"),
    (TURNED, "ask a1 b2", "ask E5 F6"), (TURNED, "ask f6", "ask A1 A1"),
    (HALF, "a1", "F1"), (HALF, "a 4", "F4"), (HALF, "f dog", "A2"), (HALF, "a/3", "F4"),
    (NUMBERS, "1 6", "A1"), (NUMBERS, "(6/1)", "F6"), (NUMBERS, "ask 1 6 2 5", "ask A1 B2"),
    (WORDS, "b4", "B4"), (WORDS, "blue 3", "B4"), (WORDS, "b / 3", None),
    (WORDS, "DARK RED−1", "A3"),
    (WORDS, "ask dark red the cat blue dog", "ask A1 B2"),
    (WORDS, "ask blue / 3; he / sea", "ask B4 E5"),
    (WORDS, "ask blue dog to you cow", "ask B1 D6"), (WORDS, "ask she cow", "ask F6 F6"),
    (WORDS, "ask a1 d4", "ask A1 D4"), (WORDS, "ask I cow, b2", "ask B2 C6"),
    (COMMANDS, "quit dog", "A1"), (COMMANDS, "help quit", "B2"), (COMMANDS, "ask c4", "C4"),
    (COMMANDS, "take c4", "D4"), (COMMANDS, "move fore", "E6"), (COMMANDS, "Ask  C4", "C4"),
    (COMMANDS, "/ask c4", "ask C4 C4"), (COMMANDS, "/quit dog", None), (COMMANDS, "quit", None),
]  # fmt: skip


@pytest.mark.parametrize(("labels", "line", "action"), ACTIONS)
def test_a_line_names_the_cell_that_is_drawn_or_called_so(
    typed: Typed, labels: Labels, line: str, action: str | None
) -> None:
    """B2 and B7"""
    saved = begun(setup(labels), 1)
    _said, token = typed(address(saved), line)
    match = unseal_match(token).match
    assert [action_text(match.ruleset, it) for it in match.actions[:1]] == [action] * bool(action)


PLACINGS = [
    (TURNED, "a6v3", "F1v3"), (TURNED, "a3 v3|take a2|f6h3", "A1h3"),
    (TURNED, "a6v3|turn a6", "D1h3"),
    (WORDS, "a1h3", "A1h3"), (WORDS, "blue dog h3", "B1h3"), (WORDS, "I / the cat v 3", "C2v3"),
    (WORDS, "blue dog h3|take blue dog", ""), (COMMANDS, "take dog h3|take take dog", ""),
]  # fmt: skip


@pytest.mark.parametrize(("labels", "lines", "ships"), PLACINGS)
def test_ships_are_placed_and_taken_by_what_is_drawn(
    typed: Typed, labels: Labels, lines: str, ships: str
) -> None:
    """B2"""
    _said, token = typed(draft_address(Draft(setup(labels))), lines)
    assert " ".join(map(str, unseal_draft(token).placed)) == ships


def test_a_ship_is_moved_by_what_is_drawn(typed: Typed) -> None:
    """B2: A6 is drawn at the upper right."""
    _said, token = typed(
        draft_address(Draft(setup(TURNED, moving=True))), "a6v3|c6v2|start|move a6 down"
    )
    match = unseal_match(token).match
    assert action_text(match.ruleset, match.actions[0]) == "0-aft"


DRAWN = {
    TURNED: "F E D C B A\n  6 ", HALF: "F E D C B A\n  1 ", NUMBERS: "1 2 3 4 5 6\n  6 ",
    WORDS: "A B C D E F\n  1 ", ("语;ж;ε;a;b;c", "1..6"): "A B C D E F\n  1 ",
}  # fmt: skip


@pytest.mark.parametrize("labels", DRAWN)
def test_short_labels_are_drawn_and_letters_stand_for_longer_ones(
    typed: Typed, labels: Labels
) -> None:
    said, _token = typed(address(begun(setup(labels), 1)), "")
    assert DRAWN[labels] in said.replace("    ", "  ").replace("        ", "")


def test_how_to_quit_is_said_where_a_label_is_a_command(typed: Typed) -> None:
    """B7"""
    for labels, count in ((COMMANDS, 1), (WORDS, 0)):
        said, _token = typed(address(begun(setup(labels), 1)), "")
        assert " ".join(said.split()).count("For a command type / before it: /quit.") == count
