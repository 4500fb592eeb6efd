"""Options of questions to a file, as the library takes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from . import _jostle
from .answers import Analysis
from .measures import Measure
from .quantities import Plain, Whole

__all__ = ["Option", "ask", "ids", "options", "whole"]

#: An option of the program: set or not, text, or several texts.
Option = bool | str | list[str]


def option(key: str, value: Plain) -> Option:
    """Turn the value of an option into what a command line would have."""
    if isinstance(value, bool):
        return value
    if isinstance(value, list):
        return [str(one) for one in value]
    if isinstance(value, dict):
        raise TypeError(f"{key}: a text, a number or a list is needed, not a table")
    return str(value)


def options(given: Iterable[tuple[str, Plain]]) -> list[tuple[str, Option]]:
    """Turn options into what a command line would have."""
    return [(key, option(key, value)) for key, value in given]


def ask(path: str | os.PathLike[str], measure: Measure) -> Analysis:
    """Ask a file what a sweep would measure of it."""
    return Analysis(*_jostle.analyse(path, measure.what, options(measure.options)))


# Numbers of the program have 32 bits at least.
_LARGEST = 2**32 - 1


def whole(value: Whole, key: str, least: int = 0) -> int:
    """Read a whole number that is not below `least`, and of 32 bits at most."""
    try:
        number = value.__index__()
    except AttributeError:
        raise TypeError(f"{key}: a whole number is needed, not {value!r}") from None
    if not least <= number <= _LARGEST:
        raise ValueError(f"{key}: a number from {least} to {_LARGEST} is needed, not {number}")
    return number


def ids(value: Whole | Sequence[Whole] | None, key: str) -> list[int] | None:
    """Read one identity or several."""
    if value is None:
        return None
    if hasattr(value, "__index__"):
        return [whole(value, key)]
    if isinstance(value, str | bytes):
        raise TypeError(f"{key}: whole numbers are needed, not {value!r}")
    return [whole(one, key) for one in value]
