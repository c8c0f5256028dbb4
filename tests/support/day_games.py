"""How the day of one game is played, and what is read from its matches."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

Form = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Game(ABC):
    """A game that has a match of the day. Features bring theirs in their samples."""

    page: str
    """The address of the day's page, after the language."""
    front: str
    """The address of the page that leads to it."""
    cookie: str
    purpose: str
    """That of its matches' tokens."""
    sentence: Mapping[str, str]
    """What is said of a day that is not open, by language."""
    give_up: Form
    helps: Mapping[str, str]
    """The switches of help, and the marks that they leave."""
    back: tuple[str, ...]
    """The marks of a match after its player went back."""

    @abstractmethod
    def saved_at(self, where: str) -> Any:
        """The match at an address."""

    @abstractmethod
    def seed_name(self, day: date) -> str:
        """The name under which the day's seed is made."""

    @abstractmethod
    def marks(self, where: str) -> tuple[str, ...]:
        """The marks of the match at an address."""

    @abstractmethod
    def misses(self, where: str, count: int = 1) -> list[Form]:
        """Actions that find nothing."""

    @abstractmethod
    def finish(self, where: str) -> list[Form]:
        """The actions that win at once."""
