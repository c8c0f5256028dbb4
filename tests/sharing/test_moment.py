"""The ship that got away: which one it is, and what its page tells and doesn't."""

from game.engine.actions import Result
from game.engine.rules import Side
from game.features.sharing.moment import best_escape, escapes, longest_run
from tests.support.device import Device
from tests.support.matches import STILL, address, begun, ended, lost, saved_at


def test_a_ship_escapes_that_left_the_cell_of_a_miss_one_turn_before() -> None:
    saved = lost()
    match, found = saved.match, escapes(saved)
    assert found
    for shot, ship, before, after in found:
        owner = shot.side.opponent
        assert shot.result is Result.WATER
        assert shot.cell in before.cells
        assert shot.cell not in after.cells
        assert match.at(shot.ply).placements(owner)[ship] == after
        turn_before = [ply for ply in range(shot.ply) if match.at(ply).turn == shot.turn - 1]
        assert any(match.at(ply).placements(owner)[ship] == before for ply in turn_before)
    best = best_escape(saved)
    assert best is not None
    mine = [one for one in found if one.shot.side is Side.FIRST]
    assert best in (mine or found)
    assert best.after.length == max(one.after.length for one in mine or found)


def test_without_moves_the_longest_run_of_hits_is_shown() -> None:
    saved = ended(STILL, number=3)
    assert not escapes(saved)
    run = longest_run(saved)
    mine = [shot for shot in saved.match.shots if shot.side is Side.FIRST]
    at = mine.index(run[0])
    assert mine[at : at + len(run)] == run
    assert all(shot.result is not Result.WATER for shot in run)


def test_its_page_shows_one_ship_and_leads_to_the_same_fleet(client: Device) -> None:
    saved = lost()
    html = client.get(address(saved))
    where = html.attribute('id="act-moment" href')
    page = client.see(where)
    assert set(page.cells("enemy").values()) <= {"unknown", "water", "sea"}
    assert page.count('class="hull is-afloat') == 1
    challenge = page.attribute('id="act-same-fleet"\n  href')
    draft = client.post(challenge, {"action": "accept"}, follow=True).where
    friend = saved_at(client.post(draft, {"action": "quick"}, follow=True).where)
    assert friend.match.fleets[Side.SECOND] == saved.match.fleets[Side.SECOND]
    client.get(where.replace("moment/", "moment.png"))


def test_before_the_end_there_is_none(client: Device) -> None:
    assert "act-moment" not in client.get(address(begun()))
