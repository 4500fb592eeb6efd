"""Runs: started, watched, stopped, resumed, repeated, and opened again."""

from __future__ import annotations

import asyncio
import atexit
import html
import os
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _jostle
from .analyses import Analyses
from .errors import RunError, StoppedError
from .progress import Display, Progress, ProgressOption
from .times import count, microseconds

if TYPE_CHECKING:
    from .model import Model
    from .quantities import Quantity
    from .simulation import View

_jostle.log_to_python()

__all__ = ["Job", "Rerun", "Run", "open", "rerun", "resume"]

PathLike: TypeAlias = str | os.PathLike[str]

CHECKPOINT = "10 min"


class Run(Analyses):
    """A run that has written a file, or is writing it.

    Everything is read from the file when it is asked for, so that a run in progress can be looked
    at. ``jostle.open`` makes one of a file; ``Model.run`` returns one.

    Parameters
    ----------
    path : path-like
        The output file (``.h5md``).

    Attributes
    ----------
    path : pathlib.Path
        The output file.
    """

    def __init__(self, path: PathLike) -> None:
        # Absolute: the run is found whatever folder the program changes to.
        self.path = Path(path).absolute()

    @property
    def run(self) -> Run:
        """The run itself, so that ``jostle.resume(file).run.rates()`` reads like a job's."""
        return self

    @property
    def model(self) -> Model:
        """The model of the run, with everything resolved that it says."""
        from .model import load

        return load(self.path)

    @property
    def warnings(self) -> list[str]:
        """What the run warned of when it ended: rules that often found no space, rates out of reach.

        They are those that ``jostle run`` prints, and the file keeps them; the list is empty if there
        are none. What can be said of a model before it is run is in ``Model.check().warnings``.
        """
        return _jostle.warnings(self.path)

    def __repr__(self) -> str:
        return f"jostle.open({str(self.path)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Run) and self.path.absolute() == other.path.absolute()

    def __hash__(self) -> int:
        return hash(self.path.absolute())


def open(file: PathLike) -> Run:
    """Open an output file, also while a run is still writing it.

    Parameters
    ----------
    file : path-like
        The file (``.h5md``).

    Returns
    -------
    Run

    Raises
    ------
    ReadError
        If it is no file that can be read.
    """
    _jostle.check_readable(os.fspath(file))
    return Run(file)


def _temporary() -> Path:
    """A file in a folder of its own, which is removed when this process ends."""
    folder, process = tempfile.mkdtemp(prefix="jostle-"), os.getpid()

    def remove() -> None:
        # A process that was forked from this one ends sooner.
        if os.getpid() == process:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return Path(folder) / "run.h5md"


def run(
    model: Model,
    out: PathLike | None,
    *,
    overwrite: bool,
    self_check: bool,
    checkpoint: str,
    progress: ProgressOption,
    every: tuple[Quantity, Callable[[View], object]] | None = None,
) -> Run:
    """Run a model to its end; see :meth:`jostle.Model.run`."""
    out = _temporary() if out is None else Path(out).absolute()
    if every is not None:
        return _run_with_views(model, out, every, overwrite, self_check, checkpoint, progress)
    with Display(progress, _title(model, out)) as display:
        ended = _jostle.run_to_end(
            model.parsed,
            os.fspath(out),
            overwrite=overwrite,
            self_check=self_check,
            checkpoint=checkpoint,
            progress=display.callback,
        )
    return _run_of(ended, out)


def _run_with_views(
    model: Model,
    out: PathLike,
    every: tuple[Quantity, Callable[[View], object]],
    overwrite: bool,
    self_check: bool,
    checkpoint: str,
    progress: ProgressOption,
) -> Run:
    """Run a model, and look at the state in between."""
    from .simulation import Looks, Simulation

    # A wrong time or function is refused before anything is written.
    looks = Looks(every, model)
    with (
        Display(progress, _title(model, out)) as display,
        Simulation(
            model, out, overwrite=overwrite, self_check=self_check, checkpoint=checkpoint
        ) as simulation,
    ):
        looks.run(simulation, display.callback)
    return Run(out)


def _run_of(ended: _jostle.Ended, out: PathLike) -> Run:
    if not ended.is_finished:
        raise StoppedError(f"{out}: stopped before its end; jostle.resume continues it")
    return Run(out)


def start(
    model: Model, out: PathLike, *, overwrite: bool, self_check: bool, checkpoint: str
) -> Job:
    """Start a run; see :meth:`jostle.Model.start`."""
    out = Path(out).absolute()
    job = _jostle.start(
        model.parsed,
        os.fspath(out),
        overwrite=overwrite,
        self_check=self_check,
        checkpoint=checkpoint,
    )
    return Job(job, out, _title(model, out))


def resume(
    file: PathLike,
    *,
    out: PathLike | None = None,
    set: Mapping[str, object] | None = None,
    changed: bool = False,
    self_check: bool = False,
    checkpoint: str = CHECKPOINT,
    progress: ProgressOption = None,
) -> Run:
    """Resume a run that was stopped or killed, as if it had never stopped.

    Parameters
    ----------
    file : path-like
        The file of the run; its checkpoint is in the same folder. A run that is finished has no
        checkpoint, and cannot be resumed.
    out : path-like, optional
        Write to this file, and leave the first one as it is. By default the file is continued.
    set : mapping, optional
        Values to set, by key, such as ``{"run.until": "20 ms"}``: a new end of the run, the number
        of threads, the search structure.
    changed : bool
        Whether values may be set on which results depend. The file's history records this.
    self_check : bool
        Whether to check the state from time to time.
    checkpoint : str
        How often to write a checkpoint: ``"10 min"``, ``"1000 steps"``, ``"stops"`` (only when the
        run is stopped) or ``"never"``.
    progress : bool, callable or None
        Whether to show progress; see :data:`jostle.progress.ProgressOption`.

    Returns
    -------
    Run

    Raises
    ------
    RunError
        If there is no checkpoint, or the run fails.
    KeyboardInterrupt
        If it is stopped by Ctrl-C, after everything has been kept.
    """
    path, job = _jostle.resume(
        os.fspath(file),
        None if out is None else os.fspath(out),
        _overrides(set),
        changed=changed,
        self_check=self_check,
        checkpoint=checkpoint,
    )
    with Display(progress, Path(path).name) as display:
        return _run_of(job.finish(display.callback), path)


@dataclass(frozen=True)
class Rerun:
    """What came of running a file's own model again.

    Attributes
    ----------
    equal : bool
        Whether the results are the same, to the bit.
    text : str
        The same in a sentence; if they differ, where they first differ.
    """

    equal: bool
    text: str

    def __str__(self) -> str:
        return self.text


def rerun(
    file: PathLike,
    *,
    steps: int | None = None,
    until: Quantity | None = None,
    set: Mapping[str, object] | None = None,
    out: PathLike | None = None,
    overwrite: bool = False,
    progress: ProgressOption = None,
) -> Rerun:
    """Run a file's own model again and compare the results.

    Parameters
    ----------
    file : path-like
        A file that a run wrote, or is writing.
    steps : int, optional
        The number of steps. By default as many as the file has.
    until : str, float or quantity, optional
        How long to simulate, such as ``"10 ms"``, in place of `steps`.
    set : mapping, optional
        Values on which results must not depend, such as ``{"search.kind": "slices"}``.
    out : path-like, optional
        Keep the output of the second run in this file.
    overwrite : bool
        Whether `out` may be replaced.
    progress : bool, callable or None
        Whether to show progress; see :data:`jostle.progress.ProgressOption`.

    Returns
    -------
    Rerun
        Whether they are equal, and if not, where they part.
    """
    if steps is not None and until is not None:
        raise ValueError("give steps or until, not both")
    if steps is not None:
        steps = count(steps, "steps")
    job = _jostle.rerun(
        os.fspath(file),
        None if out is None else os.fspath(out),
        _overrides(set),
        steps=steps,
        until=None if until is None else f"{microseconds(until, 'until')!r} us",
        overwrite=overwrite,
    )
    with Display(progress, Path(file).name) as display:
        ended = job.finish(display.callback)
    if ended.is_equal is None:
        raise StoppedError(f"{file}: stopped; nothing was compared")
    return Rerun(ended.is_equal, ended.text.rstrip())


class Job:
    """A run that continues while Python does other things; :meth:`jostle.Model.start` makes one.

    In a notebook it is shown as a bar, which moves while other cells are run. It can be awaited:
    ``run = await job``. When Python ends, jobs are stopped first, and can be resumed.

    Attributes
    ----------
    path : pathlib.Path
        The file that it writes, which can be opened at any time.
    """

    def __init__(self, job: _jostle.Job, out: PathLike, what: str) -> None:
        self.path = Path(out).absolute()
        self._job = job
        self._what = what
        self._process = os.getpid()
        self._future: Future[Run] = Future()
        # It cannot be cancelled, only stopped: a caller that gives up waiting does not end the run.
        self._future.set_running_or_notify_cancel()
        self._displays: list[Any] = []
        _jobs.add(self)
        watcher = threading.Thread(target=self._watch, name=f"jostle {what}", daemon=True)
        watcher.start()

    def _watch(self) -> None:
        """Wait for the end in a thread of its own, and tell the future."""
        while not self._job.wait(0.2):
            self._redraw()
        try:
            self._future.set_result(_run_of(self._job.finish(None), self.path))
        except BaseException as error:
            self._future.set_exception(error)
        self._redraw()

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return Progress(self._job.step, self._job.steps, self._job.time_us)

    @property
    def future(self) -> Future[Run]:
        """The run as a future, for ``concurrent.futures.wait`` and the like."""
        return self._future

    @property
    def done(self) -> bool:
        """Whether it is over, one way or another."""
        return self._future.done()

    @property
    def run(self) -> Run:
        """The run as far as it is, as :func:`jostle.open` gives it."""
        return open(self.path)

    def result(self, timeout: float | None = None) -> Run:
        """Wait for the end.

        Parameters
        ----------
        timeout : float, optional
            How long to wait, in s.

        Returns
        -------
        Run

        Raises
        ------
        RunError
            If the run failed, or was stopped (a :class:`~jostle.StoppedError`).
        TimeoutError
            If it is not over by then.
        """
        self._check_process()
        return self._future.result(timeout)

    def stop(self, wait: bool = True) -> None:
        """Stop it after the present step; :func:`jostle.resume` continues it.

        Parameters
        ----------
        wait : bool
            Whether to wait until the file is closed and the checkpoint written.
        """
        self._check_process()
        self._job.stop()
        if wait:
            self._future.exception()

    def __await__(self) -> Generator[Any, None, Run]:
        return asyncio.wrap_future(self._future).__await__()

    def _check_process(self) -> None:
        if self._process != os.getpid():
            raise RunError("this job belongs to the process that started it, not to a forked one")

    def _status(self) -> str:
        if not self.done:
            return "running"
        error = self._future.exception()
        if error is None:
            return "finished"
        return "stopped" if isinstance(error, StoppedError) else "failed"

    def __repr__(self) -> str:
        percent = f"{100 * self.progress.fraction:.0f} %"
        return f"<Job {self.path}: {self._status()}, {percent}>"

    def _repr_html_(self) -> str:
        progress, status = self.progress, self._status()
        time_ms = f"{progress.time_us / 1e3:.6g} ms"
        text = f"{html.escape(self._what)}: {status}, {100 * progress.fraction:.0f} %, {time_ms}"
        bar = f'<progress value="{progress.fraction:.4f}" style="width: 20em"></progress>'
        return f"<div>{bar} {text}</div>"

    def _ipython_display_(self) -> None:
        from IPython.display import HTML, display

        shown: Any = display(HTML(self._repr_html_()), display_id=True)
        if not self.done:
            self._displays.append(shown)

    def _redraw(self) -> None:
        if not self._displays:
            return
        from IPython.display import HTML

        for shown in self._displays:
            shown.update(HTML(self._repr_html_()))


_jobs: weakref.WeakSet[Job] = weakref.WeakSet()


@atexit.register
def _stop_jobs() -> None:
    """Stop what still runs when Python ends, so that it can be resumed."""
    running = [job for job in _jobs if job._process == os.getpid() and not job.done]
    for job in running:
        job.stop(wait=False)
    # The watchers may be gone by now: wait for the runs themselves.
    until = time.monotonic() + 30
    for job in running:
        while not job._job.is_over and time.monotonic() < until:
            time.sleep(0.01)


def _overrides(values: Mapping[str, object] | None) -> list[tuple[str, str]]:
    """Keys and values as the model reader takes them."""
    from .model import override_text

    if values is not None and not isinstance(values, Mapping):
        raise TypeError(f"set: found {values!r}; give a mapping from keys to values")
    return [(key, override_text(key, value)) for key, value in (values or {}).items()]


def _title(model: Model, out: PathLike) -> str:
    return model.title or Path(out).name
