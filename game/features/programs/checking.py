"""Checks an engine by games in every preset, and says what is wrong at which line."""

from dataclasses import replace

from game.engine.presets import OWN, PRESETS
from game.engine.rules import Side
from game.features.programs.engine_process import EngineFailed
from game.features.programs.engine_referee import Foul, InProcess, Seat, play_match
from game.features.programs.management.options import Entrant, starter

SHOWN_LINES = 6
"""How many lines before the wrong one are shown."""
GAMES = 2
_HINT = " Does it flush each answer?"
_QUIT_SECONDS = 5


class Checked:
    """The talk with an engine, and what came of it."""

    def __init__(self, engine: Entrant, seconds: float) -> None:
        self._engine, self._seconds = engine, seconds
        self._lines: list[str] = []
        self._told = 0
        """The number of the last line that the engine was told."""
        self.slowest = 0.0
        """The seconds of its slowest answer."""
        self.games = 0

    def fault(self) -> str:
        """Returns in one sentence what the engine does wrong; nothing if all is right."""
        one = Seat(Side.FIRST, self._engine.start, self._seconds, self._log)
        other = Seat(Side.SECOND, starter("mind:random"), self._seconds)
        try:
            for preset in PRESETS.values():
                for game in range(GAMES if preset is not OWN else 0):
                    rules = replace(preset.ruleset, begins=Side(game % 2))
                    play_match((one, other), rules, (self.games, self.games))
                    self.games += 1
        except Foul as foul:
            hint = _HINT if "gave no answer" in str(foul) else ""
            return f"Line {self._told}: the engine {foul}.{hint}"
        finally:
            self.slowest = one.slowest
            one.close()
        return self._fault_at_the_end()

    def _log(self, line: str) -> None:
        is_told = line.startswith("<")
        self._told += is_told
        self._lines.append(f"{self._told if is_told else '':>6} {line[:160]}")

    def _fault_at_the_end(self) -> str:
        """Returns what is wrong with how the engine quits."""
        running = self._engine.start()
        if isinstance(running, InProcess):
            return ""
        try:
            running.answer("hello 1", self._seconds)
            said = running.answer("quit", _QUIT_SECONDS)
            return f"Line 2: the engine answered quit with '{said}', where it should end."
        except EngineFailed as error:
            if str(error) != "ended with status 0":
                return f"Line 2: after quit the engine {error}, where it should end with status 0."
            return ""
        finally:
            running.kill()

    def last_lines(self) -> list[str]:
        """Returns the last lines of the talk, each that the engine was told with its number."""
        return self._lines[-SHOWN_LINES:]
