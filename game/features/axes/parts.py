"""The labels of a match, and how a token has them."""

from dataclasses import dataclass
from zlib import compress, decompress

from game.engine.codec import Reader, encode_flags, encode_text
from game.matches.cell_names import CellNames, MatchPart
from game.matches.parts import FeaturePart, PartFormat
from game.ops.text_width import columns, ems

MOST_BYTES = 400
"""The most bytes of the labels of both axes in a token, with what separates them."""
MOST_ANSWERS = 1000
"""The most bytes of the answers there."""
MOST_LANGUAGE = 12
_SHORT, _WIDEST = 3, 20
"""The widest labels that have room above a column, and for which boards have room, in letters."""
_BETWEEN_AXES = "\0"
_CAPITAL = 0.8
"""About the width of a capital letter in sizes of the font."""


@dataclass(frozen=True, slots=True)
class Axes(MatchPart):
    """The labels of the columns, from the left, and of the rows, from the top."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    language: str = ""
    """The language of the labels, as in the attribute `lang`; empty if none was chosen."""
    is_typed: bool = False
    """Whether persons type the cells at which they fire, in place of pressing them."""
    answers: tuple[str, ...] = ()
    """What is typed for each cell in place of its labels, row by row; empty for a cell without."""
    code: str = ""
    """The code of its exercise, if the site keeps that."""

    @property
    def cell_names(self) -> CellNames:
        from game.features.axes.names import names_of

        return names_of(self)

    @property
    def longest(self) -> int:
        """The width of the longest label in letters; 0 if all have room above a column."""
        longest = max(map(_width, (*self.columns, *self.rows)))
        return min(longest, _WIDEST) if longest > _SHORT else 0

    @property
    def text(self) -> str:
        """All labels in one text, as a token has them."""
        return _BETWEEN_AXES.join("\n".join(labels) for labels in (self.columns, self.rows))

    @property
    def packed_answers(self) -> bytes:
        """The answers as a token has them; they repeat much."""
        return compress("\n".join(self.answers).encode(), 9) if self.answers else b""


def _width(label: str) -> int:
    """Returns the width of a label in letters, of which those of East Asia and India are wider."""
    return max(columns(label), round(ems(label) / _CAPITAL))


def encode(axes: Axes) -> bytes:
    answers = axes.packed_answers
    content = [
        encode_flags(axes.is_typed, answers, axes.code),
        encode_text(axes.language), encode_text(axes.text),
    ]  # fmt: skip
    if answers:
        content.append(len(answers).to_bytes(2, "big") + answers)
    if axes.code:
        content.append(encode_text(axes.code))
    return b"".join(content)


def decode(content: bytes) -> Axes:
    reader = Reader(content)
    is_typed, has_answers, has_code = reader.flags(3)
    language, text = reader.text(), reader.text()
    columns, rows = (tuple(labels.split("\n")) for labels in text.split(_BETWEEN_AXES, 1))
    answers: tuple[str, ...] = ()
    if has_answers:
        answers = tuple(decompress(reader.take(reader.number(2))).decode().split("\n"))
    return Axes(columns, rows, language, is_typed, answers, reader.text() if has_code else "")


PART = FeaturePart([PartFormat(Axes, 1, encode, decode)])
