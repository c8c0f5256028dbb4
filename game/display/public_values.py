"""The marks of public values: the handles of pages, and the keys of their JSON (docs/api.md).

A field of a view is marked once. The page prints its `data-` attribute, and JSON its key, from the
mark.
"""

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any


def public(name: str) -> Any:
    """Returns a field of a frozen dataclass that is public under `name`, and absent while None."""
    return field(default=None, metadata={"handle": name})


class PublicValues:
    """A dataclass with marked fields."""

    __slots__ = ()

    @property
    def handles(self) -> Mapping[str, str | int]:
        """The public values by their handles, without those that are absent."""
        marked = [(found.metadata.get("handle"), found.name) for found in fields(self)]  # type: ignore[arg-type]
        values = [(mark, getattr(self, name)) for mark, name in marked if mark]
        return {mark: value for mark, value in values if value is not None}
