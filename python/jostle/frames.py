"""Frames of a run as numpy arrays."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from . import _jostle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Frame", "Frames"]


class Frame:
    """The particles at one moment of a run.

    Arrays have an entry for each particle, in the same order. They are read from the file when they
    are first used, and then belong to the caller. All positions and lengths are in nm.

    Attributes
    ----------
    number : int
        The number of the frame, counted from 0.
    step : int
        The step of the run.
    time_us : float or None
        The time in µs; None if the file has no times.
    """

    def __init__(self, path: str | os.PathLike[str], number: int) -> None:
        self._path = path
        self._frame = _jostle.Frame(path, number)
        self.number = number
        self.step = self._frame.step
        self.time_us = self._frame.time_us

    def __len__(self) -> int:
        """The number of particles."""
        return len(self._frame)

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """The identity of each particle, the same in all frames; shape (n,)."""
        return self._frame.ids()

    @cached_property
    def positions(self) -> NDArray[np.float64]:
        """Where each particle is within the box, in nm; shape (n, d) in d dimensions."""
        return self._frame.positions(False)

    @cached_property
    def unwrapped(self) -> NDArray[np.float64]:
        """Positions as if periodic axes had no end, in nm; shape (n, d).

        Displacements between frames are differences of these.
        """
        return self._frame.positions(True)

    @cached_property
    def velocities(self) -> NDArray[np.float64] | None:
        """Velocities in nm/ns (m/s), shape (n, d); None if the file has none.

        Brownian particles have no velocities.
        """
        return self._frame.velocities()

    @cached_property
    def orientations(self) -> NDArray[np.float64] | None:
        """By how much each polygon is turned counter-clockwise, in rad, shape (n,); else None."""
        return self._frame.orientations()

    @cached_property
    def quaternions(self) -> NDArray[np.float32] | None:
        """How each particle is turned: unit quaternions (w, x, y, z), shape (n, 4); or None.

        They take a direction of the particle, such as that of one of its sites, to where it points
        in space. Files have them if any site of their species has a direction.
        """
        return self._frame.quaternions()

    @cached_property
    def _species(self) -> tuple[NDArray[np.int32], list[str]]:
        return self._frame.species()

    @property
    def species_index(self) -> NDArray[np.int32]:
        """The species of each particle as its place in :attr:`species_names`; shape (n,)."""
        return self._species[0]

    @property
    def species_names(self) -> list[str]:
        """The names of all species of the file; states are species of their own."""
        return self._species[1]

    @cached_property
    def species(self) -> NDArray[np.object_]:
        """The name of the species of each particle; shape (n,), of str."""
        import numpy as np

        # The last name is for those without one, whose place is -1.
        return np.array([*self.species_names, "unknown"], dtype=object)[self.species_index]

    @cached_property
    def molecules(self) -> NDArray[np.object_]:
        """Each particle as a molecule in BioNetGen's notation; shape (n,), of str.

        ``EGFR(l!1,d,Y1068~p)`` has a bond at ``l``, whose other end is the other ``!1`` of the same
        cluster. A particle of a species without sites is the name of its species.
        """
        import numpy as np

        return np.array(self._frame.molecules(), dtype=object)

    @cached_property
    def radii(self) -> NDArray[np.float64]:
        """The radius of each particle in nm; shape (n,)."""
        return self._frame.radii()

    @cached_property
    def _clusters(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        return self._frame.clusters()

    @property
    def clusters(self) -> NDArray[np.int64]:
        """The identity of the cluster that each particle belongs to; shape (n,).

        A particle that is alone is a cluster of its own.
        """
        return self._clusters[0]

    @property
    def coalesced(self) -> NDArray[np.int32]:
        """How many particles have coalesced into each; 0 for one that is whole; shape (n,)."""
        return self._clusters[1]

    @cached_property
    def bonds(self) -> NDArray[np.int64]:
        """The bonds as pairs of places in the arrays of this frame; shape (bonds, 2)."""
        return self._frame.bonds()

    @cached_property
    def _edges(self) -> tuple[NDArray[np.float64], list[bool]]:
        return self._frame.edges()

    @property
    def box(self) -> NDArray[np.float64]:
        """The edges of the box in nm; shape (d,)."""
        return self._edges[0]

    @property
    def periodic(self) -> tuple[bool, ...]:
        """Whether each axis of the box is periodic; d of them."""
        return tuple(self._edges[1])

    def __repr__(self) -> str:
        time = "" if self.time_us is None else f" at {self.time_us:g} µs"
        return f"<Frame {self.number}{time}, {len(self)} particles>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Frame, (self._path, self.number))


class Frames(Sequence[Frame]):
    """The frames of a run, as many as there were when they were asked for.

    They are counted from 0, and from the end with numbers below 0; a slice has some of them.
    """

    def __init__(self, path: str | os.PathLike[str], numbers: range | None = None) -> None:
        times, steps = _jostle.moments(path)
        self._path = path
        self._numbers = range(len(steps)) if numbers is None else numbers
        self._times, self._steps = times, steps

    @property
    def times_us(self) -> NDArray[np.float64] | None:
        """The times of the frames in µs, shape (frames,); None if the file has no times."""
        return None if self._times is None else self._times[list(self._numbers)]

    @property
    def steps(self) -> NDArray[np.int64]:
        """The steps of the frames; shape (frames,)."""
        return self._steps[list(self._numbers)]

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Frame: ...
    @overload
    def __getitem__(self, place: slice) -> Frames: ...
    def __getitem__(self, place: int | slice) -> Frame | Frames:
        """One frame by its number, or some by a slice.

        Raises
        ------
        IndexError
            If there is no such frame.
        ReadError
            If the file cannot be read.
        """
        if isinstance(place, slice):
            return Frames(self._path, self._numbers[place])
        try:
            number = self._numbers[place]
        except IndexError:
            raise IndexError(f"frame {place}: there are {len(self)} frames") from None
        return Frame(self._path, number)

    def __repr__(self) -> str:
        return f"<Frames: {len(self)} of {os.fspath(self._path)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Frames, (self._path, self._numbers))
