"""Why an action, a mark or rules are refused, in one sentence."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from game.display.placing_words import cannot_place_template, ships_missing, words_for_ship
from game.display.words import plural
from game.engine import actions, fleets, rules
from game.engine.geometry import NotACell, NotLatin
from game.engine.position import NotAMark, NotAShip, WithoutResult
from game.matches.draft import CannotPlace, CannotTurn, NotALine, NothingPlaced, ShipsMissing

_SENTENCES: dict[type[Exception], object] = {
    NotACell: gettext_lazy("That is not a cell of this board."),
    NotLatin: gettext_lazy("Cells have Latin letters: type B7, for example."),
    actions.CellSpent: gettext_lazy("You know that cell already: choose another."),
    actions.NoQuestionLeft: gettext_lazy("You have no questions left."),
    actions.AskedAlready: gettext_lazy("You can ask only once before each shot. Now fire."),
    actions.SameQuestion: gettext_lazy("You have asked that already: choose another box."),
    actions.NotMoving: gettext_lazy(
        "You can only fire now: a ship moves once in a turn, before the first shot."
    ),
    actions.MatchOver: gettext_lazy("This match is over."),
    actions.NoSuchShip: gettext_lazy("There is no such ship."),
    actions.ShipHit: gettext_lazy("A ship that has been hit cannot move."),
    actions.CourseBlocked: gettext_lazy("That ship cannot move there."),
    fleets.ShipsOverlap: gettext_lazy("Two ships cannot lie on the same cell."),
    fleets.ShipsSideBySide: gettext_lazy("Ships may touch at corners, but not side by side."),
    fleets.ShipsTouch: gettext_lazy("Ships must not touch, not even at the corners."),
    fleets.OffBoard: gettext_lazy("The ship would stick out over the edge."),
    fleets.NotAPlacement: gettext_lazy("No ship can lie there."),
    NotALine: gettext_lazy("Choose cells side by side, in one line."),
    NothingPlaced: gettext_lazy("No ship is placed yet."),
    fleets.WrongShips: gettext_lazy("These are not the ships of this fleet."),
    fleets.DoesNotFit: gettext_lazy(
        "The other ships no longer fit: take one back, or clear the board."
    ),
    rules.NotASize: gettext_lazy("A board has 6 to 15 columns and 6 to 15 rows."),
    rules.NotAFleet: gettext_lazy("A fleet has 1 to 30 ships of 1 to 8 cells."),
    rules.LongerThanBoard: gettext_lazy("A ship is longer than the board."),
    rules.TooTight: gettext_lazy("This fleet barely fits: give it more room."),
    rules.NotATurnLimit: gettext_lazy("The limit is 1 to 999 turns for each player."),
    rules.NotAQuestionCount: gettext_lazy("Each player may have 0 to 15 questions."),
    rules.QuestionsRefused: gettext_lazy(
        "There are questions only where ships lie still and shots are fired one at a time."
    ),
    rules.SilenceRefused: gettext_lazy(
        "A sinking can be kept secret only if ships lie still, shots are fired one at a time and a "
        "hit doesn’t name the ship."
    ),
    rules.TooLong: gettext_lazy(
        "This match could become too long for its address: set fewer turns."
    ),
}


def refusal(error: Exception) -> str:
    match error:
        case CannotPlace():
            said = cannot_place_template()
            if isinstance(error, CannotTurn):
                said = _("%(ship)s at %(cell)s can’t turn. %(reason)s")
            words = words_for_ship(error.ship, error.setup)
            return said % {**words, "reason": refusal(error.reason)}
        case WithoutResult():
            return _("What is at %(text)s: water, hit or sunk?") % {"text": error.text}
        case NotAShip():
            return _("No ship of this fleet can lie there: %(text)s.") % {"text": error.text}
        case NotAMark():
            return _("That can’t be marked on this sea: %(text)s.") % {"text": error.text}
        case ShipsMissing():
            return ships_missing(error.count)
        case rules.NoRoom():
            return plural(
                "This fleet does not fit: it needs at least %(count)s more cell.",
                "This fleet does not fit: it needs at least %(count)s more cells.",
                error.lacking,
            )
    if type(error) in _SENTENCES:
        return str(_SENTENCES[type(error)])
    if isinstance(error, rules.IllegalRules):
        return _("These rules can’t be played.")
    return _("That is not possible now.")
