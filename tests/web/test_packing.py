"""Pages are compressed in a way that the browser accepts, and their lengths vary."""

import gzip

import brotli
import pytest

from game.engine.presets import BONN
from tests.support.device import Device
from tests.support.matches import address, opening, played


@pytest.mark.parametrize(
    ("accepted", "packing"),
    [
        *((it, "br") for it in ("gzip, deflate, br, zstd", "br", "*", "br;q=0.5, gzip ; Q=0.5")),
        *((it, "gzip") for it in ("gzip", "br;q=0, gzip", "br;q=0.1,gzip", "br;q=0.000, *;q=0.1")),
        *((it, None) for it in ("identity", "", "gzip;q=0", "br;q=0,gzip; q=0.0", "*;q=0", "zstd")),
        *((it, None) for it in ("brotli", "gzip;q=much", ",,;q=1")),
    ],
)
def test_a_page_is_packed_as_the_browser_takes_it(
    client: Device, accepted: str, packing: str | None
) -> None:
    plain = client.get("/en/rules/").content
    answer = client.get("/en/rules/", headers={"accept-encoding": accepted})
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[packing]
    assert unpack(answer.content) == plain
    assert answer.headers.get("Content-Encoding") == packing
    assert answer.headers["Content-Length"] == str(len(answer.content))
    assert "Accept-Encoding" in answer.headers["Vary"]


@pytest.mark.parametrize("packing", ["br", "gzip"])
def test_the_same_page_has_many_lengths(client: Device, packing: str) -> None:
    where = address(played(opening(BONN), 20))
    answers = [client.get(where, headers={"accept-encoding": packing}) for _ in range(25)]
    assert len({answer.headers["Content-Length"] for answer in answers}) > 8
