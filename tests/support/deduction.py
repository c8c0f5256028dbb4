"""Seas of the deduction game, and hiding places and guesses in them."""

from __future__ import annotations

from hypothesis import strategies as st

from game.deduction.rules import MELBOURNE, Cells, Rules

SEAS = [
    MELBOURNE,
    Rules(columns=4, rows=4, ships=1),
    Rules(columns=6, rows=4, ships=2),
    Rules(columns=5, rows=5, ships=4),
]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Rules, Cells, Cells]:
    """A sea, a hiding place and a guess."""
    rules = draw(st.sampled_from(SEAS))
    cells = st.lists(
        st.sampled_from(list(rules.board.cells)),
        min_size=rules.ships, max_size=rules.ships, unique=True,
    )  # fmt: skip
    return rules, rules.cells(draw(cells)), rules.cells(draw(cells))
