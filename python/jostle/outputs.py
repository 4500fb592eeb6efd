"""Files that are written on the side of results."""

from __future__ import annotations

import os

from . import _jostle

__all__ = ["write_text"]


def write_text(path: str | os.PathLike[str], text: str, overwrite: bool) -> None:
    """Write a text file.

    Parameters
    ----------
    path : path-like
        The file.
    text : str
        What it will contain.
    overwrite : bool
        Whether a file that exists is replaced; the results of a run never are.

    Raises
    ------
    FileExistsError
        If the file exists and may not be replaced.
    OSError
        If it cannot be written.
    """
    _jostle.may_write(path, overwrite)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
