"""The home page, and the page of all games."""

from game.engine.presets import PRESETS
from tests.support.device import Device


def test_the_home_page_offers_six_games_and_a_page_of_all(client: Device) -> None:
    home, games = client.see("/en/"), client.see("/en/games/")
    drawings = home.all(r'class="game-card".*?(<svg.*?</svg>)')
    assert len(drawings) == len(set(drawings)) == home.count('class="game-card"') == 6
    assert "/en/games/" in home.links
    cards = games.all(r'class="game-card" id="(?:play-)?([\w-]+)"')
    assert sorted(cards) == sorted({*PRESETS, "deduction", "setup-own"} - {"own"})
    wheres = [*(f"new/{name}" for name in PRESETS if name != "own"), "setup/own", "deduction"]
    assert {games.links.count(f"/en/{where}/") for where in wheres} == {1}
