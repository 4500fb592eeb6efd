"""What a run looks like: pages, pictures, and files for other programs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from . import _jostle
from .frames import Frames
from .measures import Names, one_or_list
from .measures import measure as asked
from .pages import Page
from .pictures import Picture
from .quantities import Whole
from .questions import options, whole

if TYPE_CHECKING:
    import MDAnalysis

__all__ = ["Views"]

#: The formats of :meth:`Views.export`.
Format: TypeAlias = Literal[
    "xyz", "simularium", "simularium-binary", "csv", "vtp", "gro", "pdb", "graphml"
]


class Views:
    """How a run is shown and exported; a part of :class:`jostle.Run`."""

    path: Path

    def report(self, *, frames: Whole | None = None, species: Names | None = None) -> Page:
        """Make one page with the model, the run, its figures and a player for its frames.

        Parameters
        ----------
        frames : int, optional
            The number of frames in the player, evenly spaced; as many as fit into 40 MB unless it
            is given.
        species : str or sequence of str, optional
            Figures and tables of these species only; the player shows all.

        Returns
        -------
        Page
            A notebook shows it; :meth:`Page.save` writes it.
        """
        return self._page(frames, species, only_player=False, height=900)

    def player(self, *, frames: Whole | None = None) -> Page:
        """Make a player for the frames.

        Parameters
        ----------
        frames : int, optional
            The number of frames, evenly spaced; as many as fit into 40 MB by default.

        Returns
        -------
        Page
            A notebook shows it; :meth:`Page.save` writes it.
        """
        return self._page(frames, None, only_player=True, height=560)

    def _page(
        self, frames: Whole | None, species: Names | None, *, only_player: bool, height: int
    ) -> Page:
        number = None if frames is None else whole(frames, "frames", least=1)
        names = [species] if isinstance(species, str) else list(species or ())
        document, notes = _jostle.report(self.path, number, names, only_player)
        return Page(document, tuple(notes), height)

    def snapshot(
        self,
        frame: Whole | Literal["first", "last"] | Sequence[Whole] = -1,
        *,
        colour: Literal["size", "species", "speed", "state"] | str | None = None,
        magnify: float = 1.0,
        zoom: float = 1.0,
        part: Sequence[float] | None = None,
        forces: bool = False,
        colours: Mapping[str, str] | None = None,
        view: tuple[float, float] | None = None,
        title: str | None = None,
    ) -> Picture:
        """Draw one frame, or several side by side.

        Parameters
        ----------
        frame : int, "first", "last" or sequence of int, default -1
            Which frame, counted from 0, or from the end with numbers below 0.
        colour : {"size", "species", "speed", "state"} or "state:SITE", optional
            What colours show: the size of the cluster (if there are bonds) or the species, unless
            it is given. ``"state:Y1068"`` is the state of that site, or whether it is bound.
        magnify : float, default 1
            Enlarge particles by this factor.
        zoom : float, default 1
            Draw the middle of the box so many times larger.
        part : sequence of four floats, optional
            In two dimensions: draw only this part of the box, ``(x0, y0, x1, y1)`` in nm.
        forces : bool, default False
            Draw the contact forces of a polygon run.
        colours : mapping of str to str, optional
            Other colours of what the legend names: ``{"EGFR": "#0072b2"}``.
        view : tuple of two floats, optional
            In three dimensions: from where the box is seen, in degrees around the vertical axis and
            from above. By default ``(28, 18)``.
        title : str, optional
            What stands above the picture; ``""`` for nothing. By default the title of the model.

        Returns
        -------
        Picture

        Raises
        ------
        IndexError
            If there is no such frame.
        ReadError
            If the file cannot be read.
        ValueError
            If another argument makes no sense.
        """
        corners = None if part is None else ",".join(str(float(one)) for one in part)
        given: dict[str, Any] = {
            "frame": self._numbers(frame),
            "colour": colour,
            "magnify": float(magnify),
            "zoom": None if zoom == 1.0 else float(zoom),
            "part": corners,
            "forces": bool(forces),
            "colours": ",".join(f"{name}={colour}" for name, colour in (colours or {}).items()) or None,
            "view": None if view is None else ",".join(str(float(angle)) for angle in view),
            "title": title,
        }
        drawn, _ = _jostle.snapshot(self.path, options(asked("", None, given).options))
        return Picture(drawn)

    def _numbers(self, frame: Whole | str | Sequence[Whole]) -> str:
        """The numbers of frames, counted from 0."""
        if isinstance(frame, str):
            return frame
        all_frames = range(len(Frames(self.path)))
        chosen = cast("Sequence[Whole]", frame if isinstance(frame, Sequence) else [frame])
        numbers = []
        for one in chosen:
            try:
                numbers.append(str(all_frames[one.__index__()]))
            except AttributeError:
                raise TypeError(f"frame: a whole number is needed, not {one!r}") from None
            except IndexError:
                text = f"frame {one}: there are {len(all_frames)} frames"
                raise IndexError(text) from None
        if not numbers:
            raise ValueError("frame: at least one is needed")
        return ",".join(numbers)

    def export(
        self,
        out: str | os.PathLike[str],
        *,
        format: Format | None = None,
        frames: str | Whole | None = None,
        every: Whole = 1,
        species: Names | None = None,
        unwrap: bool = False,
        length_unit: Literal["nm", "angstrom"] = "nm",
        overwrite: bool = False,
    ) -> Path:
        """Write the frames in the format of another program.

        Parameters
        ----------
        out : path-like
            The file to write.
        format : str, optional
            ``"xyz"`` (OVITO), ``"simularium"``, ``"simularium-binary"``, ``"csv"``, ``"vtp"``
            (ParaView), ``"gro"`` or ``"pdb"`` (topologies), or ``"graphml"`` (one frame as a graph of
            bonds); by the ending of the name unless it is given.
        frames : str or int, optional
            Only these frames, counted from 0, both ends included: ``"10..20"``, ``"10.."`` or ``7``.
        every : int, default 1
            Only the first of these frames and every nth after it.
        species : str or sequence of str, optional
            Only these species.
        unwrap : bool, default False
            Unwrap positions across periodic faces.
        length_unit : {"nm", "angstrom"}, default "nm"
            For extended XYZ: the unit of lengths.
        overwrite : bool, default False
            Whether a file that exists is replaced.

        Returns
        -------
        pathlib.Path
            The file that was written.

        Raises
        ------
        ReadError
            If the run cannot be read.
        FileExistsError
            If `out` exists and may not be replaced.
        OSError
            If it cannot be written.
        ValueError
            If an argument makes no sense, or the format cannot hold what is asked for.
        """
        names = one_or_list(species)
        given = {
            "to": format,
            "frames": frames,
            "every": whole(every, "every", least=1),
            "species": ",".join(names) if isinstance(names, list) else names,
            "unwrap": bool(unwrap),
            "length-unit": length_unit,
            "force": bool(overwrite),
        }
        written, _ = _jostle.export(self.path, out, options(asked("", None, given).options))
        return Path(written[0])

    def universe(self) -> MDAnalysis.Universe:
        """Open the run with MDAnalysis: lengths are in Å and times in ps there.

        An atom is a slot of the file, which holds a particle or none: then its position is nan. The
        names of atoms are those of the species, those of residues (one for each atom) the same
        without states.

        Returns
        -------
        MDAnalysis.Universe

        Raises
        ------
        ReadError
            If the file cannot be read.
        ImportError
            If MDAnalysis or h5py is not installed.

        Examples
        --------
        >>> receptors = run.universe().select_atoms("resname EGFR")  # doctest: +SKIP
        """
        import MDAnalysis
        import numpy as np

        names = np.array(_jostle.slot_species(self.path), dtype=object)
        slots = len(names)
        universe = MDAnalysis.Universe.empty(
            slots, n_residues=slots, atom_resindex=np.arange(slots), trajectory=False
        )
        universe.add_TopologyAttr("names", names)
        universe.add_TopologyAttr("types", names)
        universe.add_TopologyAttr("resnames", [name.split("{")[0] for name in names])
        universe.add_TopologyAttr("resids", np.arange(1, slots + 1))
        universe.load_new(str(self.path), format="H5MD")
        return universe
