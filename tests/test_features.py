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
from tests.support.documents import DOCUMENTS, ROOT
from tests.support.features import SITE, brought, without

FOLDER = ROOT / "game/features"
NAMES = [it.name for it in FEATURES]


def test_each_folder_of_features_has_a_row_and_tests() -> None:
    folders = {path.parent.name for path in FOLDER.glob("*/__init__.py")}
    assert folders == set(NAMES)
    assert len(folders) == len(NAMES)
    for name in NAMES:
        assert any((ROOT / "tests" / name).glob("test_*.py")), name


def test_the_modules_that_classes_name_are_there_and_are_its_own() -> None:
    """import-linter doesn't see these names, as they are strings."""
    for it in features():
        for module in filter(None, (it.urls, it.part)):
            assert module.startswith(f"{it.name}.")
            assert find_spec(module), module
        there = {
            f"{it.name}.{module}"
            for module in ("urls", "parts")
            if (FOLDER / it.label / f"{module}.py").exists()
        }
        assert there == {*filter(None, (it.urls, it.part))}


def test_no_two_features_have_a_code_or_a_purpose_in_tokens() -> None:
    codes = [kind.code for _name, kind in part_formats().values() if kind.code]
    assert len(set(codes)) == len(codes)
    purposes = feature_list.words("purposes")
    assert len(set(purposes)) == len(purposes)


def test_parts_import_no_pages() -> None:
    """The core reads tokens before it knows pages."""
    for it in FEATURES:
        for name in ("parts", "model"):
            path = FOLDER / it.name / f"{name}.py"
            source = path.read_text() if path.exists() else ""
            assert not re.search(r"^from (?:django|game\.(?:views|display))", source, re.MULTILINE)


def test_the_core_names_no_feature_outside_its_list() -> None:
    named = re.compile(rf"game\.features|features/|[\"'](?:{'|'.join(NAMES)})/[\w/]+\.")
    core = [*ROOT.glob("game/**/*.py"), *ROOT.glob("templates/**/*.html")]
    naming = {
        str(path.relative_to(ROOT))
        for path in core
        if FOLDER not in path.parents and named.search(path.read_text())
    }
    assert naming == {"game/feature_list.py", "game/checks.py", "game/feature.py"}


def test_the_drawing_has_the_features_and_the_layers_of_the_code() -> None:
    drawn = re.findall(r"^    │  (\w+) ", DOCUMENTS["docs/architecture.md"], re.MULTILINE)
    layers = [name for name in drawn if name not in NAMES]
    assert {*drawn[: len(NAMES)]} == {*NAMES}
    order = re.findall(r'"game\.(\w+)', (ROOT / "pyproject.toml").read_text())
    assert [name for name in dict.fromkeys(order) if name in layers] == layers
    assert all((ROOT / "game" / name).is_dir() for name in layers)


def test_templates_at_places_are_at_places_that_there_are() -> None:
    templates = [*ROOT.glob("templates/**/*.html"), *FOLDER.glob("*/templates/**/*.html")]
    named = {
        it for path in templates for it in re.findall(r'{% place "([\w-]+)"', path.read_text())
    }
    there = {
        path.stem.partition("_")[2]
        for how in ("at", "always")
        for path in FOLDER.glob(f"*/templates/*/{how}_*.html")
    }
    assert there <= {name.replace("-", "_") for name in named}


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


IN_CI = ("challenge", "duel")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.deep if name in IN_CI else pytest.mark.long)
        for name in NAMES
    ],
)
def test_a_site_without_a_feature_plays_and_leads_nowhere_that_is_gone(
    name: str, tmp_path: Path
) -> None:
    done = without(name, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"{SITE}\n")
