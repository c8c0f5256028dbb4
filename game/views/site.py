"""The pages of text, and files for robots and devices."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import chain, product

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.display.names import language_shown, preset_cards
from game.display.thinking_page import pictures
from game.display.words import enumerated
from game.engine.presets import PRESETS
from game.feature import features
from game.matches.thinking import story
from game.ops import database
from game.views import demo, hooks, images


@require_safe
def in_own_language(request: HttpRequest, **_token: str) -> HttpResponse:
    """Redirects from an address without a language to the same one in the visitor's language."""
    language = get_language_from_request(request)
    response = redirect(f"{settings.PATH}{language}{request.get_full_path_info()}")
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    fleet = sorted(Counter(PRESETS["bonn"].ruleset.fleet).items(), reverse=True)
    context = {"fleet": fleet, "preset_cards": preset_cards(), "chart": demo.chart()}
    return render(request, "rules.html", context)


@require_safe
def thinking(request: HttpRequest) -> HttpResponse:
    """How the computer thinks, in five moments of a match that is always the same."""
    return render(request, "thinking.html", {"pictures": pictures(story())})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    games = hooks.day_games()
    context = {
        "source": settings.SOURCE,
        "version": settings.VERSION,
        "has_database": database.is_on(),
        "every_day": enumerated(*(game.noun() for game in games)),
        "features": {name: it.view for name, it in hooks.on_page(request, "about").items()},
    }
    return render(request, "about.html", context)


@require_safe
def site_card(request: HttpRequest) -> HttpResponse:
    """The picture that messengers show for pages without a match."""
    return images.picture(images.site_card(), images.FOR_A_DAY)


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    home = reverse("home")
    icons = [{"src": static("game/icon.svg"), "sizes": "any", "type": "image/svg+xml"}]
    for name, size in ("192", 192), ("512", 512), ("maskable", 512):
        src, purpose = static(f"game/icon-{name}.png"), name if name == "maskable" else "any"
        icon = {"src": src, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        icons.append(icon)
    content = {
        "id": home,
        "name": _("Battleship"),
        "short_name": _("Battleship"),
        "description": _(
            "Battleship in the browser: ten ships that move, a fair computer opponent, no account, "
            "and the whole match in its address."
        ),
        "lang": home.removeprefix(settings.PATH).strip("/"),
        "dir": language_shown().direction,
        "start_url": home,
        "scope": settings.PATH,
        "display": "standalone",
        "background_color": "#e9e4d7",
        "theme_color": "#e9e4d7",
        "icons": icons,
    }
    return JsonResponse(content, content_type="application/manifest+json")


PUBLIC = ("home", "games", "rules", "about", "thinking")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """robots.txt: forbids pages whose addresses are countless.

    Other pages that robots shouldn't index say so themselves.
    """
    sitemap = request.build_absolute_uri(reverse("sitemap"))
    forbidden = ""
    countless = chain.from_iterable(feature.countless for feature in features())
    for name, (language, _name) in product(countless, settings.LANGUAGES):
        with override(language):
            forbidden += f"Disallow: {reverse(name)}\n"
    return HttpResponse(
        f"User-agent: *\n{forbidden}\nSitemap: {sitemap}\n", content_type="text/plain"
    )


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """security.txt (RFC 9116): whom to tell of vulnerabilities; 404 if no setting says so."""
    if not settings.CONTACT:
        raise Http404
    expires = (datetime.now(UTC) + timedelta(days=180)).strftime("%Y-%m-%dT00:00:00Z")
    return HttpResponse(
        f"Contact: {settings.CONTACT}\nExpires: {expires}\n"
        f"Preferred-Languages: {', '.join(settings.LANGUAGE_TABLE)}\n"
        f"Canonical: {request.build_absolute_uri(request.path)}\n",
        content_type="text/plain; charset=utf-8",
    )


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """The sitemap: the addresses of pages to index, one a line."""
    paths = list[str]()
    public = [name for feature in features() for name in feature.public]
    for language, _name in settings.LANGUAGES:
        with override(language):
            paths += map(reverse, (*PUBLIC, *public))
            paths += (reverse("setup", args=[name]) for name in PRESETS)
    lines = (f"{request.build_absolute_uri(path)}\n" for path in paths)
    return HttpResponse("".join(lines), content_type="text/plain")
