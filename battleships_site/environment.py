"""The environment variables of docs/operations.md, read once.

Values that can't be meant end the process with a sentence each: `BATTLESHIP_TLS: Not a valid
boolean.` The module needs neither Django nor the settings, so that gunicorn's configuration may
import it.
"""

import os
import re
from typing import Any, NoReturn

from environs import Env, EnvValidationError, ValidationError
from marshmallow.validate import URL, ContainsOnly, Length, OneOf, Range, Regexp

from game import feature_list

_HOST = re.compile(r"(\*|\.?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:.]+\])(:(\d+|\*))?", re.ASCII)
_LISTENER = re.compile(r"unix:.+|fd://\d+|(tcp://)?([\w.-]*|\[[0-9a-fA-F:]+\]):\d{1,5}", re.ASCII)
_WEB = URL(schemes={"http", "https"}, require_tld=False)
_BELOW = Regexp(r"/([\w~-]+/)*\Z", re.ASCII, error="Not such as /battleships/.")
_CONTACT = Regexp(
    r"(mailto:)?[\w.+-]+@[\w.-]+\Z|https://[^\s\"'<>\\]+\Z",
    error="Neither an address of mail nor one with https.",
)
_COUNT = Range(1, 999_999)


def _hosts(items: list[str]) -> None:
    for item in items:
        if not _HOST.fullmatch(item.strip()):
            raise ValidationError(f"Not the name of a host, such as play.example.org: {item!r}.")


def _listeners(items: list[str]) -> None:
    for item in items:
        if not _LISTENER.fullmatch(item.strip()):
            raise ValidationError(f"Not such as 0.0.0.0:8000 or [::]:8000: {item!r}.")


_env = Env(eager=False)
BIND = _env.list("BIND", ["0.0.0.0:8000"], validate=_listeners)
WORKERS: int | None = _env.int("WEB_CONCURRENCY", None, validate=_COUNT)
with _env.prefixed("BATTLESHIP_"):
    METRICS: list[str] = _env.list("METRICS", [], validate=_listeners)
    _kind = _env.str("ENV", "development", validate=OneOf(["production", "development"]))
    IS_PRODUCTION = _kind == "production"
    DEBUG = _env.bool("DEBUG", False)
    IS_TLS = _env.bool("TLS", False)
    LOG = _env.str("LOG", "plain", validate=OneOf(["plain", "json"]))
    DATA = _env.str("DATA", "", validate=Length(1))
    SECRETS_FILE = _env.str("SECRETS_FILE", "", validate=Length(1))
    HOSTS: list[str] = _env.list(
        "HOSTS", [] if IS_PRODUCTION else ["localhost", "127.0.0.1", "[::1]"], validate=_hosts
    )
    PATH = _env.str("PATH", "/", validate=_BELOW)
    LAN_ADDRESS = _env.str("LAN_ADDRESS", "", validate=_WEB)
    SOURCE = _env.str("SOURCE", "", validate=_WEB)
    CONTACT = _env.str("CONTACT", "", validate=_CONTACT)
    MATCH_DAYS: int | None = None
    if os.environ.get("BATTLESHIP_MATCH_DAYS"):  # an empty one is for ever, as in compose.yaml
        MATCH_DAYS = _env.int("MATCH_DAYS", validate=_COUNT)
    WITHOUT: list[str] = _env.list(
        "WITHOUT", [], validate=ContainsOnly([it.name for it in feature_list.FEATURES])
    )
    _database = _env.str("DATABASE", "")
    _password = _env.str("DATABASE_PASSWORD", "")
    IS_ONE_MACHINE = _env.bool("ONE_MACHINE", False)
try:
    _env.seal()
except EnvValidationError as error:
    wrong = error.error_messages
    assert isinstance(wrong, dict)  # noqa: S101 (since it isn't eager)
    raise SystemExit("\n".join(f"{name}: {' '.join(wrong[name])}" for name in wrong)) from None


def refuse(name: str, value: str, what: str) -> NoReturn:
    """Raises SystemExit with a sentence that quotes a value without its name and password."""
    raise SystemExit(f"{name} {what}: {re.sub(r'(?<=//).*(?=@)', '…', value, flags=re.DOTALL)!r}")


def database() -> dict[str, Any]:
    """Returns Django's settings of the PostgreSQL that is named; nothing if none is.

    A process has two connections.
    """
    if not _database:
        return {}
    try:
        import dj_database_url
        import psycopg_pool  # noqa: F401
    except ImportError:
        needs = "BATTLESHIP_DATABASE needs psycopg: install battleships-web[postgres]"
        raise SystemExit(needs) from None
    try:
        found: dict[str, Any] = dict(dj_database_url.parse(_database))
    except ValueError:
        found = {}
    is_there = found.get("ENGINE", "").endswith(".postgresql") and found["NAME"] and found["HOST"]
    if not is_there or re.search(r"\s", _database):
        what = "is not an address like postgres://battleship@database/battleship"
        refuse("BATTLESHIP_DATABASE", _database, what)
    found["PASSWORD"] = found["PASSWORD"] or _password
    pool = {"min_size": 0, "max_size": 2, "timeout": 2, "reconnect_timeout": 2}
    found["OPTIONS"] = {
        "connect_timeout": 2, "options": "-c statement_timeout=2000", "prepare_threshold": 2,
        "pool": pool, **found.get("OPTIONS", {}),
    }  # fmt: skip
    return found
