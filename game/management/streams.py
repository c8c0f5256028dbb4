"""The standard streams: closed ones, codes of keys in lines, and character sets that lack signs.

>>> spelt("„Zerstörer“ A1–A3", "ascii")
'"Zerstoerer" A1-A3'
"""

import codecs
import errno
import io
import os
import re
import signal
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from game.engine.geometry import FULL_WIDTH

ERRORS = "other signs"
"""The name of the error handler that writes other signs for those that an encoding lacks."""
_OTHER_SIGNS = {
    "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ẞ": "SS",
    "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "ı": "i",
    **dict.fromkeys("“”„‟«»″", '"'), **dict.fromkeys("‘’‚‛‹›′", "'"),
    **dict.fromkeys("‐‑‒–—―−·", "-"),
    "×": "x", "✕": "x", "±": "+-", "≤": "<=", "≥": ">=", "≈": "~", "⁄": "/", "€": "EUR",
    "←": "<-", "→": "->", "↑": "^", "↓": "v", "↔": "<->", "•": "*", "●": "*", "○": "o", "✓": "+",
    **dict.fromkeys("█▀▄▌▐■", "#"), "░": ".", "▒": ":", "▓": "%", "─": "-", "│": "|",
}  # fmt: skip
_BROKEN_PIPE = 128 + 13
"""What a shell tells of a command that SIGPIPE ended; Windows has no such signal."""
_NOT_TAKEN = (errno.ENOSPC, errno.EIO, errno.EBADF)
"""A full disk, a terminal that is gone, and a stream that is only for reading."""
_KEYS = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # an operating system command
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # a control sequence, such as an arrow or a paste
    r"|\x1bO[A-DFHP-S]"  # an arrow or F1 to F4 of a keypad (SS3)
)
_ERASED = re.compile(r"[^\b\x7f][\b\x7f]")


def prepare() -> None:
    """Opens the null device for streams that are closed, and lets the others fail at no sign."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream, errors in (sys.stdin, "replace"), (sys.stdout, ERRORS), (sys.stderr, ERRORS):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


@contextmanager
def ended_quietly() -> Iterator[None]:
    """Ends the process without a traceback if a player interrupts it, or if no output is taken.

    The exit code is 128 and the signal's number, as a shell has it, or 1 if nothing can be written.
    """
    try:
        yield
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise SystemExit(128 + signal.SIGINT) from None
    except BrokenPipeError:
        raise SystemExit(_BROKEN_PIPE) from None
    except OSError as error:
        if os.name == "nt" and error.errno == errno.EINVAL:  # which a broken pipe is there
            raise SystemExit(_BROKEN_PIPE) from None
        if error.errno not in _NOT_TAKEN:
            raise
        with suppress(OSError):
            print(error.strerror, file=sys.stderr)
        raise SystemExit(1) from None
    finally:
        try:
            sys.stdout.flush()
        except (OSError, SystemExit) as error:  # Python's flush at exit must not fail
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, SystemExit):  # of a signal that came just now
                raise


def exit_by(number: int, _frame: object) -> NoReturn:
    """Ends the process as a shell tells of a signal's number."""
    sys.exit(128 + number)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Has SIGTERM and SIGHUP raise SystemExit, so that what ends a command is done."""
    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {one: signal.getsignal(one) for one in signals}
    for signal_number in signals:
        if before[signal_number] is not signal.SIG_IGN:  # by nohup
            signal.signal(signal_number, exit_by)
    try:
        yield
    finally:
        for signal_number, handler in before.items():
            signal.signal(signal_number, handler)


def spelt(text: str, encoding: str) -> str:
    """Returns the text with other signs for those that the encoding lacks."""
    return text.encode(encoding, ERRORS).decode(encoding)


def typed(line: str) -> str:
    """Returns a line without the codes of keys and without characters that aren't seen.

    A terminal without line editing sends an arrow as `ESC [ D`, and brackets a paste with codes.
    Letters and digits of full width are those of ASCII.
    """
    text = _KEYS.sub("", line)
    while _ERASED.search(text):
        text = _ERASED.sub("", text)
    # Joiners stay for the scripts that need them.
    seen = (
        sign
        for sign in text
        if sign.isspace()
        or sign in "\u200c\u200d"
        or unicodedata.category(sign) not in ("Cc", "Cf")
    )
    return unicodedata.normalize("NFC", "".join(seen)).translate(FULL_WIDTH)


def _written(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(map(_other_sign, lacking)), error.end


def _other_sign(sign: str) -> str:
    if sign in _OTHER_SIGNS:
        return _OTHER_SIGNS[sign]
    parts = "".join(_OTHER_SIGNS.get(part, part) for part in unicodedata.normalize("NFKD", sign))
    ascii_text = parts.encode("ascii", "ignore").decode()
    return ascii_text if ascii_text or unicodedata.category(sign) in ("Cf", "Mn") else "?"


codecs.register_error(ERRORS, _written)
