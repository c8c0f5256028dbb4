"""Fleets as lists of ships: those to be placed, the player's own, and the enemy's."""

from collections import Counter
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.names import kind_name, kind_pictures, pictures, ship_names, wreck_picture
from game.display.words import cached_by_language
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
    def handles(self) -> dict[str, int]:
        return {"length": self.length, "left": self.left, "of": self.of}

    @property
    def moored(self) -> list[tuple[str, bool]]:
        """Each ship's picture and whether it has left the harbour, the next to be placed first."""
        out = self.of - self.left
        berths = [(shown, at < out) for at, shown in enumerate(self.pictures)]
        return berths[out:] + berths[:out]


def ships_to_place(draft: Draft) -> list[ShipToPlace]:
    """Returns the ships of a draft that are yet to be placed, longest first."""
    left, rules = Counter(draft.missing), draft.setup.ruleset
    return [
        ShipToPlace(
            length,
            kind_name(rules, length),
            left[length],
            of,
            length == draft.in_hand,
            tuple(kind_pictures(rules.fleet, length)),
        )
        for length, of in sorted(Counter(rules.fleet).items(), reverse=True)
    ]


class FleetLine(NamedTuple):
    """One kind of ship in the list of a fleet."""

    name: str
    length: int
    ships: tuple[tuple[str, str, str], ...]
    """Each ship's look (afloat, hit, sunk), its state in words, empty if the line says it, and
    its picture."""
    is_gone: bool
    afloat: str = ""
    """How many are afloat, in words, if the list doesn't tell the ships apart."""
    sunk: str = ""

    @property
    def left(self) -> int:
        return sum(look != "sunk" for look, _state, _picture in self.ships)

    @property
    def of(self) -> int:
        return len(self.ships)

    @property
    def shown_left(self) -> str:
        """How many are left of how many; empty for a single ship that is afloat."""
        if self.left < self.of:
            return f"{self.left}/{self.of}"
        return f"× {self.of}" if self.of > 1 else ""

    @property
    def width(self) -> int:
        """The width of its pictures in the units of ships.svg."""
        return self.length * 40

    @property
    def handles(self) -> dict[str, int]:
        return {"length": self.length, "left": self.left, "of": self.of}


def enemy_fleet(seen: Observation) -> tuple[FleetLine, ...]:
    """Returns a line for each kind of ship, or for each ship if hits are named."""
    if seen.ruleset.named:
        return _told_apart(seen.ruleset, seen.enemy_hits, False)
    return _enemy_fleet(seen.ruleset, seen.enemy_left)


@cached_by_language(maxsize=256)  # rulesets in play, with what is left of a fleet; 2 kB each
def _enemy_fleet(rules: Ruleset, left: tuple[int, ...]) -> tuple[FleetLine, ...]:
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
                _("%(count)s afloat") % {"count": afloat} if afloat and not rules.silent else "",
                _("%(count)s sunk") % {"count": gone} if gone else "",
            )
        )
    return tuple(lines)


def own_fleet(seen: Observation) -> tuple[FleetLine, ...]:
    """Returns the observer's ships with their states; ships of one name share a line."""
    if not seen.ships:  # in a search alone
        return ()
    hits = tuple([len(ship.hits) for ship in seen.ships])
    moves = seen.ruleset.moving and seen.outcome is None
    return _told_apart(seen.ruleset, hits, moves)


@cached_by_language(maxsize=256)  # the fleets of 250 players; 2 kB each
def _told_apart(rules: Ruleset, hits: tuple[int, ...], moves: bool) -> tuple[FleetLine, ...]:
    """Returns a line for each name; `hits` counts each ship's hits."""
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
