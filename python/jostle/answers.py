"""What analyses of a run return."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .pictures import Picture
from .tables import Table

if TYPE_CHECKING:
    from . import _jostle

__all__ = ["Analysis", "Genealogy", "Info"]


class Analysis(Table):
    """What an analysis says of a run: its main table, with whatever else it has found.

    It is a :class:`Table`; :attr:`tables` holds all of its tables.

    Attributes
    ----------
    title : str
        What it is about.
    tables : mapping of str to Table
        All tables by name, the main one first.
    figures : mapping of str to Picture
        Figures by name, the main one first.
    notes : tuple of str
        What a reader has to know about the numbers.
    """

    def __init__(
        self,
        title: str,
        tables: list[tuple[str, _jostle.Table]],
        figures: list[tuple[str, _jostle.Sheet]] | list[tuple[str, Picture]],
        notes: list[str],
    ) -> None:
        super().__init__(tables[0][1])
        self.title = title
        self.tables: Mapping[str, Table] = MappingProxyType(
            {name: Table(table) for name, table in tables}
        )
        self.figures: Mapping[str, Picture] = MappingProxyType(
            {
                name: drawn if isinstance(drawn, Picture) else Picture(drawn)
                for name, drawn in figures
            }
        )
        self.notes = tuple(notes)

    def plot(
        self,
        x: str | None = None,
        y: str | None = None,
        by: str | None = None,
        *,
        figure: str | None = None,
    ) -> Picture:
        """Draw the result: the figure that ``jostle analyse --plot`` draws, or columns.

        Parameters
        ----------
        x, y, by : str, optional
            Columns, as in :meth:`Table.plot`, instead of a figure.
        figure : str, optional
            Which of the :attr:`figures`; the main one by default.

        Returns
        -------
        Picture

        Raises
        ------
        KeyError
            If there is no such figure or column.
        ValueError
            If there is nothing to draw.
        """
        if figure is None:
            if self.figures and x is None and y is None and by is None:
                return next(iter(self.figures.values()))
            return super().plot(x, y, by)
        if figure not in self.figures:
            names = ", ".join(self.figures) or "none"
            raise KeyError(f"there is no figure {figure!r}; there are {names}")
        return self.figures[figure]

    def __reduce__(self) -> tuple[Any, ...]:
        tables = [(name, table._table) for name, table in self.tables.items()]
        return (Analysis, (self.title, tables, list(self.figures.items()), list(self.notes)))

    def __repr__(self) -> str:
        others = list(self.tables)[1:]
        more = [f"(.tables: {', '.join(others)})"] if others else []
        return "\n".join([self.title, super().__repr__(), *more, *self.notes])

    def _repr_html_(self) -> str:
        others = [f"<code>{html.escape(name)}</code>" for name in list(self.tables)[1:]]
        lines = [f"Other tables: {', '.join(others)}"] if others else []
        lines += [html.escape(note) for note in self.notes]
        notes = "".join(f"<p><small>{line}</small></p>" for line in lines)
        return f"<p><b>{html.escape(self.title)}</b></p>{super()._repr_html_()}{notes}"


class Genealogy(Table):
    """How clusters merged and fell apart: a row for each life of a cluster.

    Attributes
    ----------
    descents : Table
        Which life led to which: the rows of both in this table (``parent``, ``child``), when, what
        happened, and by which rule.
    """

    def __init__(self, tree: _jostle.Genealogy) -> None:
        super().__init__(tree.lives())
        self.descents = Table(tree.descents())
        self._tree = tree

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the tree as a graph, or its lives as a table.

        Parameters
        ----------
        path : path-like
            The file; its name ends in ``.graphml`` (yEd, Gephi, networkx), ``.dot`` (Graphviz) or
            ``.csv``, or in another ending of :meth:`Table.save`.
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
        if os.fspath(path).endswith((".graphml", ".dot")):
            self._tree.save(path, overwrite)
        else:
            super().save(path, overwrite=overwrite)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a genealogy cannot be pickled; pickle the run, or save it to a file")


class Info(dict[str, Any]):
    """What is in an output file: the JSON object of ``jostle info --json`` as a dictionary.

    Printed, it reads as the program prints it.

    Attributes
    ----------
    text : str
        As the program prints it.
    """

    def __init__(self, values: Mapping[str, Any], rows: list[tuple[str, str]], text: str) -> None:
        super().__init__(values)
        self._rows = rows
        self.text = text

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><th>{html.escape(a)}</th><td>{html.escape(b)}</td></tr>" for a, b in self._rows
        )
        return f"<table><tbody>{''.join(rows)}</tbody></table>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Info, (dict(self), self._rows, self.text))
