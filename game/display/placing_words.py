"""Placing a fleet in sentences."""

from django.utils.translation import gettext as _

from game.display.messages import Onboarding
from game.display.names import kind_name
from game.display.words import plural
from game.engine.fleets import Placement
from game.engine.presets import Placing
from game.matches.draft import Draft
from game.matches.setup import Setup


def placing_message(draft: Draft, onboarding: Onboarding = Onboarding.NONE) -> str:
    """Returns what to do next with a draft; `onboarding` replaces it."""
    if onboarding:
        return _("Choose a ship, then its place, or press Random.")
    if draft.held is not None:
        return _("%(ship)s picked up: choose the cell for its bow.") % {
            "ship": kind_name(draft.setup.ruleset, draft.held.length)
        }
    if not draft.missing:
        if draft.setup.is_shared and draft.first is None:
            return _("Your fleet is ready. The other player places next.")
        return _("Your fleet is ready. Start when you like.")
    if draft.is_by_cells:
        left = (draft.in_hand or 0) - len(draft.chosen_cells)
        return plural(
            "Choose %(count)s cell in a line for the next ship.",
            "Choose %(count)s cells in a line for the next ship.",
            left,
        )
    if draft.placed:
        return ships_missing(len(draft.missing))
    if draft.setup.preset.placing is Placing.KEYS:
        return _("Ship by ship: choose the cell for its bow.")
    return _("Choose a ship, then a cell for its bow. Or press Random.")


def keys_line(draft: Draft) -> str:
    """Returns which keys place the first ship, in a game that is meant for keys; else empty."""
    if draft.placed or draft.setup.preset.placing is not Placing.KEYS:
        return ""
    return _("Keys: arrows move, R turns, Enter places.")


def placing_onboarding_step(draft: Draft) -> Onboarding:
    is_new = not draft.placed and draft.setup.preset.placing is Placing.SHIPS
    return Onboarding.PLACE if is_new else Onboarding.NONE


def ships_missing(count: int) -> str:
    return plural("%(count)s ship left to place.", "%(count)s ships left to place.", count)


def placed_line(draft: Draft) -> str:
    """Returns `5 of 10 placed`."""
    of = len(draft.setup.ruleset.fleet)
    return _("%(count)s of %(of)s placed") % {"count": len(draft.placed), "of": of}


def placed_last(draft: Draft) -> str:
    """Returns the ship placed last and its bow's cell; empty if none is placed."""
    if not draft.placed:
        return ""
    return _("%(ship)s at %(cell)s") % words_for_ship(draft.placed[-1], draft.setup)


def words_for_ship(ship: Placement, setup: Setup) -> dict[str, str]:
    name = kind_name(setup.ruleset, ship.length)
    return {"ship": name, "cell": setup.cell_names.name(ship.bow)}


def cannot_place_template() -> str:
    """Returns a sentence with placeholders for the ship, its cell and the reason."""
    return _("%(ship)s at %(cell)s: %(reason)s")
