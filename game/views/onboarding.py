"""Which steps of onboarding a visitor has taken, as the preferences keep it."""

from __future__ import annotations

from game.display import messages
from game.engine.observation import observe
from game.matches.saved import SavedMatch
from game.views.pages import has_hit
from game.views.preferences import Preferences


def after_action(visitor: Preferences, saved: SavedMatch, acted: SavedMatch) -> Preferences:
    """The visitor's preferences after a form: a shot or a move ends its step of onboarding."""
    if visitor.is_onboarded or acted.match.actions == saved.match.actions:
        return visitor
    seen = observe(saved.match, saved.viewer)
    is_next_turn = acted.match.turn != saved.match.turn
    ignored_sound_prompt = is_next_turn and visitor.may_offer_sound and has_hit(seen)
    return visitor.after(messages.onboarding_step(seen), ignored_sound_prompt=ignored_sound_prompt)
