"""What features bring to tests, and a site on which one of them is switched off.

The values of `tests/NAME/samples.py` are found by their names. The module is also the script of
that site's own process: python -m tests.support.features NAME.
"""

import re
import subprocess
import sys
from collections import Counter
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.urls import resolve

from game import feature_list
from game.feature import features

ROOT = Path(__file__).resolve().parents[2]
SITE = "the site is whole"


@cache
def brought(name: str) -> dict[str, Any]:
    """The value of that name in the samples of each feature that has one, by the feature's name."""
    modules = {
        it.label: import_module(f"tests.{it.label}.samples")
        for it in features()
        if find_spec(f"tests.{it.label}.samples")
    }
    return {it: getattr(module, name) for it, module in modules.items() if hasattr(module, name)}


def merged(name: str) -> dict[str, Any]:
    """The entries of all features' dictionaries of that name."""
    return {key: value for found in brought(name).values() for key, value in found.items()}


def needs_features(*names: str) -> pytest.MarkDecorator:
    """Marks tests of several features, which are skipped where one of these has been deleted."""
    there = {it.label for it in features()}
    return pytest.mark.skipif(not there.issuperset(names), reason="a feature has been deleted")


def ended_pages() -> list[str]:
    """The path components of the pages of an ended match, before its token."""
    return ["replay", "record", *(page for it in brought("ENDED_PAGES").values() for page in it)]


def any_pages() -> list[str]:
    """Those of further pages of matches, also of matches that go on."""
    return [page for it in brought("ANY_PAGES").values() for page in it]


def without(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a process says that plays and crawls a site without the feature."""
    from tests.support.served import environment

    env = environment(without=name, data=str(folder))
    return subprocess.run(
        [sys.executable, "-m", "tests.support.features", name, str(folder)], cwd=ROOT, env=env,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def main(name: str, folder: str) -> None:
    """Plays a whole match, crawls every page, and opens what a site with the feature has given."""
    from django.test import override_settings

    from game.ops import database
    from tests.support import golden
    from tests.support.device import Device

    (row,) = [it for it in feature_list.FEATURES if it.name == name]
    assert name not in {it.label for it in features()}
    secrets = golden.secrets_in(Path(folder))
    if database.is_on():
        database.prepare()
    with override_settings(SECRETS_FILE=secrets, ALLOWED_HOSTS=["localhost"]):
        client, kept = Device(), cookies(golden)
        for cookie, text in kept.items():
            client.cookies[cookie] = text
        crawl(client, ["/en/", "/de/", play(client)])
        for cookie, text in kept.items():
            assert entries(cookie, text) <= entries(cookie, client.cookies[cookie].value), cookie
        for sample, (*_, token) in golden.read(name).items():
            for page in row.token_pages if sample.split(",")[0] in row.purposes else ():
                assert client.get(f"/en/{page}/{token}/").status in (400, 404), sample
    print(SITE)


def cookies(golden: Any) -> dict[str, str]:
    """What a browser has kept on a site with all features: its logbook."""
    found = golden.read()
    return {name: found[name][-1] for name in ("logbook",) if name in found}


def entries(cookie: str, text: str) -> set[Any]:
    """The entries of such a cookie, those of features that are not there among them."""
    if not find_spec("game.features.logbook"):
        return {text}
    return {*import_module("game.features.logbook.model").unseal(text).days}


def play(client: Any) -> str:
    """Plays a match to its end; where it is then."""
    where: str = client.pressed("/en/new/short/", {"action": "quick"})
    while 'data-phase="over"' not in (page := client.get(where)):
        cell = re.search(r'name="cell" value="(\w+)"(?! aria-disabled)', page)
        where = client.pressed(where, {"cell": cell[1]} if cell else {"action": "go on"})
    return where


MOST_ALIKE = 2
"""How many addresses are opened that differ in the language, tokens, days and names alone."""


def crawl(client: Any, starts: list[str]) -> None:
    """Opens every kind of page to which links lead; each of them has to be there."""
    found, to_open = Counter[str](), list(starts)
    alike = (
        r"^/(?:en|de)(?=/)",
        r"[A-Za-z0-9_-]{40,}",
        r"\d{4}-\d\d-\d\d",
        *brought("ALIKE").values(),
    )
    while to_open:
        path = to_open.pop()
        kind = re.sub("|".join(alike), "…", path)
        if found[kind] == MOST_ALIKE:
            continue
        found[kind] += 1
        page = client.get(path, follow=True)
        assert page.status == 200, f"{path}: {page.status}"
        links = re.findall(r'<a [^>]*?href="(/[^"#?]*)', page)
        to_open += [link for link in links if not link.startswith("/static/")]
        for action in re.findall(r'<form [^>]*?action="(/[^"#?]*)', page):
            resolve(action)
    assert len(found) > 20, sorted(found)


if __name__ == "__main__":
    import os

    import django
    from django.test.utils import setup_test_environment

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    setup_test_environment()
    main(*sys.argv[1:])
