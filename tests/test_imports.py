"""Each import contract of pyproject.toml, and each ban of ruff's, can fail."""

from __future__ import annotations

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
BREACHES = [
    ("layers", "game.engine.rules", "game.matches.referee"),
    ("layers", "game.ops.metrics", "game.engine.match"),
    ("layers", "game.players.mind", "game.matches.setup"),
    ("layers", "game.matches.setup", "game.display.names"),
    ("layers", "game.display.names", "game.forms"),
    ("layers", "game.display.messages", "game.views.answers"),
    ("layers", "game.views.answers", "battleships_site.settings"),
    ("layers", "game.matches.referee", "bench.selfplay"),
    ("layers", "bench.selfplay", "tests.support.matches"),
    ("engine", "game.engine.match", "random"),
    ("engine", "game.engine.rules", "django"),
    ("engine", "game.engine.presets", "pathlib"),
    ("engine", "game.engine.codec", "time"),
    ("engine", "game.engine.geometry", "game.players.mind"),
    ("minds-see-observations", "game.players.originals.uppsala", "game.engine.match"),
    ("minds-see-observations", "game.players.admiral", "random"),
    ("referee", "game.matches.saved", "game.players.mind"),
    ("minds", "game.views.play", "game.players.minds"),
    ("minds", "game.matches.record", "game.players.admiral"),
    ("registry", "game.players.registry", "game.players.ranks"),
    ("matches", "game.matches.draft", "django"),
    ("searchers", "game.deduction.searchers", "game.deduction.match"),
    ("tests", "tests.test_belief", "tests.test_bonn"),
    ("tests", "tests.support.matches", "tests.test_bonn"),
]


@cache
def imports() -> grimp.ImportGraph:
    packages = SESSION["root_packages"]
    return grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)


def is_kept(options: dict[str, object], graph: grimp.ImportGraph) -> bool:
    contract = KINDS[str(options["type"])](str(options["name"]), SESSION, options)
    return bool(contract.check(graph, verbose=False).kept)


@pytest.mark.parametrize("name", CONTRACTS)
def test_each_contract_is_kept(name: str) -> None:
    assert is_kept(CONTRACTS[name], deepcopy(imports()))


@pytest.mark.parametrize(("name", "importer", "imported"), BREACHES)
def test_a_planted_import_breaks_its_contract(name: str, importer: str, imported: str) -> None:
    graph = deepcopy(imports())
    graph.add_import(importer=importer, imported=imported, line_number=1, line_contents="")
    assert not is_kept(CONTRACTS[name], graph)


def test_each_contract_has_a_planted_import() -> None:
    assert {name for name, _, _ in BREACHES} == CONTRACTS.keys()


@pytest.mark.parametrize(
    ("path", "line", "rule"),
    [
        ("game/display/names.py", "from django.http import HttpRequest", "TID251"),
        ("game/players/admiral.py", "numpy.random.default_rng()", "TID251"),
        ("game/players/admiral.py", "numpy.random.rand()", "NPY002"),
        ("game/views/play.py", "print(numpy._private)", "SLF001"),
        ("tests/test_bonn.py", "print(numpy._private)", "SLF001"),
        ("tests/test_bonn.py", "from tests.web import test_pages", "TID251"),
        ("tests/web/test_guard.py", "from .test_pages import ENGLISH", "TID251"),
    ],
)
def test_a_planted_line_is_refused(path: str, line: str, rule: str) -> None:
    ruff = Path(sys.executable).with_name("ruff")
    found = subprocess.run(
        [ruff, "check", "--select", rule, "--stdin-filename", path, "-"],
        cwd=ROOT, input=f"import numpy\n\n{line}\n", text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert rule in found.stdout
