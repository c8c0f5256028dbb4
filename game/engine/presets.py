"""Presets: rulesets with a name and a description."""

from dataclasses import dataclass, replace
from enum import Enum

from game.engine.rules import AtLimit, Ruleset, Touching


def gettext_noop(sentence: str) -> str:
    """Returns the sentence unchanged; it marks sentences in modules that don't import Django.

    `make messages` looks for this call, and pages translate the sentence.
    """
    return sentence


class Placing(Enum):
    """The way of placing a fleet that is offered first."""

    SHIPS = "ships"
    """Ships are dragged, or placed by a click on the bow's cell."""
    KEYS = "keys"
    """The arrow keys move the ship in hand, R turns it, Enter places it."""
    CELLS = "cells"
    """A ship is placed by choosing its cells, one by one."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A ruleset with a name and the defaults of its pages."""

    name: str
    """The name in addresses: lower case, never changed."""
    code: int
    """The number in tokens: never changed, never reused."""
    title: str
    sentence: str
    game: str = ""
    """The name of the original game, shown beside the title, or empty."""
    source: str = ""
    """A sentence about the original game, or empty."""
    ruleset: Ruleset
    opponent: str
    """The name of the default mind."""
    originals: tuple[str, ...] = ()
    """The names of the original game's minds, weakest first."""
    sizes: tuple[int, ...] = ()
    """The sides of square boards to choose from; empty if the size is fixed."""
    choices: tuple[str, ...] = ()
    """The switches to choose from; own rules offer all."""
    placing: Placing = Placing.SHIPS
    has_rounds: bool = False
    """Whether the score is shown from the first round on."""
    has_radar: bool = False
    starts_at_last: bool = False
    """Whether a match starts by itself with the last ship, unless the player prefers otherwise."""
    is_on_home: bool = False
    """Whether it has one of the home page's six cards; the page of all games has every preset."""


BONN = Ruleset()
"""Bonn's rules: ten ships apart, a hit fires again, ships move, 75 turns each."""
FIVE_APART = Ruleset(fleet=(5, 4, 3, 3, 2), again=False, moving=False, turns=None)
FIVE_TOUCHING = replace(FIVE_APART, touching=Touching.ANYWHERE)
"""The five ships of the 1990 edition, one shot a turn."""

_BONN_MINDS = ("bonn-easy", "bonn-medium", "bonn-hard")
_FROM_BONN = gettext_noop("After a project at the University of Bonn.")

OWN = Preset(
    name="own", code=0, title=gettext_noop("Your own rules"),
    sentence=gettext_noop("Your board, your ships, every rule. Share them by their address."),
    ruleset=BONN, opponent="recruit",
)  # fmt: skip
"""A player's own rules, starting from Bonn's."""
SMALLEST_OWN, MOST_OWN_SHIPS = 6, 30
"""The smallest side of a player's own board, and the most ships of an own fleet."""

_ALL = (
    Preset(
        name="bonn", code=1, title=gettext_noop("Moving fleets"), game="Bonn",
        sentence=gettext_noop("Each hit lets you fire again, and between turns ships slip away."),
        source=_FROM_BONN, ruleset=BONN, opponent="recruit", originals=_BONN_MINDS,
        choices=("again", "moving"),
    ),
    Preset(
        name="bonn-still", code=2, title=gettext_noop("Still fleets"), game="Bonn",
        sentence=gettext_noop("The same ten ships at anchor: what you know stays true."),
        source=_FROM_BONN, ruleset=replace(BONN, moving=False), opponent="recruit",
        originals=_BONN_MINDS,
    ),
    Preset(
        name="short", code=9, title=gettext_noop("Short match"),
        sentence=gettext_noop("Moving fleets on a small sea: five ships, forty turns each."),
        ruleset=replace(BONN, columns=8, rows=8, fleet=(4, 3, 3, 2, 2), turns=80),
        opponent="recruit",
    ),
    Preset(
        name="milton", code=6, title=gettext_noop("Classic"),
        sentence=gettext_noop("Five ships, shot for shot, and a hit names the ship."),
        source=gettext_noop("After the board game of 1990."),
        ruleset=replace(FIVE_TOUCHING, named=True), opponent="recruit", is_on_home=True,
    ),
    Preset(
        name="uppsala", code=3, title=gettext_noop("Radar rounds"), game="Uppsala",
        sentence=gettext_noop("Quick rounds with a radar sweep, and a score that grows."),
        source=gettext_noop("After a course project at Uppsala University."),
        ruleset=replace(FIVE_APART, touching=Touching.CORNERS), opponent="uppsala",
        originals=("uppsala",), sizes=tuple(range(8, 16)),
        placing=Placing.KEYS, has_rounds=True, has_radar=True, starts_at_last=True, is_on_home=True,
    ),
    Preset(
        name="camlship", code=4, title=gettext_noop("Touching ships"), game="Camlship",
        sentence=gettext_noop("Six ships may huddle, and nobody tells you when one has sunk."),
        source=gettext_noop("After a course project in OCaml."),
        ruleset=replace(
            FIVE_TOUCHING, fleet=(6, 5, 4, 3, 2, 1), again=True, silent=True
        ),
        opponent="camlship", originals=("camlship-easy", "camlship"),
        is_on_home=True,
    ),
    Preset(
        name="cmu", code=5, title=gettext_noop("Five threes"),
        sentence=gettext_noop("Five equal ships, fifty shots per player. Short and sharp."),
        source=gettext_noop("After a first-year course at Carnegie Mellon University."),
        ruleset=replace(FIVE_TOUCHING, fleet=(3,) * 5, turns=100, at_limit=AtLimit.DRAW),
        opponent="random", originals=("random",), placing=Placing.CELLS, starts_at_last=True,
        is_on_home=True,
    ),
    Preset(
        name="salvo", code=7, title=gettext_noop("Salvo"),
        sentence=gettext_noop("One shot for every ship you still have, all at once."),
        ruleset=replace(FIVE_TOUCHING, salvo=True), opponent="recruit",
    ),
    Preset(
        name="ask", code=10, title=gettext_noop("Ask and fire"),
        sentence=gettext_noop("Is a ship in this box? Five questions, always answered truthfully."),
        source=gettext_noop("After “Shoot First, Ask Questions Later?”, a study of 2025."),
        ruleset=replace(
            FIVE_TOUCHING, columns=8, rows=8, fleet=(5, 4, 3, 2), named=True, questions=5
        ),
        opponent="recruit", is_on_home=True,
    ),
    Preset(
        name="pencil", code=8, title=gettext_noop("Pencil fleet"),
        sentence=gettext_noop("Ten ships on squared paper, as drawn at school."),
        ruleset=replace(
            FIVE_APART, fleet=(4, 3, 3, 2, 2, 2, 1, 1, 1, 1), again=True
        ),
        opponent="recruit",
    ),
    OWN,
)  # fmt: skip

PRESETS: dict[str, Preset] = {preset.name: preset for preset in _ALL}
LENGTHS = ("bonn", "short")
"""The presets between which "Play now" lets a player choose; the first is chosen first."""


def is_1990(fleet: tuple[int, ...]) -> bool:
    """Whether the fleet is that of the 1990 edition, whose ships have their own names."""
    return len(fleet) == 5 and sorted(fleet) == [2, 3, 3, 4, 5]
