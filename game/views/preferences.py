"""What a visitor prefers, in one cookie: `theme:dark.speed:relaxed.volume:80`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

COOKIE = "preferences"
COOKIE_AGE = 365 * 24 * 60 * 60
"""Seconds that a browser keeps the cookie after the last change."""

CHOICES: dict[str, tuple[str, ...]] = {
    "theme": ("system", "light", "dark"),
    "speed": ("instant", "normal", "relaxed"),
    "sound": ("off", "on"),
    "volume": ("20", "40", "60", "80", "100"),
    "haptics": ("off", "on"),
    "aim_first": ("off", "on"),
    "shortcuts": ("off", "on"),
}
"""The values that each preference may have."""


class NotAPreference(ValueError):
    """A value that its preference can't have."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """One value of each of CHOICES; those below where nothing was said."""

    theme: str = "system"
    speed: str = "normal"
    sound: str = "off"
    volume: str = "60"
    haptics: str = "off"
    aim_first: str = "off"
    shortcuts: str = "on"

    def changed(self, said: Mapping[str, str]) -> Preferences:
        """These preferences with what a form says; raises NotAPreference."""
        known = {name: said[name] for name in CHOICES if name in said}
        for name, value in known.items():
            if value not in CHOICES[name]:
                raise NotAPreference(f"not a {name}: {value!r}")
        return replace(self, **known)

    @property
    def non_default(self) -> dict[str, str]:
        """The preferences that aren't what they are where nothing was said."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value != getattr(DEFAULTS, name)}

    @property
    def effects(self) -> bool:
        """Whether something is to be heard or felt."""
        return "on" in (self.sound, self.haptics)

    def __str__(self) -> str:
        return ".".join(f"{name}:{value}" for name, value in self.non_default.items())


DEFAULTS = Preferences()


def parse_preferences(text: str) -> Preferences:
    """The preferences in a cookie; twin of str. What can't be understood is as if not said."""
    pairs = (part.partition(":") for part in text.split("."))
    said = {name: value for name, _colon, value in pairs if value in CHOICES.get(name, ())}
    return replace(DEFAULTS, **said)
