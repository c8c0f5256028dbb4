"""Keeps tokens out of the logs: an address in a log line never opens a match."""

import logging
import re

_TOKEN = re.compile(r"[A-Za-z0-9_-]{40,}")


class NoTokens(logging.Filter):
    """Replaces whatever is long enough to be a token, in the message and in a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = _TOKEN.sub("…", record.getMessage())
        record.args = ()
        record.__dict__.pop("request", None)
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = _TOKEN.sub("…", record.exc_text)
        return True
