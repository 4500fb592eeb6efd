"""Everything that can be asked of the output file of a run."""

from __future__ import annotations

import json
from pathlib import Path

from . import _jostle
from .answers import Genealogy, Info
from .asked import Asked
from .contacts import Contacts
from .frames import Frames
from .quantities import Whole
from .questions import whole
from .views import Views

__all__ = ["Analyses"]


class Analyses(Asked, Contacts, Views):
    """The questions that an output file answers, with the numbers of the program.

    Every answer is read from the file when it is asked for, so that a run in progress can be looked
    at; what it has written by then counts.

    Most methods take these:

    start, end : quantity, optional
        Only data from this time on, and up to this time, are used.
    species : str or sequence of str, optional
        Only these species; ``"EGFR"`` means any of its states, ``"EGFR{bound}"`` that one.

    Quantities are texts with a unit (``"10 ms"``), numbers with units, or plain numbers in µs and
    nm. All methods raise :class:`ReadError` if the file cannot be read or does not contain what is
    asked for (such as a species), and :class:`ValueError` if an argument makes no sense.

    Attributes
    ----------
    path : pathlib.Path
        The output file.
    """

    path: Path

    # What is in the file

    def info(self) -> Info:
        """Look the file over: model, box, frames, species, log, and how the run went.

        Returns
        -------
        Info
            A dictionary with the keys of ``jostle info --json``.

        Raises
        ------
        ReadError
            If the file cannot be read.
        """
        text, rows, printed = _jostle.info(self.path)
        return Info(json.loads(text), rows, printed)

    @property
    def frames(self) -> Frames:
        """The frames that the file has now: ``run.frames[-1].positions``."""
        return Frames(self.path)

    #: The same as :meth:`displacement`, by its common name.
    msd = Asked.displacement

    def genealogy(self, *, cluster: Whole | None = None, size: Whole | None = None) -> Genealogy:
        """How clusters merged and fell apart.

        Parameters
        ----------
        cluster : int, optional
            Only the ancestors and descendants of this cluster, by its identity.
        size : int, optional
            Only clusters that had at least this many particles at some time.

        Returns
        -------
        Genealogy
            A row for each life of a cluster that merged or fell apart.

        Raises
        ------
        ReadError
            If the file cannot be read.
        ValueError
            If there never was such a cluster.
        """
        given = [
            None if value is None else whole(value, key)
            for key, value in (("cluster", cluster), ("size", size))
        ]
        return Genealogy(_jostle.genealogy(self.path, *given))
