"""Pictures that jostle draws itself: figures of analyses and snapshots of frames."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .outputs import write_text

if TYPE_CHECKING:
    from . import _jostle

__all__ = ["Picture"]


class Picture:
    """A drawing, which notebooks show as it is.

    It consists of lines and text (SVG), so that it is sharp at any size. Methods such as
    :meth:`Run.snapshot` and :meth:`Table.plot` return pictures.

    A picture that has been pickled is kept as SVG only.
    """

    def __init__(self, drawn: _jostle.Sheet | str) -> None:
        self._drawn = drawn

    @property
    def svg(self) -> str:
        """The picture as an SVG document."""
        return self._drawn if isinstance(self._drawn, str) else self._drawn.svg()

    @property
    def png(self) -> bytes:
        """The picture as a PNG file, with two pixels to a unit of length of the SVG.

        Raises
        ------
        ValueError
            If the picture was pickled.
        """
        if not isinstance(self._drawn, str):
            return bytes(self._drawn.png())
        raise ValueError("this picture was pickled, and is there as SVG only")

    @property
    def pdf(self) -> bytes:
        """The picture as a PDF file; its letters are outlines.

        Raises
        ------
        ValueError
            If the picture was pickled.
        """
        if not isinstance(self._drawn, str):
            return bytes(self._drawn.pdf())
        raise ValueError("this picture was pickled, and is there as SVG only")

    def of_width(self, width: str) -> Picture:
        """Make the same picture of another width.

        Plots are laid out for it, with letters of 8 points and without a title, which stands in the
        caption of a figure. Snapshots are made larger or smaller.

        Parameters
        ----------
        width : str
            With its unit: ``"3.4 in"``, ``"86 mm"``, ``"8.6 cm"``.

        Returns
        -------
        Picture

        Raises
        ------
        ValueError
            If it is no width, or the picture was pickled.
        """
        if isinstance(self._drawn, str):
            raise ValueError("this picture was pickled, and is there as SVG only")
        return Picture(self._drawn.of_width(width))

    def save(
        self, path: str | os.PathLike[str], *, overwrite: bool = False, dpi: float = 192.0
    ) -> None:
        """Write the picture to a file.

        Parameters
        ----------
        path : path-like
            The file; its name ends in ``.svg``, ``.pdf`` or ``.png``.
        overwrite : bool, default False
            Whether a file that exists is replaced.
        dpi : float, default 192
            The dots per inch of a PNG file.

        Raises
        ------
        ValueError
            If the name ends otherwise, or not in ``.svg`` and the picture was pickled.
        FileExistsError
            If the file exists and may not be replaced.
        OSError
            If it cannot be written.
        """
        if not isinstance(self._drawn, str):
            self._drawn.save(path, overwrite, float(dpi))
        elif os.fspath(path).lower().endswith(".svg"):
            write_text(path, self._drawn, overwrite)
        else:
            raise ValueError(f"{os.fspath(path)}: a pickled picture can be saved as .svg only")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        title = "" if isinstance(self._drawn, str) else self._drawn.title()
        return f"<Picture: {title}>" if title else "<Picture>"

    def __reduce__(self) -> tuple[type[Picture], tuple[str]]:
        return (Picture, (self.svg,))
