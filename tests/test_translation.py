"""Every sentence is seen by what collects the sentences to be translated.

xgettext finds a sentence only where it stands as it is: not in an f-string, not put together, not
in a variable. What it doesn't find has no German, and nothing complains. So the source is read.
"""

import ast
from collections.abc import Container, Iterator
from itertools import chain

from tests.support.features import brought
from tests.support.served import ROOT

SOURCES = {
    str(path.relative_to(ROOT)): path.read_text()
    for path in sorted((*ROOT.glob("game/**/*.py"), *ROOT.glob("battleships_site/*.py")))
}
MESSAGES = {
    "_": (0,), "gettext": (0,), "gettext_lazy": (0,), "gettext_noop": (0,),
    "ngettext": (0, 1), "ngettext_lazy": (0, 1), "pgettext": (0, 1), "pgettext_lazy": (0, 1),
    "npgettext": (0, 1, 2), "npgettext_lazy": (0, 1, 2), "plural": (0, 1),
}  # fmt: skip
"""The calls that mark a sentence, and which of their arguments have to be plain text."""
MARKED_ELSEWHERE = {
    "game/display/names.py": {
        "CONTEXT", "PARTIAL", "TITLES[name]", "preset.source", "preset.title", "preset.sentence",
    },
    "game/display/choices.py": {"label", "words.label"},
    "game/display/rule_words.py": {"says"},
    "game/display/words.py": {"singular", "many"},
}  # fmt: skip
"""Arguments that are texts of tables, where `gettext_noop` marks each, or of another such call."""


def name_of(call: ast.Call) -> str:
    """What it calls: `gettext`, of `translation.gettext("…")`."""
    return ast.unparse(call.func).rpartition(".")[2]


def is_call_of(node: ast.AST, names: Container[str]) -> bool:
    return isinstance(node, ast.Call) and name_of(node) in names


def unseen(source: str) -> Iterator[str]:
    """The calls whose sentences xgettext can't see."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from (ast.unparse(it) for it in ast.walk(node) if is_call_of(it, MESSAGES))
        if isinstance(node, ast.Call) and is_call_of(node, MESSAGES):
            texts = (node.args[at : at + 1] for at in MESSAGES[name_of(node)])
            yield from (ast.unparse(it) for it in chain(*texts) if not is_text(it))


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_each_sentence_is_seen_by_what_collects_them() -> None:
    found = {path: set(unseen(source)) for path, source in SOURCES.items()}
    assert {path: sentences for path, sentences in found.items() if sentences} == MARKED_ELSEWHERE


# --- what refuses a person ---


REFUSING = (
    "game/features/", "game/views/", "game/web/forms.py", "game/management/terminal_options.py",
)  # fmt: skip
IN_ENGLISH = {path for paths in brought("IN_ENGLISH").values() for path in paths}


def bare_refusals(source: str) -> Iterator[str]:
    """The reasons, given to a person, that are texts of the source and not marked."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and is_call_of(node, {"CommandError", "Refused"}):
            for reason in node.args:
                is_marked = any(is_call_of(inner, MESSAGES) for inner in ast.walk(reason))
                if isinstance(reason, ast.Constant | ast.JoinedStr | ast.BinOp) and not is_marked:
                    yield ast.unparse(reason)


def test_no_refusal_is_left_in_english() -> None:
    paths = [path for path in SOURCES if path.startswith(REFUSING) and path not in IN_ENGLISH]
    found = {path: [*bare_refusals(SOURCES[path])] for path in paths}
    assert not [path for path in found if found[path]], found
    assert len(found) > 20
