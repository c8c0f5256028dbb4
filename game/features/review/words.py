"""What the page of a review shows: numbers, sentences, boards and graphs of an ended match."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from django.utils.translation import gettext as _

from game.display.boards import BoardView, enemy_board, with_chances
from game.display.messages import percent, step_line, told_word
from game.display.moving import moving_at, moving_told
from game.display.names import player_names
from game.display.questions import answered, box, place_asked
from game.display.words import grouped, joined, plural, signed
from game.engine.actions import Question, Result
from game.engine.match import Match
from game.engine.notation import action_text
from game.engine.observation import Observation, observe
from game.engine.rules import Pair, Side
from game.features.review.model import Account, Review, Swing
from game.matches.cell_chances import JudgedShot, cell_chances
from game.matches.cell_names import CellNames
from game.matches.fairness import Decision
from game.matches.question_chances import Proposal, best_question, yes_of_100
from game.matches.setup import Setup

_WIDTH, _HEIGHT, _LEFT, _TOP = 360.0, 150.0, 30.0, 8.0
_BARS = 64.0
"""Sizes of the graphs, in units of their SVG viewBox."""


def review_view(
    setup: Setup, match: Match, review: Review, side: Side, step: int | None
) -> dict[str, Any]:
    """Returns the review of a side at a step, by default that of its first shot."""
    if match.outcome is None:
        raise ValueError("there is no review before the outcome")
    who, cell_names = player_names(setup), setup.cell_names
    shots = review.accounts[side].shots
    plies = [shot.ply for shot in shots] or [0]
    if step is None:
        step = plies[0]
    judged = review.judged(step)
    now = judged if judged in shots else None
    asked, proposal = _asked(match, side, step, cell_names)
    moved = moving_at(match, side.opponent, step, cell_names)
    heated = heat(observe(match.at(step), side), cell_names, now)
    if proposal is not None:
        best = box(Question(0, 0, Side.FIRST, proposal.ask, False), cell_names)
        heated = heated._replace(boxes=(*heated.boxes, best._replace(cells="best", look="best")))
    # The range of the graph up and down: the next whole number above all values.
    most = max((abs(swing.luck_so_far) for swing in review.swings), default=0.0)
    reach = float(max(2, int(most) + 1))
    sides = (side,) if match.ruleset.solo else (side, side.opponent)  # that fire
    return {
        "step": step,
        "side": side.name.lower(),
        "other_side": side.opponent.name.lower(),
        # Whether it is the side of the only person, or of that person's opponent.
        "is_person": setup.persons == (side,),
        "is_computer": setup.persons == (side.opponent,),
        "who": who[side],
        "other": who[side.opponent],
        "summary": _summary(setup, match, review, side),
        "says": joined(_says(match, step, now, shots, who, cell_names), moved, *asked),
        "sheets": [_sheet(who[each], review.accounts[each]) for each in sides],
        "heat": heated,
        # Each with its answer, and the step of the shot after it.
        "questions": [
            {"says": box(question, cell_names).words, "step": min(question.ply + 1, match.ply)}
            for question in match.questions
            if question.side is side
        ],
        "moves": moving_told(match, side, cell_names),
        "rows": [
            _row(number, shot, match, step, cell_names)
            for number, shot in enumerate(shots, start=1)
        ],
        "points": _points(review, reach, setup),
        "curves": [_curve(review, reach, each) for each in sides],
        "zero": _y(0.0, reach),
        "reach": f"+{reach:.0f}",
        "reach_below": f"−{reach:.0f}",
        "lines": _lines(review, who),
        "bars": _bars(shots, step),
        # The steps of this side's first, previous, next and last shot, and of the match's end.
        "first": plies[0],
        "before": max((ply for ply in plies if ply < step), default=plies[0]),
        "after": min((ply for ply in plies if ply > step), default=match.ply),
        "final": plies[-1],
        "last": match.ply,
    }


def _sheet(who: str, account: Account) -> dict[str, Any]:
    return {
        "who": who,
        "skill": "–" if account.skill is None else round(account.skill),
        "luck": signed(account.luck),
        "shots": len(account.shots),
        "hits": account.hits,
        "expected": grouped(account.expected, 1),
    }


_WELL, _FAIRLY = 75, 50
"""The least skill of shots that were aimed well, and fairly well."""
_LUCKY = 1.0
"""The hits by which the luck of two sides differs before it counts."""


def _summary(setup: Setup, match: Match, review: Review, side: Side) -> str:
    """Returns the review in a few words, such as `You aimed well. The computer had more luck.`"""
    account, other = review.accounts[side], review.accounts[side.opponent]
    if account.skill is None:
        return ""
    who = _("The computer") if setup.minds[side] is not None else player_names(setup)[side]
    lead = account.luck if match.ruleset.solo else account.luck - other.luck
    shot = _best_shot(account.shots)
    cell = setup.cell_names.name(shot.cell) if shot else ""
    aim = 0 if account.skill >= _WELL else 1 if account.skill >= _FAIRLY else 2
    luck = 0 if lead >= _LUCKY else 2 if lead <= -_LUCKY else 1
    if setup.persons == (side,):
        aims = _("You aimed well."), _("You aimed fairly well."), _("Your aim can get better.")
        best, ahead, behind = _("Your best shot was %(cell)s."), *_lucks(account.luck)
    else:
        aims = (
            _("%(who)s aimed well."),
            _("%(who)s aimed fairly well."),
            _("%(who)s could have aimed better."),
        )
        best = _("The best shot was %(cell)s.")
        ahead, behind = _("%(who)s had more luck."), _("%(who)s had less luck.")
    lucks = ahead, _("Luck favoured neither side."), behind
    return joined(aims[aim], lucks[luck], best if shot else "") % {"who": who, "cell": cell}


def _lucks(luck: float) -> tuple[str, str]:
    """Returns what a player is told whose luck was ahead of the computer's, or behind it."""
    if luck < 0:
        return _("You were unlucky, the computer even more so."), _("Luck was against you.")
    if luck < _LUCKY:
        return _("You had more luck than the computer."), _("The computer had more luck.")
    return _("You had more luck than the computer."), _(
        "You were lucky, the computer even more so."
    )


def _best_shot(shots: Sequence[JudgedShot]) -> JudgedShot | None:
    """Returns the least likely hit for which there was no better cell, else the likeliest hit."""
    hits = [shot for shot in shots if shot.is_hit]
    best, chance = [shot for shot in hits if shot.difference < 0.005], attrgetter("chance")
    return min(best, key=chance) if best else max(hits, key=chance, default=None)


def _told(match: Match, judged: JudgedShot) -> str:
    """Returns the result of a shot as the players were told."""
    return told_word(next(it for it in match.shots if it.ply == judged.ply), match.ruleset)


def _row(
    number: int, shot: JudgedShot, match: Match, step: int, cell_names: CellNames
) -> dict[str, Any]:
    search, name = shot.search, cell_names.name
    return {
        "number": number,
        "ply": shot.ply,
        "cell": name(shot.cell),
        "result": _told(match, shot),
        "is_hit": shot.is_hit,
        "chance": round(100 * shot.chance),
        "best": name(shot.best),
        "best_chance": round(100 * shot.best_chance),
        # If the shot looked for a new ship, the best cell for that and its chance.
        "search": f"{name(search.cell)} {round(100 * search.chance)}" if search else "",
        "is_shown": shot.ply == step,
    }


def heat(seen: Observation, cell_names: CellNames, now: JudgedShot | None = None) -> BoardView:
    """Returns the enemy's board as the observer knew it, with the chance on every target."""
    return with_chances(enemy_board(seen, cell_names, is_live=False), seen, cell_chances(seen), now)


def _says(
    match: Match, step: int, now: JudgedShot | None, shots: Sequence[JudgedShot], who: Pair[str],
    cell_names: CellNames,
) -> str:  # fmt: skip
    if step == match.ply:
        return _("The end of the match.")
    if now is None:
        action = step_line(match, step, cell_names)
        words = {"step": step + 1, "who": who[match.sides[step]], "action": action}
        return _("Step %(step)s. %(who)s: %(action)s") % words
    name = cell_names.name
    words = {
        "number": shots.index(now) + 1,
        "of": len(shots),
        "cell": name(now.cell),
        "result": _told(match, now),
        "chance": percent(now.chance),
        "best": name(now.best),
        "best_chance": percent(now.best_chance),
    }
    fired = _("Shot %(number)s of %(of)s, %(cell)s: %(result)s. Its chance was %(chance)s.")
    waits = _(
        "The ship that was hit can’t escape now, so it could wait at %(best)s (%(best_chance)s): "
        "finding the others first is worth more. The best cell for that was %(find)s with "
        "%(find_chance)s."
    )
    parts = [fired % words]
    if now.search is not None:
        find = {"find": name(now.search.cell), "find_chance": percent(now.search.chance)}
        parts.append(waits % {**words, **find})
    elif now.difference < 0.005:
        parts.append(_("There was no better cell."))
    else:
        parts.append(_("The best was %(best)s with %(best_chance)s.") % words)
    if now.result is not Result.WATER and now.chance < 0.2:
        parts.append(_("A lucky find!"))
    return " ".join(parts)


def _asked(
    match: Match, side: Side, step: int, cell_names: CellNames
) -> tuple[list[str], Proposal | None]:
    """Returns sentences on the question before a shot, and the question that tells most.

    It is only for the step that is shown, as the best question takes much of an answer's time.
    """
    if not match.ruleset.questions or step == match.ply or match.sides[step] is not side:
        return [], None
    questions = [one for one in match.questions if one.side is side and one.ply <= step]
    # A question comes just before its shot.
    asked = questions[-1] if questions and questions[-1].ply >= step - 1 else None
    seen = observe(match.at(asked.ply if asked else step), side)
    best, said = best_question(seen), list[str]()
    if asked is not None:
        yes = {"yes": yes_of_100(seen, asked.ask), "question": answered(asked, cell_names)}
        said.append(_("Asked before it: %(question)s %(yes)s of 100 fleets say yes.") % yes)
    if best is not None and asked is not None and best.ask == asked.ask:
        said.append(_("There was no better question."))
    elif best is not None:
        words = {"place": place_asked(best.ask, cell_names), "yes": best.yes}
        said.append(_("Best question: %(place)s, yes in %(yes)s of 100 fleets.") % words)
    return said, best


def decisions(setup: Setup, match: Match, asked: Sequence[Decision]) -> list[dict[str, Any]]:
    """Returns decisions of the computer beside what its minds decide when asked again, as text."""
    who, rules = player_names(setup), match.ruleset
    return [
        {
            "ply": decision.ply,
            "who": who[decision.side],
            "played": action_text(rules, decision.played),
            "again": action_text(rules, decision.again),
            "is_same": decision.is_same,
        }
        for decision in asked
    ]


def _x(at: int, review: Review) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - 12) * at / max(len(review.swings), 1), 1)


def _y(luck: float, reach: float) -> float:
    return round(_TOP + (_HEIGHT - 2 * _TOP) * (1 - luck / reach) / 2, 1)


def _curve(review: Review, reach: float, side: Side) -> str:
    turns = enumerate(review.swings, start=1)
    steps = [(at, swing.luck_so_far) for at, swing in turns if swing.side is side]
    first, *others = (f"{_x(at, review)} {_y(luck, reach)}" for at, luck in [(0, 0.0), *steps])
    return "L".join((f"M{first}", *others))


def _points(review: Review, reach: float, setup: Setup) -> list[dict[str, Any]]:
    """Returns the turning points: their steps in the replay, places in the graph, and sentences."""
    return [
        {
            "number": number,
            "ply": swing.ply,
            "x": _x(review.swings.index(swing) + 1, review),
            "y": _y(swing.luck_so_far, reach),
            "says": _turning(swing, setup),
        }
        for number, swing in enumerate(review.turning_points, start=1)
    ]


def _turning(swing: Swing, setup: Setup) -> str:
    account = swing.account
    words = {
        "turn": swing.turn // 2 + 1,
        "hits": plural("%(count)s hit", "%(count)s hits", account.hits),
        "expected": grouped(account.expected, 1),
        "who": player_names(setup)[swing.side],
    }
    line = _("Turn %(turn)s, %(who)s: %(hits)s where on average %(expected)s could be expected.")
    if _("You") == words["who"]:
        line = _(
            "Turn %(turn)s: you made %(hits)s where on average %(expected)s could be expected."
        )
    if _("Computer") == words["who"]:
        line = _(
            "Turn %(turn)s: the computer made %(hits)s where on average %(expected)s could be "
            "expected."
        )
    return line % words


def _lines(review: Review, who: Pair[str]) -> list[dict[str, Any]]:
    """Returns the graph as a table: own turns from 1, and the luck up to the end of each."""
    return [
        {
            "turn": swing.turn // 2 + 1,
            "who": who[swing.side],
            "shots": len(swing.account.shots),
            "hits": swing.account.hits,
            "expected": grouped(swing.account.expected, 1),
            "luck": signed(swing.luck_so_far),
        }
        for swing in review.swings
    ]


def _bars(shots: Sequence[JudgedShot], step: int) -> list[dict[str, Any]]:
    """Returns the graph of chances: a bar for each shot, within one for the best chance."""
    each = (_WIDTH - _LEFT - 6) / max(len(shots), 1)
    bars = []
    for at, shot in enumerate(shots):
        x, width = round(_LEFT + each * at, 2), round(each * 0.8, 2)
        best = shot.chance + shot.difference
        bars.append(
            {
                "x": x,
                "width": width,
                "middle": round(x + width / 2, 2),
                "y": round(_TOP + _BARS * (1 - shot.chance), 1),
                "height": round(_BARS * shot.chance, 1),
                "best_y": round(_TOP + _BARS * (1 - best), 1),
                "best_height": round(_BARS * best, 1),
                "is_hit": shot.is_hit,
                "is_shown": shot.ply == step,
            }
        )
    return bars
