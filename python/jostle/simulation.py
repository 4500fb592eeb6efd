"""Simulations that are advanced step by step, and looked at in between."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from . import _jostle
from .errors import JostleError
from .times import count, microseconds
from .quantities import plain
from .tables import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .model import Model
    from .quantities import Quantity
    from .runs import Run

__all__ = ["Collected", "Simulation", "View"]


class View:
    """The state of a simulation at a moment.

    Arrays have an entry for each particle, in the order of their identities. They are made when the
    view is, and belong to the caller: they do not change when the simulation goes on.

    Attributes
    ----------
    step : int
        Steps done.
    time_us : float
        The time in µs.
    ids : numpy.ndarray
        The identity of each particle, for the whole run; shape (n,), int64.
    species_index : numpy.ndarray
        The species of each particle as its place in :attr:`species_names`; shape (n,), uint16.
    species_names : list of str
        The names of all species; states are species of their own (``EGFR{bound}``).
    positions : numpy.ndarray
        Where each particle is within the box, in nm; shape (n, d) in d dimensions.
    images : numpy.ndarray
        How many periods of the box lie behind each particle; shape (n, d), int32.
    radii : numpy.ndarray
        The radius of each particle in nm; shape (n,).
    clusters : numpy.ndarray
        The identity of the cluster that each particle belongs to; shape (n,). A particle that is
        alone is a cluster of its own.
    cluster_sizes : numpy.ndarray
        The number of particles in that cluster; shape (n,), uint32.
    largest_cluster : int
        The number of particles in the largest cluster; 0 if there are no particles.
    bonds : numpy.ndarray
        The bonds as pairs of places in these arrays, as in :class:`jostle.Frame`; shape (m, 2).
    velocities : numpy.ndarray or None
        Velocities in nm/ns, shape (n, d); None for Brownian particles, which have none.
    orientations : numpy.ndarray or None
        By how much each polygon is turned counter-clockwise, in rad, shape (n,); else None.
    angular_velocities : numpy.ndarray or None
        Angular velocities of polygons in rad/µs, shape (n,); else None.
    """

    step: int
    time_us: float
    ids: NDArray[np.int64]
    species_index: NDArray[np.uint16]
    species_names: list[str]
    positions: NDArray[np.float64]
    images: NDArray[np.int32]
    radii: NDArray[np.float64]
    clusters: NDArray[np.int64]
    cluster_sizes: NDArray[np.uint32]
    largest_cluster: int
    bonds: NDArray[np.int64]
    velocities: NDArray[np.float64] | None = None
    orientations: NDArray[np.float64] | None = None
    angular_velocities: NDArray[np.float64] | None = None

    def __init__(self, arrays: dict[str, Any], species_names: list[str]) -> None:
        self.__dict__.update(arrays)
        self.species_names = species_names

    def __len__(self) -> int:
        """The number of particles."""
        return len(self.ids)

    @cached_property
    def species(self) -> NDArray[np.object_]:
        """The name of the species of each particle; shape (n,), of str."""
        import numpy as np

        return np.array(self.species_names, dtype=object)[self.species_index]

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of particles of each species."""
        import numpy as np

        counts = np.bincount(self.species_index, minlength=len(self.species_names))
        return dict(zip(self.species_names, counts.tolist(), strict=True))

    def __repr__(self) -> str:
        return f"<View at {self.time_us:g} µs, step {self.step}: {len(self)} particles>"


class Collected(NamedTuple):
    """What has happened in a simulation since the last call."""

    contacts: Table
    """The contacts, with the columns of :meth:`jostle.Run.contacts`."""
    changes: Table
    """The changes of the population: when, where and by which rule something happened (``kind``), to
    which particles (``reactants``: identities with spaces between them), and what became of them."""


class Simulation:
    """A simulation that is advanced step by step.

    The results, and the file if one is written, are those of :meth:`jostle.Model.run`, in whatever
    portions it is advanced. Used in a ``with`` statement, it is finished at the end.

    Parameters
    ----------
    model : Model
        What to simulate.
    out : path-like, optional
        The file to write (``.h5md``). By default nothing is written.
    contacts : {"none", "reactions", "all"}
        Which contacts are collected: none, those that a rule decided, or all.
    changes : bool
        Whether the changes of the population are collected.
    threads : int, optional
        The number of threads; results do not depend on it.
    overwrite : bool
        Whether a file that is there may be replaced.
    self_check : bool
        Whether to check the state from time to time.
    checkpoint : str
        How often to write a checkpoint, as for :meth:`jostle.Model.run`.

    Raises
    ------
    PlacementError
        If the particles cannot be placed.
    RunError
        If the file cannot be written.

    Examples
    --------
    >>> import jostle
    >>> model = jostle.load("models/reversible_binding.toml")
    >>> with jostle.Simulation(model, changes=True) as simulation:
    ...     simulation.step(100)
    ...     simulation.run("2 us")
    ...     view = simulation.view()
    >>> view.time_us, view.positions.shape[1]
    (2.0, 2)
    """

    def __init__(
        self,
        model: Model,
        out: str | os.PathLike[str] | None = None,
        *,
        contacts: Literal["none", "reactions", "all"] = "none",
        changes: bool = False,
        threads: int | None = None,
        overwrite: bool = False,
        self_check: bool = False,
        checkpoint: str = "10 min",
    ) -> None:
        if not hasattr(model, "parsed"):
            raise TypeError(f"model: found {model!r}; give a Model, such as jostle.load(path)")
        self.model = model if threads is None else model.replace({"run.threads": threads})
        self.path = None if out is None else Path(out).absolute()
        self._simulation = _jostle.Simulation(
            self.model.parsed,
            None if self.path is None else os.fspath(self.path),
            overwrite=overwrite,
            self_check=self_check,
            checkpoint=checkpoint,
            contacts=contacts,
            changes=changes,
        )
        self._species_names: list[str] = self._simulation.species

    def step(self, steps: int = 1) -> None:
        """Do this many steps.

        Parameters
        ----------
        steps : int
            The number of steps; of a granular run or a gas, output intervals.

        Raises
        ------
        RunError
            If a step fails. What was written before stays. Also if the process takes more memory
            than ``run.memory`` of the model, or four fifths of what there is: the simulation stands
            at the end of a step, and :meth:`finish` keeps its file.
        KeyboardInterrupt
            If it is stopped by Ctrl-C, at the end of a step; the simulation can be continued.
        """
        self._simulation.step(count(steps, "steps"))

    def run(self, until: Quantity) -> None:
        """Do all steps up to a time; none if it has passed.

        The time may be later than the end of the model.

        Parameters
        ----------
        until : str, float or quantity
            The time with its unit (``"5 ms"``), or a number in µs.

        Raises
        ------
        RunError, KeyboardInterrupt
            As :meth:`step`.
        """
        self._simulation.run_until(microseconds(until, "until"))

    @property
    def time_us(self) -> float:
        """The time that has been reached, in µs."""
        return self._simulation.time_us

    @property
    def steps_done(self) -> int:
        """The number of steps that have been done."""
        return self._simulation.steps_done

    def view(self) -> View:
        """The state as it is now."""
        import numpy as np  # noqa: F401  (a clear error if it is missing)

        return View(self._simulation.state(), self._species_names)

    @property
    def positions(self) -> NDArray[np.float64]:
        """Where each particle is within the box, in nm; shape (n, d), in the order of :class:`View`.

        Faster than a whole view.
        """
        return self._simulation.positions()

    @property
    def state_hash(self) -> int:
        """The fingerprint of the state, as files have it: equal for equal states."""
        return self._simulation.state_hash()

    @property
    def rule_counts(self) -> dict[str, tuple[int, int]]:
        """For each rule, how often it has been applied, and how often it was due but refused."""
        return {name: (done, refused) for name, done, refused in self._simulation.rule_counts()}

    @property
    def warnings(self) -> list[str]:
        """What it would warn of if it ended now: rules that often found no space, rates out of reach.

        As :attr:`jostle.Run.warnings`, from the start up to now.
        """
        return self._simulation.warnings()

    def collected(self) -> Collected:
        """The contacts and changes since the last call, as far as they are collected."""
        contacts, changes = self._simulation.collected()
        return Collected(Table(contacts), Table(changes))

    def add(self, species: str, positions: ArrayLike) -> NDArray[np.int64]:
        """Add particles between two steps, in a model of particles in Brownian motion.

        The file records it, and :func:`jostle.rerun` then says that its model alone does not lead to
        its results.

        Parameters
        ----------
        species : str
            The species, with its states if it has any (``"EGFR{bound}"``).
        positions : array-like
            Where they are within the box, in nm; shape (n, d), or (d,) for one particle.

        Returns
        -------
        numpy.ndarray
            Their identities; shape (n,), int64.

        Raises
        ------
        RunError
            If one of them would overlap another particle or a surface, or lies outside the box:
            then none is added.
        """
        import numpy as np

        places = np.atleast_2d(np.asarray(positions, dtype=np.float64))
        dimension = self.model.dimension
        if places.ndim != 2 or places.shape[1] != dimension:
            raise ValueError(
                f"positions: give {dimension} coordinates for each particle, as an array of shape "
                f"(n, {dimension}); the shape is {np.shape(positions)}"
            )
        return np.array(self._simulation.add(species, places.ravel().tolist()), dtype=np.int64)

    def remove(self, ids: ArrayLike) -> None:
        """Remove particles between two steps; recorded as :meth:`add` is.

        Parameters
        ----------
        ids : array-like of int
            Their identities.

        Raises
        ------
        RunError
            If one of them does not exist: then none is removed.
        """
        import numpy as np

        found = np.atleast_1d(np.asarray(ids))
        if found.size and found.dtype.kind not in "iu":
            raise TypeError(f"ids: give whole numbers, not {found.dtype}")
        if found.size and found.min() < 0:
            raise ValueError(f"ids: no particle has the identity {found.min()}")
        self._simulation.remove(found.ravel().tolist())

    def set_rate(self, rule: str, rate: Quantity) -> None:
        """Give a rule another rate from now on; recorded as :meth:`add` is.

        Parameters
        ----------
        rule : str
            Its name.
        rate : str, float or quantity
            The new rate, of the kind that the rule has in the model (``"0.2 /s"``).

        Raises
        ------
        RunError
            If there is no such rule, or the model could not have the rate.
        """
        self._simulation.set_rate(rule, str(plain(rate, "rate")))

    def finish(self) -> Run | None:
        """End it where it is, and close its file.

        Returns
        -------
        Run or None
            The run, if it has written a file. If not all steps of the model have been done,
            :func:`jostle.resume` can do the rest.
        """
        from .runs import Run

        self._simulation.finish()
        return None if self.path is None else Run(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if not self._simulation.is_finished:
                self.finish()
        except JostleError:
            # What has gone wrong before says more.
            if kind is None:
                raise

    def __reduce__(self) -> Any:
        raise TypeError(
            "a Simulation cannot be pickled; write a file with checkpoints (out=...) and resume it "
            "elsewhere with jostle.resume"
        )

    def __repr__(self) -> str:
        if self._simulation.is_finished:
            return "<Simulation, finished>"
        return f"<Simulation of {self.model.title!r} at {self.time_us:g} µs>"


class Looks:
    """A function that is called with a view of a simulation at each multiple of a time.

    Parameters
    ----------
    every : (quantity, callable)
        The time, and the function.
    model : Model
        What is simulated.

    Raises
    ------
    TypeError, ValueError
        If it is not a time of at least a time step and a function.
    """

    def __init__(self, every: tuple[Quantity, Callable[[View], object]], model: Model) -> None:
        try:
            pause, self._look = every
        except (TypeError, ValueError):
            raise TypeError('every: give a time and a function, such as ("5 ms", look)') from None
        if isinstance(every, str) or not callable(self._look):
            raise TypeError('every: give a time and a function, such as ("5 ms", look)')
        self._pause_us = microseconds(pause, "every")
        if not self._pause_us >= model.timestep_us * (1 - 1e-9):
            raise ValueError(
                f"every: found {pause!r}; give a time of at least a time step, "
                f"{model.timestep_us:g} µs"
            )
        self._until_us, self._steps = model.until_us, model.steps

    def run(
        self, simulation: Simulation, progress: Callable[[int, float, int], None] | None
    ) -> None:
        """Run a simulation to the end of its model, and call the function on the way."""
        whole = math.floor(self._until_us / self._pause_us * (1 + 1e-12))
        for number in range(1, whole + 1):
            simulation.run(number * self._pause_us)
            self._look(simulation.view())
            if progress is not None:
                progress(simulation.steps_done, simulation.time_us, self._steps)
        simulation.run(self._until_us)
