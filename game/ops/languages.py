"""The languages of the site: the table locale/languages.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

TABLE = "languages.toml"
SOURCE = "en"
"""The language of the code, which has no catalogue."""
CONTEXT, PARTIAL = "catalogue", "is partial"
"""The message that compiling adds to a catalogue that lacks others."""


@dataclass(frozen=True)
class Language:
    """A row of the table."""

    name: str
    """The language's name in the language itself."""
    card_locale: str
    """What share cards say, such as `en_GB`."""
    direction: str = "ltr"
    """The direction of its text: `ltr` or `rtl`."""
    capital_nouns: bool = False
    """Whether names keep their capital within a sentence."""
    is_complete: bool = False
    """Whether its catalogue must be complete."""
    words: Mapping[str, str] = field(default_factory=dict)
    """The words of each command of the terminal, separated by spaces."""


def load(folder: Path) -> dict[str, Language]:
    """Reads the table in a folder of catalogues; by code, in the order of the menu."""
    rows = tomllib.loads((folder / TABLE).read_text(encoding="utf-8"))
    return {code: Language(**row) for code, row in rows.items()}


def words_of(table: Mapping[str, Language], command: str) -> set[str]:
    """The words of a command in all languages."""
    return {word for row in table.values() for word in row.words.get(command, "").split()}
