"""What can be said of templates and scripts without rendering or running them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCRIPTS = sorted((ROOT / "static/game").glob("*.js"))
WIDEST = 120


def test_no_line_of_a_template_is_wider_than_an_editor() -> None:
    for template in TEMPLATES:
        lines = enumerate(template.read_text().splitlines(), start=1)
        assert not [f"{template}:{at}" for at, line in lines if len(line) > WIDEST]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_modules_that_read_no_data_from_class_names(script: Path) -> None:
    code = script.read_text()
    assert not re.search(r"\bwindow\.\w+ = |use strict", code)
    parsed = r"(className|getAttribute\(.class.\))\)?\.?(match|split|\[)|exec\([^)]*class"
    assert not re.search(parsed, code)


def test_published_modules_import_one_another_by_hashed_names() -> None:
    root = Path(settings.STATIC_ROOT)
    paths = json.loads((root / "staticfiles.json").read_text())["paths"]
    published = {paths[f"game/{script.name}"] for script in SCRIPTS}
    imported = {
        f"game/{name}"
        for path in published
        for name in re.findall(r"""from ?["']\./([^"']+)""", (root / path).read_text())
    }
    assert imported
    assert imported <= published
