"""If a hit names the ship, every view has a different name for each ship."""

import re
from dataclasses import replace

from django.utils.translation import override

from game.display import messages
from game.display.fleet_lists import enemy_fleet, own_fleet
from game.display.names import ship_names
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Side
from game.matches.cell_names import lettered
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from tests.support.boards import play, start
from tests.support.device import Device
from tests.support.matches import address, ended, opening, played

NAMED = PRESETS["milton"].ruleset
LAID = """
    aa.bb.  aa.bb.
    ......  ......
    ..ccc.  ..ccc.
    ......  ......
    """


def small(*, named: bool, script: str = "A1 F4 B1 E4 C3 D4 D1") -> SavedMatch:
    """A match of two pairs and a three, in which the first side fires at all of them."""
    match = play(start(LAID, touching=True, named=named), script)
    return SavedMatch(Setup(match.ruleset, (None, "random")), match)


def test_no_two_ships_have_the_same_name() -> None:
    assert ship_names(NAMED) == ("Carrier", "Battleship", "Cruiser", "Submarine", "Destroyer")
    with override("de"):
        assert len(set(ship_names(NAMED))) == 5
    many = replace(BONN, named=True)
    assert ship_names(many)[1:4] == ("Cruiser 1", "Cruiser 2", "Destroyer 1")
    assert len(set(ship_names(many))) == len(many.fleet)
    assert len(set(ship_names(BONN))) == 4, "where nothing is named, the kinds are"
    # One's own ships are told apart in every fleet of 1990.
    fleet = own_fleet(observe(opening(PRESETS["uppsala"].ruleset).match, Side.FIRST))
    assert tuple(line.name for line in fleet) == ship_names(NAMED)


def test_the_same_shots_tell_the_ship_only_where_hits_are_named() -> None:
    named = "A1, submarine 1 hit; B1, submarine 1 sunk; C3, destroyer hit; D1, submarine 2 hit"
    for is_named, told in ((True, named), (False, "A1, hit; B1, submarine sunk; C3, hit; D1, hit")):
        match = small(named=is_named).match
        mine = [shot for shot in match.shots if shot.side is Side.FIRST]
        lines = [
            messages.tell_shots([shot], match.ruleset, lettered(match.ruleset.board))[0]
            for shot in mine
        ]
        assert lines == told.split("; ")


def test_the_list_of_ships_to_find_tells_how_often_each_was_hit() -> None:
    fleet = enemy_fleet(observe(small(named=True).match, Side.FIRST))
    told = [f"{line.name}: {state}" for line in fleet for _look, state, _picture in line.ships]
    assert told == ["Destroyer: hit 1 of 3", "Submarine 1: sunk", "Submarine 2: hit 1 of 2"]
    plain = observe(small(named=False).match, Side.FIRST)
    assert [line.name for line in enemy_fleet(plain)] == ["Destroyer", "Submarine"]


def test_the_board_shows_the_length_of_what_was_hit_and_says_its_name(client: Device) -> None:
    saved = played(opening(NAMED, number=3), 60)
    html = client.get(address(saved))
    assert html.search(r'data-state="hit" data-length="[2-5]"')
    assert html.search(r'aria-label="[A-J]\d+, hit, (Carrier|Battleship|Cruiser|Submarine)')
    html = client.get(address(played(opening(replace(NAMED, named=False), number=3), 60)))
    assert not html.all(r'data-cell="\w+" data-state="\w+" data-length')


def test_of_two_threes_nobody_knows_which_sank_unless_it_is_told() -> None:
    for number in range(6):
        match = ended(replace(NAMED, named=False), number=number).match
        for shot in match.shots:
            if shot.wreck is not None and shot.wreck.length == 3:
                told = messages.tell_shots([shot], match.ruleset, lettered(match.ruleset.board))[0]
                assert told.endswith(", cruiser or submarine sunk")
                if shot.side is Side.SECOND:
                    own = messages.named(observe(match, Side.FIRST), [shot])
                    told = messages.tell_shots(
                        own, match.ruleset, lettered(match.ruleset.board), is_yours=True
                    )[0]
                    assert re.search(r", your (cruiser|submarine), sunk$", told)
