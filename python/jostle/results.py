"""What a sweep came to: tables merged over replicas, and the numbers of single replicas."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _jostle
from .errors import SweepError
from .tables import Table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import polars as pl
    import xarray as xr
    from numpy.typing import NDArray

__all__ = ["FailedRun", "Results", "WarnedRun"]


@dataclass(frozen=True)
class FailedRun:
    """A run of a sweep that failed.

    Attributes
    ----------
    point : int
        Its point, counted from 0.
    replica : int
        Its replica, counted from 0.
    seed : int
        Its seed.
    reason : str
        Why it failed.
    """

    point: int
    replica: int
    seed: int
    reason: str


@dataclass(frozen=True)
class WarnedRun:
    """A run of a sweep that warned of something.

    Attributes
    ----------
    point : int
        Its point, counted from 0.
    replica : int
        Its replica, counted from 0.
    seed : int
        Its seed.
    warnings : tuple of str
        What it warned of; see :attr:`jostle.Run.warnings`.
    """

    point: int
    replica: int
    seed: int
    warnings: tuple[str, ...]


class Results(Mapping[str, Table]):
    """What the runs of a sweep say together.

    A mapping from the names of tables to tables merged over the replicas of each point: means, or
    pooled values of rates and lives, with standard errors and 95 % intervals, as ``jostle sweep
    merge`` writes them. Tables without a row are left out.

    :meth:`to_xarray` and :meth:`replicas` give the numbers of single replicas.

    Parameters
    ----------
    plan : object
        The folder of a sweep; results come from :meth:`jostle.Sweep.run` and
        :meth:`jostle.Sweep.merge`.
    against : int, optional
        The point from whose values all merged ones are differences.

    Examples
    --------
    >>> results = sweep.run()  # doctest: +SKIP
    >>> results["sizes"].to_pandas()  # doctest: +SKIP
    >>> results.to_xarray()["sizes_weight_mean"].mean("replica")  # doctest: +SKIP
    """

    def __init__(self, plan: _jostle.SweepFolder, against: int | None = None) -> None:
        self._plan = plan
        self._main = plan.main_tables()
        merged = {name: Table(table) for name, table in plan.merged(against)}
        main = {name: merged.pop(name) for name in self._main if name in merged}
        self._tables = {**main, **merged}

    def __getitem__(self, name: str) -> Table:
        """A table merged over the replicas of each point.

        Parameters
        ----------
        name : str
            Its name, as an analysis has it, behind that of the measure if it has one.

        Returns
        -------
        Table
            A row for each point and each row that its runs have: ``point``, what the point sets,
            what the row is about, ``replicas``, and each number with its error.

        Raises
        ------
        KeyError
            If no run has such a table.
        """
        return self._tables[self._name(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def failures(self) -> tuple[FailedRun, ...]:
        """Runs that failed, which are left out."""
        return tuple(FailedRun(*failure) for failure in self._plan.status()[4])

    def replicas(self, name: str | None = None) -> Table:
        """A table with the rows of every single replica.

        In tables of events (rates, contacts), a row that only other replicas of the point have has 0
        there. A point at which nothing happened in any replica has no rows; its merged row has 0.

        Parameters
        ----------
        name : str, optional
            The name of the table; by default the main one of what is measured first.

        Returns
        -------
        Table
            ``point``, what the point sets, ``replica``, then the columns of the table.

        Raises
        ------
        KeyError
            If no run has such a table.
        """
        return Table(self._plan.of_replicas(self._name(name))[0])

    def to_pandas(self, name: str | None = None) -> pd.DataFrame:
        """A merged table as a pandas data frame; see :meth:`Table.to_pandas`.

        Parameters
        ----------
        name : str, optional
            The name of the table; by default the main one of what is measured first.

        Returns
        -------
        pandas.DataFrame
        """
        return self[self._name(name)].to_pandas()

    def to_polars(self, name: str | None = None) -> pl.DataFrame:
        """A merged table as a polars data frame; see :meth:`Table.to_polars`.

        Parameters
        ----------
        name : str, optional
            The name of the table; by default the main one of what is measured first.

        Returns
        -------
        polars.DataFrame
        """
        return self[self._name(name)].to_polars()

    def to_xarray(self, tables: str | Sequence[str] | None = None) -> xr.Dataset:
        """The numbers of all replicas as an xarray data set.

        Parameters
        ----------
        tables : str or sequence of str, optional
            Which tables; by default the main one of each measure.

        Returns
        -------
        xarray.Dataset
            A variable for each number, called by its table and its column
            (``sizes_weight_mean``). Its dimensions are the axes of the sweep, ``replica``, and what
            rows of the table are about (``time_us``, ``species``). Keys that change together are
            one dimension, called by the first; if points are no grid, they are the dimension
            ``point``. Words that follow from others, such as the unit of a rate from its rule, are
            coordinates (``rates_unit``). What a run does not have is nan. Coordinates of an axis
            are numbers, with their unit in ``attrs["units"]``, if all of its values have the same
            unit, and texts otherwise.

        Raises
        ------
        KeyError
            If no run has such a table.
        ImportError
            If xarray is not installed.
        """
        import xarray as xr

        names = [tables] if isinstance(tables, str) else tables
        if names is None:
            names = [name for name in self if name in self._main]
        points = self._plan.points()
        grid = _Grid([dict(values) for values, _ in points])
        replicas = max(count for _, count in points)
        found = [self._data_set(self._name(name), grid, replicas) for name in names]
        return xr.merge(found, join="outer", combine_attrs="override", compat="no_conflicts")

    def save(
        self, path: str | os.PathLike[str], name: str | None = None, *, overwrite: bool = False
    ) -> None:
        """Write a merged table to a file, with the same bytes as ``jostle sweep merge --out``.

        Parameters
        ----------
        path : path-like
            The file; the ending of its name sets the format, see :meth:`Table.save`.
        name : str, optional
            The name of the table; by default the main one of what is measured first.
        overwrite : bool, default False
            Whether a file that exists is replaced.

        Raises
        ------
        FileExistsError
            If the file exists and may not be replaced.
        """
        self[self._name(name)].save(path, overwrite=overwrite)

    def __repr__(self) -> str:
        points, _, runs, done, failures, _, warned = self._plan.status()
        left = f"; {runs - done} of {runs} runs are not done" if done < runs else ""
        failed = f"; {len(failures)} failed" if failures else ""
        warnings = f"; {len(warned)} with warnings" if warned else ""
        tables = ", ".join(self) or "no tables"
        return f"<results of {done} runs at {points} points{left}{failed}{warnings}: {tables}>"

    def _repr_html_(self) -> str:
        first = next(iter(self.values()), None)
        text = f"<p>{html.escape(repr(self)[1:-1])}</p>"
        return text if first is None else text + first._repr_html_()

    def _name(self, name: str | None) -> str:
        """The table that is asked for, if there is one."""
        if name is None:
            if not self._tables:
                raise SweepError("there are no tables: nothing was measured, or no run is done")
            return next(iter(self._tables))
        if name not in self._tables:
            there = ", ".join(self._tables) or "none"
            raise KeyError(f"no run has a table {name!r}; there are {there}")
        return name

    def _data_set(self, name: str, grid: _Grid, replicas: int) -> xr.Dataset:
        import numpy as np
        import xarray as xr

        found, about_count = self._plan.of_replicas(name)
        table = Table(found)
        # In front of them: the point, what it sets, the replica.
        first = 2 + grid.keys
        names = table.columns[first:]
        about, measured = names[:about_count], names[about_count:]
        labels = {column: _labels(table[column]) for column in about}
        words = {column: labels[column][1] for column in about if table[column].dtype == object}
        said_by = _said_by(words)
        inner = [column for column in about if column not in said_by]
        coordinates: dict[str, Any] = {**grid.coordinates(), "replica": np.arange(replicas)}
        for column in inner:
            coordinates[column] = (column, labels[column][0], _attributes(table, column))
        for column, other in said_by.items():
            # In the row in which each word of the other column comes first.
            rows = np.unique(words[other], return_index=True)[1]
            values = labels[column][0][words[column][rows]]
            coordinates[f"{name}_{column}"] = (other, values, _attributes(table, column))
        dimensions = [*grid.dimensions, "replica", *inner]
        shape = [*grid.shape, replicas, *(len(labels[column][0]) for column in inner)]
        places = [*grid.places(table["point"]), table["replica"]]
        places += [labels[column][1] for column in inner]
        variables = {}
        for column in measured:
            values = np.full(shape, np.nan)
            values[tuple(places)] = table[column]
            variables[f"{name}_{column}"] = (dimensions, values, _attributes(table, column))
        return xr.Dataset(variables, coordinates)


def _attributes(table: Table, column: str) -> dict[str, str]:
    head, unit = table.heads[column], table.units[column]
    # Plots put the unit behind the name themselves.
    return (
        {"long_name": head.removesuffix(f" ({unit})"), "units": unit}
        if unit
        else {"long_name": head}
    )


def _labels(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Different values, and where each is: words as they come, numbers by size."""
    import numpy as np

    if values.dtype != object:
        return np.unique(values, return_inverse=True)
    places: dict[str, int] = {}
    found = [places.setdefault("" if word is None else word, len(places)) for word in values]
    return np.array(list(places)), np.array(found, dtype=np.intp)


def _said_by(columns: dict[str, NDArray[np.intp]]) -> dict[str, str]:
    """Columns of words that follow from another one: the unit of a rate from its rule.

    Those are no dimensions of their own.
    """
    import numpy as np

    said_by: dict[str, str] = {}
    for column, places in reversed(columns.items()):
        for other, others in columns.items():
            if other == column or other in said_by:
                continue
            pairs = np.unique(np.stack([others, places]), axis=1)
            if pairs.shape[1] == len(np.unique(others)):
                said_by[column] = other
                break
    return said_by


class _Grid:
    """The points of a sweep as dimensions of an array.

    Parameters
    ----------
    points : list of dict
        What each point sets: keys and values, as texts.
    """

    def __init__(self, points: list[dict[str, str]]) -> None:
        names = list(dict.fromkeys(key for point in points for key in point))
        self.keys = len(names)
        self._values: dict[str, list[str]] = {
            key: [point.get(key, "") for point in points] for key in names
        }
        # Keys that change together have the same places.
        axes: dict[tuple[int, ...], list[str]] = {}
        for key in names:
            different = list(dict.fromkeys(self._values[key]))
            places = tuple(different.index(value) for value in self._values[key])
            axes.setdefault(places, []).append(key)
        sizes = [1 + max(places) for places in axes]
        count = 1
        for size in sizes:
            count *= size
        self._axes = axes
        self.dimensions = [keys[0] for keys in axes.values()]
        self.shape = sizes
        if count != len(points):
            self._axes = {tuple(range(len(points))): names}
            self.dimensions, self.shape = ["point"], [len(points)]

    def places(self, points: NDArray[np.int64]) -> list[NDArray[np.intp]]:
        """Where points are along each dimension."""
        import numpy as np

        return [np.array(places, dtype=np.intp)[points] for places in self._axes]

    def coordinates(self) -> dict[str, Any]:
        """What each key is along its dimension."""
        found: dict[str, Any] = {}
        for dimension, (places, keys) in zip(self.dimensions, self._axes.items(), strict=True):
            first = [places.index(n) for n in range(1 + max(places))]
            for key in keys:
                values, unit = _numbers([self._values[key][n] for n in first])
                found[key] = (dimension, values, {"units": unit} if unit else {})
        return found


def _numbers(texts: list[str]) -> tuple[list[str] | list[float] | list[int], str]:
    """The numbers and their unit, if all are numbers with the same unit; otherwise the texts."""
    parts = [text.partition(" ") for text in texts]
    units = {unit.strip() for _, _, unit in parts}
    if len(units) != 1:
        return texts, ""
    for number in (int, float):
        try:
            return [number(text) for text, _, _ in parts], units.pop()
        except ValueError:
            continue
    return texts, ""
