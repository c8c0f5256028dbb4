"""Fleets as lists of ships: those to be placed, the player's own, and the enemy's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from game.display.names import kind_name, kind_pictures, pictures, ship_names, wreck_picture
from game.engine.actions import Shot
from game.engine.observation import Observation
from game.engine.rules import Ruleset
from game.matches.draft import Draft


class ShipToPlace(NamedTuple):
    """One length of ship, and how many are yet to be placed."""

    length: int
    name: str
    left: int
    of: int
    is_picked: bool
    pictures: tuple[str, ...]
    """Their ids in ships.svg, in the order in which they are placed."""

    @property
    def moored(self) -> list[tuple[str, bool]]:
        """Each ship's picture and whether it has left the harbour, the next to be placed first."""
        out = self.of - self.left
        berths = [(shown, at < out) for at, shown in enumerate(self.pictures)]
        return berths[out:] + berths[:out]


def ships_to_place(draft: Draft) -> list[ShipToPlace]:
    """Returns the ships of a draft that are yet to be placed, longest first."""
    left = Counter(draft.missing)
    return [
        ShipToPlace(
            length,
            kind_name(draft.setup.ruleset, length),
            left[length],
            of,
            length == draft.in_hand,
            tuple(kind_pictures(draft.setup.ruleset.fleet, length)),
        )
        for length, of in sorted(Counter(draft.setup.ruleset.fleet).items(), reverse=True)
    ]


class FleetLine(NamedTuple):
    """One kind of ship in the list of a fleet."""

    name: str
    length: int
    ships: tuple[tuple[str, str, str], ...]
    """Each ship's look (afloat, hit, sunk), its state in words, empty if the line says it, and
    its picture."""
    is_gone: bool
    fresh: tuple[int, ...] = ()
    """The indices of the ships that the last shots sank."""
    afloat: str = ""
    """How many are afloat, in words, if the list doesn't tell the ships apart."""
    sunk: str = ""

    @property
    def left(self) -> int:
        return sum(look != "sunk" for look, _state, _picture in self.ships)


def enemy_fleet(seen: Observation, latest: Iterable[Shot] = ()) -> tuple[FleetLine, ...]:
    """Returns a line for each kind of ship, or for each ship if hits are named."""
    rules, sunk = seen.ruleset, [shot for shot in latest if shot.wreck is not None]
    if rules.named:
        fresh = tuple(sorted(shot.ship for shot in sunk if shot.ship is not None))
        return _told_apart(rules, seen.enemy_hits, fresh, False, get_language() or "en")
    lengths = tuple(sorted(shot.wreck.length for shot in sunk if shot.wreck is not None))
    return _enemy_fleet(rules, seen.enemy_left, lengths, get_language() or "en")


@lru_cache(maxsize=256)  # rulesets in play, with what is left of a fleet; 2 kB each
def _enemy_fleet(
    rules: Ruleset, left: tuple[int, ...], just_sunk: tuple[int, ...], _language: str
) -> tuple[FleetLine, ...]:
    lines = []
    for length, count in sorted(Counter(rules.fleet).items(), reverse=True):
        afloat = left.count(length)
        gone = count - afloat
        looks = ("afloat",) * afloat + ("sunk",) * gone
        shown = kind_pictures(rules.fleet, length)
        if afloat and gone:  # which of them sank isn't known
            shown = [wreck_picture(rules.fleet, length)] * count
        lines.append(
            FleetLine(
                kind_name(rules, length),
                length,
                tuple((look, "", one) for look, one in zip(looks, shown, strict=True)),
                not afloat,
                tuple(range(count - just_sunk.count(length), count)),
                _("%(count)s afloat") % {"count": afloat} if afloat else "",
                _("%(count)s sunk") % {"count": gone} if gone else "",
            )
        )
    return tuple(lines)


def own_fleet(seen: Observation, latest: Iterable[Shot] = ()) -> tuple[FleetLine, ...]:
    """Returns the observer's ships with their states; ships of one name share a line."""
    if not seen.ships:  # in a search alone
        return ()
    sunk = {shot.wreck for shot in latest}
    hits = tuple([len(ship.hits) for ship in seen.ships])
    fresh = tuple([ship.id for ship in seen.ships if ship.placement in sunk and not ship.is_afloat])
    moves = seen.ruleset.moving and seen.outcome is None
    return _told_apart(seen.ruleset, hits, fresh, moves, get_language() or "en")


@lru_cache(maxsize=256)  # the fleets of 250 players; 2 kB each
def _told_apart(
    rules: Ruleset, hits: tuple[int, ...], just_sunk: tuple[int, ...], moves: bool, _language: str
) -> tuple[FleetLine, ...]:
    """Returns a line for each name; `hits` counts each ship's hits, `just_sunk` has ids."""
    lines, names, shown = [], ship_names(rules), pictures(rules.fleet)
    order = sorted(range(len(names)), key=lambda ship: -rules.fleet[ship])
    for name, group in groupby(order, key=lambda ship: names[ship]):
        ships = list(group)
        length = rules.fleet[ships[0]]
        lines.append(
            FleetLine(
                name,
                length,
                tuple((*_state(length, hits[ship], moves=moves), shown[ship]) for ship in ships),
                all(hits[ship] == length for ship in ships),
                tuple(at for at, ship in enumerate(ships) if ship in just_sunk),
            )
        )
    return tuple(lines)


def _state(length: int, hits: int, *, moves: bool) -> tuple[str, str]:
    if hits == length:
        return "sunk", pgettext("ship", "sunk")
    if not hits:
        return "afloat", _("afloat")
    words = _("hit %(hits)s of %(of)s, stuck") if moves else _("hit %(hits)s of %(of)s")
    return "hit", words % {"hits": hits, "of": length}
