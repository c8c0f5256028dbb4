"""Each import contract of pyproject.toml, and each ban of ruff's, can fail."""

import subprocess
import sys
from copy import deepcopy
from functools import cache
from pathlib import Path

import grimp
import pytest
from importlinter import Contract
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract

from game.feature_list import FEATURES
from tests.support.documents import ROOT

KINDS: dict[str, type[Contract]] = {
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
    "protected": ProtectedContract,
}
CONFIGURATION = read_configuration(str(ROOT / "pyproject.toml"))
SESSION = CONFIGURATION["session_options"]
CONTRACTS = {options["id"]: options for options in CONFIGURATION["contracts_options"]}
FIRST, SECOND = (f"game.features.{it.name}" for it in FEATURES[:2])
BREACHES = [
    ("layers", "game.ops.metrics", "game.engine.match"),
    ("layers", "game.display.names", "game.web.forms"),
    ("layers", "game.views.answers", "battleships_site.settings"),
    ("layers", "bench.selfplay", "tests.support.matches"),
    ("layers", "game.views.play", f"{FIRST}.apps"),
    ("features", f"{FIRST}.apps", f"{SECOND}.apps"),
    ("engine", "game.engine.match", "random"),
    ("engine", "game.engine.geometry", "game.players.mind"),
    ("minds-see-observations", "game.players.originals.uppsala", "game.engine.match"),
    ("minds-see-observations", "game.players.admiral", "random"),
    ("referee", "game.matches.saved", "game.players.mind"),
    ("minds", "game.views.play", "game.players.minds"),
    ("registry", "game.players.registry", "game.players.people"),
    ("matches", "game.matches.draft", "django"),
    ("tests", "tests.test_belief", "tests.test_bonn"),
]


@cache
def imports() -> grimp.ImportGraph:
    packages = SESSION["root_packages"]
    return grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)


@pytest.mark.parametrize(("name", "importer", "imported"), BREACHES)
def test_a_planted_import_breaks_its_contract(name: str, importer: str, imported: str) -> None:
    graph, options = deepcopy(imports()), CONTRACTS[name]
    graph.add_import(importer=importer, imported=imported, line_number=1, line_contents="")
    assert not KINDS[options["type"]](name, SESSION, options).check(graph, verbose=False).kept


def test_each_contract_has_a_planted_import() -> None:
    assert {name for name, _, _ in BREACHES} == CONTRACTS.keys()


@pytest.mark.parametrize(
    ("path", "line", "rule"),
    [
        ("game/players/admiral.py", "numpy.random.default_rng()", "TID251"),
        ("tests/test_bonn.py", "print(numpy._private)", "SLF001"),
        ("tests/test_bonn.py", "from tests.web import test_pages", "TID251"),
        ("game/display/names.py", "from django.http import HttpRequest", "TID251"),
    ],
)
def test_a_planted_line_is_refused(path: str, line: str, rule: str) -> None:
    ruff = [str(Path(sys.executable).with_name("ruff")), "check", "--select", rule]
    found = subprocess.run(
        [*ruff, "--stdin-filename", path, "-"], cwd=ROOT, input=f"import numpy\n\n{line}\n",
        text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert rule in found.stdout
