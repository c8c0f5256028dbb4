"""The fields of labels on the pages of presets, ready exercises, and those of one's own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from game.display import boards
from game.display.boards import BoardView
from game.display.public_values import PublicValues
from game.engine.chance import SEED_BYTES
from game.feature import PageAddition
from game.features.axes import labels, making, models
from game.features.axes.exercises import exercises_of
from game.features.axes.making import Exercise, read_exercise
from game.matches.saved import begin as begin_match
from game.matches.setup import LONGEST_TASK, LONGEST_TITLE, Setup, solo
from game.ops import database
from game.ops.database import DatabaseDown
from game.views import images
from game.views.addresses import address_elsewhere, is_of_this_device
from game.views.answers import see_other
from game.views.before import asked_fields
from game.views.decorators import database_view
from game.web.networks import network_of
from game.web.responses import error_page
from game.web.rows import TooMany
from game.web.spelling import legible

View = Callable[..., HttpResponse]
_database_view = database_view(gettext_lazy("This site keeps no exercises."))


@dataclass(frozen=True)
class ExerciseView(PublicValues):
    """What the page of a match has of its exercise."""

    code: str = ""
    misspelt: Sequence[str] = ()


def fields_of_setup(request: HttpRequest) -> PageAddition:
    """Returns the fields of the page of a preset as they were filled in."""
    fields = asked_fields(request)
    names = (labels.COLUMNS, labels.ROWS, labels.LANGUAGE, labels.TYPED)
    values = {name: fields.get(name, "") for name in names}
    kept = {name: fields[name] for name in ("title", "task", labels.ANSWERS) if name in fields}
    view = {
        **values,
        "kept": kept,
        "is_open": any(values.values()),
        "languages": labels.languages(),
    }
    return PageAddition(view, styles=("axes/axes.css",))


@require_safe
def exercises(request: HttpRequest) -> HttpResponse:
    """Six exercises for a class, each with the address of its game."""
    return render(request, "axes/exercises.html", {"exercises": exercises_of()})


def _texts(sent: QueryDict) -> Mapping[str, str]:
    return {name: legible(str(text)) for name, text in sent.items()}


def kept_view(view: View) -> View:
    """Decorates a view of an exercise that may be a row: it is given the exercise's fields.

    Without the row it answers 404, or 410 if an operator has removed the exercise.
    """

    def of_row(request: HttpRequest, code: str) -> HttpResponse:
        row = models.find(code)
        ways = [(reverse("class"), _("For a class"))]
        title = _("This exercise is not here")
        if row is None:
            sentence = _("Check the code. An exercise that nobody opens for a year is deleted.")
            return error_page(request, 404, title, sentence, ways=ways)
        if not row.query:
            sentence = _("Whoever runs this site has removed it.")
            return error_page(request, 410, title, sentence, ways=ways)
        return view(request, _texts(QueryDict(row.query)), row.code)

    @wraps(view)
    def wrapper(request: HttpRequest, code: str = "") -> HttpResponse:
        if not code:
            return view(request, _texts(request.GET), "")
        return _database_view(of_row)(request, code)

    return wrapper


@require_safe
@kept_view
def begin(request: HttpRequest, fields: Mapping[str, str], code: str) -> HttpResponse:
    """What pupils open: the game itself, in their own language."""
    asked = {**fields, labels.CODE: code} if code else fields
    response = redirect(f"{reverse('new', args=['own'])}?{urlencode(asked)}")
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


@require_safe
@kept_view
def exercise(request: HttpRequest, fields: Mapping[str, str], code: str) -> HttpResponse:
    """The page for the teacher: what the exercise is, its link, and what can be done with it."""
    made = read_exercise(fields)
    if made.refused:
        return redirect(f"{reverse('new_exercise')}?{urlencode(fields)}")
    where = f"{reverse('begin_exercise')}?{made.query}"
    if code:
        where = reverse("begin_kept_exercise", args=[code])
    link = address_elsewhere(request, where)
    context = {
        **_shown(made),
        "code": code,
        "link": link,
        "qr_code": images.qr_code(link),
        "is_for_this_device": is_of_this_device(link),
        "has_database": database.is_on(),
    }
    return render(request, "axes/exercise.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def new_exercise(request: HttpRequest) -> HttpResponse:
    """The page on which an exercise is made; a query fills it in."""
    sent = request.POST if request.method == "POST" else request.GET
    fields = _texts(sent)
    made = read_exercise(fields)
    is_sent = request.method == "POST" or any(fields.get(name) for name in making.FIELDS)
    refused, status = (made.refused if is_sent else {}), 200
    if request.POST.get("action") == "make":
        if not made.refused:
            return _keep(request, made)
        status = 422
    context = {
        **_shown(made._replace(refused=refused)),
        "games": _games(made.fields),
        "label_languages": labels.languages(),
        "longest": (LONGEST_TITLE, LONGEST_TASK),
        "is_typed": made.fields[labels.TYPED] == "typed",
    }
    return render(request, "axes/new_exercise.html", context, status=status)


def _keep(request: HttpRequest, made: Exercise) -> HttpResponse:
    """Leads to the page of an exercise, with a row if there is a database that can be reached."""
    where = f"{reverse('exercise')}?{made.query}"
    if not database.is_on():
        return see_other(where)
    try:
        code = models.add(made.query, network_of(request))
    except TooMany:
        sentence = _("From here, %(most)s exercises were made today.") % {"most": models.MOST_A_DAY}
        why = _("Tomorrow there are new short links. The long one works without the server’s help.")
        ways = [(where, _("The exercise with its long link"))]
        return error_page(request, 429, _("No more short links today"), sentence, why, ways=ways)
    except DatabaseDown:
        return see_other(where)
    return see_other(reverse("kept_exercise", args=[code]))


def _shown(made: Exercise) -> dict[str, Any]:
    return {**made._asdict(), "it": made.fields, "picture": made.setup and _picture(made.setup)}


def _picture(setup: Setup) -> BoardView:
    """Returns the board of a setup before the first shot."""
    alone = solo(setup.ruleset, setup.preset)
    seen = begin_match(alone, bytes(SEED_BYTES)).seen
    return boards.enemy_board(seen, setup.cell_names, is_live=False)


def _games(fields: Mapping[str, str]) -> list[tuple[str, str, bool]]:
    words = {
        "alone": _("Search alone"),
        "computer": _("Against the computer"),
        "two": _("Two teams, one device"),
    }
    return [(name, words[name], fields[making.GAME] == name) for name in making.GAMES]


@require_http_methods(["GET", "HEAD", "POST"])
@kept_view
def report(request: HttpRequest, fields: Mapping[str, str], code: str) -> HttpResponse:
    """Reports an exercise to the operators of the site."""
    if is_done := request.method == "POST":
        models.report(code)
    made = read_exercise(fields)
    return render(request, "axes/report.html", {**_shown(made), "is_done": is_done, "code": code})
