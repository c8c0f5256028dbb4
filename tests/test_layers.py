"""The law and the map: which module of the game may import which, in one table.

    geometry  chance
      rules          presets
      match          uniform
    observation  codec
      players
      referee
    review, fairness, record, tokens, pages, commands, measuring

The deduction game is a second house beside the engine, with geometry and chance for its ground:

    deduction.rules
    deduction.places      what the answers tell, as arrays
    deduction.tree
    deduction.searchers   handed evidence; they know no match
        deduction.match
    deduction.referee     deduction.codec
    deduction.review      deduction.measuring

A module may import what stands above it in the picture and, but for the last row, nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import game
from game.engine import observation

ROOT = Path(game.__file__).parent

GEOMETRY, CHANCE, RULES, MATCH, OBSERVATION, CODEC = (
    f"game.engine.{name}"
    for name in ("geometry", "chance", "rules", "match", "observation", "codec")
)
UNIFORM = "game.engine.uniform"
REFEREE, DRIFTER = "game.referee", "game.players.drifter"
MIND_SEES = (GEOMETRY, CHANCE, RULES, OBSERVATION, "game.players")

DEDUCTION = "game.deduction"
D_RULES, D_PLACES, D_TREE, D_SEARCHERS, D_MATCH, D_REFEREE, D_CODEC = (
    f"{DEDUCTION}.{name}"
    for name in ("rules", "places", "tree", "searchers", "match", "referee", "codec")
)
SEARCHER_SEES = (GEOMETRY, CHANCE, D_RULES, D_PLACES, D_TREE)

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    # a module                what it may import of the game; a package stands for all that is in it
    "game": (),
    "game.engine": (),
    GEOMETRY: (),
    CHANCE: (),
    RULES: (GEOMETRY, CHANCE),
    UNIFORM: (GEOMETRY, CHANCE, RULES),
    MATCH: (GEOMETRY, CHANCE, RULES),
    OBSERVATION: (GEOMETRY, CHANCE, RULES, MATCH),
    CODEC: (GEOMETRY, CHANCE, RULES, MATCH),
    "game.presets": (GEOMETRY, RULES),
    "game.players": (),
    "game.players.mind": MIND_SEES,
    DRIFTER: MIND_SEES,
    "game.players.bonn": MIND_SEES,
    "game.players.camlship": MIND_SEES,
    "game.players.uppsala": MIND_SEES,
    "game.players.sea": MIND_SEES,
    "game.players.odds": MIND_SEES,
    "game.players.swarm": MIND_SEES,
    "game.players.follow": MIND_SEES,
    "game.players.belief": MIND_SEES,
    "game.players.wake": MIND_SEES,
    "game.players.endgame": MIND_SEES,
    "game.players.admiral": MIND_SEES,
    "game.players.roster": MIND_SEES,
    REFEREE: ("game.engine", "game.players", "game.presets"),
    DEDUCTION: (),
    D_RULES: (GEOMETRY,),
    D_PLACES: (GEOMETRY, D_RULES),
    D_TREE: (D_RULES, D_PLACES),
    D_SEARCHERS: SEARCHER_SEES,
    f"{DEDUCTION}.growing": (D_RULES, D_PLACES),
    D_MATCH: (CHANCE, D_RULES),
    D_REFEREE: (CHANCE, D_RULES, D_SEARCHERS, D_MATCH),
    D_CODEC: (GEOMETRY, CHANCE, CODEC, D_RULES, D_MATCH),
    f"{DEDUCTION}.review": (D_RULES, D_PLACES),
    f"{DEDUCTION}.presets": (D_RULES,),
}
"""The lower part of the game. Modules that are not here are above it, and may import all of it."""

PURE = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib",
    "heapq", "itertools", "math", "operator", "re", "typing",
}  # fmt: skip
"""What the lower part may import of Python: nothing with files, a clock or chance of its own."""

BESIDE_PURE: dict[str, set[str]] = {
    f"game.players.{name}": {"numpy"}
    for name in ("sea", "odds", "swarm", "follow", "belief", "wake", "endgame", "admiral")
} | {
    D_PLACES: {"numpy"},
    D_TREE: {"pathlib"},
    D_SEARCHERS: {"numpy"},
    f"{DEDUCTION}.growing": {"numpy"},
}
"""What single modules may import as well. Of NumPy's chance, only what is seeded by hand."""

SEEDED = {"Generator", "Philox", "PCG64"}
IMPURE_NAMES = {"open", "input", "print", "eval", "exec", "compile", "__import__"}


def module_name(path: Path) -> str:
    """`game.engine.match` for the path of that file."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def imports(module: str, source: str) -> Iterator[tuple[str, str | None]]:
    """Each imported module with the name that is taken from it, wherever the import stands.

    `from game.engine import match` is an import of `game.engine.match`, as there is such a file.
    """
    package = module if is_package(module) else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, *filter(None, [node.module])]) if node.level else node.module
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield (inner, None) if inner in FILES else (str(base), alias.name)


def is_package(module: str) -> bool:
    return module in FILES and FILES[module].name == "__init__.py"


def breaches(module: str, source: str) -> list[str]:
    """What a module of the lower part does that the table doesn't allow."""
    found = []
    for target, name in imports(module, source):
        if not may_import(module, target):
            found.append(f"{module} imports {target}")
        elif is_hidden(module, target, name):
            found.append(f"{module} takes {name} out of {target}")
    return found + [f"{module} uses {name}" for name in uses(source) if is_impure(name)]


def uses(source: str) -> Iterator[str]:
    """Each name that is called as `open(...)` is, and each dotted one such as `np.random.seed`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Attribute):
            yield ast.unparse(node)


def is_impure(name: str) -> bool:
    home, _, thing = name.rpartition(".")
    return name in IMPURE_NAMES or (home in ("np.random", "numpy.random") and thing not in SEEDED)


def may_import(module: str, target: str) -> bool:
    top = target.partition(".")[0]
    if top != "game":
        return top in PURE or top in BESIDE_PURE.get(module, ())
    return any(is_within(target, allowed) for allowed in MAY_IMPORT[module])


def is_hidden(module: str, target: str, name: str | None) -> bool:
    """Whether a mind would reach what `observation` itself imports, or a chance not its own."""
    if target.startswith("numpy.random"):
        return name not in SEEDED
    is_mind = is_within(module, "game.players")
    return is_mind and target == OBSERVATION and name not in observation.__all__


def is_within(target: str, allowed: str) -> bool:
    return target == allowed or target.startswith(f"{allowed}.")


# --- the law ---


@pytest.mark.parametrize("module", sorted(set(MAY_IMPORT) & set(FILES)))
def test_each_module_of_the_table_imports_only_what_it_may(module: str) -> None:
    assert breaches(module, FILES[module].read_text()) == []


def test_each_module_of_the_engine_and_of_the_players_is_in_the_table() -> None:
    lower = {name for name in FILES if name.startswith(("game.engine", "game.players"))}
    assert lower - set(MAY_IMPORT) == set(), "modules that the table doesn't know"
    assert set(MAY_IMPORT) - set(FILES) == set(), "modules that there no longer are"
    assert set(BESIDE_PURE) - set(MAY_IMPORT) == set()


def test_what_the_table_allows_leads_down_only() -> None:
    """The rows stand in the order of the layers; minds may know each other."""
    order = list(MAY_IMPORT)
    for module, allowed in MAY_IMPORT.items():
        for target in allowed:
            assert order.index(target) < order.index(module)


def test_what_searches_sees_evidence_and_neither_matches_nor_records() -> None:
    upper = {"match", "codec", "referee", "sitting", "forms", "views", "boards", "wording"}
    hidden = {f"{DEDUCTION}.{name}" for name in upper} | {DEDUCTION}
    for module in (D_RULES, D_PLACES, D_TREE, D_SEARCHERS):
        assert not hidden & set(MAY_IMPORT[module])


def test_a_mind_may_see_neither_matches_nor_records() -> None:
    for module, allowed in MAY_IMPORT.items():
        if module.startswith("game.players"):
            assert not {"game.engine", MATCH, CODEC, REFEREE, "game"} & set(allowed)
    assert "Match" not in observation.__all__


# --- the law is kept by a check that can fail ---


@pytest.mark.parametrize(
    ("module", "line", "breach"),
    [
        (GEOMETRY, "from game.engine.rules import Side", "imports game.engine.rules"),
        (GEOMETRY, "import random", "imports random"),
        (GEOMETRY, "from random import choice", "imports random"),
        (CHANCE, "import game.engine.geometry", "imports game.engine.geometry"),
        (CHANCE, "import secrets", "imports secrets"),
        (RULES, "from game.engine import match", "imports game.engine.match"),
        (RULES, "from . import match", "imports game.engine.match"),
        (RULES, "from .match import Match", "imports game.engine.match"),
        (RULES, "from ..referee import decide", "imports game.referee"),
        (RULES, "from game import engine", "imports game.engine"),
        (RULES, "from game.presets import BONN", "imports game.presets"),
        (MATCH, "import time", "imports time"),
        (MATCH, "import datetime as clock", "imports datetime"),
        (MATCH, "def f():\n    import os.path", "imports os.path"),
        (MATCH, "open('record')", "uses open"),
        (MATCH, "__import__('random')", "uses __import__"),
        (MATCH, "from game.engine.observation import observe", "imports game.engine.observation"),
        (CODEC, "from pathlib import Path", "imports pathlib"),
        (CODEC, "from django.conf import settings", "imports django.conf"),
        (OBSERVATION, "import importlib", "imports importlib"),
        ("game.engine", "from game.engine.match import Match", "imports game.engine.match"),
        (DRIFTER, "from game.engine.match import Match", "imports game.engine.match"),
        (DRIFTER, "import game.engine.match as m", "imports game.engine.match"),
        (DRIFTER, "from game.engine import codec", "imports game.engine.codec"),
        (DRIFTER, "import game.engine.codec", "imports game.engine.codec"),
        (DRIFTER, "from ..engine.match import Match", "imports game.engine.match"),
        (DRIFTER, "def f():\n    from ..engine import match",
         "imports game.engine.match"),
        (DRIFTER, "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
         "    from game.engine.match import Match", "imports game.engine.match"),
        (DRIFTER, "from game.engine.observation import Match",
         "takes Match out of game.engine.observation"),
        (DRIFTER, "import game.engine.observation",
         "takes None out of game.engine.observation"),
        (DRIFTER, "from game.engine import *", "imports game.engine"),
        (DRIFTER, "from game import referee", "imports game.referee"),
        (DRIFTER, "import game", "imports game"),
        (DRIFTER, "import numpy", "imports numpy"),
        ("game.players", "from .drifter import Drifter", "imports game.players.drifter"),
        ("game.players.belief", "from numpy.random import rand", "takes rand out of numpy.random"),
        ("game.players.belief", "np.random.default_rng()", "uses np.random.default_rng"),
        ("game.players.admiral", "x = np.random.rand(3)", "uses np.random.rand"),
        (D_SEARCHERS, "from game.deduction.match import Match", "imports game.deduction.match"),
        (D_SEARCHERS, "from game.deduction import codec", "imports game.deduction.codec"),
        (D_SEARCHERS, "from .sitting import Sitting", "imports game.deduction.sitting"),
        (D_SEARCHERS, "import os", "imports os"),
        (D_TREE, "from game.deduction.match import Match", "imports game.deduction.match"),
        (D_MATCH, "from game.deduction.searchers import PLAIN",
         "imports game.deduction.searchers"),
        (REFEREE, "from game.views import play", "imports game.views"),
        (REFEREE, "from game import tokens", "imports game.tokens"),
        ("game.presets", "from game.engine.match import Match", "imports game.engine.match"),
    ],
)  # fmt: skip
def test_a_planted_breach_is_seen(module: str, line: str, breach: str) -> None:
    sound = FILES[module].read_text()
    assert breaches(module, f"{sound}\n\n{line}\n") == [f"{module} {breach}"]


@pytest.mark.parametrize(
    ("module", "line"),
    [
        (RULES, "from .chance import Chance"),
        (MATCH, "from game.engine import geometry, rules"),
        (DRIFTER, "from . import mind"),
        (DRIFTER, "from game.engine.observation import Known, Steer"),
        (REFEREE, "from game.engine import codec, match"),
        (REFEREE, "import game.players.drifter"),
    ],
)
def test_what_may_be_imported_is_not_taken_for_a_breach(module: str, line: str) -> None:
    assert breaches(module, f"{FILES[module].read_text()}\n\n{line}\n") == []


def test_a_module_that_is_not_in_the_table_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for stranger in ("game.engine.cheat", "game.players.cheat"):
        monkeypatch.setitem(FILES, stranger, ROOT / "cheat.py")
        with pytest.raises(AssertionError):
            test_each_module_of_the_engine_and_of_the_players_is_in_the_table()
        monkeypatch.delitem(FILES, stranger)
