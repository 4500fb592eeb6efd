"""Ensembles: one model at many points, with many seeds, measured and merged.

A sweep lives in a folder, which ``jostle sweep plan`` could have made: what has been done is
written there, and is never done again, whatever runs the sweep.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from . import _jostle
from .errors import SweepError
from .executors import run_tasks
from .progress import Display, ProgressOption
from .results import FailedRun, Results, WarnedRun
from .sweepfile import Design, SweepFile

if TYPE_CHECKING:
    from .executors import Executor
    from .measures import Measure
    from .model import Model
    from .pages import Page

__all__ = ["Added", "Sweep", "SweepStatus"]

PathLike: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True)
class SweepStatus:
    """How far a sweep is.

    Attributes
    ----------
    points : int
        How many points there are.
    tasks : int
        How many tasks: several runs each, one after the other.
    runs : int
        How many runs.
    done : int
        How many runs are done, those that failed among them.
    failures : tuple of FailedRun
        Runs that failed.
    missing : tuple of int
        The tasks that have not been done.
    warned : tuple of WarnedRun
        Runs that warned of something.
    """

    points: int
    tasks: int
    runs: int
    done: int
    failures: tuple[FailedRun, ...]
    missing: tuple[int, ...]
    warned: tuple[WarnedRun, ...]

    def __str__(self) -> str:
        tasks = self.tasks - len(self.missing)
        text = (
            f"tasks   {tasks} of {self.tasks} done\n"
            f"runs    {self.done} of {self.runs} done, {len(self.failures)} failed"
        )
        if not self.warned:
            return text
        return f"{text}\nwarned  {len(self.warned)}; the first: {self.warned[0].warnings[0]}"


@dataclass(frozen=True)
class Added:
    """Replicas that were added to a sweep.

    Attributes
    ----------
    points : dict of int to int
        How many more replicas points get, by their numbers.
    runs : int
        How many runs that is.
    tasks : int
        In how many tasks they are.
    """

    points: dict[int, int]
    runs: int
    tasks: int


class Sweep:
    """A model that is run many times: at points that differ in its values, with many seeds.

    The sweep is checked and planned at once, in a folder: the model at every point, and what is
    measured in a short trial. Whatever has been done is kept there. The same call with the same
    arguments opens the folder again, in another session as well, so that :meth:`run` continues.

    Parameters
    ----------
    model : Model or path-like
        The model, or its file.
    axes : mapping, optional
        Keys, as :func:`jostle.load` takes them in ``set``, and the values of each: a list, or a
        range ``{"from": 0, "to": 4000, "points": 9}``, with ``"spacing": "log"`` if its values are
        to have the same ratio. Every combination is a point; the last key changes fastest.
    together : mapping or sequence of mappings, optional
        Keys whose values change together, as one more axis: lists of the same length.
    points : path-like, sequence of mappings, or data frame, optional
        The points themselves, instead of `axes` and `together`: a row, or a mapping from keys to
        values, for each. A path is that of a CSV file.
    replicas : int
        How many runs each point has.
    seed : int, default 1
        The seeds of all runs follow from it.
    seeds : {"independent", "common"}, default "independent"
        With ``"common"``, replicas of the same number have the same seed at all points.
    measure : Measure, str, mapping, or sequence of these, optional
        What is measured of each run: functions of :mod:`jostle.measure`, names of analyses, or
        mappings with the keys of the file.
    precision : mapping, optional
        How well a mean is to be known: ``of`` (``"rates.k"``), ``only``, one of
        ``relative`` and ``absolute``, and ``most``, the most replicas of a point. :meth:`more` and
        ``run(more=True)`` use it.
    keep : {"none", "first", "failed", "all"}, default "none"
        Which output files are kept: that of the first replica of each point, those of runs that
        failed, or all.
    task : mapping, optional
        ``replicas``, how many runs a task does, one after the other, and ``threads``, those of a
        run.
    folder : path-like, optional
        The folder; one in the current folder, named after the model and after what the sweep is,
        unless it is given.

    Attributes
    ----------
    folder : pathlib.Path
        The folder.

    Raises
    ------
    ModelError
        If the model is refused.
    SweepError
        If the sweep is refused, or the folder holds another one.

    Warns
    -----
    UserWarning
        If a run has nothing to measure.

    Examples
    --------
    >>> import jostle
    >>> sweep = jostle.Sweep(
    ...     "models/reversible_binding.toml",
    ...     axes={"run.until": ["10 us", "20 us"]},
    ...     replicas=3,
    ...     measure=[jostle.measure.counts()],
    ...     folder="binding_sweep",
    ... )
    >>> results = sweep.run(progress=False)
    >>> results["counts"].to_pandas()  # doctest: +SKIP
    """

    folder: Path
    _plan: _jostle.SweepFolder

    def __init__(
        self,
        model: Model | PathLike,
        *,
        axes: Mapping[str, object] | None = None,
        together: Mapping[str, object] | Sequence[Mapping[str, object]] = (),
        points: Design | None = None,
        replicas: int,
        seed: int = 1,
        seeds: Literal["independent", "common"] = "independent",
        measure: Measure
        | str
        | Mapping[str, object]
        | Iterable[Measure | str | Mapping[str, object]] = (),
        precision: Mapping[str, object] | None = None,
        keep: Literal["none", "first", "failed", "all"] = "none",
        task: Mapping[str, object] | None = None,
        folder: PathLike | None = None,
    ) -> None:
        from .model import Model, load

        file = SweepFile.of(
            model if isinstance(model, Model) else load(model),
            replicas=replicas,
            seed=seed,
            seeds=seeds,
            axes=axes,
            together=together,
            points=points,
            measure=measure,
            precision=precision,
            keep=keep,
            task=task,
        )
        self.folder = file.default_folder() if folder is None else Path(folder).absolute()
        self._plan = _planned(file, self.folder)

    @classmethod
    def open(cls, folder: PathLike) -> Sweep:
        """Open a sweep that is planned in a folder, by Python or by ``jostle sweep plan``.

        Parameters
        ----------
        folder : path-like
            The folder.

        Returns
        -------
        Sweep

        Raises
        ------
        SweepError
            If there is no plan, or it is of a version of jostle with other results.
        """
        sweep = cls.__new__(cls)
        sweep.folder = Path(folder).absolute()
        sweep._plan = _jostle.SweepFolder.open(sweep.folder)
        return sweep

    @property
    def toml(self) -> str | None:
        """The sweep file; None for runs that were planned without one."""
        return self._plan.text()

    @property
    def seed(self) -> int:
        """The seed from which those of all runs follow."""
        return self._plan.facts()[0]

    @property
    def points(self) -> tuple[dict[str, str], ...]:
        """What each point sets: keys and values, as texts."""
        return tuple(dict(values) for values, _ in self._plan.points())

    @property
    def replicas(self) -> tuple[int, ...]:
        """How many replicas each point has."""
        return tuple(count for _, count in self._plan.points())

    @property
    def files(self) -> tuple[Path, ...]:
        """The output files that are kept (see `keep`), by point and replica."""
        return tuple(sorted((self.folder / "kept").glob("*.h5md")))

    def forecast(self) -> str:
        """What the sweep will take, from the first steps of runs at some of its points.

        Returns
        -------
        str
            Time, memory and disk, as ``jostle sweep plan`` prints them.
        """
        return "\n".join(self._plan.forecast())

    def run(
        self,
        *,
        jobs: int | None = None,
        executor: Executor | None = None,
        more: bool = False,
        progress: ProgressOption = None,
    ) -> Results:
        """Run all that has not been done.

        Each run is a process of its own. Ctrl-C stops them when their states are kept, and calling
        this again continues from there, in another session as well. The results are the same bytes
        whatever runs them, in whatever order.

        Parameters
        ----------
        jobs : int, optional
            How many runs at a time, on this machine; as many as there are cores by default.
        executor : concurrent.futures.Executor, optional
            What runs the tasks instead: a ``ProcessPoolExecutor`` or ``ThreadPoolExecutor``, one of
            loky, ``mpi4py.futures.MPIPoolExecutor``,
            ``dask.distributed.Client(..).get_executor()``,
            ``parsl.concurrent.ParslPoolExecutor``, or any other whose ``submit`` returns a future.
            On other machines jostle has to be installed, and the folder has to be the same.
        more : bool, default False
            Whether replicas are added where `precision` asks for them, and run, until no point
            needs more.
        progress : bool, callable or None
            See :data:`jostle.progress.ProgressOption`; steps are runs here.

        Returns
        -------
        Results
            Also if some runs failed, which are left out.

        Raises
        ------
        KeyboardInterrupt
            If it was stopped by Ctrl-C.
        SweepError
            If tasks cannot be run, for a reason that says nothing about the model: no room on the
            disk, too little memory, workers that were lost. Nothing is recorded of them.

        Warns
        -----
        UserWarning
            If runs failed.
        """
        if more and not self._plan.facts()[1]:
            raise SweepError(
                "more: the sweep has no precision that says what is to be known how well"
            )
        with Display(progress, self.folder.name, unit=" runs") as display:
            if executor is None:
                self._run_here(jobs, more, display.callback)
            elif jobs is not None:
                raise TypeError("give either jobs or an executor, which has a number of its own")
            else:
                self._run_there(executor, more, display.callback)
        failed = self.status().failures
        if failed:
            runs = f"{len(failed)} of {sum(self.replicas)} runs failed"
            warnings.warn(f"{runs}, the first with: {failed[0].reason}", stacklevel=2)
        return self.merge()

    def _run_here(self, jobs: int | None, more: bool, tell: Callable[..., None] | None) -> None:
        if jobs is not None and jobs < 1:
            raise ValueError(f"jobs = {jobs}: at least 1")
        show = None if tell is None else lambda done, runs: tell(done, 0.0, runs)
        for note in self._plan.run(jobs, more, _jostle.StopFlag(), show):
            warnings.warn(note, stacklevel=3)

    def _run_there(self, executor: Executor, more: bool, tell: Callable[..., None] | None) -> None:
        done = 0
        while True:
            done = run_tasks(executor, self.folder, self._plan, done, tell)
            if not more or not self.more().points:
                return

    def status(self) -> SweepStatus:
        """How far the sweep is.

        Returns
        -------
        SweepStatus
        """
        points, tasks, runs, done, failures, missing, warnings = self._plan.status()
        failed = tuple(FailedRun(*failure) for failure in failures)
        warned = tuple(
            WarnedRun(point, replica, seed, tuple(texts))
            for point, replica, seed, texts in warnings
        )
        return SweepStatus(points, tasks, runs, done, failed, tuple(missing), warned)

    def merge(self, *, against: int | None = None) -> Results:
        """Combine what has been measured so far.

        Parameters
        ----------
        against : int, optional
            A point: the merged tables are then of differences from it, replica by replica, which
            ``seeds="common"`` makes better known.

        Returns
        -------
        Results
        """
        if against is not None and not 0 <= against < len(self.points):
            last = len(self.points) - 1
            raise ValueError(f"against = {against}: there is no such point; there are 0 to {last}")
        return Results(self._plan, against)

    def more(self, replicas: int | None = None) -> Added:
        """Add replicas: they are planned, and :meth:`run` runs them.

        Parameters
        ----------
        replicas : int, optional
            How many each point gets; unless it is given, those that `precision` asks for, which can
            be said only when all runs are done.

        Returns
        -------
        Added

        Raises
        ------
        SweepError
            If nothing says how many, or runs have not been done.

        Warns
        -----
        UserWarning
            If a mean is not known well enough, but its point gets no more replicas.
        """
        if replicas is None and not self._plan.facts()[1]:
            raise SweepError("the sweep has no precision; more(replicas=10) adds 10 to each point")
        if replicas is not None and not 1 <= replicas <= 1_000_000:
            raise ValueError(f"replicas = {replicas}: 1 to 1000000")
        points, runs, tasks, notes = self._plan.more(replicas)
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return Added(dict(points), runs, tasks)

    def script(self, for_: Literal["slurm", "parallel", "hq", "snakemake"]) -> str:
        """A job script for what has not been done.

        Parameters
        ----------
        for_ : {"slurm", "parallel", "hq", "snakemake"}
            What is to start the tasks: Slurm, GNU parallel, HyperQueue or Snakemake.

        Returns
        -------
        str
            The script. It calls ``jostle sweep task``.
        """
        text, note = self._plan.script(for_)
        if note is not None:
            warnings.warn(note, stacklevel=2)
        return text

    def report(self) -> Page:
        """Make one page about the sweep: curves with bands, maps over two axes, failures.

        Returns
        -------
        Page
            A notebook shows it; :meth:`Page.save` writes it. It links to files that are kept (see
            `keep`), which are found if it is saved beside the folder.
        """
        from .pages import Page

        html, notes = self._plan.page(self.folder.with_name("report.html"))
        return Page(html, tuple(notes), height=900)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sweep) and self.folder == other.folder

    def __hash__(self) -> int:
        return hash(self.folder)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Sweep.open, (str(self.folder),))

    def __repr__(self) -> str:
        return f"jostle.Sweep.open({str(self.folder)!r})"

    def _repr_html_(self) -> str:
        import html

        status = self.status()
        text = f"{status.points} points, {status.runs} runs in {status.tasks} tasks"
        done = f"{status.done} done, {len(status.failures)} failed"
        return f"<p>{html.escape(str(self.folder))}<br>{text}; {done}</p>"


def _planned(file: SweepFile, folder: Path) -> _jostle.SweepFolder:
    """Plan a sweep in a folder, or open it if it is planned there."""
    with TemporaryDirectory() as temporary:
        written = file.write(Path(temporary))
        if (folder / "plan.json").exists():
            plan = _jostle.SweepFolder.open(folder)
            if plan.is_of(written):
                return plan
            raise SweepError(
                f"{folder}: this folder holds another sweep; choose another one, or open it with "
                "jostle.Sweep.open"
            )
        plan, notes = _jostle.SweepFolder.plan(written, folder)
    for note in notes:
        warnings.warn(note, stacklevel=4)
    return plan
