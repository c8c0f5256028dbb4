"""Tables of named fields: one description of a format, by which it is written and read.

    CLAIM = record(Claim, id=fixed(16), side=number().of(Side, int), seat_hash=fixed(16))
    CLAIM.decode(CLAIM.write(claim)) == claim

The rows of a table are in the order of the bytes. A row is a field, or a function that returns the
field from the values of the rows above. Numbers are big-endian.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from game.engine.codec import BadEncoding, Reader

T = TypeVar("T")
U = TypeVar("U")
Values = SimpleNamespace
"""The values of a table by their names."""


@dataclass(frozen=True, slots=True)
class Field(Generic[T]):
    """How a value is written, and how it is read."""

    write: Callable[[T], bytes]
    read: Callable[[Reader], T]
    names: tuple[str, ...] = ()
    """The names of flags, whose values stand in the table in place of one for the row."""

    def __call__(self, it: Values) -> Field[T]:
        """Returns itself, as the field of a row that depends on no values above."""
        return self

    def decode(self, content: bytes, *, is_exact: bool = True) -> T:
        """Returns the value in these bytes; raises BadEncoding.

        Unless `is_exact` is false, the value must be written with the same bytes.
        """
        try:
            value = self.read(Reader(content))
        except (LookupError, OverflowError, ValueError) as error:
            raise BadEncoding(str(error)) from error
        if is_exact and self.write(value) != content:
            raise BadEncoding("another spelling")
        return value

    def of(self, read: Callable[[T], U], write: Callable[[U], T]) -> Field[U]:
        """Returns the field of values that are made from those of this one, and back."""
        return Field(lambda value: self.write(write(value)), lambda it: read(self.read(it)))


Row = Callable[[Values], Field[Any]]


def table(
    read: Callable[[Values], T], more: Callable[[T], dict[str, Any]] = lambda _: {}, /, **rows: Row
) -> Field[T]:
    """Returns the field of objects that `read` returns for the values of the rows.

    To write an object, its attributes are the values, unless `more` returns others.
    """
    names = [one for name, row in rows.items() for one in getattr(row, "names", ()) or (name,)]

    def write(value: T) -> bytes:
        others = more(value)
        it = Values(**{one: getattr(value, one) for one in names if one not in others}, **others)
        # Flags are written from all values, as their row has none of its own.
        return b"".join([row(it).write(getattr(it, name, it)) for name, row in rows.items()])

    def read_rows(reader: Reader) -> T:
        it = Values()
        for name, row in rows.items():
            field = row(it)
            value = field.read(reader)
            vars(it).update(value if field.names else {name: value})
        return read(it)

    return Field(write, read_rows)


def record(make: Callable[..., T], /, **rows: Row) -> Field[T]:
    """Returns the field of objects that are made from the values of the rows, by their names."""
    return table(lambda it: make(**vars(it)), **rows)


def number(width: int = 1, *, least: int = 0) -> Field[int]:
    def read(reader: Reader) -> int:
        value = reader.number(width)
        if value < least:
            raise BadEncoding(f"less than {least}: {value}")
        return value

    return Field(lambda value: value.to_bytes(width, "big"), read)


def or_none(field: Field[Any]) -> Field[Any]:
    """Returns the field of values, or of None, which is written as 0."""
    return field.of(lambda value: value or None, lambda value: value or 0)


def one_of(values: Mapping[int, T]) -> Field[T]:
    """Returns the field of values that have codes of one byte."""
    codes = {value: code for code, value in values.items()}
    return number().of(values.__getitem__, codes.__getitem__)


def bits(count: int, width: int = 1) -> Field[tuple[bool, ...]]:
    """Returns the field of values that are true or false, the first of them in the lowest bit."""

    def read(number: int) -> tuple[bool, ...]:
        if number >> count:
            raise BadEncoding("an unknown bit")
        return tuple([bool(number >> bit & 1) for bit in range(count)])

    return number(width).of(read, lambda them: sum(is_on << bit for bit, is_on in enumerate(them)))


def flags(*names: str, width: int = 1) -> Field[Any]:
    """Returns the field of bits with names: in a table, whether each of these values is true.

    A bit with the name of a later row can say whether that row's value is there.
    """
    field = bits(len(names), width)
    return Field(
        lambda it: field.write(tuple([bool(getattr(it, name)) for name in names])),
        lambda reader: dict(zip(names, field.read(reader), strict=True)),
        names,
    )


def fixed(width: int) -> Field[bytes]:
    return Field(bytes, lambda reader: reader.take(width))


def text(most: int) -> Field[str]:
    """Returns the field of texts: their number of bytes in UTF-8, at most so many, and these."""

    def read(reader: Reader) -> str:
        length = reader.number()
        if length > most:
            raise BadEncoding("too long a text")
        return reader.take(length).decode()

    return Field(lambda value: bytes((len(value.encode()),)) + value.encode(), read)


def pair(one: Field[T], two: Field[T] | None = None) -> Field[tuple[T, T]]:
    """Returns the field of two values, each of that field, or of these two."""
    two = two or one
    return Field(
        lambda both: one.write(both[0]) + two.write(both[1]),
        lambda reader: (one.read(reader), two.read(reader)),
    )


NOTHING: Field[Any] = Field(lambda _: b"", lambda _: None)
"""The field of what is not there, and is read as None."""


def to_the_end(field: Field[T], most: int) -> Field[tuple[T, ...]]:
    """Returns the field of at most so many values, behind which there is nothing."""

    def read(reader: Reader) -> tuple[T, ...]:
        found: list[T] = []
        while reader.left and len(found) < most:
            found.append(field.read(reader))
        return tuple(found)

    return Field(lambda them: b"".join(map(field.write, them)), read)


def counted(field: Field[T], room: int) -> Field[tuple[T, ...]]:
    """Returns the field of values: their number, these, and zeros, up to so many bytes."""

    def write(them: tuple[T, ...]) -> bytes:
        return bytes((len(them),)) + b"".join(map(field.write, them)).ljust(room, b"\0")

    def read(reader: Reader) -> tuple[T, ...]:
        count, inside = reader.number(), Reader(reader.take(room))
        return tuple([field.read(inside) for _ in range(count)])

    return Field(write, read)


_DATE = number(4).of(
    lambda ordinal: date.fromordinal(ordinal) if ordinal else None,
    lambda day: day.toordinal() if day else 0,
)


def header(*switches: str) -> dict[str, Field[Any]]:
    """Returns the rows with which tokens of both games begin, with at most 16 switches.

    The hour counts from 1970-01-01T00:00Z; the day is the ordinal of a date, or 0.
    """
    switched = flags(*switches, width=2)
    return {"started_hour": or_none(number(4)), "day": _DATE, "switches": switched}
