"""What the home page says of the match that a browser has yet to finish."""

from hashlib import sha256
from typing import NamedTuple

from django.utils.translation import gettext as _

from game.display.names import day_name, mind_name, parse_day, preset_card
from game.display.words import joined
from game.engine.presets import PRESETS
from game.matches.saved import SavedMatch
from game.players.registry import CODES

ALONE, SHARED, FRIEND = "alone", "two", "friend"
YOU, OTHER, PLACING, WAITING = "you", "other", "placing", "waiting"
_SIDES = ("first", "second")


class Unfinished(NamedTuple):
    """A match that goes on."""

    game: str
    """The name of its preset, or of a feature's own game."""
    opponent: str
    """A mind's name, the date of a day's match, ALONE, SHARED or FRIEND."""
    turn: str
    """YOU, OTHER, PLACING or WAITING; at a shared device the side to act."""
    mark: str
    """Identifies the match among those of the browser; see mark_of."""

    def line(self, title: str = "") -> str:
        """The match in words: `Moving fleets, Sailor, your turn`.

        `title` is that of a feature's own game.
        """
        title = title or preset_card(PRESETS[self.game]).title
        return joined(title, self._opponent_name(), self._turn_words(), between=", ")

    def _opponent_name(self) -> str:
        if self.opponent in CODES:
            return mind_name(self.opponent)
        words = {ALONE: _("search alone"), SHARED: _("two players"), FRIEND: _("with a friend")}
        if self.game not in PRESETS:
            words[ALONE] = ""
        day = parse_day(self.opponent)
        return words.get(self.opponent) or (day_name(day) if day else "")

    def _turn_words(self) -> str:
        if self.turn in _SIDES:
            player = _("Player 1") if self.turn == _SIDES[0] else _("Player 2")
            return _("%(name)s’s turn") % {"name": player}
        computer = self.opponent in CODES
        words = {
            YOU: _("your turn"),
            OTHER: _("the computer’s turn") if computer else _("your opponent’s turn"),
            PLACING: _("place your fleet"),
            WAITING: _("waiting for your opponent"),
        }
        return words.get(self.turn, "")


def of_match(saved: SavedMatch) -> Unfinished:
    setup, match = saved.setup, saved.match
    opponent, turn = setup.opponent, OTHER if saved.is_minds_turn else YOU
    if setup.is_shared:
        opponent, turn = SHARED, match.side.name.lower()
    elif setup.is_solo:
        opponent, turn = setup.day.date.isoformat() if setup.day else ALONE, YOU
    return Unfinished(setup.preset.name, opponent, turn, mark_of(match.seed))


def mark_of(secret: bytes) -> str:
    """Identifies a match among a browser's; tells nothing of its seed or id."""
    return sha256(b"battleship-unfinished-1" + secret).hexdigest()[:8]
