"""Names and descriptions of presets, ships, minds and players."""

from datetime import date
from functools import cache, lru_cache
from typing import NamedTuple
from unicodedata import bidirectional

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import (
    get_language,
    gettext_lazy,
    override,
    pgettext,
    pgettext_lazy,
)
from django.utils.translation import gettext as _

from game.display.words import cached_by_language, plural
from game.engine.actions import Result
from game.engine.fleets import Course, Placement
from game.engine.geometry import Direction
from game.engine.presets import PRESETS, Preset, is_1990
from game.engine.rules import Pair, Ruleset, Side
from game.matches.cell_names import CellNames
from game.matches.setup import Setup
from game.ops.languages import CONTEXT, PARTIAL, Language
from game.players.registry import TITLES

_SHIPS = {
    1: pgettext_lazy("ship", "Patrol boat"),
    2: pgettext_lazy("ship", "Submarine"),
    3: pgettext_lazy("ship", "Destroyer"),
    4: pgettext_lazy("ship", "Cruiser"),
    5: pgettext_lazy("ship", "Battleship"),
    6: pgettext_lazy("ship", "Carrier"),
    7: pgettext_lazy("ship", "Heavy carrier"),
    8: pgettext_lazy("ship", "Supercarrier"),
}
_RESULTS = {
    Result.WATER: gettext_lazy("water"),
    Result.HIT: gettext_lazy("hit"),
    Result.SUNK: pgettext_lazy("cell", "sunk"),
}
_OF_1990 = {
    5: [(_SHIPS[6], "ship-carrier")],
    4: [(_SHIPS[5], "ship-battleship")],
    3: [(_SHIPS[4], "ship-cruiser"), (_SHIPS[2], "ship-submarine")],
    2: [(_SHIPS[3], "ship-destroyer")],
}
"""The names and the pictures of the ships of 1990, when the lengths had other names."""
_LONGEST_WITH_PICTURE = 5


def ship_name(length: int) -> str:
    return str(_SHIPS[length])


def ship_names(rules: Ruleset) -> tuple[str, ...]:
    """Returns the name of each ship of the fleet, by its place in it.

    No two ships have the same name if hits are named, or in the fleet of 1990.
    """
    return _ship_names(rules.fleet, rules.named)


@cached_by_language(maxsize=256)  # rulesets in play; less than 1 kB each
def _ship_names(fleet: tuple[int, ...], named: bool) -> tuple[str, ...]:
    if is_1990(fleet):
        return tuple(str(name) for name, _picture in _ships_of_1990(fleet))
    if not named:
        return tuple(map(ship_name, fleet))
    return tuple(
        f"{ship_name(length)} {fleet[: at + 1].count(length)}"
        if fleet.count(length) > 1
        else ship_name(length)
        for at, length in enumerate(fleet)
    )


def kind_name(rules: Ruleset, length: int) -> str:
    """Returns the name of the ships of that length: `Cruiser, submarine` in the fleet of 1990."""
    if not is_1990(rules.fleet):
        return ship_name(length)
    return pgettext("ship", "Cruiser, submarine") if length == 3 else str(_OF_1990[length][0][0])


def wreck_name(rules: Ruleset, length: int) -> str:
    """Returns the name of a sunk ship of which only the length is known."""
    if is_1990(rules.fleet) and length == 3:
        return pgettext("ship", "Cruiser or submarine")
    return kind_name(rules, length)


def picture(length: int) -> str:
    """Returns the id in ships.svg of the picture of a ship that is named by its length."""
    return f"ship-{length}" if length <= _LONGEST_WITH_PICTURE else "ship-carrier"


@lru_cache(maxsize=256)  # rulesets in play; less than 1 kB each
def pictures(fleet: tuple[int, ...]) -> tuple[str, ...]:
    """Returns the picture of each ship, which shows what `ship_names` calls it."""
    if not is_1990(fleet):
        return tuple(map(picture, fleet))
    return tuple(shown for _name, shown in _ships_of_1990(fleet))


def _ships_of_1990(fleet: tuple[int, ...]) -> list[tuple[object, str]]:
    left = {length: iter(ships) for length, ships in _OF_1990.items()}
    return [next(left[length]) for length in fleet]


def kind_pictures(fleet: tuple[int, ...], length: int) -> list[str]:
    """Returns the pictures of the ships of that length."""
    return [shown for shown, of in zip(pictures(fleet), fleet, strict=True) if of == length]


def wreck_picture(fleet: tuple[int, ...], length: int) -> str:
    """Returns the picture of a ship of which only the length is known: a bare hull if need be."""
    kinds = set(kind_pictures(fleet, length))
    return kinds.pop() if len(kinds) == 1 else "ship-hull"


def result_word(result: Result) -> str:
    """Returns `water`, `hit` or `sunk`, in the language of the request."""
    return str(_RESULTS[result])


@lru_cache(maxsize=1024)  # the ships of fifty players; 0.2 kB each
def place_name(placement: Placement, cell_names: CellNames) -> str:
    """Returns the cells of a ship: `D2–G2`, or `B7` for one cell."""
    ends = dict.fromkeys((placement.cells[0], placement.cells[-1]))
    return "–".join(map(cell_names.name, ends))


def steer_way(direction: Direction, course: Course) -> str:
    """Returns the way that a ship moves on the page: `up`, `down`, `left` or `right`."""
    fore, aft = ("up", "down") if direction is Direction.DOWN else ("left", "right")
    return fore if course is Course.FORE else aft


def in_sentence(name: str) -> str:
    """Returns a ship's name within a sentence, where most languages write it small."""
    if not name or language_shown().capital_nouns:
        return name
    return name[:1].lower() + name[1:]


def mind_name(name: str) -> str:
    return _(TITLES[name])


class PresetCard(NamedTuple):
    preset: Preset
    title: str
    sentence: str
    source: str
    """The origin, or empty."""


def preset_card(preset: Preset) -> PresetCard:
    source = _(preset.source) if preset.source else ""
    return PresetCard(preset, _(preset.title), _(preset.sentence), source)


def preset_cards() -> list[PresetCard]:
    return [preset_card(preset) for preset in PRESETS.values()]


def opponent_line(setup: Setup) -> str:
    """Returns the player's opponent as a sentence; empty if two people play at one device."""
    if setup.is_solo:
        return _("You search alone: nobody fires back.")
    label = opponent_label(setup)
    return f"{label}." if label else ""


def opponent_label(setup: Setup) -> str:
    """Returns `Opponent: Recruit`; empty if two people play at one device."""
    if setup.seat is not None:
        name = setup.person_names[setup.seat.opponent]
    else:
        name = mind_name(setup.opponent) if setup.opponent else ""
    return _("Opponent: %(name)s") % {"name": name} if name else ""


def sea_name(setup: Setup) -> str:
    """Returns what a search alone is called: `Today’s sea, 22 November`."""
    if setup.day is None:
        return _("Search alone")
    said = _("Sea of %(day)s, played later") if setup.is_late else _("Today’s sea, %(day)s")
    return said % {"day": short_day_name(setup.day.date)}


def short_day_name(day: date) -> str:
    """Returns a date without its year: `22 November`."""
    return date_format(day, pgettext("format of a date without its year", "j F"))


def day_name(day: date) -> str:
    """Returns a date in words: `22 November 2026`."""
    return date_format(day, pgettext("format of a date", "j F Y"))


def parse_day(text: str) -> date | None:
    """Returns the date that is written `2026-11-22`; None for any other text."""
    try:
        return date.fromisoformat(text)
    except ValueError:  # such as 30 February
        return None


def isolated(name: str) -> str:
    """Returns a player's name for a sentence, whose other words keep their direction."""
    is_right_to_left = any(bidirectional(letter) in ("R", "AL", "AN") for letter in name)
    return (
        f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if is_right_to_left else name
    )


def friend_in_text(setup: Setup) -> str:
    """Returns the other player's name for a sentence at two devices; empty if none is known."""
    return isolated(setup.person_names[setup.seat.opponent]) if setup.seat is not None else ""


def waters_of(name: str) -> str:
    """Returns `Ben’s waters`, the caption of a player's board."""
    words = {"name": name}
    if name == _("Computer"):
        return _("The computer’s waters")
    if name == pgettext("who", "Player"):
        return _("The player’s waters")
    if ", " in name:  # a mind and how it plays
        return _("Waters of %(name)s") % words
    if name.casefold().endswith("s"):
        return _("%(name)s’ waters") % words
    return _("%(name)s’s waters") % words


def player_names(setup: Setup) -> Pair[str]:
    """Returns the names of the two sides: you and the computer, or the players' names."""
    if setup.seat is not None:
        me = pgettext("who", "You")
        friend = setup.person_names[setup.seat.opponent] or _("Your opponent")
        return (me, friend) if setup.seat is Side.FIRST else (friend, me)
    if len(setup.persons) == 2:
        return setup.person_names[0] or _("Player 1"), setup.person_names[1] or _("Player 2")
    if not setup.persons:
        first, other = (mind_name(name or "") for name in setup.minds)
        return (f"{first} 1", f"{other} 2") if first == other else (first, other)
    return _beside_computer(setup, pgettext("who", "You"))


def _beside_computer(setup: Setup, person: str) -> Pair[str]:
    computer = _("Computer")
    return (person, computer) if setup.minds[0] is None else (computer, person)


def public_names(setup: Setup) -> Pair[str]:
    """Returns the names of the two sides as anybody else may read them."""
    if len(setup.persons) != 1:
        return player_names(setup)
    return _beside_computer(setup, pgettext("who", "Player"))


def in_words(count: int) -> str:
    """Returns `five` for 5, and figures for one and for more than twelve."""
    words = _("two three four five six seven eight nine ten eleven twelve").split()
    return words[count - 2] if 2 <= count <= 12 else str(count)


def tally_line(setup: Setup) -> str:
    """Returns `Round 3 · You 1 : 1 Computer`, the name of a day's sea, or an empty text."""
    if setup.is_solo:
        return sea_name(setup) if setup.day else ""
    tally = setup.tally
    if not tally.rounds and not setup.preset.has_rounds:
        return ""
    return _("Round %(round)s") % {"round": tally.rounds + 1} + " · " + score_line(setup)


def score_line(setup: Setup) -> str:
    """Returns the rounds won by each side, one's own first: `You 1 : 1 Computer, 2 draws`."""
    own, wins, names = setup.person, setup.tally.wins, player_names(setup)
    is_unknown = setup.seat is not None and not setup.person_names[own.opponent]
    other = _("Opponent") if is_unknown else names[own.opponent]
    score = f"{names[own]} {wins[own]} : {wins[own.opponent]} {other}"
    draws = plural("%(count)s draw", "%(count)s draws", setup.tally.draws)
    return f"{score}, {draws}" if setup.tally.draws else score


class OfferedLanguage(NamedTuple):
    """A language of the menu."""

    code: str
    name: str
    is_partial: bool
    """Whether some sentences are shown in English."""


def language_shown() -> Language:
    """Returns the row of the language that is active."""
    language: Language = settings.LANGUAGE_TABLE[get_language() or "en"]
    return language


@cache
def offered_languages() -> tuple[OfferedLanguage, ...]:
    """Returns the languages in the order of the menu."""
    languages = []
    for code, row in settings.LANGUAGE_TABLE.items():
        with override(code):
            is_partial = pgettext(CONTEXT, PARTIAL) != PARTIAL
        languages.append(OfferedLanguage(code, row.name, is_partial))
    return tuple(languages)
