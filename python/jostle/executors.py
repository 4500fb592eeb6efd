"""Tasks of a sweep by executors: all that is asked of one is ``submit``, as PEP 3148 has it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol

from . import _jostle
from .errors import SweepError

__all__ = ["Executor", "run_tasks"]


class Executor(Protocol):
    """What runs tasks: anything that takes a function and returns a future."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Have a function called some time; returns a future."""


# What stops the tasks of a folder that run in threads of this process.
_stops: dict[str, _jostle.StopFlag] = {}


def _do_task(folder: str, number: int) -> int:
    """Run a task of a sweep, unless it has been done; returns how many of its runs failed.

    Executors call this, wherever they do: it can be pickled, and needs nothing but the folder.
    """
    stop = _stops.get(folder) or _jostle.StopFlag()
    return _jostle.SweepFolder.open(folder).task(number, stop)


def run_tasks(
    executor: Executor,
    folder: Path,
    plan: _jostle.SweepFolder,
    before: int,
    tell: Callable[..., None] | None,
) -> int:
    """Have an executor do all tasks that have not been done.

    Parameters
    ----------
    executor : Executor
        What runs the tasks.
    folder : Path
        The folder of the sweep.
    plan : _jostle.SweepFolder
        The same.
    before : int
        Runs that were done before, for the progress.
    tell : callable or None
        Is called with the runs that are done, the time (0) and all runs.

    Returns
    -------
    int
        How many runs are done now, with those before.

    Raises
    ------
    SweepError
        If tasks could not be done.
    """
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor: something with a method submit is needed, not {executor!r}")
    left = dict(plan.missing())
    done, all_runs = before, before + sum(left.values())
    key, stop = str(folder), _jostle.StopFlag()
    ended: SimpleQueue[Any] = SimpleQueue()
    futures: dict[Any, int] = {}
    failures: list[BaseException] = []
    _stops[key] = stop
    try:
        for task in left:
            try:
                future = executor.submit(_do_task, key, task)
            except RuntimeError as error:
                # It was shut down, or its workers were lost.
                failures.append(error)
                break
            futures[future] = task
            future.add_done_callback(ended.put)
        for _ in range(len(futures)):
            future = ended.get()
            why = _error(future)
            if isinstance(why, KeyboardInterrupt):
                raise why
            if why is not None:
                failures.append(why)
                continue
            done += left[futures[future]]
            if tell is not None:
                tell(done, 0.0, all_runs)
    except BaseException:
        # Tasks that run in other processes have heard Ctrl-C themselves, or are done to their ends.
        stop.set()
        for future in futures:
            future.cancel()
        raise
    finally:
        _stops.pop(key, None)
    missing = len(plan.missing())
    if failures:
        raise SweepError(
            f"{missing} of {len(left)} tasks could not be done; running the sweep again continues. "
            f"The first failed with: {failures[0] or type(failures[0]).__name__}"
        ) from failures[0]
    if missing:
        raise SweepError(
            f"{missing} of {len(left)} tasks are done, but their results are not in {folder}; "
            "workers need the same folder"
        )
    return done


def _error(future: Any) -> BaseException | None:
    """Why a future that has ended has no result, if it has none."""
    try:
        found: BaseException | None = future.exception()
    except CancelledError as error:
        return error
    return found
