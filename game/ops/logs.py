"""Removes tokens from logs, adds a request's id, and formats lines as JSON if the settings ask.

A line is `{"time": "…T11:39:02.417+00:00", "level": "INFO", "logger": "…", "message": "…"}`.
"""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime

from game.ops.addresses import SECRET_PAGES

_SLASH = r"(?:[/\\]|%(?:25)*(?:2f|5c))"
_PAGE = rf"((?:{_SLASH}(?:{'|'.join(SECRET_PAGES)})){{1,2}}{_SLASH}+)"
"""There may be two such words, as the path below which the site is served may be one."""
_ADDRESS = re.compile(rf"{_PAGE}[^/\s?#\"']+", re.IGNORECASE)
_BROKEN = re.compile(rf"{_PAGE}(?![\w-]+/[a-z./]{{0,20}}$).+", re.ASCII | re.DOTALL | re.IGNORECASE)
"""An address with a token that may be in pieces, and so is all that follows."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{40,}")


_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)
_request_id: ContextVar[str] = ContextVar("request_id", default="")


def begin_request(proxys_id: str) -> None:
    """Has the lines that follow in this thread end with the id by which the proxy logs the request.

    A client may have written it, so anything but a short word is left out.
    """
    _request_id.set(proxys_id if _REQUEST_ID.fullmatch(proxys_id) else "")


def without_tokens(text: str) -> str:
    """Replaces every path component after a token page, and every long word, by an ellipsis."""
    return _TOKEN.sub("…", _ADDRESS.sub(r"\1…", text))


class NoTokens(logging.Filter):
    """Removes tokens from the message and the traceback, and names the request."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                _BROKEN.sub(r"\1…", argument) if isinstance(argument, str) else argument
                for argument in record.args
            )
        record.msg = without_tokens(record.getMessage())
        record.args = ()
        if "request_id" not in record.__dict__:  # another handler's filter may have been first
            record.__dict__["request_id"] = name = _request_id.get()
            record.msg += name and f" [{name}]"
        record.__dict__.pop("request", None)
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = without_tokens(record.exc_text)
        return True


_UNSAFE = re.compile(r"[^A-Za-z0-9.:\[\]_-]", re.ASCII)
_LONGEST_HOST = 100


class Refusals(logging.Filter):
    """Makes one warning, without a traceback, of Django's errors about requests that it refuses."""

    def filter(self, record: logging.LogRecord) -> bool:
        _security, kind, reason = record.name.partition("django.security.")
        if not kind:
            return True
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
        if reason == "DisallowedHost":
            request = getattr(record, "request", None)
            host = _UNSAFE.sub("?", request.META.get("HTTP_HOST", "") if request else "")
            record.args = (host[:_LONGEST_HOST],)
            record.msg = "refused a request for the host '%s', which BATTLESHIP_HOSTS doesn't name"
        return True


class Json(logging.Formatter):
    """Formats a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        if record.exc_text:
            line["traceback"] = record.exc_text
        return json.dumps(line, ensure_ascii=False)
