"""`manage.py translations`: compiles the translations without GNU gettext."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from game.management.preparation import compile_catalogues


class Command(BaseCommand):
    help = "Compiles the translations; refuses an incomplete one in English or German."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--shares", action="store_true", help="prints the share of each")

    def handle(self, *args: Any, **options: Any) -> None:
        for code, (translated, messages) in compile_catalogues().items():
            if options["shares"]:
                share = f"{translated} of {messages} messages ({translated / messages:.1%})"
                self.stdout.write(f"{code}: {share} are translated")
