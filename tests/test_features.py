"""The list of features: its rows, the drawing of the architecture, and a site without a feature."""

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from game import feature_list
from game.feature_list import FEATURES, PARTS, PLACES
from game.matches.parts import BITS, Model, kinds
from game.views import places
from game.views.places import Places, rows
from tests.support.device import Device
from tests.support.documents import DOCUMENTS, ROOT
from tests.support.features import SITE, brought, without

FOLDER = ROOT / "game/features"
NAMES = [it.name for it in FEATURES]


def test_each_folder_of_features_has_a_row_a_document_and_tests() -> None:
    folders = {path.parent.name for path in FOLDER.glob("*/__init__.py")}
    assert folders == set(NAMES)
    assert len(folders) == len(NAMES)
    for name in NAMES:
        assert f"docs/{name}.md" in DOCUMENTS
        assert f"[{name}.md]({name}.md)" in DOCUMENTS["docs/README.md"]
        assert any((ROOT / "tests" / name).glob("test_*.py")), name


def test_the_modules_that_rows_name_are_there_and_have_rows_of_their_kind() -> None:
    """import-linter doesn't see these names, as they are strings."""
    for it in FEATURES:
        for module, kind in ((PARTS, Model), (PLACES, Places)):
            name = f"game.features.{it.name}.{module}"
            assert bool(find_spec(name)) is (module in it.modules), name
            if module in it.modules:
                assert isinstance(import_module(name).ROW, kind)


def test_no_two_features_have_a_bit_a_purpose_or_the_end_of_a_token() -> None:
    found = [kind for _name, kind in kinds().values()]
    bits = [kind.bit for kind in found if kind.bit is not None]
    assert len(set(bits)) == len(bits)
    assert set(bits) <= set(BITS)
    assert sum(kind.is_at_end for kind in found) <= 1
    purposes = feature_list.words("purposes")
    assert len(set(purposes)) == len(purposes)


def test_parts_import_no_pages() -> None:
    """The core reads tokens before it knows pages."""
    for it in FEATURES:
        for name in (PARTS, "model"):
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
    assert naming == {"game/feature_list.py", "game/checks.py"}


def test_the_drawing_has_the_features_and_the_layers_of_the_code() -> None:
    drawn = re.findall(r"^    │  (\w+) ", DOCUMENTS["docs/architecture.md"], re.MULTILINE)
    layers = [name for name in drawn if name not in NAMES]
    assert {*drawn[: len(NAMES)]} == {*NAMES}
    order = re.findall(r'"game\.(\w+)', (ROOT / "pyproject.toml").read_text())
    assert [name for name in dict.fromkeys(order) if name in layers] == layers
    assert all((ROOT / "game" / name).is_dir() for name in layers)


def test_places_name_templates_that_there_are() -> None:
    for name, row in rows().items():
        for template in row.templates.values():
            assert (FOLDER / name / "templates" / template).is_file(), template


ONLY_ITS_OWN: dict[str, tuple[str, ...]] = brought("ONLY_ITS_OWN")
"""What the About page says of a feature that is there, and of no other."""


@pytest.mark.usefixtures("chain_file")
@pytest.mark.parametrize("name", ONLY_ITS_OWN)
def test_the_about_page_promises_nothing_of_a_feature_that_is_not_there(
    name: str, client: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = {feature: row for feature, row in rows().items() if feature != name}
    said = client.see("/en/about/").lower()
    assert [words for words in ONLY_ITS_OWN[name] if words not in said] == []
    monkeypatch.setattr(places, "rows", lambda: there)
    said = client.see("/en/about/").lower()
    assert [words for words in ONLY_ITS_OWN[name] if words in said] == []


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
def test_a_site_without_a_feature_plays_and_leads_nowhere_that_is_gone(
    name: str, tmp_path: Path
) -> None:
    done = without(name, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"{SITE}\n")
