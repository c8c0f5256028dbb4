"""What leaves the site: results, links and their pictures, and what robots and devices ask for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from game.display import sharing
from game.engine.presets import PRESETS
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_replay, unseal_match, unseal_replay
from game.views import images
from game.views.play import of_a_game, of_an_ended_match

FOR_EVER = "public, max-age=31536000, immutable"
FOR_A_DAY = "public, max-age=86400"


def _panel(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """A part of a page for htmx; a page of its own where it is asked for without."""
    is_part = bool(request.htmx)  # type: ignore[attr-defined]
    context = {**context, "panel": template, "is_part": is_part}
    return render(request, template if is_part else "game/panel.html", context)


# --- the result of a match ---


@of_an_ended_match(unseal_match)
def share(request: HttpRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The result in a sentence, with a link by which the match can be watched, and only that."""
    address = request.build_absolute_uri(reverse("film", args=[seal_replay(saved)]))
    context = {
        "sentence": sharing.sentence(saved),
        "film_address": address,
        "play_address": reverse("play", args=[token]),
    }
    return _panel(request, "game/_share.html", context)


@of_an_ended_match(unseal_replay)
def card(request: HttpRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The picture that messengers show of a film's link."""
    return _picture(images.match_card(saved), FOR_EVER)


@csrf_exempt
@require_safe
def site_card(request: HttpRequest) -> HttpResponse:
    """The picture that messengers show of the site's own pages."""
    return _picture(images.site_card(), FOR_A_DAY)


def _picture(content: bytes, kept: str) -> HttpResponse:
    """A PNG that pages elsewhere may show: it is there for messengers."""
    headers = {"Cache-Control": kept, "Cross-Origin-Resource-Policy": "cross-origin"}
    return HttpResponse(content, content_type="image/png", headers=headers)


# --- going on elsewhere ---


@of_a_game
def elsewhere(request: HttpRequest, token: str) -> HttpResponse:
    """The address of a match, to be copied, and as a code for another device's camera.

    It shows nothing of the match: where two persons play, its address opens on the curtain.
    """
    unseal_match(token)
    play_address = reverse("play", args=[token])
    address = request.build_absolute_uri(play_address)
    context = {
        "match_address": address,
        "play_address": play_address,
        "code": images.qr_code(address) if len(address) <= images.MOST_IN_CODE else "",
    }
    return _panel(request, "game/_elsewhere.html", context)


# --- what devices and robots ask for ---


@csrf_exempt
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a device needs to know to install the site, in the language of the address."""
    home = reverse("home")
    icons = [
        {"src": static("game/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        *(
            {"src": static(f"game/{name}.png"), "sizes": f"{size}x{size}", "type": "image/png",
             "purpose": purpose}
            for name, size, purpose in (
                ("icon-192", 192, "any"), ("icon-512", 512, "any"),
                ("icon-maskable", 512, "maskable"),
            )
        ),
    ]  # fmt: skip
    content = {
        "id": home,
        "name": _("Battleship"),
        "short_name": _("Battleship"),
        "description": _(
            "Battleship in the browser: ten ships that move, a fair computer opponent, no account, "
            "and the whole match in its address."
        ),
        "lang": home.strip("/"),
        "dir": "ltr",
        "start_url": home,
        "scope": "/",
        "display": "standalone",
        "background_color": "#f4f1e8",
        "theme_color": "#f4f1e8",
        "icons": icons,
    }
    return JsonResponse(content, content_type="application/manifest+json")


PUBLIC = ("home", "rules", "about", "deduction")


@csrf_exempt
@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What robots may ask for: all of it, since what they should not list says so itself."""
    sitemap = request.build_absolute_uri(reverse("sitemap"))
    return HttpResponse(
        f"User-agent: *\nDisallow:\n\nSitemap: {sitemap}\n", content_type="text/plain"
    )


@csrf_exempt
@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """The pages that robots may list, a line each."""
    lines = (f"{request.build_absolute_uri(path)}\n" for path in _public_paths())
    return HttpResponse("".join(lines), content_type="text/plain")


def _public_paths() -> Iterator[str]:
    for language, _name in settings.LANGUAGES:
        with override(language):
            yield from (reverse(name) for name in PUBLIC)
            yield from (reverse("setup", args=[name]) for name in PRESETS)
