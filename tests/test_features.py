"""The list of features: its rows, the drawing of the architecture, and a site without a feature."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from game import feature_list
from game.feature import features
from game.feature_list import FEATURES
from game.matches.parts import part_formats
from game.templatetags import pages
from game.views import hooks
from tests.support.device import Device
from tests.support.documents import ROOT
from tests.support.features import SITE, brought, without

FOLDER = ROOT / "game/features"
NAMES = [it.name for it in FEATURES]


def test_the_modules_that_classes_name_are_there_and_are_its_own() -> None:
    """import-linter doesn't see these names, as they are strings."""
    for it in features():
        for module in filter(None, (it.urls, it.part)):
            assert module.startswith(f"{it.name}.")
            assert find_spec(module), module


def test_no_two_features_have_a_code_or_a_purpose_in_tokens() -> None:
    codes = [kind.code for _name, kind in part_formats().values() if kind.code]
    assert len(set(codes)) == len(codes)
    purposes = feature_list.words("purposes")
    assert len(set(purposes)) == len(purposes)


def test_the_core_names_no_feature_outside_its_list() -> None:
    named = re.compile(rf"game\.features|features/|[\"'](?:{'|'.join(NAMES)})/[\w/]+\.")
    core = [*ROOT.glob("game/**/*.py"), *ROOT.glob("templates/**/*.html")]
    naming = {
        str(path.relative_to(ROOT))
        for path in core
        if FOLDER not in path.parents and named.search(path.read_text())
    }
    assert naming == {"game/feature_list.py", "game/checks.py", "game/feature.py"}


ONLY_ITS_OWN: dict[str, tuple[str, ...]] = brought("ONLY_ITS_OWN")
"""What the About page says of a feature that is there, and of no other."""


@pytest.mark.usefixtures("chain_file")
@pytest.mark.parametrize("name", ONLY_ITS_OWN)
def test_the_about_page_promises_nothing_of_a_feature_that_is_not_there(
    name: str, client: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tuple(it for it in features() if it.label != name)
    said = client.see("/en/about/").lower()
    assert [words for words in ONLY_ITS_OWN[name] if words not in said] == []
    for module in (hooks, pages):
        monkeypatch.setattr(module, "features", lambda: there)
    pages.templates_at.cache_clear()
    said = client.see("/en/about/").lower()
    pages.templates_at.cache_clear()
    assert [words for words in ONLY_ITS_OWN[name] if words in said] == []


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.deep if name == "duel" else pytest.mark.long)
        for name in NAMES
    ],
)
def test_a_site_without_a_feature_plays_and_leads_nowhere_that_is_gone(
    name: str, tmp_path: Path
) -> None:
    done = without(name, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"{SITE}\n")
