"""Cells and boards."""

from __future__ import annotations

from string import ascii_uppercase

import pytest

from game.engine.geometry import LARGEST, SMALLEST, Board, Cell, NotACell, mask_of
from tests.support import boards

BOARDS = [Board(4, 4), Board(10, 10), Board(15, 4), Board(4, 15), Board(15, 15), Board(7, 9)]


@pytest.mark.parametrize("side", range(SMALLEST, LARGEST + 1))
def test_a_board_may_have_any_side_from_4_to_15(side: int) -> None:
    assert Board(side, 4).size == Board(4, side).size == 4 * side


@pytest.mark.parametrize(("columns", "rows"), [(3, 10), (10, 3), (16, 10), (10, 16), (0, 0)])
def test_a_board_of_another_size_is_refused(columns: int, rows: int) -> None:
    wrong = next(side for side in (columns, rows) if not 4 <= side <= 15)
    with pytest.raises(ValueError, match=rf"^not a board side from 4 to 15: {wrong}$"):
        Board(columns, rows)


@pytest.mark.parametrize(
    ("name", "column", "row", "index"),
    [("A1", 0, 0, 0), ("B7", 1, 6, 61), ("J1", 9, 0, 9), ("A10", 0, 9, 90), ("J10", 9, 9, 99)],
)
def test_a_cell_is_counted_row_by_row_from_the_top_left(
    name: str, column: int, row: int, index: int
) -> None:
    board = Board(10, 10)
    cell = board.parse(name)
    assert cell == board.cell(column, row) == index
    assert (board.column(cell), board.row(cell), board.name(cell)) == (column, row, name)


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_names_and_cells_are_twins_on_every_board(board: Board) -> None:
    names = [
        f"{ascii_uppercase[c]}{r + 1}" for r in range(board.rows) for c in range(board.columns)
    ]
    assert [board.name(cell) for cell in board.cells] == names
    assert [board.parse(name) for name in names] == list(range(board.size)) == list(board.cells)


@pytest.mark.parametrize(
    "text",
    ["", "A", "7", "7B", "b7", "B07", "B0", "B-1", "B7 ", " B7", "B7\n", "AB7", "B 7", "B100",
     "B٧", "B1٧", "Ä1", "Ｂ7", "B7h3", "B1.0"],
)  # fmt: skip
def test_text_that_is_no_cell_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(NotACell) as refusal:
        Board(15, 15).parse(text)
    assert str(refusal.value) == f"not a cell: {text!r}"


@pytest.mark.parametrize("text", ["K1", "A11", "O15", "P1", "Z9", "A99"])
def test_a_cell_of_a_larger_board_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(NotACell, match=rf"^not on a 10 by 10 board: '{text}'$"):
        Board(10, 10).parse(text)


def test_a_long_text_is_not_quoted_whole() -> None:
    with pytest.raises(NotACell) as refusal:
        Board(10, 10).parse("Q" * 100_000)
    assert len(str(refusal.value)) < 40


@pytest.mark.parametrize(("column", "row"), [(-1, 0), (0, -1), (10, 0), (0, 4), (3, 10)])
def test_a_column_or_row_off_the_board_is_refused(column: int, row: int) -> None:
    board = Board(10, 4)
    assert not board.has(column, row)
    with pytest.raises(NotACell, match=r"^not on a 10 by 4 board: "):
        board.cell(column, row)


@pytest.mark.parametrize(
    ("cell", "around", "beside"),
    [
        ("B2", "***..  *.*..  ***..  .....", ".*...  *.*..  .*...  ....."),
        ("A1", ".*...  **...  .....  .....", ".*...  *....  .....  ....."),
        ("E4", ".....  .....  ...**  ...*.", ".....  .....  ....*  ...*."),
        ("E2", "...**  ...*.  ...**  .....", "....*  ...*.  ....*  ....."),
        ("C4", ".....  .....  .***.  .*.*.", ".....  .....  ..*..  .*.*."),
    ],
)
def test_neighbours_are_all_around_and_sides_share_an_edge(
    cell: str, around: str, beside: str
) -> None:
    board = Board(5, 4)
    neighbours, sides = board.neighbours(board.parse(cell)), board.sides(board.parse(cell))
    assert boards.draw_cells(board, neighbours) == boards.panel(around)
    assert boards.draw_cells(board, sides) == boards.panel(beside)
    assert list(neighbours) == sorted(neighbours), "not in reading order"
    assert list(sides) == sorted(sides), "not in reading order"


def test_distance_counts_a_kings_moves() -> None:
    board = Board(5, 4)
    from_b2 = "".join(str(board.distance(board.parse("B2"), cell)) for cell in board.cells)
    assert from_b2 == "11123" + "10123" + "11123" + "22223"


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_neighbours_are_the_cells_one_move_away(board: Board) -> None:
    for cell in board.cells:
        near = tuple(other for other in board.cells if board.distance(cell, other) == 1)
        assert board.neighbours(cell) == near


def test_a_mask_has_one_bit_for_each_cell() -> None:
    assert mask_of([]) == 0
    assert mask_of([Cell(0), Cell(3), Cell(3), Cell(224)]) == 1 + 8 + 2**224
