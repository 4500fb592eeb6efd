"""Values of a model file, from whatever Python has for them.

A quantity is text with a unit (``"2.5 nm"``), as in the file; a bare number, in nm and µs unless the
model's ``[units]`` say otherwise; or a quantity of pint or unyt, or anything else that has
``.units`` and a ``.magnitude`` or ``.value``. Numbers, arrays and quantities of numpy are taken as
well.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import Any, Protocol, SupportsFloat, SupportsIndex, TypeAlias, runtime_checkable

from . import _jostle

__all__ = ["Array", "HasUnits", "Plain", "Quantity", "Whole", "plain"]


@runtime_checkable
class HasUnits(Protocol):
    """A number or an array with units, as pint and unyt have them."""

    @property
    def units(self) -> Any:
        """The units; as text, a product of powers such as ``um**2/s``."""


@runtime_checkable
class Array(Protocol):
    """An array, as numpy has it."""

    def tolist(self) -> Any:
        """Return the entries as lists of numbers."""


#: A quantity: text with a unit, a bare number, or a number with units.
Quantity: TypeAlias = str | SupportsFloat | HasUnits
#: A whole number.
Whole: TypeAlias = SupportsIndex
#: What a model file consists of.
Plain: TypeAlias = "str | int | float | bool | list[Any] | dict[str, Any]"

# Tables and lists within each other; no model has more than a few.
_DEEPEST = 50
# Whole numbers of a model file have 64 bits, with a sign or, as seeds may, without.
_LEAST = -(2**63)
_LARGEST = 2**64 - 1
_BYTES = bytes | bytearray | memoryview
# The two signs for micro.
_MICRO = str.maketrans("\u00b5\u03bc", "uu")


def plain(value: object, key: str, depth: int = 0) -> Plain:
    """Turn a value into what a model file consists of.

    Parameters
    ----------
    value : object
        A text, number, quantity, path, array, sequence or mapping of these, or a builder.
    key : str
        The key that it belongs to, for messages.

    Returns
    -------
    str, int, float, bool, list or dict
        With nothing but these inside.

    Raises
    ------
    TypeError
        If a value, or something in it, has no place in a model file.
    ValueError
        If a whole number has more than 64 bits, or the value is nested too deeply.

    Examples
    --------
    >>> plain((1, "2 nm"), "edges")
    [1, '2 nm']
    """
    # A plain value first: lists of positions are long.
    kind = type(value)
    if kind is float or kind is str or kind is bool:
        return value  # type: ignore[return-value]
    if kind is int:
        return _whole(value, key)  # type: ignore[arg-type]
    if depth > _DEEPEST:
        raise ValueError(f"{key}: the value is nested in more than {_DEEPEST} lists and tables")
    if isinstance(value, HasUnits) and not isinstance(value, type):
        return _with_units(value, key)
    if isinstance(value, Mapping):
        return {_name(name, key): plain(v, f"{key}.{name}", depth + 1) for name, v in value.items()}
    to_dict = getattr(value, "to_dict", None)
    if callable(to_dict) and not isinstance(value, type):
        return plain(to_dict(), key, depth + 1)
    if isinstance(value, Array) and not isinstance(value, type | memoryview):
        return plain(value.tolist(), key, depth + 1)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool):
        return bool(value)
    if isinstance(value, int):
        return _whole(int(value), key)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, os.PathLike):
        return _text(os.fspath(value), key)
    if isinstance(value, Sequence) and not isinstance(value, _BYTES):
        return [plain(v, f"{key}[{n}]", depth + 1) for n, v in enumerate(value)]
    if isinstance(value, SupportsIndex) and not isinstance(value, type):
        return _whole(index(value), key)
    if isinstance(value, SupportsFloat) and not isinstance(value, type):
        return float(value)
    raise TypeError(
        f"{key}: {_described(value)} has no place in a model file; text, a number, a quantity with "
        "units, a list or a table is needed"
    )


def _described(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__qualname__}"


def _whole(value: int, key: str) -> int:
    if not _LEAST <= value <= _LARGEST:
        raise ValueError(f"{key}: a whole number of more than 64 bits has no place in a model file")
    return value


def _name(name: object, key: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{key}: the keys of a table are text, not {_described(name)}")
    return str(name)


def _text(path: object, key: str) -> str:
    if not isinstance(path, str):
        raise TypeError(f"{key}: a path is text here, not {_described(path)}")
    return path


def _with_units(value: HasUnits, key: str) -> Plain:
    """Text for a number with units, or a list of texts for several."""
    value, unit = _in_known_units(value, key)
    magnitude = _magnitude(value, key)
    if isinstance(magnitude, Array):
        magnitude = magnitude.tolist()
    return _texts(magnitude, unit, key)


def _magnitude(value: object, key: str) -> object:
    for name in ("magnitude", "value"):
        magnitude = getattr(value, name, None)
        if magnitude is not None and not callable(magnitude):
            return magnitude
    raise TypeError(f"{key}: {_described(value)} has units, but neither a magnitude nor a value")


def _texts(magnitude: object, unit: str, key: str) -> Plain:
    if isinstance(magnitude, Sequence) and not isinstance(magnitude, str | bytes):
        return [_texts(entry, unit, key) for entry in magnitude]
    if not isinstance(magnitude, SupportsFloat):
        raise TypeError(f"{key}: {_described(magnitude)} is no number, but has the unit {unit}")
    number = float(magnitude)
    if number.is_integer() and abs(number) < 1e15:
        number = int(number)
    return f"{number!r} {unit}" if unit else number


def _in_known_units(value: HasUnits, key: str) -> tuple[HasUnits, str]:
    """The quantity in units that model files know, and these as text."""
    for candidate in _candidates(value):
        for unit in _unit_texts(candidate):
            if _jostle.is_unit(unit):
                return candidate, unit
    raise TypeError(f"{key}: the unit {value.units} is not one that model files know")


def _candidates(value: HasUnits) -> Iterator[HasUnits]:
    """The quantity as it is, or else in units of the SI."""
    yield value
    for name in ("to_base_units", "in_mks"):
        convert = getattr(value, name, None)
        if callable(convert):
            yield convert()


def _unit_texts(value: HasUnits) -> Iterable[str]:
    """The units as text, in the spellings that may be known."""
    try:
        # What pint calls compact symbols: um**2/s.
        yield _as_in_files(format(value.units, "~C"))
    except (TypeError, ValueError):
        pass
    yield _as_in_files(str(value.units))


def _as_in_files(unit: str) -> str:
    unit = unit.strip().translate(_MICRO).replace(" ** ", "^").replace("**", "^").replace("*", " ")
    return "" if unit == "dimensionless" else unit
