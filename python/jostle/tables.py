"""Tables of results: columns of words and numbers with their units.

A table is held as Arrow has it, and handed to whatever reads it: numpy, pandas, polars, xarray,
pyarrow, DuckDB. Only numpy has to be installed.
"""

from __future__ import annotations

import html
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _jostle
from .pictures import Picture

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import polars as pl
    import xarray as xr
    from numpy.typing import NDArray

__all__ = ["Table"]

# Rows that are printed, and rows that are turned into Python objects at a time.
_SHOWN = 20
_AT_A_TIME = 1024


class Table:
    """A table of words and numbers.

    ``table["rate_per_us"]`` is a column as a numpy array, ``for row in table`` gives rows as
    dictionaries, and :meth:`to_pandas`, :meth:`to_polars` and :meth:`to_xarray` give the whole.
    Names of columns say the unit (``time_us``); :attr:`units` has it as well.

    Other programs take the table through Arrow's C stream interface without copying it:
    ``polars.DataFrame(table)``, ``pyarrow.table(table)``, ``duckdb.sql("from table")``.

    Methods such as :meth:`Run.counts` return tables.
    """

    def __init__(self, table: _jostle.Table) -> None:
        self._table = table

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, from left to right."""
        return tuple(self._table.names)

    @property
    def heads(self) -> dict[str, str]:
        """The heads of the columns as the program prints them, by name: ``lag (µs)``."""
        return dict(zip(self._table.names, self._table.heads, strict=True))

    @property
    def units(self) -> dict[str, str | None]:
        """The units of the columns, by name; None for those without a unit."""
        return dict(zip(self._table.names, self._table.units, strict=True))

    def __len__(self) -> int:
        return len(self._table)

    def __iter__(self) -> Iterator[dict[str, str | int | float | None]]:
        """Rows as dictionaries; what is missing is None."""
        for start in range(0, len(self), _AT_A_TIME):
            yield from self._table.rows(start, start + _AT_A_TIME)

    def __contains__(self, name: object) -> bool:
        return name in self._table.names or name in self._table.heads

    def _place(self, name: str) -> int:
        names = self._table.names
        if not isinstance(name, str):
            raise TypeError(f"a column is chosen by its name, not by {name!r}")
        if name in names:
            return names.index(name)
        heads = self._table.heads
        if name in heads:
            return heads.index(name)
        raise KeyError(f"there is no column {name!r}; there are {', '.join(names)}")

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column as a numpy array.

        Parameters
        ----------
        name : str
            The name of the column (``lag_us``), or its head as the program prints it (``lag (µs)``,
            the name of a species).

        Returns
        -------
        numpy.ndarray, shape (rows,)
            Integers as int64, or as float64 with nan if any is missing; numbers as float64 with nan
            for what is missing; words as objects, str or None.

        Raises
        ------
        KeyError
            If there is no such column.
        """
        import numpy as np

        values, missing, words = self._table.parts(self._place(name))
        if words is not None:
            # The last word is for what is missing, whose place is -1.
            found: NDArray[Any] = np.array([*words, None], dtype=object)[values]
            return found
        if missing is not None:
            return np.where(missing, np.nan, values)
        return np.asarray(values)

    def to_numpy(self) -> np.ndarray[tuple[int], np.dtype[np.void]]:
        """The table as a structured array.

        Returns
        -------
        numpy.ndarray, shape (rows,)
            With a field for each column, of the types that columns have as arrays.
        """
        import numpy as np

        arrays = self.to_dict()
        whole = np.empty(len(self), dtype=[(name, array.dtype) for name, array in arrays.items()])
        for name, array in arrays.items():
            whole[name] = array
        return whole

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """All columns as numpy arrays, by name."""
        return {name: self[name] for name in self.columns}

    def to_pandas(self) -> pd.DataFrame:
        """The table as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            ``attrs["units"]`` has the units of the columns.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        import pandas as pd

        frame = pd.DataFrame(self.to_dict(), columns=list(self.columns))
        frame.attrs["units"] = {name: unit for name, unit in self.units.items() if unit}
        return frame

    def to_polars(self) -> pl.DataFrame:
        """The table as a polars data frame; numbers are not copied.

        Returns
        -------
        polars.DataFrame
            Words are of the type ``Categorical``; what is missing is null.

        Raises
        ------
        ImportError
            If polars is not installed.
        """
        import polars as pl

        return pl.DataFrame(self)

    def to_xarray(self, index: str | list[str] | None = None) -> xr.Dataset:
        """The table as an xarray data set.

        Parameters
        ----------
        index : str or list of str, optional
            The columns that become dimensions; no two rows may have the same values there. Without
            it there is one dimension, ``row``.

        Returns
        -------
        xarray.Dataset
            The unit of a variable is its ``attrs["units"]``, its head ``attrs["long_name"]``.

        Raises
        ------
        KeyError
            If there is no such column.
        ValueError
            If rows agree in all columns of the index.
        ImportError
            If xarray or pandas is not installed.
        """
        import xarray as xr

        chosen = [index] if isinstance(index, str) else list(index or [])
        for name in chosen:
            self._place(name)
        if chosen:
            frame = self.to_pandas().set_index(chosen)
            if not frame.index.is_unique:
                names = ", ".join(chosen)
                raise ValueError(f"index: some rows are the same in {names}; add another column")
            found: xr.Dataset = xr.Dataset.from_dataframe(frame)
        else:
            found = xr.Dataset({name: ("row", self[name]) for name in self.columns})
        for name, unit in self.units.items():
            attributes = found[name].attrs
            attributes["long_name"] = self.heads[name].removesuffix(f" ({unit})")
            if unit:
                attributes["units"] = unit
        return found

    def plot(self, x: str | None = None, y: str | None = None, by: str | None = None) -> Picture:
        """Draw one column over another.

        Parameters
        ----------
        x : str, optional
            The column along the horizontal axis; the first with numbers by default.
        y : str, optional
            The column along the vertical axis; the next with numbers by default.
        by : str, optional
            A column of words: each word gets a line of its own. The first such column unless it is
            given.

        Returns
        -------
        Picture

        Raises
        ------
        KeyError
            If there is no such column.
        ValueError
            If there are no numbers to draw.
        """
        places = [None if name is None else self._place(name) for name in (x, y, by)]
        return Picture(self._table.plot(*places))

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the table to a file.

        Parameters
        ----------
        path : path-like
            The file; the ending of its name sets the format: ``.csv``, ``.json``, ``.parquet`` or
            ``.txt`` (aligned, for people).
        overwrite : bool, default False
            Whether a file that exists is replaced.

        Raises
        ------
        ValueError
            If the name ends otherwise.
        FileExistsError
            If the file exists and may not be replaced.
        OSError
            If it cannot be written.
        """
        self._table.save(path, overwrite)

    def __arrow_c_schema__(self) -> object:
        """The columns in Arrow's C data interface."""
        return self._table.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table in Arrow's C stream interface; nothing is copied."""
        return self._table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        left = len(self) - _SHOWN
        more = f"({left} of {len(self)} rows are not shown)\n" if left > 0 else ""
        return (self._table.text(_SHOWN) + more).rstrip("\n")

    def _repr_html_(self) -> str:
        return html_table(self._table)


def html_table(table: _jostle.Table) -> str:
    """A table for a notebook: at most 20 rows, evenly chosen."""
    heads, rows = table.shown(_SHOWN)
    head = "".join(f"<th>{html.escape(text)}</th>" for text in heads)
    cells = ("".join(f"<td>{html.escape(text)}</td>" for text in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    left = len(table) - len(rows)
    more = f"<p>{left} of {len(table)} rows are not shown.</p>" if left > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
