"""Works through tasks in several processes, and ends those with the engines that they started."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from time import monotonic
from typing import TypeVar

from django.core.management.base import CommandError

from game.management import streams

Task = TypeVar("Task")
Result = TypeVar("Result")


def worked(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int, say: Callable[[str], None]
) -> Iterator[tuple[Task, Result]]:
    """Yields tasks with their results, in any order, and says how much time is left.

    `work` is a function of a module, since other processes have to find it. Raises CommandError if
    a process was killed.
    """
    began = monotonic()
    for done, (task, result) in enumerate(_worked(work, tasks, min(jobs, len(tasks))), 1):
        yield task, result
        left = (monotonic() - began) / done * (len(tasks) - done)
        duration = f"{left / 60:.0f} min" if left > 90 else f"{left:.0f} s"
        say(f"{done} of {len(tasks)}" + (f", about {duration} left" if left else ""))


def _worked(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, Result]]:
    if jobs < 2:
        for task in tasks:
            yield task, work(task)
        return
    pool = ProcessPoolExecutor(
        jobs, get_context("spawn"),
        # SIGTERM raises SystemExit, so that a process ends its engines.
        initializer=signal.signal, initargs=(signal.SIGTERM, streams.exit_by),
    )  # fmt: skip
    try:
        futures = {pool.submit(work, task): task for task in tasks}
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BrokenProcessPool:
        raise CommandError("A process that has engines play was killed.") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in active_children():
            child.terminate()
        pool.shutdown()
