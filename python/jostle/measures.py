"""Measures of a sweep, and how they are written; see :mod:`jostle.measure`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from . import _jostle
from .quantities import Plain, Quantity, plain

__all__ = ["Measure", "Names", "bare", "measure", "measured", "one_or_list", "with_unit"]

#: One name, or several.
Names: TypeAlias = str | Sequence[str]


@dataclass(frozen=True)
class Measure:
    """What is measured of each run: one ``[[measure]]`` of a sweep file.

    Attributes
    ----------
    what : str
        The analysis, as the program calls it (``"first-passage"``).
    name : str or None
        What is put in front of the names of its tables.
    options : tuple of (str, value)
        Its options, under the keys of the file.
    """

    what: str
    name: str | None = None
    options: tuple[tuple[str, Plain], ...] = ()

    @property
    def toml(self) -> str:
        """The table of the sweep file."""
        keys: list[tuple[str, Plain]] = [("what", self.what)]
        if self.name is not None:
            keys.append(("name", self.name))
        lines = (f"{bare(key)} = {_jostle.inline(value)}" for key, value in [*keys, *self.options])
        return "\n".join(["[[measure]]", *lines])

    @classmethod
    def of(cls, given: object) -> Measure:
        """Make a measure of the name of an analysis, or of a mapping with the keys of the file.

        Parameters
        ----------
        given : Measure, str or mapping
            What is to be measured.

        Returns
        -------
        Measure

        Raises
        ------
        TypeError
            If it is none of these, or the mapping has no key ``what``.
        """
        if isinstance(given, Measure):
            return given
        if isinstance(given, str):
            return cls(given)
        if not isinstance(given, Mapping):
            raise TypeError(
                "measure: a function of jostle.measure, the name of an analysis or a mapping is "
                f"needed, not {given!r}"
            )
        keys = plain(given, "measure")
        assert isinstance(keys, dict)
        what, name = keys.pop("what", None), keys.pop("name", None)
        if not isinstance(what, str):
            raise TypeError('measure: the mapping has to say what, such as {"what": "counts"}')
        if name is not None and not isinstance(name, str):
            raise TypeError("measure: the name is text")
        return cls(what, name, tuple(keys.items()))


def bare(key: str) -> str:
    """A key as TOML has it: in quotes where it needs them."""
    is_bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if is_bare else _jostle.inline(key)


def measure(what: str, name: str | None, options: Mapping[str, object]) -> Measure:
    """Leave out what is not given."""
    given = ((key, value) for key, value in options.items() if value is not None)
    return Measure(what, name, tuple((key, plain(value, key)) for key, value in given))


def measured(what: str, name: str | None, given: Mapping[str, object], **units: str) -> Measure:
    """An analysis with options under the names that they have in Python.

    Plain numbers of an option that is a quantity are in its unit.
    """
    keys, units = {"start": "from", "end": "to"}, {"start": "us", "end": "us", **units}
    options: dict[str, object] = {}
    for key, value in given.items():
        if key in units:
            options[keys.get(key, key)] = with_unit(value, key, units[key])
        else:
            options[key] = one_or_list(value)
    return measure(what, name, options)


def with_unit(value: object, key: str, unit: str) -> Plain | None:
    if value is None:
        return None
    found = plain(value, key)
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return f"{found!r} {unit}" if is_number else found


def one_or_list(names: object) -> object:
    """One name stays alone, as a number does; others become a list."""
    if isinstance(names, Iterable) and not isinstance(names, str):
        return list(names)
    return names
