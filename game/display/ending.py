"""The end of a match as values of its page: the result, the figures, and what follows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from game.display import outcomes
from game.display.moving import moving_line
from game.display.names import mind_name, player_names, score_line, tally_line, waters_of
from game.display.outcomes import Figures
from game.display.public_values import PublicValues, public
from game.display.words import plural
from game.engine.actions import Reason
from game.engine.observation import Observation
from game.engine.rules import Pair
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.players.registry import RANK_NAMES, Proposed, neighbours


class Rival(NamedTuple):
    """An opponent of the next match."""

    id: str
    name: str
    title: str
    is_now: bool
    """Whether it is the opponent of the match that has ended."""
    note: str
    """What the logbook says about it, which may be empty."""


@dataclass(frozen=True)
class Ending(PublicValues):
    """How a match ended, and what follows."""

    outcome: str | None = public("outcome")
    """won, lost or draw; without a single person first, second or draw"""
    reason: str | None = public("reason")
    shots: int | None = public("shots")
    """The shots of a search alone."""
    par: int | None = public("par")
    waters_of: Pair[str] = ("", "")
    """The captions of the boards, the viewer's first; empty for "your" and "enemy" waters."""
    has_rounds: bool = False
    score_line: str = ""
    headline: str = ""
    summary: Sequence[str] = ()
    why: str = ""
    more: str = ""
    """A sentence of features."""
    moving_line: str = ""
    par_line: str = ""
    is_par_due: bool = False
    figures: Sequence[Figures] = ()
    rivals: Sequence[Rival] = ()

    @property
    def whole_why(self) -> str:
        par = self.par_line if self.is_par_due else ""
        return " ".join(filter(None, (self.why, par, self.more)))


def public_ending(saved: SavedMatch, names: Pair[str]) -> Ending:
    """Returns how a match ended, for anybody; raises ValueError before the end."""
    outcome, setup, viewer = saved.match.outcome, saved.setup, saved.viewer
    if outcome is None:
        raise ValueError("a match that goes on has no ending")
    word = "draw" if outcome.winner is None else outcome.winner.name.lower()
    if setup.is_personal and outcome.winner is not None:
        word = "won" if outcome.winner is setup.person else "lost"
    captions = waters_of(names[viewer]), waters_of(names[viewer.opponent])
    return Ending(word, outcome.reason.value, waters_of=captions)


def ending(
    saved: SavedMatch, seen: Observation, following: Setup, proposed: Proposed | None = None
) -> Ending:
    """Returns how a match ended for its players; raises ValueError before the end.

    `following` is the setup of the next match, and `proposed` the rank that suits the player, if
    that is known.
    """
    setup = saved.setup
    public = public_ending(saved, player_names(setup))
    par = outcomes.par_met(saved)
    headline, why = outcomes.verdict(seen, setup, par)
    has_rounds = len(setup.persons) == 2 or (setup.preset.has_rounds and not setup.is_solo)
    score = tally_line(setup) if setup.is_solo else ""
    if not setup.is_solo and (has_rounds or setup.tally.rounds):
        score = score_line(following)
    figures = outcomes.figures(seen, setup)
    return replace(
        public,
        shots=len(seen.counted) if setup.is_solo and seen.counted else None,
        par=par,
        waters_of=("", "") if setup.is_personal else public.waters_of,
        has_rounds=has_rounds,
        score_line=score,
        headline=headline,
        summary=_summary(seen, saved, figures[0].rate),
        why=why,
        moving_line=moving_line(saved.match, setup, saved.viewer),
        par_line=outcomes.par_line(saved),
        is_par_due=saved.is_par_due,
        figures=figures,
        rivals=_rivals(setup, proposed),
    )


_BY_SHIPS = (Reason.MORE_AFLOAT, Reason.AS_MANY_AFLOAT)


def _summary(seen: Observation, saved: SavedMatch, rate: float) -> tuple[str, ...]:
    """Returns `28 turns`, `38% hits` and `4 ships left`; after a search alone the score.

    Where ships afloat have decided the match, the sentence below counts them.
    """
    hits = _("%(rate)s%% hits") % {"rate": round(rate)}
    if saved.setup.is_solo:
        score = outcomes.score(saved, seen)
        return score if len(score) > 1 else (*score, hits)
    kept, turns = sum(ship.is_afloat for ship in seen.ships), seen.rounds_begun
    turns_said = plural("%(count)s turn", "%(count)s turns", turns)
    ships = plural("%(count)s ship left", "%(count)s ships left", kept)
    decides = saved.match.outcome and saved.match.outcome.reason in _BY_SHIPS
    return turns_said, hits, *([ships] if kept and not decides else [])


def _rivals(setup: Setup, proposed: Proposed | None) -> tuple[Rival, ...]:
    """Returns the opponents to choose from, the easiest first; empty without one to change."""
    if setup.is_solo or setup.opponent is None or len(setup.persons) != 1 or setup.remote:
        return ()
    easier, harder = neighbours(setup.opponent, moving=setup.ruleset.moving)
    offered = [("act-easier", easier), ("", setup.opponent), ("act-harder", harder)]
    rank, note = "", ""
    if proposed:
        rank = proposed.rank
        note = _("about even") if proposed.is_even else _("worth a try")
    if rank and rank not in dict(offered).values():
        is_stronger = RANK_NAMES.index(rank) > _rank_of(setup.opponent)
        even = ("act-even", rank)
        offered = [*offered[1:], even] if is_stronger else [even, *offered[:2]]
    return tuple(
        Rival(element, name, mind_name(name), name == setup.opponent, note if name == rank else "")
        for element, name in offered
        if name
    )


def _rank_of(name: str) -> int:
    return RANK_NAMES.index(name) if name in RANK_NAMES else 0
