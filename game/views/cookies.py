"""What a browser remembers of what it has played, and which page it may show.

Preferences, days and the like are kept by the modules that need them.
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import chain

from django.http import HttpRequest, HttpResponse

from game.display.unfinished import Unfinished, mark_of
from game.engine.presets import PRESETS
from game.feature import features
from game.matches.results import Entry, Results
from game.matches.saved import SavedMatch
from game.views import hooks
from game.web.forms import Misspelt
from game.web.memory import Memory

RESULTS = Memory(
    "results",
    Results(),
    lambda found: found.entries,
    lambda entries: Results(tuple(Entry(*entry) for entry in entries)),
)
results_of, keep_results = RESULTS.read, RESULTS.keep
_NO_WORDS: tuple[str, Sequence[str]] = ("", ())
MISSPELT = Memory("misspelt", _NO_WORDS, lambda kept: kept, tuple)
"""The mark of the last match in which cells were misspelt, and what was typed for them."""
_MOST_WORDS, _LONGEST_WORD = 20, 40


def forget_played(request: HttpRequest, response: HttpResponse) -> None:
    """Has the browser forget its results, and what else is kept of what was played."""
    kept = chain.from_iterable(feature.cookies for feature in features())
    played = (RESULTS.name, MISSPELT.name, *kept)
    for name in request.COOKIES:
        if name.startswith(played):
            response.delete_cookie(name, samesite="Lax")


def keep_misspelt(
    request: HttpRequest, response: HttpResponse, saved: SavedMatch, error: Exception
) -> None:
    """Has the browser of one player remember what was misspelt, for the end of the match."""
    typed = request.POST.get("cell", "")[:_LONGEST_WORD].strip()
    if not isinstance(error, Misspelt) or saved.setup.is_shared or not typed:
        return
    before = misspelt_in(request, saved)
    if typed not in before:
        words = [*before, typed][-_MOST_WORDS:]
        MISSPELT.keep(request, response, (mark_of(saved.match.seed), words))


def misspelt_in(request: HttpRequest, saved: SavedMatch) -> Sequence[str]:
    """Returns what the browser that asks has misspelt in a match, in its order."""
    mark, words = MISSPELT.read(request)
    return words if mark == mark_of(saved.match.seed) else ()


# --- the match that the browser acted in last ---


def _unfinished(fields: list[str]) -> Unfinished:
    unfinished = Unfinished(*fields)
    if unfinished.game not in PRESETS and unfinished.game not in hooks.game_titles():
        raise ValueError(f"not a game of this site: {unfinished.game!r}")
    return unfinished


UNFINISHED = Memory[Unfinished | None]("unfinished", None, lambda found: found, _unfinished)
"""The match that the browser has yet to finish, for the home page."""
CONTINUE = Memory[tuple[str, str]]("continue", ("", ""), lambda it: it, tuple, path="/continue/")
"""The name of that match's view and its token. The cookie is sent to /continue/ alone, so that it
doesn't make every request longer."""


def keep_unfinished(
    request: HttpRequest,
    response: HttpResponse,
    unfinished: Unfinished,
    view: str,
    token: str,
    *,
    is_over: bool = False,
) -> None:
    """Has the browser keep the match in which it has just acted, in place of another one.

    One that is over is dropped, if it is the one that it keeps, and so is one whose token is too
    long for a cookie.
    """
    if is_over:
        if is_kept(request, unfinished):
            drop_unfinished(response)
    elif CONTINUE.keep(request, response, (view, token)):
        UNFINISHED.keep(request, response, unfinished)
    else:
        drop_unfinished(response)


def is_kept(request: HttpRequest, unfinished: Unfinished) -> bool:
    """Whether the browser keeps that match, at whatever step of it."""
    kept = UNFINISHED.read(request)
    return kept is not None and kept.mark == unfinished.mark


def drop_unfinished(response: HttpResponse) -> None:
    UNFINISHED.forget(response)
    CONTINUE.forget(response)


# --- what the browser has been shown ---

UNCOVERED = Memory("uncovered", "", str, str, seconds=20)
"""Without scripts each action at a shared device is answered by a redirect. The page it leads to
would begin with a curtain, though the same player goes on. This cookie names that page by the hash
of its token, which is too long to be sent twice: the first request shows the page, and later ones
get the curtain, as after going back or reloading."""


def uncover(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Lets the page that a redirect leads to be shown once."""
    UNCOVERED.keep(request, response, _hash(token))


def is_uncovered(request: HttpRequest, token: str) -> bool:
    return UNCOVERED.read(request) == _hash(token)


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()[:32]


def covered_again(response: HttpResponse) -> HttpResponse:
    """The response with the page, after which the next request gets the curtain."""
    UNCOVERED.forget(response)
    return response
