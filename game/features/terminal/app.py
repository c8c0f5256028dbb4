"""The game in a terminal: reads lines and prints boards.

A terminal with colour is redrawn in place; any other, and a pipe, gets line after line of plain
text. There is no line history, since it would show the second of two players at one device where
the first has placed ships.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from typing import TextIO

from django.urls import reverse
from django.utils.translation import gettext as _
from rich.text import Text

from game.display import boards, fleet_lists, messages, outcomes, placing_words, replay
from game.display.ending import ending
from game.display.match_history import history_of
from game.display.match_view import MatchView, Showing, playing_view
from game.display.names import (
    opponent_line,
    player_names,
    preset_card,
    score_line,
    tally_line,
    waters_of,
)
from game.display.noticed import noticed_of
from game.display.refusals import refusal
from game.display.rule_words import rule_line
from game.engine.actions import IllegalAction
from game.engine.chance import Chance
from game.engine.fleets import IllegalFleet
from game.engine.geometry import NotACell
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.rules import Side
from game.feature import TerminalCommand, TerminalSession
from game.features.terminal import commands, drawing
from game.features.terminal.commands import Command, Game, Verb
from game.management.screen import Look, Screen
from game.matches.draft import Draft
from game.matches.keyring import NONCE
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.matches.tokens import seal_draft, seal_match
from game.views import hooks
from game.web.forms import Refused
from game.web.spelling import in_one_case

WIPE = "\x1b[H\x1b[2J\x1b[3J"
"""Clears the screen and, with xterm's 3J, the lines scrolled off it."""
_BLANK_LINES = 80


class Ended(Exception):
    """The player has left."""


class Terminal:
    """A session: one game after another on two streams."""

    def __init__(
        self,
        game: Game,
        lines: TextIO,
        out: TextIO,
        look: Look | None = None,
        seed: bytes | None = None,
    ) -> None:
        """`seed` decides all chance of matches that begin; without it each match draws a seed."""
        self.game = game
        self._seed = seed
        self._lines, self._look = lines, look or Look()
        self._screen = Screen(out, self._look)
        self.is_open = False
        """Whether the player who may see the boards has pressed Enter."""
        self._is_new = True
        """Whether the rules of this game have yet to be printed."""
        self._is_begun = False
        """Whether this game follows a draft, so that its address hasn't been seen yet."""
        self._session = TerminalSession(self._ask, self._say, self._show_board, seed)
        self._begun_commands: dict[str, Callable[[str], None]] = {}
        """Those of features that were typed, as loading one may take long."""
        self._deals = count()
        """Numbers of the fleets that this session has placed at random."""
        self._searched = 0
        """How many searches alone this session has begun."""

    def play(self) -> None:
        """Plays until the player quits or sends Ctrl-D or Ctrl-C; then prints the token.

        A signal that raises SystemExit prints it too, unless the terminal is gone.
        """
        try:
            self._begin(self.game)
            while True:
                try:
                    self._do(commands.parse_command(self._ask(), self.game.setup.cell_names))
                except (Refused, IllegalAction, IllegalFleet, NotACell) as error:
                    self._say(str(error) if isinstance(error, Refused) else refusal(error))
        except (Ended, KeyboardInterrupt):
            self._part()
        except SystemExit:
            with suppress(OSError):
                self._part()
            raise

    def _part(self) -> None:
        self._say("", _("Your game is in this token. Goodbye!"))
        self._save()
        self._screen.leave()

    def tell_interrupted(self, address: str) -> None:
        """Says where the match goes on that was cut off, if there is an address."""
        if address:
            self._say(_("Your last match was cut off. It goes on here, for load or a browser:"))
            self._screen.write([address])

    @property
    def is_in_match(self) -> bool:
        return isinstance(self.game, SavedMatch) and self.game.match.outcome is None

    def resize(self) -> None:
        """Draws the boards again after the window's size has changed."""
        self._screen.resize(self._lines)

    def _ask(self, prompt: str = "> ") -> str:
        """Returns the next line; raises Ended at the end of the input."""
        line = self._screen.ask(prompt, self._lines)
        if not line:
            raise Ended
        return line

    def _say(self, *sentences: str, struck: str = "") -> None:
        """Prints sentences, each on new lines, wrapped to the width; `struck` stands out."""
        for sentence in map(self._screen.spelt, sentences):
            text = Text(sentence)
            text.highlight_words([self._screen.spelt(struck)] if struck else [], "hit")
            self._screen.write(self._screen.wrap(text))

    def _do(self, command: Command) -> None:
        match command.verb:
            case Verb.QUIT:
                raise Ended
            case Verb.HELP:
                self._help()
            case Verb.SAVE:
                self._save()
            case Verb.LOAD:
                self._begin(commands.load(command.rest))
            case Verb.NOTHING:
                if not self.is_open:
                    self._open()
                elif self._look.colours:
                    self._show()
            case _ if not self.is_open:
                raise Refused(_("%(name)s, press Enter.") % {"name": _person(self.game)})
            case Verb.BOARDS:
                self._show()
            case Verb.REPLAY:
                self._replay()
            case TerminalCommand() as of_feature:
                if of_feature.name not in self._begun_commands:
                    self._begun_commands[of_feature.name] = of_feature.begin(self._session)
                self._begun_commands[of_feature.name](command.rest)
                self._show()
            case _:
                self._change(command)

    # --- who looks at the screen ---

    def _begin(self, game: Game) -> None:
        """Continues with another game, or with the match after placing."""
        self._is_new, self._is_begun = True, isinstance(self.game, Draft)
        if isinstance(game, Draft) and game.setup.is_solo:  # there is nothing to place
            game = self._started(game.start(), self._searched)
            self._searched += 1
        self._hand_over(game)

    def _started(self, game: Game, round_number: int) -> Game:
        """Returns the game that begins, with the session's seed; a part may have its own."""
        if self._seed is None or isinstance(game, Draft) or game.parts:
            return game
        return commands.seeded(game, self._seed, round_number)

    def _chance(self, command: Command) -> Chance | None:
        """Returns what decides a fleet at random, another each time, if the session has a seed."""
        if self._seed is None or command.verb is not Verb.RANDOM:
            return None
        return Chance(self._seed, "fill", next(self._deals))

    def _hand_over(self, game: Game) -> None:
        """Draws the curtain if the next person may not see what is on the screen."""
        self.game = game
        if not _is_secret(game):
            self._open()
            return
        self.is_open = False
        self._screen.wipe(WIPE if self._look.is_screen else "\n" * _BLANK_LINES)
        self._screen.draw(self._show_curtain)

    def _show_curtain(self) -> None:
        """Prints what both players may know."""
        game, name = self.game, {"name": _person(self.game)}
        lead = _("Give the device to %(name)s. Nobody else looks while the fleet is placed.")
        if isinstance(game, SavedMatch):
            self._say(*filter(None, [tally_line(game.setup), messages.public_status_message(game)]))
            lead = _("Give the device to %(name)s. Nobody else looks at the boards.")
        self._say(_("%(name)s, it is your turn") % name + ".", lead % name)
        self._say(_("%(name)s, press Enter.") % name)

    def _open(self) -> None:
        self.is_open = True
        if self._is_new:
            self._introduce(self.game)
        self._is_new = False
        self._show()

    def _change(self, command: Command) -> None:
        before = self.game
        if isinstance(before, Draft):
            placed = commands.place(before, command, self._chance(command))
            after = self._started(placed, before.setup.tally.rounds)
        else:
            after = commands.act(before, command)
        if type(before) is not type(after):
            self._begin(after)
        elif _viewer(before) is not _viewer(after):
            self._hand_over(after)
        else:
            self.game = after
            self._show()

    # --- what is shown ---

    def _introduce(self, game: Game) -> None:
        if isinstance(game, Draft):
            added = hooks.placing(game, is_presence_shown=True)
        else:
            added = hooks.playing(game, observe(game.match, game.viewer))
        lines = [it.call for it in added.values() if it.call] or [tally_line(game.setup)]
        if isinstance(game, Draft):
            lines += [*_rules(game.setup), _noticed(game.setup)]
        elif game.match.outcome is None:
            lines += _rules(game.setup) if game.setup.is_solo else []
            lines += [_signs(game.setup), noticed_of(game.setup).sentence]
        cell_names = game.setup.cell_names
        if cell_names.is_labelled:
            drawn, labels = drawing.axes(cell_names), (cell_names.columns, cell_names.rows)
            if drawn != labels:
                words = dict(zip(("columns", "rows"), map(_labelled, drawn, labels), strict=True))
                lines.append(_("Columns: %(columns)s. Rows: %(rows)s.") % words)
            if commands.is_hidden(cell_names):
                lines.append(
                    _(
                        "A line that names a cell counts as a cell. "
                        "For a command type / before it: /quit."
                    )
                )
        self._say("", *filter(None, lines))
        if self.is_in_match and self._is_begun:
            self._say(
                _("If you are cut off, this address goes on from here, for load or a browser:")
            )
            self._screen.write([self.address])

    def _show(self) -> None:
        self._screen.draw(self._draw)

    def _draw(self) -> None:
        if isinstance(self.game, Draft):
            self._show_draft(self.game)
        elif self.game.match.outcome is None:
            self._show_match(self.game)
        else:
            self._show_end(self.game)

    def _show_draft(self, draft: Draft) -> None:
        title = _("Place your fleet")
        if draft.setup.is_shared:
            title = _("%(name)s: place your fleet") % {"name": _person(draft)}
        ships_to_place = [
            f"{berth.name} ({berth.length}): {berth.left}/{berth.of}"
            for berth in fleet_lists.ships_to_place(draft)
        ]
        board = self._drawn(boards.placing_board(draft), title)
        self._lay((board, [Text(), *map(Text, ships_to_place)]))
        if draft.placed or draft.is_by_cells:
            self._say(placing_words.placing_message(draft))
        if not draft.missing:
            self._say(_("Type start, or help."))
        elif not draft.is_by_cells:
            self._say(_("Type c4h5 (bow, across, length) or c4v5 (down), random or help."))

    def _show_match(self, saved: SavedMatch) -> None:
        seen = saved.seen
        history = history_of(saved, seen)._replace(goal="")  # the rules have said it
        view = playing_view(seen, saved.setup, history, Showing(may_advise=False))
        self._show_waters(seen, view, _titles(saved))
        player = f"{_person(saved)}. " if saved.setup.is_shared else ""
        said = view.status
        struck = said.result if said.is_struck else ""
        self._say(f"{player}{view.clock.line}. {said.text}".rstrip(), struck=struck)
        if movable := commands.moves(seen, saved.setup.cell_names):
            self._say("; ".join(movable) + ".")
        view = hooks.joining(view, hooks.playing(saved, seen))
        told = messages.questions_line(seen, saved.setup)
        self._say(*filter(None, [told, view.caption and f"{view.caption}."]))

    def _show_end(self, saved: SavedMatch) -> None:
        setup, seen = saved.setup, saved.seen
        # Without the fleets, which the boards now show, everything fits 24 rows.
        self._show_boards(saved, boards.revealed(saved.match, seen, setup.cell_names))
        end = ending(saved, seen, saved.next_round())
        self._say(
            outcomes.end_status(seen, setup).text,
            f"{end.headline}. {end.why}".rstrip(),
            f"{messages.turn_line(seen)}.",
            *filter(None, [end.moving_line, end.par_line, *hooks.outcomes(saved)]),
        )
        for side in end.figures:
            self._say(f"{side.who}: {_figures(side)}.")
        if setup.is_solo:
            self._say(_("Type “again” for another sea, or “replay”, “save” or “quit”."))
            return
        if setup.persons:
            following = saved.next_round()
            self._say(*filter(None, [score_line(following), _noticed(following)]))
        self._say(_("Type “again” for another round, or “replay”, “save” or “quit”."))

    def _show_waters(self, seen: Observation, view: MatchView, titles: tuple[str, str]) -> None:
        """Prints both boards, each above its fleet; in a search alone only the enemy's."""
        width, spelt = self._screen.width, self._screen.spelt
        drawn = [board for board in (view.enemy, view.own) if board]
        half = drawing.column_of(width)
        board_width = 4 + 2 * drawn[0].board.columns  # with the names of rows and an edge
        column = half if board_width <= half else width
        ships = [drawing.enemy_ships(seen, column, spelt)]
        ships += [drawing.own_ships(seen, column, spelt)] if view.own else []
        self._lay([
            [*self._drawn(board, title), Text(), *fleet]
            for board, title, fleet in zip(drawn, titles, ships, strict=False)
        ])  # fmt: skip

    def _show_boards(
        self, saved: SavedMatch, views: tuple[boards.BoardView, boards.BoardView]
    ) -> None:
        """Prints both boards without fleets; of a search alone only the enemy's."""
        drawn = list(map(self._drawn, views, _titles(saved)))
        self._lay(drawn[:1] if saved.setup.is_solo else drawn)

    def _drawn(self, view: boards.BoardView, title: str) -> list[Text]:
        has_edge = self._look.colours is not None
        return drawing.draw(view, self._screen.spelt(title), has_edge=has_edge)

    def _lay(self, blocks: Sequence[Sequence[Text]]) -> None:
        """Prints one or two blocks with a blank line above and below."""
        lines = [*drawing.arrange(blocks, self._screen.width), Text()]
        self._screen.write(lines if self._look.colours else [Text(), *lines])

    def _help(self) -> None:
        setup = self.game.setup
        lines = commands.help_lines(setup, is_match=isinstance(self.game, SavedMatch))
        self._say("", *lines, *_rules(setup), _signs(setup))

    def _save(self) -> None:
        """Prints the token on a line of its own, and the game's address for the browser."""
        address = self.address
        self._screen.write([
            _("The token of this game, for load or the command play:"), address.split("/")[-2],
            _("Its address in the browser:"), address,
        ])  # fmt: skip

    @property
    def address(self) -> str:
        """The address of the game as it stands; with the session's seed the same in each run."""
        nonce = self._seed and Chance(self._seed, "token", 0).bits(8 * NONCE).to_bytes(NONCE, "big")
        if isinstance(self.game, Draft):
            return reverse("place", args=[seal_draft(self.game, nonce)])
        return reverse("play", args=[seal_match(self.game, nonce)])

    # --- the replay ---

    def _replay(self) -> None:
        """Replays an ended match; raises Refused before the end."""
        saved = self.game
        if isinstance(saved, Draft) or saved.match.outcome is None:
            raise Refused(_("This match isn’t over yet."))
        side = saved.viewer
        match, names = saved.match, player_names(saved.setup)
        moments, cell_names = replay.moments_shown(match), saved.setup.cell_names
        steps = replay.steps(match, moments, side, names, cell_names)
        step: int | None = 0
        while step is not None and step <= len(steps):
            self._screen.draw(
                partial(self._draw_step, saved, replay.stage_at(match, step), steps, step)
            )
            step = self._next_step(step, len(steps))
        self._show()

    def _draw_step(
        self, saved: SavedMatch, stage: Match, steps: list[replay.Step], step: int
    ) -> None:
        seen = observe(stage, saved.viewer)
        self._show_boards(saved, boards.full_boards(stage, seen, saved.setup.cell_names))
        self._say(f"{replay.step_text(steps, step)} ({step}/{len(steps)})")

    def _next_step(self, step: int, last: int) -> int | None:
        """Returns the step that the player asks for, or None to leave the replay."""
        while True:
            word = self._ask(_("Enter: on, b: back, a number: that step, q: the result") + " > ")
            match in_one_case(word):
                case "":
                    return step + 1
                case "b" | "back" | "z" | "zurück" | "zurueck":
                    return max(step - 1, 0)
                case "q" | "quit" | "ende":
                    return None
                case number if number.isascii() and number.isdigit() and len(number) < 6:
                    return min(int(number), last)
            self._say(_("There is no such step."))

    def _show_board(
        self, board: boards.BoardView, title: str, seen: Observation, sentences: Sequence[str]
    ) -> None:
        def scene() -> None:
            ships = drawing.enemy_ships(seen, self._screen.width, self._screen.spelt)
            self._lay([[*self._drawn(board, title), Text(), *ships]])
            self._say(*sentences)

        self._screen.draw(scene)


def _labelled(drawn: Sequence[str], labels: Sequence[str]) -> str:
    """Returns the labels of an axis, each behind what is drawn for it."""
    pairs = zip(drawn, labels, strict=True)
    return ", ".join(one if one == label else f"{one} {label}" for one, label in pairs)


def _is_secret(game: Game) -> bool:
    """Returns whether the game is hidden from the other of two players."""
    if isinstance(game, Draft):
        return game.is_secret
    return game.setup.is_shared and game.match.outcome is None


def _viewer(game: Game) -> Side | None:
    """Returns the side that the screen is for, or None once everything is shown."""
    if isinstance(game, Draft):
        return game.side
    return game.viewer if game.match.outcome is None else None


def _person(game: Game) -> str:
    """Returns the name of the player who is to place or to act."""
    side = game.side if isinstance(game, Draft) else game.viewer
    return player_names(game.setup)[side]


def _titles(saved: SavedMatch) -> tuple[str, str]:
    """Returns the titles of the two boards, the enemy's first."""
    setup, viewer = saved.setup, saved.viewer
    if len(setup.persons) == 1 or saved.match.outcome is None:
        return _("Enemy waters"), _("Your waters")
    names = player_names(setup)
    theirs, mine = (waters_of(names[side]) for side in (viewer.opponent, viewer))
    return theirs, mine


def _rules(setup: Setup) -> list[str]:
    title = preset_card(setup.preset).title
    lines = [setup.title, setup.task, f"{title}. {rule_line(setup.ruleset)}", opponent_line(setup)]
    return list(filter(None, lines))


def _noticed(setup: Setup) -> str:
    """Returns what the computer noticed in the rounds before, or an empty text."""
    said = noticed_of(setup).sentence
    return f"{said} " + _("Type forget to erase that.") if said else ""


def _signs(setup: Setup) -> str:
    return _("The signs: %(signs)s.") % {"signs": drawing.legend(setup)}


def _figures(side: outcomes.Figures) -> str:
    rows = (
        (_("Shots"), side.shots), (_("Hits"), side.hits),
        (_("Hit rate"), _("%(rate)s%%") % {"rate": round(side.rate)}), (_("Ships sunk"), side.sunk),
        (_("Questions"), side.questions),
    )  # fmt: skip
    return ", ".join(f"{name} {value}" for name, value in rows if value != "")
