"""The result of a match in one sentence, for others.

Battleship, Moving fleets (opponent: Sailor): won in 48 turns, with hints, 2 : 1 after 3 rounds.
Battleship 27: 31 shots, par 28
Battleship, Ask and fire: sunk in 24 shots, 3 of 5 questions, par 21.
"""

from django.utils.translation import gettext as _

from game.display.names import mind_name, player_names, preset_card
from game.display.outcomes import assists_line
from game.display.words import joined, plural
from game.engine.actions import Outcome, Reason, Result
from game.engine.observation import observe
from game.engine.rules import Side
from game.matches.saved import SavedMatch


def result(saved: SavedMatch) -> str:
    """Returns how an ended match went, in one sentence."""
    setup, par = saved.setup, saved.par.shots if saved.par else 0
    told_par = _("par %(count)s") % {"count": par} if par else ""
    said = joined(_result(saved), _questions(saved), told_par, _rounds(saved), between=", ")
    if setup.day is not None:
        values = {"number": setup.day.number, "result": said}
        if setup.is_late:
            return _("Battleship %(number)s, played later: %(result)s") % values
        return _("Battleship %(number)s: %(result)s") % values
    game = preset_card(setup.preset).title
    if setup.opponent:
        words = {"game": game, "opponent": mind_name(setup.opponent)}
        game = _("%(game)s (opponent: %(opponent)s)") % words
    return _("Battleship, %(game)s: %(result)s.") % {"game": game, "result": said}


def headline(saved: SavedMatch) -> str:
    """Returns the start of the sentence: `Won in 48 turns, with hints`."""
    said = _result(saved)
    return said[0].upper() + said[1:]


def _questions(saved: SavedMatch) -> str:
    """Returns how many questions the only player asked; empty where there are none."""
    most = saved.match.ruleset.questions
    if not most or len(saved.setup.persons) != 1:
        return ""
    asked = most - saved.match.questions_left(saved.viewer)
    return plural(
        "%(asked)s of %(count)s question", "%(asked)s of %(count)s questions", most, asked=asked
    )


SIGNS = {Result.WATER: "⬛", Result.HIT: "🟨", Result.SUNK: "🟩"}
"""What a shot hit, in the colours of other daily games."""
_SIGNS_IN_A_ROW, _MOST_ROWS = 10, 3


def signs(saved: SavedMatch) -> str:
    """Returns the shots of a search alone as at most three rows of signs, without their cells."""
    shots = saved.seen.counted
    said = [SIGNS[shot.result] for shot in shots]
    width = max(_SIGNS_IN_A_ROW, -(-len(said) // _MOST_ROWS))
    starts = range(0, len(said), width)
    return "\n".join("".join(said[start : start + width]) for start in starts)


def _outcome(saved: SavedMatch) -> Outcome:
    if saved.match.outcome is None:
        raise ValueError("a match that goes on has no result")
    return saved.match.outcome


def _in_order(saved: SavedMatch) -> tuple[Side, Side]:
    """Returns the winner first; after a draw, the first side."""
    first = _outcome(saved).winner or Side.FIRST
    return first, first.opponent


def _result(saved: SavedMatch) -> str:
    setup, outcome, is_mine = saved.setup, _outcome(saved), len(saved.setup.persons) == 1
    first, other = _in_order(saved)
    seen = saved.seen if is_mine else observe(saved.match, first)
    shots, turns = len(seen.counted), seen.rounds_begun
    is_won, who = outcome.winner is saved.viewer, player_names(setup)
    names = {"one": who[first], "other": who[other]}
    if outcome.reason is Reason.RESIGNED and is_mine and setup.is_solo:
        said = plural("gave up after %(count)s shot", "gave up after %(count)s shots", shots)
    elif outcome.reason is Reason.RESIGNED and is_mine:
        said = plural("gave up after %(count)s turn", "gave up after %(count)s turns", turns)
    elif outcome.reason is Reason.RESIGNED:
        said = _("%(other)s gave up against %(one)s") % names
    elif outcome.reason is Reason.ABANDONED:
        said = _("a match without a winner between %(one)s and %(other)s") % names
    elif setup.is_solo and is_won and setup.day is not None:
        said = plural("%(count)s shot", "%(count)s shots", shots)
    elif setup.is_solo and is_won:
        said = plural("sunk in %(count)s shot", "sunk in %(count)s shots", shots)
    elif setup.is_solo:
        said = plural("not sunk in %(count)s shot", "not sunk in %(count)s shots", shots)
    elif is_mine and outcome.winner is None:
        said = plural("a draw after %(count)s turn", "a draw after %(count)s turns", turns)
    elif is_mine and is_won:
        said = plural("won in %(count)s turn", "won in %(count)s turns", turns)
    elif is_mine:
        said = plural("lost after %(count)s turn", "lost after %(count)s turns", turns)
    elif outcome.winner is None:
        said = _("a draw between %(one)s and %(other)s") % names
    else:
        said = plural(
            "%(one)s beat %(other)s in %(count)s turn",
            "%(one)s beat %(other)s in %(count)s turns",
            turns,
            **names,
        )
    return joined(said, assists_line(setup.assists.used), between=", ")


def _rounds(saved: SavedMatch) -> str:
    """Returns `2 : 1 after 3 rounds`, this one included; empty in the first round."""
    tally = saved.setup.next_round(_outcome(saved)).tally
    if tally.rounds < 2:
        return ""
    is_mine = len(saved.setup.persons) == 1
    first, other = (saved.viewer, saved.viewer.opponent) if is_mine else _in_order(saved)
    score = f"{tally.wins[first]} : {tally.wins[other]}"
    return plural(
        "%(score)s after %(count)s round",
        "%(score)s after %(count)s rounds",
        tally.rounds,
        score=score,
    )
