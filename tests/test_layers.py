"""The law and the map: which module may import which, in one table from the ground up.

    battleships_site
    views  terminal  deduction's pages      management  bench
    display                 from what is known to sentences and boards; it knows no HTTP
    matches                 a match with who plays it, as a record, as bytes, as a token
    players                 minds, which see an Observation and a source of chance
    engine      ops         the rules; logs, counters and secrets

A module may import what stands above its own row in the table, where its row says so, and no more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import game
from game.engine import observation

ROOT = Path(game.__file__).parent.parent

GEOMETRY, CHANCE, RULES, FLEETS, MATCH, OBSERVATION, CODEC, TRANSLATION = (
    f"game.engine.{name}"
    for name in (
        "geometry", "chance", "rules", "fleets", "match", "observation", "codec", "translation",
    )
)  # fmt: skip
MIND_SEES = (GEOMETRY, CHANCE, RULES, FLEETS, OBSERVATION)
ENGINE, OPS, PLAYERS, MATCHES, DISPLAY, DEDUCTION, TERMINAL, VIEWS = (
    f"game.{name}"
    for name in (
        "engine", "ops", "players", "matches", "display", "deduction", "terminal", "views",
    )
)  # fmt: skip
MINDS = f"{PLAYERS}.minds"
REGISTRY, REFEREE, KEYRING = f"{PLAYERS}.registry", f"{MATCHES}.referee", f"{MATCHES}.keyring"
DAILY = f"{MATCHES}.daily"
LOGBOOK = f"{MATCHES}.logbook"
SEED_SHARES = f"{MATCHES}.seed_shares"
RANDOM = f"{PLAYERS}.originals.random_player"
BELIEF, SINKINGS = f"{PLAYERS}.belief", f"{PLAYERS}.sinkings"
HABITS = f"{BELIEF}.habits"
GAME = (ENGINE, PLAYERS, MATCHES)
"""What is below the words and the pages."""
D_RULES, D_PLACES, D_TREE, D_SEARCHERS, D_MATCH, D_REFEREE, D_CODEC = (
    f"{DEDUCTION}.{name}"
    for name in ("rules", "places", "tree", "searchers", "match", "referee", "codec")
)
COMMANDS = "game.management.commands"

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    # a module                what it may import of the site; a package stands for all that is in it
    "game": (),
    # --- engine: the rules. It knows no Django, no files, no clock and no chance of its own.
    ENGINE: (),
    TRANSLATION: (),
    GEOMETRY: (),
    CHANCE: (),
    RULES: (GEOMETRY,),
    FLEETS: (GEOMETRY, CHANCE, RULES),
    f"{ENGINE}.presets": (RULES, TRANSLATION),
    f"{ENGINE}.uniform_fleets": (CHANCE, RULES, FLEETS),
    MATCH: (GEOMETRY, CHANCE, RULES, FLEETS),
    OBSERVATION: (GEOMETRY, RULES, FLEETS, MATCH),
    CODEC: (CHANCE, RULES, FLEETS, MATCH),
    f"{ENGINE}.notation": (GEOMETRY, RULES, FLEETS, MATCH),
    # --- ops: what operators need. It knows nothing of the game.
    OPS: (),
    f"{OPS}.addresses": (),
    f"{OPS}.logs": (f"{OPS}.addresses",),
    f"{OPS}.metrics": (),
    f"{OPS}.match_store": (f"{OPS}.metrics",),
    f"{OPS}.match_store_redis": (),
    f"{OPS}.match_store_sqlite": (f"{OPS}.match_store",),
    f"{OPS}.secrets": (),
    # --- players: minds. None may reach a match, a record or another chance than it is given.
    PLAYERS: (),
    f"{PLAYERS}.mind": MIND_SEES,
    SINKINGS: MIND_SEES,
    f"{PLAYERS}.protocol": (*MIND_SEES, f"{PLAYERS}.mind", SINKINGS),
    f"{PLAYERS}.originals": (),
    RANDOM: MIND_SEES,
    f"{PLAYERS}.originals.bonn": (*MIND_SEES, SINKINGS),
    f"{PLAYERS}.originals.camlship": (*MIND_SEES, RANDOM),
    f"{PLAYERS}.originals.uppsala": (*MIND_SEES, RANDOM),
    BELIEF: (),
    f"{BELIEF}.tables": (*MIND_SEES, SINKINGS),
    f"{BELIEF}.compiled": (),
    f"{BELIEF}.messages": (*MIND_SEES, f"{BELIEF}.tables", f"{BELIEF}.compiled"),
    f"{BELIEF}.exact": (
        *MIND_SEES, *(f"{BELIEF}.{name}" for name in ("tables", "compiled", "messages")),
    ),
    f"{BELIEF}.sampler": (
        *MIND_SEES, *(f"{BELIEF}.{name}" for name in ("tables", "compiled", "messages", "exact")),
    ),
    f"{BELIEF}.habits": (
        *MIND_SEES, *(f"{BELIEF}.{name}" for name in ("tables", "messages", "exact", "sampler")),
    ),
    f"{BELIEF}.habit_evidence": tuple(
        f"{BELIEF}.{name}" for name in ("tables", "messages", "habits")
    ),
    f"{BELIEF}.belief": (
        *MIND_SEES, SINKINGS,
        *(f"{BELIEF}.{name}"
          for name in ("tables", "messages", "exact", "sampler", "habits", "habit_evidence")),
    ),
    f"{BELIEF}.tracker": (
        *MIND_SEES, *(f"{BELIEF}.{name}" for name in ("tables", "messages", "exact", "sampler")),
    ),
    f"{BELIEF}.endgame": (
        *MIND_SEES, *(f"{BELIEF}.{name}" for name in ("tables", "compiled", "belief")),
    ),
    f"{PLAYERS}.placing": (*MIND_SEES, BELIEF),
    f"{PLAYERS}.admiral": (*MIND_SEES, BELIEF, RANDOM, f"{PLAYERS}.placing"),
    f"{PLAYERS}.people": (*MIND_SEES, BELIEF, RANDOM),
    f"{PLAYERS}.ranks": tuple(f"{PLAYERS}.{name}" for name in ("mind", "admiral", "people")),
    MINDS: tuple(f"{PLAYERS}.{name}" for name in ("mind", "originals", "ranks")),
    REGISTRY: (TRANSLATION,),
    # --- matches: only the referee hands a match's observation to a mind.
    MATCHES: (),
    REFEREE: (ENGINE, f"{PLAYERS}.mind"),
    SEED_SHARES: (CHANCE, FLEETS, f"{ENGINE}.notation"),
    f"{MATCHES}.setup": (ENGINE, REGISTRY, SEED_SHARES),
    f"{MATCHES}.fairness": (ENGINE, REGISTRY, REFEREE, SEED_SHARES, f"{MATCHES}.setup"),
    f"{MATCHES}.record": (
        ENGINE, REGISTRY, HABITS, SEED_SHARES, f"{MATCHES}.fairness", f"{MATCHES}.setup",
    ),
    f"{MATCHES}.review": (ENGINE, BELIEF),
    f"{MATCHES}.saved": (
        ENGINE, HABITS, REGISTRY, REFEREE, *(f"{MATCHES}.{name}" for name in ("record", "setup")),
    ),
    f"{MATCHES}.thinking": (
        ENGINE, BELIEF, *(f"{MATCHES}.{name}" for name in ("record", "review", "saved", "setup")),
    ),
    f"{MATCHES}.draft": (
        ENGINE, SEED_SHARES, *(f"{MATCHES}.{name}" for name in ("saved", "setup")),
    ),
    f"{MATCHES}.duel": (ENGINE, *(f"{MATCHES}.{name}" for name in ("saved", "setup"))),
    f"{MATCHES}.seats": (ENGINE, f"{MATCHES}.duel"),
    f"{MATCHES}.token_format": (
        ENGINE, HABITS, REGISTRY, SEED_SHARES,
        *(f"{MATCHES}.{name}" for name in ("draft", "duel", "saved", "setup")),
    ),
    KEYRING: (OPS,),
    DAILY: (CHANCE, f"{OPS}.secrets", KEYRING),
    f"{MATCHES}.review_progress": (CODEC, GEOMETRY, MATCH, REFEREE, f"{MATCHES}.review"),
    f"{MATCHES}.tokens": (
        CODEC, MATCH, KEYRING, f"{MATCHES}.review_progress",
        *(f"{MATCHES}.{name}" for name in ("draft", "duel", "saved", "seats", "token_format")),
    ),
    f"{MATCHES}.duel_store": (
        RULES, KEYRING, f"{OPS}.match_store", f"{MATCHES}.duel", f"{MATCHES}.tokens",
    ),
    LOGBOOK: (CODEC, f"{ENGINE}.presets", REGISTRY, DAILY),
    # --- display: sentences and boards, in the language of the request.
    DISPLAY: (),
    f"{DISPLAY}.names": GAME,
    f"{DISPLAY}.options": (*GAME, f"{DISPLAY}.names"),
    f"{DISPLAY}.boards": (*GAME, f"{DISPLAY}.names"),
    f"{DISPLAY}.fleets": (*GAME, f"{DISPLAY}.names"),
    f"{DISPLAY}.shot_effects": (*GAME, f"{DISPLAY}.boards"),
    f"{DISPLAY}.messages": (*GAME, f"{DISPLAY}.names", f"{DISPLAY}.boards"),
    f"{DISPLAY}.habits": (*GAME, f"{DISPLAY}.names"),
    f"{DISPLAY}.text_view": (
        *GAME, *(f"{DISPLAY}.{name}" for name in ("names", "messages", "habits")),
    ),
    f"{DISPLAY}.replay": (*GAME, f"{DISPLAY}.boards", f"{DISPLAY}.messages"),
    f"{DISPLAY}.review_page": (
        *GAME, *(f"{DISPLAY}.{name}" for name in ("names", "boards", "messages")),
    ),
    f"{DISPLAY}.thinking_page": (
        *GAME, *(f"{DISPLAY}.{name}" for name in ("boards", "messages", "review_page")),
    ),
    f"{DISPLAY}.sharing": (*GAME, f"{DISPLAY}.names", f"{DISPLAY}.review_page"),
    f"{DISPLAY}.logbook": (*GAME, f"{DISPLAY}.names"),
    # --- forms and views: requests and answers.
    "game.forms": (*GAME, DISPLAY),
    VIEWS: (),
    f"{VIEWS}.preferences": (REGISTRY, f"{DISPLAY}.messages"),
    "game.context_processors": (f"{MATCHES}.logbook", f"{VIEWS}.preferences"),
    f"{VIEWS}.errors": (OPS,),
    f"{VIEWS}.rendering": (GEOMETRY, DISPLAY),
    f"{VIEWS}.demo": (*GAME, DISPLAY),
    f"{VIEWS}.images": (*GAME, DISPLAY, f"{VIEWS}.demo"),
    f"{VIEWS}.answers": (
        MATCH, KEYRING, DAILY, f"{MATCHES}.saved", f"{MATCHES}.setup", OPS, f"{DISPLAY}.names",
    ),
    f"{VIEWS}.daily": (
        f"{ENGINE}.presets", KEYRING, DAILY, f"{MATCHES}.saved", f"{MATCHES}.setup",
        f"{MATCHES}.tokens", f"{VIEWS}.answers",
    ),
    f"{VIEWS}.pages": (
        *GAME, DISPLAY, "game.context_processors",
        *(f"{VIEWS}.{name}" for name in ("answers", "daily", "images", "preferences", "rendering")),
    ),
    f"{VIEWS}.onboarding": (
        f"{ENGINE}.observation", DISPLAY, f"{MATCHES}.saved", f"{VIEWS}.pages",
        f"{VIEWS}.preferences",
    ),
    f"{VIEWS}.seats": (KEYRING, f"{MATCHES}.seats", f"{MATCHES}.tokens"),
    f"{VIEWS}.duel": (
        *GAME, OPS, DISPLAY, "game.forms",
        *(f"{VIEWS}.{name}"
          for name in ("answers", "images", "onboarding", "pages", "preferences", "seats")),
    ),
    f"{VIEWS}.setup": (
        *GAME, OPS, DISPLAY, "game.forms",
        *(f"{VIEWS}.{name}" for name in ("answers", "duel", "pages", "preferences", "seats")),
    ),
    f"{VIEWS}.logbook": (
        *GAME, DISPLAY, *(f"{VIEWS}.{name}" for name in ("answers", "images", "preferences")),
    ),
    f"{VIEWS}.play": (
        *GAME, OPS, DISPLAY, "game.forms",
        *(f"{VIEWS}.{name}"
          for name in (
              "answers", "daily", "onboarding", "logbook", "pages", "preferences", "setup",
          )),
    ),
    f"{VIEWS}.looking_back": (MATCHES,),
    f"{VIEWS}.after": (
        *GAME, DISPLAY,
        *(f"{VIEWS}.{name}" for name in ("answers", "daily", "logbook", "looking_back", "pages")),
    ),
    f"{VIEWS}.share": (
        *GAME, DISPLAY,
        *(f"{VIEWS}.{name}" for name in ("answers", "images", "logbook", "looking_back")),
    ),
    f"{VIEWS}.site": (ENGINE, OPS, DAILY, DISPLAY, f"{VIEWS}.demo", f"{VIEWS}.images"),
    f"{VIEWS}.thinking": (f"{DISPLAY}.thinking_page", f"{MATCHES}.thinking"),
    f"{VIEWS}.settings": (DISPLAY, f"{VIEWS}.preferences"),
    "game.templatetags": (),
    "game.templatetags.addresses": (DISPLAY,),
    "game.templatetags.boards": (DISPLAY, f"{VIEWS}.rendering"),
    # --- terminal
    TERMINAL: (),
    f"{TERMINAL}.boards": (*GAME, DISPLAY),
    f"{TERMINAL}.commands": (*GAME, OPS, "game.forms"),
    f"{TERMINAL}.app": (
        *GAME, DISPLAY, "game.forms", f"{TERMINAL}.boards", f"{TERMINAL}.commands",
    ),
    # --- deduction: a second house. What searches is handed evidence and knows no match.
    DEDUCTION: (),
    D_RULES: (GEOMETRY,),
    D_PLACES: (GEOMETRY, D_RULES),
    D_TREE: (D_RULES, D_PLACES),
    D_SEARCHERS: (GEOMETRY, CHANCE, D_RULES, D_PLACES, D_TREE),
    f"{DEDUCTION}.tree_builder": (D_RULES, D_PLACES),
    f"{DEDUCTION}.measure": (CHANCE, D_RULES, D_PLACES, D_SEARCHERS),
    D_MATCH: (CHANCE, D_RULES),
    D_REFEREE: (CHANCE, D_RULES, D_SEARCHERS, D_MATCH),
    D_CODEC: (GEOMETRY, CHANCE, CODEC, D_RULES, D_MATCH),
    f"{DEDUCTION}.review": (D_RULES, D_PLACES),
    f"{DEDUCTION}.presets": (D_RULES,),
    f"{DEDUCTION}.saved": (
        CHANCE, CODEC, KEYRING, D_RULES, D_SEARCHERS, D_MATCH, D_REFEREE, D_CODEC,
        f"{DEDUCTION}.presets",
    ),
    f"{DEDUCTION}.messages": (
        GEOMETRY, D_RULES, D_MATCH, f"{DEDUCTION}.review", f"{DEDUCTION}.saved",
    ),
    f"{DEDUCTION}.boards": (
        GEOMETRY, DISPLAY, D_RULES, D_PLACES, D_SEARCHERS, D_MATCH,
        f"{DEDUCTION}.review", f"{DEDUCTION}.messages",
    ),
    f"{DEDUCTION}.forms": (
        GEOMETRY, "game.forms", DAILY, D_RULES, D_SEARCHERS, D_MATCH,
        *(f"{DEDUCTION}.{name}" for name in ("presets", "saved", "messages")),
    ),
    f"{DEDUCTION}.pages": (
        TRANSLATION, D_RULES, D_TREE, D_MATCH,
        *(f"{DEDUCTION}.{name}" for name in ("review", "presets", "saved", "messages", "boards")),
    ),
    f"{DEDUCTION}.views": (
        "game.forms", DAILY, KEYRING, f"{VIEWS}.answers", f"{VIEWS}.logbook", D_RULES, D_MATCH,
        *(f"{DEDUCTION}.{name}"
          for name in ("review", "presets", "saved", "messages", "forms", "pages")),
    ),
    f"{DEDUCTION}.urls": (f"{DEDUCTION}.views",),
    f"{DEDUCTION}.terminal": (
        GEOMETRY, CHANCE, D_RULES, D_PLACES, D_SEARCHERS, D_MATCH, D_REFEREE,
        f"{DEDUCTION}.messages", f"{DEDUCTION}.boards",
    ),
    # --- what Django looks for at the root, and commands
    "game.checks": (OPS,),
    "game.management": (),
    "game.management.preparation": (),
    "game.management.options": (CHANCE,),
    "game.apps": ("game.checks", "game.management.preparation"),
    "game.middleware": (KEYRING, OPS),
    "game.urls": (VIEWS,),
    COMMANDS: (),
    f"{COMMANDS}.translations": ("game.management.preparation",),
    f"{COMMANDS}.serve": ("game.management.preparation",),
    f"{COMMANDS}.runserver": ("game.management.preparation",),
    f"{COMMANDS}.keys": (OPS, KEYRING, DAILY),
    f"{COMMANDS}.engine": (PLAYERS,),
    f"{COMMANDS}.verify": GAME,
    f"{COMMANDS}.play": (
        *GAME, DISPLAY, "game.forms", TERMINAL, "game.management.options",
    ),
    f"{COMMANDS}.selfplay": (ENGINE, PLAYERS),
    f"{COMMANDS}.calibration": (MATCHES,),
    f"{COMMANDS}.bench": GAME,
    f"{COMMANDS}.memory_bench": GAME,
    f"{COMMANDS}.placing_bench": (PLAYERS,),
    f"{COMMANDS}.habits_bench": (PLAYERS,),
    f"{COMMANDS}.register_bench": (f"{OPS}.match_store",),
    f"{COMMANDS}.shot_bench": GAME,
    f"{COMMANDS}.worst": GAME,
    f"{COMMANDS}.worst_requests": (*GAME, DEDUCTION, "game.forms", f"{COMMANDS}.worst"),
    f"{COMMANDS}.worst_fleets": (PLAYERS,),
    f"{COMMANDS}.thinking": (f"{MATCHES}.thinking",),
    f"{COMMANDS}.deduction": (CHANCE, DEDUCTION, "game.management.options"),
    f"{COMMANDS}.deduction_bench": (CHANCE, DEDUCTION),
    f"{COMMANDS}.deduction_tree": (DEDUCTION,),
    # --- the project, which knows the application; nothing in the application knows it
    "battleships_site": (),
    "battleships_site.settings": (f"{OPS}.secrets",),
    "battleships_site.hosts": (),
    "battleships_site.packing": (),
    "battleships_site.storage": (),
    "battleships_site.gunicorn_log": (f"{OPS}.logs",),
    "battleships_site.gunicorn_worker": (),
    "battleships_site.wsgi": (f"{OPS}.metrics",),
    "battleships_site.bare": ("battleships_site.wsgi",),
    "battleships_site.urls": ("game.urls",),
}  # fmt: skip
"""The rows stand in the order of the floors: none names a module that stands below it."""

PURE = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib",
    "heapq", "itertools", "json", "math", "operator", "re", "textwrap", "types", "typing",
}  # fmt: skip
"""What any module may import of Python: nothing with files, a clock or chance of its own."""

ANYTHING = "*"
BESIDE_PURE: dict[str, set[str]] = {
    # What a module, or all of a package, may import as well: the longest name that fits decides.
    ENGINE: set(),
    PLAYERS: set(),
    BELIEF: {"numpy"},
    f"{BELIEF}.compiled": {"contextlib", "numpy", "pathlib", "threading", "wasmtime"},
    f"{PLAYERS}.placing": {"numpy"},
    f"{PLAYERS}.admiral": {"numpy"},
    f"{PLAYERS}.people": {"numpy"},
    f"{PLAYERS}.originals.bonn": {"numpy"},
    MATCHES: set(),
    f"{MATCHES}.draft": {"os"},
    f"{MATCHES}.duel": {"base64", "hashlib", "hmac", "os"},
    f"{MATCHES}.seats": {"hashlib", "hmac", "os"},
    f"{MATCHES}.review_progress": {"struct", "zlib"},
    f"{MATCHES}.record": {"contextlib"},
    f"{MATCHES}.review": {"numpy", "threading"},
    f"{MATCHES}.thinking": {"numpy"},
    LOGBOOK: {"base64", "cryptography", "datetime", "os", "struct"},
    KEYRING: {"base64", "cryptography", "django.conf", "logging", "os", "pathlib", "time"},
    DAILY: {"base64", "datetime", "hmac"},
    DISPLAY: {"django.utils", "urllib.parse"},
    f"{DISPLAY}.names": {"datetime", "django.utils"},
    f"{DISPLAY}.logbook": {"datetime", "django.utils"},
    TERMINAL: {"django.utils", "django.urls"},
    OPS: {ANYTHING},
    VIEWS: {ANYTHING},
    DEDUCTION: {"datetime", "django", "os"},
    **{name: set() for name in (D_RULES, D_MATCH, D_REFEREE, D_CODEC, f"{DEDUCTION}.presets")},
    **{name: {"numpy"} for name in (D_PLACES, D_SEARCHERS, f"{DEDUCTION}.tree_builder")},
    D_TREE: {"pathlib"},
    f"{DEDUCTION}.review": set(),
    f"{DEDUCTION}.measure": {"time"},
    "game": {ANYTHING},
    "battleships_site": {ANYTHING},
}
"""Of NumPy's chance, only what is seeded by hand. Display knows no HTTP."""

SEEDED = {"Generator", "Philox", "PCG64"}
IMPURE_NAMES = {"open", "input", "print", "eval", "exec", "compile", "__import__"}


def module_name(path: Path) -> str:
    """`game.engine.match` for the path of that file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {
    module_name(path): path
    for part in ("game", "battleships_site")
    for path in sorted((ROOT / part).rglob("*.py"))
}


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
    """What a module does that the tables don't allow."""
    found = []
    for target, name in imports(module, source):
        if not may_import(module, target):
            found.append(f"{module} imports {target}")
        elif is_hidden(module, target, name):
            found.append(f"{module} takes {name} out of {target}")
    if ANYTHING in beside_pure(module):
        return found
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
    if target.partition(".")[0] in ("game", "battleships_site"):
        return any(is_within(target, allowed) for allowed in MAY_IMPORT[module])
    others = beside_pure(module)
    is_pure = target.partition(".")[0] in PURE
    return is_pure or ANYTHING in others or any(is_within(target, one) for one in others)


def beside_pure(module: str) -> set[str]:
    """What the row of BESIDE_PURE allows that fits a module best."""
    return BESIDE_PURE[max((one for one in BESIDE_PURE if is_within(module, one)), key=len)]


def is_hidden(module: str, target: str, name: str | None) -> bool:
    """Whether a mind would reach what `observation` itself imports, or a chance not its own."""
    if target.startswith("numpy.random"):
        return name not in SEEDED
    is_mind = is_within(module, PLAYERS)
    return is_mind and target == OBSERVATION and name not in observation.__all__


def is_within(target: str, allowed: str) -> bool:
    return target == allowed or target.startswith(f"{allowed}.")


# --- the law ---


@pytest.mark.parametrize("module", sorted(FILES))
def test_each_module_imports_only_what_it_may(module: str) -> None:
    assert breaches(module, FILES[module].read_text()) == []


def test_the_table_holds_every_module_and_no_other() -> None:
    assert set(FILES) - set(MAY_IMPORT) == set(), "modules that the table doesn't know"
    assert set(MAY_IMPORT) - set(FILES) == set(), "modules that there no longer are"
    assert set(BESIDE_PURE) - set(MAY_IMPORT) == set()


def runs_up(table: dict[str, tuple[str, ...]]) -> list[str]:
    """The rows that allow what stands in or below them."""
    order = list(table)
    return [
        f"{module} may import {inner}"
        for at, (module, allowed) in enumerate(table.items())
        for target in allowed
        for inner in order[at:]
        if is_within(inner, target)
    ]


def test_what_the_table_allows_leads_down_only() -> None:
    assert runs_up(MAY_IMPORT) == []


def test_a_row_that_leads_up_is_seen() -> None:
    assert runs_up(MAY_IMPORT | {RULES: (MATCH,)}) == [f"{RULES} may import {MATCH}"]
    assert runs_up(MAY_IMPORT | {f"{DISPLAY}.names": (DISPLAY,)}) != []


def test_no_more_is_allowed_than_is_used() -> None:
    """A row names no single module that its module doesn't import; packages are allowed whole."""
    shared = {*MIND_SEES, *GAME}
    unused = [
        f"{module} needn't import {allowed}"
        for module, path in FILES.items()
        for allowed in MAY_IMPORT[module]
        if allowed not in shared
        and not any(is_within(target, allowed) for target, _ in imports(module, path.read_text()))
    ]
    assert unused == []


def test_what_searches_sees_evidence_and_neither_matches_nor_records() -> None:
    hidden = {D_MATCH, D_REFEREE, D_CODEC, f"{DEDUCTION}.saved", DEDUCTION}
    for module in (D_RULES, D_PLACES, D_TREE, D_SEARCHERS):
        assert not hidden & set(MAY_IMPORT[module])


def test_a_mind_may_see_neither_matches_nor_records() -> None:
    for module, allowed in MAY_IMPORT.items():
        if is_within(module, PLAYERS):
            assert not {ENGINE, MATCH, CODEC, MATCHES, "game"} & set(allowed)
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
        (RULES, "from ..matches.referee import decide", "imports game.matches.referee"),
        (RULES, "from game import engine", "imports game.engine"),
        (RULES, "from game.engine.presets import BONN", "imports game.engine.presets"),
        (MATCH, "import time", "imports time"),
        (MATCH, "import datetime as clock", "imports datetime"),
        (MATCH, "def f():\n    import os.path", "imports os.path"),
        (MATCH, "open('record')", "uses open"),
        (MATCH, "__import__('random')", "uses __import__"),
        (MATCH, "from game.engine.observation import observe", "imports game.engine.observation"),
        (CODEC, "from pathlib import Path", "imports pathlib"),
        (CODEC, "from django.conf import settings", "imports django.conf"),
        (OBSERVATION, "import importlib", "imports importlib"),
        (ENGINE, "from game.engine.match import Match", "imports game.engine.match"),
        (f"{OPS}.metrics", "from game.engine.match import Action", "imports game.engine.match"),
        (f"{OPS}.logs", "import battleships_site.settings", "imports battleships_site.settings"),
        (RANDOM, "from game.engine.match import Match", "imports game.engine.match"),
        (RANDOM, "import game.engine.match as m", "imports game.engine.match"),
        (RANDOM, "from game.engine import codec", "imports game.engine.codec"),
        (RANDOM, "from ...engine.match import Match", "imports game.engine.match"),
        (RANDOM, "def f():\n    from ...engine import match", "imports game.engine.match"),
        (RANDOM, "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
         "    from game.engine.match import Match", "imports game.engine.match"),
        (RANDOM, "from game.engine.observation import Match",
         "takes Match out of game.engine.observation"),
        (RANDOM, "import game.engine.observation",
         "takes None out of game.engine.observation"),
        (RANDOM, "from game.engine import *", "imports game.engine"),
        (RANDOM, "from game.matches import referee", "imports game.matches.referee"),
        (RANDOM, "import game", "imports game"),
        (RANDOM, "import numpy", "imports numpy"),
        (PLAYERS, "from .originals.random_player import RandomPlayer",
         "imports game.players.originals.random_player"),
        (f"{BELIEF}.belief", "from numpy.random import rand", "takes rand out of numpy.random"),
        (f"{BELIEF}.belief", "np.random.default_rng()", "uses np.random.default_rng"),
        (f"{PLAYERS}.admiral", "x = np.random.rand(3)", "uses np.random.rand"),
        (REFEREE, "from game.views.play import play", "imports game.views.play"),
        (REFEREE, "from game.matches import tokens", "imports game.matches.tokens"),
        (f"{MATCHES}.setup", "from game.matches.draft import Draft", "imports game.matches.draft"),
        (f"{MATCHES}.token_format", "from game.matches import keyring",
         "imports game.matches.keyring"),
        (f"{MATCHES}.draft", "from django.utils.translation import gettext",
         "imports django.utils.translation"),
        (f"{DISPLAY}.boards", "from django.http import HttpRequest", "imports django.http"),
        (f"{DISPLAY}.messages", "from game.views import pages", "imports game.views.pages"),
        (f"{DISPLAY}.names", "from game.forms import Refused", "imports game.forms"),
        ("game.forms", "from game.views.answers import show", "imports game.views.answers"),
        (f"{VIEWS}.rendering", "from game.views import pages", "imports game.views.pages"),
        (f"{VIEWS}.answers", "from game.views.pages import MatchPage", "imports game.views.pages"),
        (f"{VIEWS}.pages", "from game.views import play", "imports game.views.play"),
        (f"{VIEWS}.play", "from battleships_site import settings",
         "imports battleships_site.settings"),
        (f"{TERMINAL}.commands", "from game.views import answers", "imports game.views.answers"),
        (f"{TERMINAL}.app", "from django.http import QueryDict", "imports django.http"),
        (D_SEARCHERS, "from game.deduction.match import Match", "imports game.deduction.match"),
        (D_SEARCHERS, "from game.deduction import codec", "imports game.deduction.codec"),
        (D_SEARCHERS, "from .saved import SavedMatch", "imports game.deduction.saved"),
        (D_SEARCHERS, "import os", "imports os"),
        (D_TREE, "from game.deduction.match import Match", "imports game.deduction.match"),
        (D_MATCH, "from game.deduction.searchers import PLAIN",
         "imports game.deduction.searchers"),
        (f"{DEDUCTION}.views", "from game.views.pages import play_page",
         "imports game.views.pages"),
        ("game.middleware", "from game.views import play", "imports game.views.play"),
        (f"{COMMANDS}.engine", "from game.engine.match import Match", "imports game.engine.match"),
        ("battleships_site.settings", "from game.views import play", "imports game.views.play"),
        ("battleships_site.wsgi", "import game.matches.keyring", "imports game.matches.keyring"),
    ],
)  # fmt: skip
def test_a_planted_breach_is_seen(module: str, line: str, breach: str) -> None:
    sound = FILES[module].read_text()
    assert breaches(module, f"{sound}\n\n{line}\n") == [f"{module} {breach}"]


@pytest.mark.parametrize(
    ("module", "line"),
    [
        (RULES, "from .geometry import Board"),
        (MATCH, "from game.engine import geometry, rules"),
        (RANDOM, "from game.engine.observation import Known, Steer"),
        (REFEREE, "from game.engine import codec, match"),
        (REFEREE, "import game.players.mind"),
        (f"{DISPLAY}.boards", "from django.utils.html import escape"),
        (f"{VIEWS}.play", "from django.http import HttpResponse"),
    ],
)
def test_what_may_be_imported_is_not_taken_for_a_breach(module: str, line: str) -> None:
    assert breaches(module, f"{FILES[module].read_text()}\n\n{line}\n") == []


def test_a_module_that_is_not_in_the_table_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for stranger in ("game.engine.cheat", "game.views.cheat", "game.cheat", "battleships_site.x"):
        monkeypatch.setitem(FILES, stranger, ROOT / "cheat.py")
        with pytest.raises(AssertionError):
            test_the_table_holds_every_module_and_no_other()
        monkeypatch.delitem(FILES, stranger)
