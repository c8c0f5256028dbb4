"""Gunicorn's log without tokens, since it writes the addresses of failed requests."""

import os
from typing import Any

from gunicorn.glogging import Logger as GunicornLogger

from game.ops.logs import Json, NoTokens


class Logger(GunicornLogger):  # type: ignore[misc, unused-ignore]
    """For `--logger-class`."""

    def setup(self, cfg: Any) -> None:
        """Sets the logs up as gunicorn does, then adds the site's filter and format."""
        super().setup(cfg)
        self.error_log.addFilter(NoTokens())
        if os.environ.get("BATTLESHIP_LOG") == "json":
            for handler in self.error_log.handlers:
                handler.setFormatter(Json())
