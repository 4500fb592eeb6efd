"""Times that Python gives, in µs."""

from __future__ import annotations

from . import _jostle
from .quantities import Quantity, plain

__all__ = ["microseconds"]


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
    return float(found)
