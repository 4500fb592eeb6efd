"""Times that Python gives, in µs."""

from __future__ import annotations

import math
import operator

from . import _jostle
from .quantities import Quantity, plain

__all__ = ["count", "microseconds"]


def microseconds(value: Quantity, name: str) -> float:
    """Turn a time into a number in µs.

    Parameters
    ----------
    value : str, float or quantity
        A text with a unit (``"5 ms"``), a number in µs, or a quantity of pint or unyt.
    name : str
        The argument that it is given for, for messages.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If it is no time.
    """
    found = plain(value, name)
    if isinstance(found, str):
        return _jostle.microseconds(found, name)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise TypeError(f'{name}: found {value!r}; give a time such as "5 ms", or a number in µs')
    if not math.isfinite(found):
        raise ValueError(f'{name}: found {value!r}; give a time such as "5 ms"')
    return float(found)


def count(value: object, name: str) -> int:
    """Check a number of things.

    Parameters
    ----------
    value : int
        The number.
    name : str
        The argument that it is given for, for messages.

    Returns
    -------
    int

    Raises
    ------
    TypeError, ValueError
        If it is not a whole number, or below zero or above the largest one.
    """
    try:
        found = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name}: found {value!r}; give a whole number") from None
    if not 0 <= found < 2**63:
        raise ValueError(f"{name}: found {found}; give a number from 0 to {2**63 - 1}")
    return found
