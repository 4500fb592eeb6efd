"""Pages (HTML) about a run: they need neither a server nor a network."""

from __future__ import annotations

import html
import os

from .outputs import write_text

__all__ = ["Page"]


class Page:
    """A page about a run, which notebooks show in a frame of its own.

    :meth:`Run.report` and :meth:`Run.player` return pages.

    Attributes
    ----------
    html : str
        The document.
    notes : tuple of str
        What a reader should know: what the file does not have, which frames were left out.
    height : int
        How high a notebook shows it, in pixels; may be set.
    """

    def __init__(self, html: str, notes: tuple[str, ...] = (), height: int = 640) -> None:
        self.html = html
        self.notes = notes
        self.height = height

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the page to a file, which any browser opens.

        Parameters
        ----------
        path : path-like
            The file, such as ``run.html``.
        overwrite : bool, default False
            Whether a file that exists is replaced.

        Raises
        ------
        FileExistsError
            If the file exists and may not be replaced.
        OSError
            If it cannot be written.
        """
        write_text(path, self.html, overwrite)

    def _repr_html_(self) -> str:
        document = html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{document}" width="100%" height="{int(self.height)}" '
            'style="border: 0" allowfullscreen></iframe>'
        )

    def __repr__(self) -> str:
        return f"<Page of {len(self.html) / 1e6:.1f} MB>"
