"""What can go wrong, as exceptions.

All exceptions of jostle are a :class:`JostleError`. A wrong Python argument (a number where a text
belongs, say) raises :class:`TypeError` or :class:`ValueError`, as everywhere in Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "Fault",
    "JostleError",
    "ModelError",
    "PlacementError",
    "ReadError",
    "RunError",
    "StoppedError",
    "SweepError",
]


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a model.

    Attributes
    ----------
    key : str
        The key, as :func:`jostle.load` takes it in ``set`` (``species.EGFR.radius``); may be empty.
    message : str
        What was found, and what would be right.
    line : int or None
        The line of the model's text, counted from 1; None if the fault belongs to the file as a
        whole or to a value that was set on top of it.
    """

    key: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        parts = [
            f"line {self.line}" if self.line is not None else "",
            self.key,
            self.message,
        ]
        return ": ".join(part for part in parts if part)


class JostleError(Exception):
    """Anything that goes wrong in jostle."""


class ModelError(JostleError):
    """A model is refused.

    Parameters
    ----------
    message : str
        All faults, as the program prints them.
    faults : sequence of Fault
        The same, one by one, in the order of the file.
    """

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.faults: tuple[Fault, ...] = tuple(faults)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.faults))


class PlacementError(ModelError):
    """The particles of a model cannot be placed: there is no room, or too little memory."""


class RunError(JostleError):
    """A run failed. What was written before stays, and can be read."""


class StoppedError(RunError):
    """A run was stopped before its end; :func:`jostle.resume` continues it."""


class SweepError(JostleError):
    """A sweep is refused, or cannot be continued here. What has been done of it stays."""


class ReadError(JostleError):
    """A file cannot be read, or does not contain what is asked for."""
