"""Collects the sentences to be translated, those of `game.display.words.plural` among them."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=plural:1,2"]  # noqa: RUF012
