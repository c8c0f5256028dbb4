"""The distribution of the player's own results of today's sea."""

from game.features.daily.words import spread


def test_results_are_counted_by_rows_of_shots_from_the_second_sea_on() -> None:
    assert spread([24]) == []
    rows = dict(spread([20, 21, 25, 41, 255]))
    assert rows == {"1–20": 1, "21–25": 2, "26–30": 0, "31–40": 0, "41+": 2}
