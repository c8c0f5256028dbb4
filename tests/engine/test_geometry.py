"""Cells and boards."""

from string import ascii_uppercase

import pytest

from game.engine.geometry import Board, NotACell, cells_of

BOARDS = [Board(4, 4), Board(10, 10), Board(15, 4), Board(4, 15), Board(15, 15), Board(7, 9)]
MINE, TALL = Board(10, 10), Board(5, 15)


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_cells_are_counted_and_named_row_by_row_from_the_top_left(board: Board) -> None:
    places = [(column, row) for row in range(board.rows) for column in range(board.columns)]
    assert [(board.column(cell), board.row(cell)) for cell in board.cells] == places
    assert [board.cell(*place) for place in places] == list(range(board.size))
    names = [f"{ascii_uppercase[column]}{row + 1}" for column, row in places]
    assert [board.name(cell) for cell in board.cells] == names
    assert [board.parse(name) for name in names] == list(board.cells)


NO_CELLS = "|A|7|7B|b7|B07|B0|B-1|B7 | B7|B7\n|AB7|B 7|B100|B٧|B1٧|Ä1|Ｂ7|B7h3|B1.0"


@pytest.mark.parametrize("text", [*NO_CELLS.split("|"), "Q" * 100_000])
def test_text_that_is_no_cell_is_refused_and_quoted_but_not_whole_if_it_is_long(text: str) -> None:
    with pytest.raises(NotACell) as refusal:
        Board(15, 15).parse(text)
    assert str(refusal.value) == f"not a cell: {text[:12]!r}"


@pytest.mark.parametrize("text", ["K1", "A11", "O15", "P1", "Z9", "A99"])
def test_a_cell_of_a_larger_board_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(NotACell, match=rf"^not on a 10 by 10 board: '{text}'$"):
        MINE.parse(text)


@pytest.mark.parametrize("place", [(-1, 0), (0, -1), (5, 0), (0, 15), (3, 20)])
def test_a_column_or_row_off_the_board_is_refused(place: tuple[int, int]) -> None:
    assert not TALL.has(*place)
    with pytest.raises(NotACell) as refusal:
        TALL.cell(*place)
    assert str(refusal.value) == f"not on a 5 by 15 board: {place}"


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_distances_count_a_kings_moves_and_sides_share_an_edge(board: Board) -> None:
    def steps(one: int, other: int) -> tuple[int, int]:
        (down, across), (lower, right) = (divmod(cell, board.columns) for cell in (one, other))
        return abs(down - lower), abs(across - right)

    for cell in board.cells:
        far = [max(steps(cell, other)) for other in board.cells]
        assert [board.distance(cell, other) for other in board.cells] == far
        near = tuple(other for other in board.cells if far[other] == 1)
        assert board.neighbours(cell) == near
        assert board.sides(cell) == tuple(one for one in near if sum(steps(cell, one)) == 1)


def test_two_cells_are_the_corners_of_a_rectangle() -> None:
    board = Board(5, 4)
    for one in board.cells:
        for other in board.cells:
            columns, rows = (
                range(min(of(one), of(other)), max(of(one), of(other)) + 1)
                for of in (board.column, board.row)
            )
            between = [board.cell(column, row) for row in rows for column in columns]
            assert board.corners(one, other) == (between[0], between[-1])
            assert cells_of(board.rectangle(between[0], between[-1])) == between
