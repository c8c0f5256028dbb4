"""A class behind one address, which arrives with empty caches and fires, is refused nothing."""

from pathlib import Path

import pytest

from bench.load import PROXIES, site
from tests.cluster.crowd import PLAYERS, crowd
from tests.support.missing import needs
from tests.support.served import collect_static

pytestmark = pytest.mark.cluster
EACH = [pytest.param(proxy, marks=needs(proxy, proxy)) for proxy in PROXIES]


@pytest.mark.parametrize("proxy", EACH)
def test_a_class_behind_one_address_is_refused_nothing(proxy: str, tmp_path: Path) -> None:
    collect_static()
    with site(proxy, tmp_path) as port:
        answers = crowd(port, arrival=5, seconds=20)
    assert answers.keys() == {200, 303}
    assert answers.total() > PLAYERS * (20 + 5), "files and clicks"
