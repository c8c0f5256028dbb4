"""`manage.py deleteold`: deletes the rows that are past their end, as servers do daily."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.ops import database


class Command(BaseCommand):
    help = "Migrates the database, and deletes the rows that are past their end."

    def handle(self, *args: Any, **options: Any) -> None:
        if not database.is_on():
            raise CommandError("there is no database")
        try:
            database.prepare()
        except database.DatabaseDown as error:
            raise CommandError(f"the database can't be reached: {error}") from error
