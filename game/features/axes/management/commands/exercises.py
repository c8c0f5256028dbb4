"""`manage.py exercises`: lists exercises that were reported, and removes exercises."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.features.axes.models import Exercise
from game.ops import database
from game.ops.database import DatabaseDown


class Command(BaseCommand):
    help = "Lists the exercises that were reported, or removes one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--remove", metavar="CODE", help="empty this exercise for good")

    def handle(self, *args: Any, **options: Any) -> None:
        if not database.is_on():
            raise CommandError("there is no database")
        code = (options["remove"] or "").upper()
        try:
            if code:
                rows = Exercise.objects.filter(code=code)
                if not database.run(lambda: rows.update(query="", reports=0)):
                    raise CommandError(f"there is no exercise {code}")
                self.stdout.write(f"{code} is removed")
                return
            reported = Exercise.objects.filter(reports__gt=0).order_by("-reports")
            for row in database.run(lambda: list(reported)):
                self.stdout.write(f"{row.code}  {row.reports}  {row.query}")
        except DatabaseDown as error:
            raise CommandError(f"the database can't be reached: {error}") from error
