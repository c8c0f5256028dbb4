"""What a terminal shows: coloured frames drawn in place, or plain lines one after another."""

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TextIO, TypeAlias

from rich.console import Console
from rich.text import Text
from rich.theme import Theme

from game.management import streams

_HOME, _ERASE_LINE, _ERASE_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
_NARROWEST = 20
STYLES = {
    "sea": ("110 on 24", "cyan on blue"),
    "water": ("bold 16 on 117", "black on cyan"),
    "old": ("16 on 74", "bold bright_white on blue"),
    "oldest": ("153 on 24", "white on blue"),
    "hit": ("bold 16 on 208", "bold bright_white on red"),
    "sunk": ("216 on 16", "bright_red on black"),
    "impossible": ("250 on 240", "white on bright_black"),
    "blocked": ("250 on 240", "white on bright_black"),
    "chosen": ("16 on 178", "black on yellow"),
    "ship": ("16 on 250", "black on white"),
    "heat1": ("231 on 31", "white on blue"),
    "heat2": ("16 on 67", "white on blue"),
    "heat3": ("16 on 109", "black on cyan"),
    "heat4": ("16 on 144", "black on cyan"),
    "heat5": ("16 on 179", "black on yellow"),
    "heat6": ("16 on 214", "black on yellow"),
    "heat7": ("bold 16 on 208", "bold bright_white on red"),
    "heat8": ("bold 16 on 202", "bold bright_white on red"),
    "last": ("bold 231 on 162", "bold bright_white on magenta"),
}
"""Ink and ground: numbers of xterm's 256 colours, and names of the basic 16, of which users choose
the shades."""
Colours: TypeAlias = Literal["standard", "256", "truecolor"]
"""The colours that a terminal has, by rich's names."""


@dataclass(frozen=True, slots=True)
class Look:
    colours: Colours | None = None
    """With None all text is plain, and nothing is redrawn."""
    is_screen: bool = False
    """Whether it is a terminal, which can be cleared."""
    size: Callable[[], tuple[int, int]] = lambda: (80, 24)
    """The number of columns and of rows."""


def _theme(colours: Colours | None) -> Theme:
    styles = {
        name: basic if colours == "standard" else re.sub(r"(\d+)", r"color(\1)", rich)
        for name, (rich, basic) in STYLES.items()
    }
    return Theme({**styles, "unknown": styles["sea"], "heat0": styles["sea"]})


class Screen:
    """Prints plain lines at once. With colours it collects them for a frame at the next prompt.

    A frame is the scene, which are the boards drawn last, and below it what was printed since. If
    the window is too low for both, the lines replace the scene. If it is too low for the scene,
    nothing is drawn in place, so that the terminal's own scrolling shows everything.
    """

    def __init__(self, out: TextIO, look: Look) -> None:
        self._out, self._look = out, look
        self._console = Console(
            file=out,
            force_terminal=True,
            color_system=look.colours,
            legacy_windows=False,
            theme=_theme(look.colours),
        )
        self._lines: list[Text] = []
        self._scene: list[Text] = []
        self._draw_scene: Callable[[], None] | None = None
        self._scene_begins: int | None = None
        """The index of the scene's first line in the collected ones, if it is among them."""
        self._prompt = ""
        """The prompt while the player types."""
        self._is_in_place = False

    @property
    def width(self) -> int:
        return max(self._look.size()[0], _NARROWEST)

    def spelt(self, text: str) -> str:
        """Returns the text as the stream can write it."""
        return streams.spelt(text, getattr(self._out, "encoding", None) or "utf-8")

    def wrap(self, text: Text) -> Sequence[Text | str]:
        if self._look.colours:
            return list(text.wrap(self._console, self.width)) or [Text()]
        return textwrap.wrap(str(text), self.width) or [""]

    def write(self, lines: Iterable[Text | str]) -> None:
        if self._look.colours:
            self._lines += [Text() + line for line in lines]
        else:
            self._out.write(self.text(lines))
            self._out.flush()

    def draw(self, scene: Callable[[], None]) -> None:
        """Calls `scene`, which prints boards, and keeps it to draw them again in another size."""
        self._draw_scene, self._scene_begins = scene, len(self._lines)
        scene()

    def wipe(self, code: str) -> None:
        """Forgets all that was shown, and clears the terminal with a code."""
        self._lines, self._scene = [], []
        self._draw_scene = self._scene_begins = None
        self._out.write(code)

    def ask(self, prompt: str, lines: TextIO) -> str:
        """Shows what was printed, and returns the next line; at the end of the input none."""
        self._show(prompt)
        self._prompt = prompt
        try:
            line = lines.readline()
        except OSError:  # the terminal is gone, or the stream is only for writing
            return ""
        finally:
            self._prompt = ""
        return streams.typed(line)

    def resize(self, lines: TextIO) -> None:
        """Draws the scene again while the player types; what is half typed is dropped."""
        if self._prompt and self._draw_scene:
            import termios  # not on Windows, which sends no signal either

            termios.tcflush(lines, termios.TCIFLUSH)
            self.draw(self._draw_scene)
            self._show(self._prompt)

    def leave(self) -> None:
        """Prints the last lines, below what is on the screen."""
        self._out.write(self.text(self._lines))
        self._out.flush()

    def _show(self, prompt: str) -> None:
        lines, self._lines = self._lines, []
        before, below = list[Text](), lines
        if self._scene_begins is not None:
            at, self._scene_begins = self._scene_begins, None
            before, self._scene, below = lines[:at], lines[at:], []
        frame = [*before, *self._scene, *below]
        if not self._fits(frame):
            frame = below
        if frame and self._fits(frame) and self._fits(self._scene):
            # The lines above are scrolled away once, so that none of them is lost.
            begin = _HOME if self._is_in_place else "\n" * self._look.size()[1] + _HOME
            self._is_in_place = True
            shown = self.text(frame).replace("\n", f"{_ERASE_LINE}\n")
            self._out.write(f"{begin}{shown}{_ERASE_BELOW}")
        else:
            self._out.write(self.text(lines))
        self._out.write(prompt)
        self._out.flush()

    def _fits(self, lines: Sequence[Text]) -> bool:
        """Returns whether these lines and the prompt fit the window."""
        columns, rows = self._look.size()
        return sum(max(1, -(-line.cell_len // columns)) for line in lines) < rows

    def text(self, lines: Iterable[Text | str]) -> str:
        """Returns lines as the terminal is to get them."""
        if not self._look.colours:
            return "".join(f"{line}\n" for line in lines)
        with self._console.capture() as shown:
            for line in lines:
                self._console.print(line, soft_wrap=True, highlight=False, markup=False)
        return shown.get()
