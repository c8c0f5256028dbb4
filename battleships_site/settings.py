"""Django's settings. docs/operations.md lists the environment variables that change them."""

import re
import sys
from pathlib import Path

from battleships_site import __version__, environment
from game import feature_list
from game.ops import languages, secrets

_PACKAGE = Path(__file__).resolve().parent
IS_INSTALLED = (_PACKAGE / "templates").is_dir()
"""Whether this is the installed wheel, whose package holds templates, catalogues and static files.

In a clone they lie beside the package.
"""
BASE_DIR = _PACKAGE if IS_INSTALLED else _PACKAGE.parent
if environment.DATA:
    DATA = Path(environment.DATA).absolute()
elif IS_INSTALLED:
    from platformdirs import user_data_path

    DATA = user_data_path("battleships-web", appauthor=False)
else:
    DATA = BASE_DIR / "var"
"""The folder of what the site writes: secrets and the database."""

IS_PRODUCTION = environment.IS_PRODUCTION
DEBUG = environment.DEBUG and not IS_PRODUCTION

SECRETS_FILE = Path(environment.SECRETS_FILE or DATA / "secrets.json").absolute()
_COMMAND = "".join(sys.argv[1:2])
IS_BEFORE_SECRETS = _COMMAND in ("collectstatic", "translations") or (
    _COMMAND == "keys" and "make" in sys.argv[2:]
)
"""Whether a command runs that prepares a site, and needs neither secrets nor hosts."""
SECRET_KEY = ""
if not IS_BEFORE_SECRETS:
    try:
        SECRET_KEY = secrets.load(SECRETS_FILE, may_create=not IS_PRODUCTION)["secret_key"]
    except secrets.BadSecrets as error:
        raise SystemExit(f"Battleship can't start: {error}") from None

ALLOWED_HOSTS = [re.sub(r":(\d+|\*)$", "", host.strip()) for host in environment.HOSTS]
if not ALLOWED_HOSTS and not IS_BEFORE_SECRETS:
    raise SystemExit("BATTLESHIP_HOSTS names no host that the site answers to")

PATH = environment.PATH
"""The path below which the site is served: `/`, or such as `/battleships/`."""
FORCE_SCRIPT_NAME = PATH[:-1] or None

LAN_ADDRESS = environment.LAN_ADDRESS
"""The address at which `serve --lan` tells other devices to open the site, or empty."""

VERSION = __version__

SOURCE = environment.SOURCE
CONTACT = re.sub(r"^(?=[^/:]+@)", "mailto:", environment.CONTACT)
"""Whom to tell of vulnerabilities, as `mailto:` or with http or https, or empty."""

MATCH_DAYS = environment.MATCH_DAYS
"""How many days a match that goes on stays open; None means for ever."""

WITHOUT = environment.WITHOUT
"""The features that are switched off."""

INSTALLED_APPS = [
    "game",
    *(it.app for it in feature_list.FEATURES if it.name not in WITHOUT),
    "django.contrib.staticfiles",
    "django_htmx",
]
MIDDLEWARE = [
    "game.web.middleware.begin_request",
    "game.web.below.serve_below_path",
    "django.middleware.security.SecurityMiddleware",
    "game.web.middleware.answer_without_page",
    "battleships_site.storage.StaticFiles",
    "battleships_site.packing.pack_responses",
    "django.middleware.locale.LocaleMiddleware",
    "game.web.middleware.answer_in_json",
    "game.web.middleware.count_refusals",
    "game.web.middleware.refuse_forms",
    "game.web.middleware.keep_visitors_apart",
    "django.middleware.common.CommonMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "game.web.repair.repair_addresses",  # the last, so that no other redirect comes before its own
]
ROOT_URLCONF = "battleships_site.urls"
WSGI_APPLICATION = "battleships_site.wsgi.application"

_DATABASE = environment.database()
if not _DATABASE and (environment.IS_ONE_MACHINE or not IS_PRODUCTION):
    _DATABASE = {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA / "battleship.sqlite3",
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 2,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
        },
    }
HAS_DATABASE = bool(_DATABASE)
"""Whether there is a database, without which nobody plays at two devices.

Several copies of a site that isn't told of one would each have its own.
"""
DATABASES = {"default": _DATABASE} if _DATABASE else {}

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "game.views.context.site",
            ],
            "builtins": ["django.templatetags.i18n", "django.templatetags.static"],
        },
    }
]

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_TABLE = languages.load(LOCALE_PATHS[0])
LANGUAGES = [(code, row.name) for code, row in LANGUAGE_TABLE.items()]
LANGUAGES_BIDI = [code for code, row in LANGUAGE_TABLE.items() if row.direction == "rtl"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
TIME_ZONE = "UTC"

STATIC_URL = f"{PATH}static/"
STATIC_ROOT = BASE_DIR / ("static" if IS_INSTALLED else "var/static")
STATICFILES_DIRS = [] if IS_INSTALLED else [BASE_DIR / "static"]
STORAGES = {"staticfiles": {"BACKEND": "battleships_site.storage.SmallStaticFilesStorage"}}
# A file is looked for when it is asked for: a newer version may have been collected, whose pages
# come from processes that started since.
WHITENOISE_AUTOREFRESH = True
WHITENOISE_MAX_AGE = 0  # for names without a hash; others may be cached for ever
WHITENOISE_ALLOW_ALL_ORIGINS = False

DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 300  # the largest fleet has 225 ships
DATA_UPLOAD_MAX_NUMBER_FILES = 0

SECURE_REFERRER_POLICY = "strict-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
# Forms need no CSRF token: game.web.middleware.refuse_forms refuses forms of other sites, and
# where a cookie gives authority, a feature refuses those, too, that don't name their origin.
SILENCED_SYSTEM_CHECKS = ["security.W002", "security.W003"]
if environment.IS_TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [f"^{PATH[1:]}(healthz|readyz)$"]
    if PATH == "/":
        SECURE_HSTS_SECONDS = 63_072_000
        SECURE_HSTS_INCLUDE_SUBDOMAINS = True
        SECURE_HSTS_PRELOAD = True
    else:  # it would bind the other sites of the host, whose operator decides
        SILENCED_SYSTEM_CHECKS.append("security.W004")

LOG = environment.LOG
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "no_tokens": {"()": "game.ops.logs.NoTokens"},
        "refusals": {"()": "game.ops.logs.Refusals"},
    },
    "formatters": {
        "plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
        "json": {"()": "game.ops.logs.Json"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["refusals", "no_tokens"],
            "formatter": LOG,
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
        "waitress.queue": {"level": "ERROR"},  # it warns whenever four requests come at once
    },
}
