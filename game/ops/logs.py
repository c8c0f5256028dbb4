"""Removes tokens from logs, and formats log lines as JSON if the settings ask for it.

A line is `{"time": "…T11:39:02.417+00:00", "level": "INFO", "logger": "…", "message": "…"}`.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

from game.ops.addresses import SECRET_PAGES

_ADDRESS = re.compile(rf"(/(?:{'|'.join(SECRET_PAGES)})/)[^/\s?#\"']+")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{40,}")


def without_tokens(text: str) -> str:
    """Replaces every path component after a token page, and every long word, by an ellipsis."""
    return _TOKEN.sub("…", _ADDRESS.sub(r"\1…", text))


class NoTokens(logging.Filter):
    """Removes tokens from the message and the traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = without_tokens(record.getMessage())
        record.args = ()
        record.__dict__.pop("request", None)
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = without_tokens(record.exc_text)
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
