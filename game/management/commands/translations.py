"""`manage.py translations`: compiles the translations without GNU gettext."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from game.management.preparation import compile_catalogues


class Command(BaseCommand):
    help = "Compiles the translations; refuses one that lacks a message or has a fuzzy one."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        compile_catalogues()
