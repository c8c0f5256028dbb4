"""What a player learns in a match, step by step, and what is over once an action shows it."""

from game.display.messages import onboarding_step
from game.engine.actions import Result
from game.engine.observation import Observation
from game.matches.saved import SavedMatch
from game.views.preferences import Preferences


def after_action(visitor: Preferences, saved: SavedMatch, acted: SavedMatch) -> Preferences:
    """The visitor's preferences after a form: a shot or a move ends its step of onboarding."""
    if visitor.is_onboarded or acted.match.actions == saved.match.actions:
        return visitor
    seen = saved.seen
    is_next_turn = acted.match.turn != saved.match.turn
    ignored_sound_prompt = is_next_turn and visitor.may_offer_sound and has_hit(seen)
    return visitor.after(onboarding_step(seen), ignored_sound_prompt=ignored_sound_prompt)


def has_hit(seen: Observation) -> bool:
    return bool({shot.result for shot in seen.shots} - {Result.WATER})
