"""B8: the room that a text takes, by one table: in a terminal, and in a drawing."""

import pytest

from game.ops.text_width import columns, ems, signs

ROOM = {
    "dog": (3, 3), "": (0, 0), "é": (1, 1), "e\u0301": (1, 1), "Z\u0335\u0323": (1, 1),
    "தொலைக்காட்சி": (10, 10), "हिन्दी": (5, 5), "മലയാളം": (6, 6), "สระอำ": (5, 5), "ខ្មែរ": (4, 4),
    "שָׁלוֹם": (4, 4), "كَتَبَ": (3, 3), "می\u200cخواهم": (7, 7), "Fu\xadß": (3, 3), "a\u200bb": (2, 2),
    "語": (2, 1), "ｶﾞ": (2, 2), "ＡＢ": (4, 2), "각": (2, 1), "\u1100\u1161\u11a8": (2, 1),
    "👍🏽": (2, 1), "👨\u200d👩\u200d👧": (2, 1), "🇩🇪": (2, 1), "🇩🇪🇫🇷": (4, 2),
    "❤\ufe0f": (2, 1), "❤": (1, 1),
    "1\ufe0f\u20e3": (2, 1), "\U0001fae8": (2, 1), "क्\u200dष": (2, 2),
}  # fmt: skip


@pytest.mark.parametrize("text", ROOM)
def test_marks_beside_a_letter_have_a_width_and_others_none(text: str) -> None:
    assert (columns(text), signs(text)) == ROOM[text]


def test_letters_of_wide_scripts_have_more_room_in_a_drawing() -> None:
    assert ems("ii") < ems("oo") < ems("OO") < ems("MM") <= ems("வா") == ems("語語")
    assert ems("o\u0301\u0323") == ems("o")
