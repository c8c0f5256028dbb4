"""Error pages, each with what happened, why, and ways on."""

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import override

from game.ops import metrics
from game.web.page_json import prefers_json
from game.web.responses import SwitchedOff, error_page, unknown_host, unreadable_form


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """413 for a form that is too large, 400 for an unknown host and what else Django refuses."""
    is_host = isinstance(exception, DisallowedHost)
    metrics.count_refusal("address" if is_host else "form")
    if is_host:
        return unknown_host(request)
    return unreadable_form(request, 413 if isinstance(exception, RequestDataTooBig) else 400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, at any address in JSON for those who prefer it."""
    request.is_in_json = prefers_json(request.headers.get("Accept", ""))  # type: ignore[attr-defined]
    title, sentence = _("Not on this site"), str(exception)
    why = ""
    if not isinstance(exception, SwitchedOff):
        title, sentence = _("Nothing but water"), _("There is no page at this address.")
        why = _("The address may have been cut off or mistyped.")
    response = error_page(request, 404, title, sentence, why, address=reverse("home"))
    patch_vary_headers(response, ["Accept"])
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """500: a page that depends on nothing that may have failed."""
    try:
        files = "site.css", "text.css", "icon.svg"
        site, text, icon = (static(f"game/{name}") for name in files)
        looks = "".join(f'<link rel="stylesheet" href="{it}">\n' for it in (site, text))
        drawing = f'<img class="drawing" src="{icon}" alt="">\n'
    except ValueError:  # static files were not collected, which may be the cause of the error
        looks = drawing = ""
    page = FAULTS.get(request.path_info.split("/")[1], FAULTS[settings.LANGUAGE_CODE])
    page = page.replace("<title>", f"{looks}<title>").replace('"/"', f'"{settings.PATH}"')
    return HttpResponse(page.replace(WORDS, f"{drawing}{WORDS}"), status=500)


WORDS = '<div class="words">'


def _fault(language: str) -> str:
    with override(language):
        return render_to_string("fault.html", {"language": language})


FAULTS = {code: _fault(code) for code, row in settings.LANGUAGE_TABLE.items() if row.is_complete}
"""The page for server errors in each language whose catalogue is complete."""
