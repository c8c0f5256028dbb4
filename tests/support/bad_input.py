"""What people may type by mistake; and Python's spelling, in which no answer may be."""

import re

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.support import times

IN_PYTHONS_SPELLING = re.compile(
    r"<\w+[.:]|\b\w+\(\w+=|\bobject at 0x|\bTraceback\b|\[Errno|<class "
)
WORDS = """a1 z99 c4h5 c4 m move fire take turn random start stay hints on 99 -1 fore aft up left
best 0,2,1 9,9,9 again recap load save help < > \x00 \x1b[A ٣ ⚓"""


def is_plain(text: str) -> bool:
    """Whether a text that is quoted in a refusal is none in Python's spelling by chance."""
    return not IN_PYTHONS_SPELLING.search(text)


TYPED = st.one_of(
    st.text(max_size=12),
    st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=4).map(" ".join),
).filter(is_plain)
FUZZED = settings(
    max_examples=times(12, 200, 2000),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
