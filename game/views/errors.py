"""Error pages, each with one sentence."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from game.ops import metrics
from game.responses import error_page, foreign_form, unknown_host, unreadable_form


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """413 for a form that is too large, 400 for an unknown host and what else Django refuses."""
    is_host = isinstance(exception, DisallowedHost)
    metrics.count_refusal("address" if is_host else "form")
    if is_host:
        return unknown_host(request)
    return unreadable_form(request, 413 if isinstance(exception, RequestDataTooBig) else 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return foreign_form(request)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    sentence = _("There is no page at this address.")
    return error_page(request, 404, _("Nothing but water"), sentence, address=reverse("home"))


def server_error(request: HttpRequest) -> HttpResponse:
    """500: a page that depends on nothing that may have failed."""
    try:
        looks = f'<link rel="stylesheet" href="{static("game/site.css")}">'
    except ValueError:  # static files were not collected, which may be the cause of the error
        looks = ""
    page = FAULT.replace("<title>", f"{looks}<title>").replace('"/"', f'"{settings.PATH}"')
    return HttpResponse(page, status=500)


_FAULT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{name}</title>
</head>
<body>
<main id="main">
<div class="card lost">
{sentences}
<p><a class="button primary" href="/">{name}</a></p>
</div>
</main>
</body>
</html>
"""


def _fault() -> str:
    """The page for server errors, in all languages whose catalogue is complete."""
    names, sentences = [], []
    for code, row in settings.LANGUAGE_TABLE.items():
        if row.is_complete:
            with override(code):
                names.append(_("Battleship"))
                title = _("Something went wrong")
                text = _("That was our fault. Your match is safe: go back and try again.")
            sentences.append(f'<div lang="{code}">\n<h1>{title}</h1>\n<p>{text}</p>\n</div>')
    return _FAULT.format(name=" · ".join(names), sentences="\n".join(sentences))


FAULT = _fault()
