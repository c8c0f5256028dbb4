"""A page of a match as JSON (docs/api.md): the marked values of its view, by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from game.display.boards import BoardView
from game.display.match_view import Action, CallView, MatchView


def match_json(view: MatchView) -> dict[str, Any]:
    """What a page of a match tells programs."""
    status = f"{view.status.whole} {view.help.first_ages}"
    page = _page(status, view.handles, view.actions.values(), view.links)
    page["boards"] = {board.kind: _board(board) for board in (view.enemy, view.own) if board}
    fleets = {"enemy": view.fleets.enemy, "own": view.fleets.own}
    asked = view.questions.asked if view.questions else ()
    found = {
        "fleets": {
            side: [kind.handles for kind in fleet] for side, fleet in fleets.items() if fleet
        },
        "asked": [box.handles for box in asked],
        **view.proof.handles,
        **view.fleet.handles,
        "statement": view.proof.statement,
        "rules": text(view.rules),
        "results": [text(line) for line in view.results],
    }
    return page | {key: value for key, value in found.items() if value}


def call_json(call: CallView) -> dict[str, Any]:
    """What the page that a friend's link opens tells programs."""
    page = _page(call.sentence, call.handles, call.actions, call.links)
    told = {"rules": text(call.rules), "results": [text(line) for line in call.results]}
    return {key: value for key, value in (page | told).items() if value or value == 0}


def _page(
    status: str,
    handles: Mapping[str, str | int],
    actions: Iterable[Action],
    links: Mapping[str, str],
) -> dict[str, Any]:
    return {
        **({"status": text(status)} if text(status) else {}),
        **handles,
        "actions": [_action(action) for action in actions if action.buttons],
        "links": {name.replace("_", "-"): where for name, where in links.items()},
    }


def text(words: str) -> str:
    """The words with single spaces."""
    return " ".join(words.split())


def _board(board: BoardView) -> dict[str, Any]:
    cells = zip(board.names, board.cells, strict=True)
    return {
        "rows": [[cell.state for cell in row] for row in board.rows],
        "cells": {name: cell.figures for name, cell in cells if cell.figures},
    }


def _action(action: Action) -> dict[str, Any]:
    return {
        "address": action.address,
        "fields": _grouped(action.fields),
        "buttons": _grouped(action.buttons),
    }


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found
