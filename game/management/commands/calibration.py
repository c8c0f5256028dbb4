"""`manage.py calibration`: of the cells with chance p, do p have ships?

python manage.py calibration --shots 20000
python manage.py calibration --seas bonn-moving --seed 2
python manage.py calibration --of review --matches 500
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from bench.calibration import TENTHS, Tenth, calibrate, review_tenths, reviewed
from bench.seas import SEAS
from bench.selfplay import Sample
from game.matches.review import Account


class Command(BaseCommand):
    """Prints the predicted and the actual share of hits for each tenth of the chances."""

    help = (
        "Prints for each tenth of all chances how many shots hit. Of the belief: a shooter fires "
        "at cells of all chances. Of the review: minds play whole matches, and each is reviewed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--of", choices=("belief", "review"), default="belief")
        parser.add_argument(
            "--seas", nargs="+", choices=list(SEAS), default=list(SEAS), help="of the belief"
        )
        parser.add_argument("--shots", type=int, default=20_000, help="of the belief, in each sea")
        parser.add_argument(
            "--matches", type=int, default=500, help="of the review: each has two sides"
        )
        parser.add_argument("--seed", type=int, default=1, help="decides all chance")

    def handle(self, *_args: object, **options: Any) -> None:
        if options["of"] == "review":
            self._review(options["matches"], options["seed"])
            return
        for name in options["seas"]:
            self._tenths(name, calibrate(SEAS[name], shots=options["shots"], seed=options["seed"]))

    def _tenths(self, name: str, tenths: Iterable[Tenth]) -> None:
        tenths = list(tenths)
        self.stdout.write(f"{name}, {sum(tenth.shots for tenth in tenths)} shots")
        self.stdout.write("chance       shots  believed    hits   points  (error)")
        for at, tenth in enumerate(tenths):
            self.stdout.write(_line(at, tenth))

    def _review(self, matches: int, seed: int) -> None:
        sides = list(reviewed(matches=matches, seed=seed))
        accounts = [side.account for side in sides]
        self._tenths("all reviews", review_tenths(accounts))
        seas: defaultdict[str, list[Account]] = defaultdict(list)
        skills: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        for side in sides:
            seas[side.sea].append(side.account)
            if side.account.skill is not None:
                skills[side.mind, side.sea].append(side.account.skill)
        self.stdout.write("\nLuck a side and match: hits beyond what was to be expected")
        for name, there in {**seas, "all": accounts}.items():
            luck = Sample(tuple(account.luck for account in there))
            self.stdout.write(f"{name:22}{luck.mean:>+7.3f} ± {luck.error:.3f} over {len(there)}")
        self.stdout.write("\nSkill of the minds: mean over their matches")
        for (mind, name), each in sorted(skills.items()):
            self.stdout.write(f"{mind:14}{name:22}{fmean(each):>7.2f} over {len(each)}")


def _line(at: int, tenth: Tenth) -> str:
    span = f"{at / TENTHS:.1f} to {(at + 1) / TENTHS:.1f}"
    if not tenth.shots:
        return f"{span}{0:>8}"
    return (
        f"{span}{tenth.shots:>8}{100 * tenth.believed / tenth.shots:>9.1f} %"
        f"{100 * tenth.hits / tenth.shots:>6.1f} %{tenth.points:>+9.2f} ({tenth.error:>6.2f})"
    )
