"""A challenge in sentences: the call to play it, the challenger's pace, and how both fared."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from game.display.match_view import CallView
from game.display.names import isolated, mind_name
from game.display.outcomes import assists_line
from game.display.public_values import PublicValues, public
from game.display.words import joined, plural
from game.engine.actions import Reason
from game.features.challenge.model import Challenge, Score, score_of
from game.matches.saved import SavedMatch

_BEATEN = {
    "recruit": pgettext_lazy("beaten", "the Recruit"),
    "sailor": pgettext_lazy("beaten", "the Sailor"),
    "lieutenant": pgettext_lazy("beaten", "the Lieutenant"),
    "captain": pgettext_lazy("beaten", "the Captain"),
    "commodore": pgettext_lazy("beaten", "the Commodore"),
    "admiral": pgettext_lazy("beaten", "the Admiral"),
    "random": pgettext_lazy("beaten", "the Drifter"),
}
"""The ranks as objects of a sentence, as German has a case for them."""


def replay_title(name: str) -> str:
    """Returns how a link to the challenger's replay is called."""
    if not name:
        return _("The other replay")
    return _("Replay of %(name)s") % {"name": isolated(name)}


def beaten(mind: str) -> str:
    return str(_BEATEN[mind]) if mind in _BEATEN else _("“%(name)s”") % {"name": mind_name(mind)}


def call(challenge: Challenge) -> str:
    """Returns how the challenger fared, and the call to do better."""
    if challenge.answers is not None:
        return _taken_up(isolated(challenge.name), isolated(challenge.answers.name))
    score, is_solo = challenge.score, challenge.setup.is_solo
    named, unnamed = (_call_alone if is_solo else _call_against)(challenge, score)
    other = "" if is_solo else beaten(challenge.setup.opponent)
    words = {"name": isolated(score.name), "count": score.total, "other": other}
    return (named if score.name else unnamed) % words


def _taken_up(name: str, other: str) -> str:
    if not other:
        said = _("%(name)s has taken up the challenge.") if name else _("Challenge taken up.")
    elif name:
        said = _("%(name)s has taken up the challenge of %(other)s.")
    else:
        said = _("The challenge of %(other)s has been taken up.")
    return said % {"name": name, "other": other}


def _call_alone(challenge: Challenge, score: Score) -> tuple[str, str]:
    """Returns the sentence with the challenger's name, and the one without a name."""
    if score.is_won:
        return ngettext(
            "%(name)s sank this fleet in %(count)s shot. Can you do it in fewer?",
            "%(name)s sank this fleet in %(count)s shots. Can you do it in fewer?",
            score.total,
        ), ngettext(
            "This fleet was sunk in %(count)s shot. Can you do it in fewer?",
            "This fleet was sunk in %(count)s shots. Can you do it in fewer?",
            score.total,
        )
    if _has_resigned(challenge):
        return ngettext(
            "%(name)s gave up on this fleet after %(count)s shot. Can you sink it?",
            "%(name)s gave up on this fleet after %(count)s shots. Can you sink it?",
            score.total,
        ), ngettext(
            "Given up after %(count)s shot. Can you sink this fleet?",
            "Given up after %(count)s shots. Can you sink this fleet?",
            score.total,
        )
    return ngettext(
        "%(name)s did not sink this fleet in %(count)s shot. Can you?",
        "%(name)s did not sink this fleet in %(count)s shots. Can you?",
        score.total,
    ), ngettext(
        "This fleet was not sunk in %(count)s shot. Can you sink it?",
        "This fleet was not sunk in %(count)s shots. Can you sink it?",
        score.total,
    )


def _call_against(challenge: Challenge, score: Score) -> tuple[str, str]:
    """Returns the sentence with the challenger's name, and the one without a name."""
    if score.is_won:
        return ngettext(
            "%(name)s beat %(other)s in %(count)s turn. Your turn.",
            "%(name)s beat %(other)s in %(count)s turns. Your turn.",
            score.total,
        ), ngettext(
            "Won against %(other)s in %(count)s turn. Your turn.",
            "Won against %(other)s in %(count)s turns. Your turn.",
            score.total,
        )
    if _has_resigned(challenge):
        return ngettext(
            "%(name)s gave up against %(other)s after %(count)s turn. Can you do better?",
            "%(name)s gave up against %(other)s after %(count)s turns. Can you do better?",
            score.total,
        ), ngettext(
            "Given up against %(other)s after %(count)s turn. Can you do better?",
            "Given up against %(other)s after %(count)s turns. Can you do better?",
            score.total,
        )
    if challenge.match.outcome is not None and challenge.match.outcome.winner is None:
        return ngettext(
            "%(name)s drew against %(other)s after %(count)s turn. Can you do better?",
            "%(name)s drew against %(other)s after %(count)s turns. Can you do better?",
            score.total,
        ), ngettext(
            "A draw against %(other)s after %(count)s turn. Can you do better?",
            "A draw against %(other)s after %(count)s turns. Can you do better?",
            score.total,
        )
    return ngettext(
        "%(name)s lost against %(other)s after %(count)s turn. Can you do better?",
        "%(name)s lost against %(other)s after %(count)s turns. Can you do better?",
        score.total,
    ), ngettext(
        "Lost against %(other)s after %(count)s turn. Can you do better?",
        "Lost against %(other)s after %(count)s turns. Can you do better?",
        score.total,
    )


def _has_resigned(challenge: Challenge) -> bool:
    outcome = challenge.match.outcome
    return outcome is not None and outcome.reason is Reason.RESIGNED


def results(challenge: Challenge) -> list[str]:
    """Returns a line for each result that is told: of a challenge sent back both.

    Before that it is the challenger's, if there was help or the challenge had been opened before.
    """
    is_solo, own = challenge.setup.is_solo, challenge.score
    if challenge.answers is None:
        is_marked = own.assists or own.is_known
        return [result(own, is_solo=is_solo)] if is_marked else []
    is_first = "" if own.is_known else _("first try on this device")
    reply = result(own, is_solo=is_solo, otherwise=_("Reply"))
    return [joined(reply, is_first, between=", "), result(challenge.answers, is_solo=is_solo)]


def to_send(challenge: Challenge) -> str:
    """Returns what goes with the link: the call, or the results if the challenge is sent back."""
    if challenge.answers is None:
        return call(challenge)
    return " ".join(f"{line}." for line in results(challenge))


def result(score: Score, *, is_solo: bool, otherwise: str = "") -> str:
    """Returns `Anna: 28 shots, with hints, opened before on this device`.

    Without a name it begins with `otherwise`, or with "Challenge".
    """
    total = score.total
    if is_solo and score.is_won:
        said = _count(total, is_solo=True)
    elif is_solo:
        said = plural("not sunk in %(count)s shot", "not sunk in %(count)s shots", total)
    elif score.is_won:
        said = plural("won in %(count)s turn", "won in %(count)s turns", total)
    else:
        said = plural("not won after %(count)s turn", "not won after %(count)s turns", total)
    times = _("opened before on this device") if score.is_known else ""
    name = isolated(score.name) or otherwise or _("Challenge")
    said = joined(said, assists_line(score.assists), times, between=", ")
    return f"{name}: {said}"


def own_times(saved: SavedMatch) -> str:
    """Returns whether this device had opened the match's challenge before; empty without one."""
    if (challenge := saved.part(Challenge)) is None:
        return ""
    before, first = _("Opened before on this device."), _("This was the first try on this device.")
    return before if challenge.is_known else first


def pace(saved: SavedMatch, shots: int) -> str:
    """Returns the challenger's hits after so many shots; empty without a challenge."""
    if (challenge := saved.part(Challenge)) is None:
        return ""
    if not shots:
        return result(challenge.score, is_solo=challenge.setup.is_solo)
    name, hits = isolated(challenge.name) or _("Challenge"), challenge.pace(shots)
    return plural(
        "%(name)s: %(count)s hit by now", "%(name)s: %(count)s hits by now", hits, name=name
    )


def compared(saved: SavedMatch) -> str:
    """Returns `28 shots, 3 fewer than Anna.` of an ended match; empty without a challenge."""
    if (challenge := saved.part(Challenge)) is None:
        return ""
    mine, theirs = score_of(saved.setup, saved.match, ""), challenge.score
    is_solo, fewer = saved.setup.is_solo, theirs.total - mine.total
    words: dict[str, object] = {
        "name": isolated(theirs.name) or _("the challenger"),
        "own": _count(mine.total, is_solo=is_solo),
        "count": theirs.total,
    }
    if mine.is_won and theirs.is_won:
        words["count"] = abs(fewer)
        said = _("%(own)s, as many as %(name)s.")
        if fewer > 0:
            said = _("%(own)s, %(count)s fewer than %(name)s.")
        elif fewer:
            said = _("%(own)s, %(count)s more than %(name)s.")
    else:
        said = (_alone if is_solo else _against)(mine, theirs)
    said %= words
    return said[0].upper() + said[1:]


def _count(count: int, *, is_solo: bool) -> str:
    if is_solo:
        return plural("%(count)s shot", "%(count)s shots", count)
    return plural("%(count)s turn", "%(count)s turns", count)


def _alone(mine: Score, theirs: Score) -> str:
    if mine.is_won:
        return _("%(own)s, and %(name)s did not sink them all.")
    if not theirs.is_won:
        return _("%(name)s did not sink them all either.")
    return ngettext(
        "%(name)s sank them all in %(count)s shot.",
        "%(name)s sank them all in %(count)s shots.",
        theirs.total,
    )


def _against(mine: Score, theirs: Score) -> str:
    if mine.is_won:
        return _("%(own)s, and %(name)s did not win.")
    if not theirs.is_won:
        return _("%(name)s did not win either.")
    return ngettext(
        "%(name)s won in %(count)s turn.", "%(name)s won in %(count)s turns.", theirs.total
    )


@dataclass(frozen=True)
class ChallengeCall(CallView):
    """The page that a challenge's link opens."""

    won: str | None = public("challenger-won")
    shots: int | None = public("challenger-shots")
    turns: int | None = public("challenger-turns")


@dataclass(frozen=True)
class ChallengeView(PublicValues):
    """What a page tells of the challenge that its match takes up, and of one that it can make."""

    link: str | None = public("challenge")
    shots: int | None = public("challenger-shots")
    pace: int | None = public("pace")
    """The challenger's hits after as many shots as the player's."""
    compared: str = ""
    own_times: str = ""
    replay_title: str = ""
    """The title of the challenger's replay."""
    is_taken_up: bool = False


def challenge_view(saved: SavedMatch, shots: int, link: str | None = None) -> ChallengeView:
    """Returns the challenge of a match after so many shots; `link` is that of the one it makes."""
    taken_up = saved.part(Challenge)
    if taken_up is None:
        return ChallengeView(link)
    is_over = saved.match.outcome is not None
    return ChallengeView(
        link,
        taken_up.shots,
        taken_up.pace(shots),
        compared(saved) if is_over else "",
        own_times(saved) if is_over else "",
        replay_title(taken_up.name) if is_over else "",
        is_taken_up=True,
    )
