"""A visitor's preferences, which one cookie holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from game.display.messages import FULLY_ONBOARDED, Onboarding
from game.engine.presets import LENGTHS, Preset
from game.players.registry import RANK_NAMES
from game.web.forms import clean_name
from game.web.memory import Memory


class NotAPreference(ValueError):
    """A value that the preference doesn't allow."""


def _one_of(default: str, *others: str) -> Any:
    return field(default=default, metadata={"choices": (default, *others)})


@dataclass(frozen=True, slots=True)
class Preferences:
    """The values of a cookie, with the defaults."""

    theme: str = _one_of("system", "light", "dark")
    speed: str = _one_of("normal", "instant", "relaxed")
    sound: str = _one_of("off", "on")
    volume: str = _one_of("60", "20", "40", "80", "100")
    haptics: str = _one_of("off", "on")
    aim_first: str = _one_of("off", "on")
    shortcuts: str = _one_of("on", "off")
    start_at_last: str = _one_of("game", "off", "on")
    """Whether a match starts by itself with the last ship; `game` leaves that to the preset."""
    radar: str = _one_of("on", "off")
    """Whether the radar turns, in the games that have one."""
    presence: str = _one_of("on", "off")
    """Whether a friend at another device is shown that the player is there."""
    name: str = ""
    """The name that the player has given at a device of their own."""
    rank: str = _one_of("", *RANK_NAMES)
    """The rank in the match begun last; empty until the player has chosen one."""
    length: str = _one_of(*LENGTHS)
    """The preset that "Play now" began last."""
    sound_prompt: str = _one_of("new", "seen", "gone")
    """Whether sound may still be offered, which ends with the second turn after the first hit."""
    onboarded: str = _one_of(*map(str, range(FULLY_ONBOARDED + 1)))
    """The steps of onboarding that are over, as the number of their flags."""

    def changed(self, said: Mapping[str, str]) -> Preferences:
        """These preferences with the form's changes; raises NotAPreference."""
        known = {name: said[name] for name in CHOICES if name in said}
        for name, value in known.items():
            if value not in CHOICES[name]:
                raise NotAPreference(f"not a {name}: {value!r}")
        return replace(self, **known)

    def starts_at_last(self, preset: Preset, *, is_random: bool = False) -> bool:
        """Whether a match of a preset starts by itself when the last ship is placed.

        A fleet of chance is shown first, unless the player prefers otherwise.
        """
        if self.start_at_last == "game":
            return preset.starts_at_last and not is_random
        return self.start_at_last == "on"

    @property
    def non_default(self) -> dict[str, str]:
        return {
            row.name: value
            for row in fields(self)
            if (value := getattr(self, row.name)) != row.default
        }

    @property
    def page_attributes(self) -> dict[str, str]:
        """What styles and scripts are told of them, as data- attributes of the page."""
        unseen = ("presence", "name", "rank", "length", "sound_prompt", "onboarded")
        return {name: value for name, value in self.non_default.items() if name not in unseen}

    @property
    def may_offer_sound(self) -> bool:
        return self.sound == "off" and self.sound_prompt != "gone"

    @property
    def is_onboarded(self) -> bool:
        return self.onboarded == str(int(FULLY_ONBOARDED)) and not self.may_offer_sound

    def onboarding(self, step: Onboarding) -> Onboarding:
        """The step of onboarding, or NONE if it is over."""
        return step & ~Onboarding(int(self.onboarded))

    def after(self, step: Onboarding, *, ignored_sound_prompt: bool = False) -> Preferences:
        """These preferences after a step of onboarding, and perhaps an ignored offer of sound."""
        onboarded = str(int(Onboarding(int(self.onboarded)) | step))
        sound_prompt = self.sound_prompt
        if ignored_sound_prompt:
            sound_prompt = "seen" if sound_prompt == "new" else "gone"
        return replace(self, onboarded=onboarded, sound_prompt=sound_prompt)


DEFAULTS = Preferences()
CHOICES: dict[str, tuple[str, ...]] = {
    one.name: one.metadata["choices"] for one in fields(Preferences) if one.metadata
}
"""The values of each preference but the name."""


def _from_json(values: dict[str, str]) -> Preferences:
    """Returns the preferences of a cookie. Values of another version become the defaults."""
    said = {name: value for name, value in values.items() if value in CHOICES.get(name, ())}
    return replace(DEFAULTS, **said, name=clean_name(values.get("name", "")))


PREFERENCES = Memory("preferences", DEFAULTS, lambda it: it.non_default, _from_json)
preferences_of, save_preferences = PREFERENCES.read, PREFERENCES.keep
