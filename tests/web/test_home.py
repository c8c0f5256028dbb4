"""The home page, and the page of all games."""

from game.engine.presets import PRESETS
from tests.support.device import Device
from tests.support.features import merged


def test_the_home_page_offers_some_games_and_a_page_of_all(client: Device) -> None:
    home, games = client.see("/en/"), client.see("/en/games/")
    drawings = home.all(r'class="game-card".*?(<svg.*?</svg>)')
    assert len(drawings) == len(set(drawings)) == home.count('class="game-card"')
    cards = merged("CARDS")
    assert len(drawings) == 5 + len(cards)
    assert "/en/games/" in home.links
    shown = games.all(r'class="game-card" id="(?:play-)?([\w-]+)"')
    assert sorted(shown) == sorted({*PRESETS, *cards, "setup-own"} - {"own"})
    wheres = [*(f"new/{name}" for name in PRESETS if name != "own"), "setup/own", *cards.values()]
    assert {games.links.count(f"/en/{where}/") for where in wheres} == {1}
