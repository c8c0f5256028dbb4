"""What tests may lean on: tests/support and public names, never one another or private ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
OF_TUPLES = {"_asdict", "_fields", "_make", "_replace"}
"""What named tuples offer in public, although the names look private."""
PATCHES = {"setattr", "delattr", "getattr"}


def is_private(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.startswith("_") and not last.startswith("__") and last not in OF_TUPLES


def breaches(source: str) -> Iterator[str]:
    """What a module of tests does that none may do, in the words of its source."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                if any(".test_" in each.name for each in names):
                    yield ast.unparse(node)
            case ast.ImportFrom(module=module, names=names):
                parts = [*(module or "").split("."), *(each.name for each in names)]
                if any(part.startswith("test_") for part in parts) or any(map(is_private, parts)):
                    yield ast.unparse(node)
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name) if is_private(name):
                yield ast.unparse(node)
            case ast.Call(func=ast.Attribute(attr="wait_for_function"), args=[asked, *_]):
                # The policy of the pages refuses an expression when it is asked a second time.
                if isinstance(asked, ast.Constant) and "=>" not in str(asked.value):
                    yield ast.unparse(node)
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=given):
                texts = [each.value for each in given if isinstance(each, ast.Constant)]
                if name in PATCHES and any(isinstance(it, str) and is_private(it) for it in texts):
                    yield ast.unparse(node)


def modules() -> list[Path]:
    return [path.relative_to(TESTS) for path in sorted(TESTS.rglob("*.py"))]


@pytest.mark.parametrize("path", modules(), ids=str)
def test_no_test_leans_on_another_or_on_a_private_name(path: Path) -> None:
    assert list(breaches((TESTS / path).read_text())) == []


@pytest.mark.parametrize(
    "breach",
    [
        "from tests.web.test_pages import ENGLISH", "import tests.web.test_pages",
        "from tests.web import test_pages", "from .test_pages import ENGLISH",
        "from game.matches.review import _kept", "match._play.outcome = None",
        "engine()._table", "monkeypatch.setattr(keyring, '_ring', ring)",
        "monkeypatch.setattr('game.matches.keyring._ring', ring)", "getattr(match, '_play')",
        "page.wait_for_function('answers > 0')",
    ],
)  # fmt: skip
def test_a_planted_breach_is_seen(breach: str) -> None:
    assert list(breaches(f"def test_it(match, monkeypatch):\n    {breach}\n"))


@pytest.mark.parametrize(
    "line",
    ["from tests.support.pages import ENGLISH", "self._page.read()", "seen._replace(turn=1)",
     "match.__class__", "monkeypatch.setattr(exact, 'MOST_LISTED', 0)"],
)  # fmt: skip
def test_what_is_allowed_is_no_breach(line: str) -> None:
    assert not list(breaches(line))
