"""What a process loads at its start, since an update replaces files while it runs."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from django.conf import settings
from django.template import engines
from django.utils.formats import get_format
from django.utils.translation import gettext, override

from game.checks import feature_folders
from game.feature import features
from game.feature_list import parts
from game.matches import thinking
from game.players.belief import compiled
from game.templatetags.pages import template_names
from game.web.versions import own_mark

_IMPORTED_LATE = """battleships_site.urls django.template.context_processors game.views.errors
    game.players.belief.tracker game.players.minds numpy.ctypeslib numpy.random"""


def load_all() -> None:
    """Loads what an answer may need: modules, templates, catalogues and tables.

    Read later, they might be those of the next version, which don't fit what has been read.
    """
    for name in (*_IMPORTED_LATE.split(), *_modules_of_features()):
        import_module(name)
    for folder in [settings.BASE_DIR / "templates", *feature_folders("templates")]:
        for path in folder.rglob("*"):
            if path.is_file():
                engines["django"].get_template(path.relative_to(folder).as_posix())
    for code, _ in settings.LANGUAGES:
        with override(code):
            gettext("Battleship")
            get_format("DATE_FORMAT")
    template_names()
    own_mark()
    compiled.load()
    thinking.story()
    for model in parts().values():
        if model.prepare:
            model.prepare()


def _modules_of_features() -> Iterator[str]:
    """Yields the modules of features with pages, which their hooks import when they are called."""
    for feature in features():
        if feature.urls:
            yield from (f"{feature.name}.{path.stem}" for path in Path(feature.path).glob("*.py"))
