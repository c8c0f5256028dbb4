"""What a click costs a server, all in all: CPU of a copy that plays whole matches of Bonn.

    .venv/bin/python -m tests.cluster.load

Read from Linux's /proc, the proxy and the players not counted.
"""

import os
import sys
import tempfile
from pathlib import Path

from game.ops import secrets
from tests.cluster.copies import Copy, running
from tests.cluster.players import Player

MINDS = ("random", "bonn-hard", "recruit", "commodore", "admiral")


def cpu_seconds(process: int) -> float:
    """User and system time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(games: int) -> None:
    """Prints a line for each mind."""
    with tempfile.TemporaryDirectory() as home:
        copy = Copy("one", Path(home))
        secrets.write(copy.secrets, secrets.make())
        with running(copy):
            worker = int(copy.wait().split()[1])
            for mind in MINDS:
                player = Player(copy.port, 5, most=games, games=(f"bonn/?opponent={mind}",))
                before = cpu_seconds(worker)
                player.run()
                clicks = sum(len(game.clicks) for game in player.games)
                spent = 1000 * (cpu_seconds(worker) - before) / clicks
                rollup = Path(f"/proc/{worker}/smaps_rollup").read_text().splitlines()
                memory = next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
                failures = len(player.devices[0].failures)
                print(
                    f"{mind:12}{clicks:>6} clicks {spent:>7.1f} ms of CPU each, "
                    f"{memory // 1024} MiB, {failures} failed"
                )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
