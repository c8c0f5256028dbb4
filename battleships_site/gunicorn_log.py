"""Gunicorn's log without tokens: it writes addresses of requests that failed."""

from typing import Any

from gunicorn.glogging import Logger as GunicornLogger

from game.logs import NoTokens


class Logger(GunicornLogger):  # type: ignore[misc, unused-ignore]
    """For `--logger-class`."""

    def setup(self, cfg: Any) -> None:
        """Sets the logs up as gunicorn does, then filters them."""
        super().setup(cfg)
        self.error_log.addFilter(NoTokens())
