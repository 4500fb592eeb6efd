"""What all builders have in common; the builders themselves are in :mod:`jostle.builders`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar, Self

from . import _jostle
from .quantities import Plain, plain

__all__ = ["Builder", "Rule", "argument_name"]


class Builder:
    """A table of the model file, as a Python object that never changes.

    The keys of the table are its arguments and its attributes. An argument that is None is left out
    of the file, and an attribute is None if its key is not there.
    """

    __slots__ = ("_entries", "_text")

    #: The table's name in the schema.
    _table: ClassVar[str] = ""
    #: The section of the file whose heading stands above it; empty for a table within a section.
    _section: ClassVar[str] = ""
    #: Whether the file can have several of them, under ``[[section]]``.
    _is_list: ClassVar[bool] = False
    #: All its keys.
    _keys: ClassVar[tuple[str, ...]] = ()
    #: Keys that are given without their names.
    _positional: ClassVar[tuple[str, ...]] = ()
    #: What every one of this class says.
    _fixed: ClassVar[Mapping[str, str]] = {}

    _entries: dict[str, Plain]
    _text: str

    def _fill(self, arguments: Mapping[str, object]) -> None:
        """Keep the arguments that are given; the last step of making one."""
        label = self._section or self._table
        entries: dict[str, Plain] = {}
        # Those without names come first, whatever the order in the table.
        for key in dict.fromkeys((*self._positional, *self._keys)):
            value = arguments[argument_name(key)]
            if value is not None:
                entries[key] = plain(value, f"{label}.{key}")
            if key == "name":
                entries |= self._fixed
        object.__setattr__(self, "_entries", entries)
        object.__setattr__(self, "_text", _jostle.inline(entries))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Make one of the keys and values of its table.

        Parameters
        ----------
        values : mapping
            As a TOML reader gives them.

        Returns
        -------
        Builder

        Raises
        ------
        TypeError
            If there is a key that the table does not have, or one is missing.
        """
        given = dict(values)
        for key, word in cls._fixed.items():
            if given.pop(key, word) != word:
                raise TypeError(f"{cls.__name__}: `{key}` is {word!r} here")
        for key in given:
            if key not in cls._keys:
                known = ", ".join(cls._keys)
                raise TypeError(f"{cls.__name__} has no key {key!r}; it can have {known}")
        first = [given.pop(key, None) for key in cls._positional]
        return cls(*first, **{argument_name(key): value for key, value in given.items()})

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Read one that was written as TOML.

        Parameters
        ----------
        text : str
            As :attr:`toml` gives it.

        Returns
        -------
        Builder

        Raises
        ------
        ValueError
            If the text is not TOML, or does not contain exactly one such table.
        """
        values: Any = tomllib.loads(text)
        if cls._section:
            tables = values.get(cls._section)
            tables = [tables] if isinstance(tables, dict) else tables or []
            if len(tables) != 1 or len(values) != 1:
                raise ValueError(f"one table [{cls._section}] and nothing else is needed")
            values = tables[0]
        return cls.from_dict(values)

    def to_dict(self) -> dict[str, Any]:
        """Return the keys and values that the file gets.

        Returns
        -------
        dict
            With nothing but str, int, float, bool, list and dict inside; a copy.
        """
        return deepcopy(self._entries)

    @property
    def toml(self) -> str:
        """The text that the model file gets, with its heading if it is a section."""
        if not self._section:
            return _jostle.written({key: value for key, value in self._flat()})
        entries: Any = [self._entries] if self._is_list else self._entries
        return _jostle.written({self._section: entries})

    def _flat(self) -> list[tuple[str, Any]]:
        return list(self._entries.items())

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other values.

        Parameters
        ----------
        **changes
            Keys and their new values; None leaves a key out.

        Returns
        -------
        Builder
        """
        values = {key: value for key, value in self._entries.items() if key not in self._fixed}
        for argument, value in changes.items():
            values[_key(argument)] = value
        return type(self).from_dict(values)

    def __getattr__(self, name: str) -> Any:
        key = _key(name)
        if key in type(self)._keys:
            return deepcopy(self._entries.get(key))
        raise AttributeError(f"{type(self).__name__} has no key {key!r}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} never changes; use replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} never changes; use replace({name}=None)")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *map(argument_name, self._keys)]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._text == self._text

    def __hash__(self) -> int:
        return hash((type(self), self._text))

    def __repr__(self) -> str:
        values = {key: value for key, value in self._entries.items() if key not in self._fixed}
        first = [repr(values.pop(key)) for key in self._positional if key in values]
        named = [f"{argument_name(key)}={value!r}" for key, value in values.items()]
        return f"{type(self).__name__}({', '.join(first + named)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).from_dict, (self.to_dict(),))


class Rule(Builder):
    """A rule of any kind; there is a class of its own for each thing that a rule can do."""

    __slots__ = ()
    _table = "rule"
    _section = "rule"
    _is_list = True

    #: The class for each word of ``do``, and the one for reactions in a line.
    _kinds: ClassVar[dict[str, type[Rule]]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "_keys" in vars(cls):
            Rule._kinds[cls._fixed.get("do", "reaction")] = cls

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Make one of the keys and values of its table; ``Rule.from_dict`` finds the class.

        Parameters
        ----------
        values : mapping
            As a TOML reader gives them.

        Returns
        -------
        Rule

        Raises
        ------
        TypeError
            If there is a key that such a rule does not have, or one is missing.
        """
        if cls is not Rule:
            return super().from_dict(values)
        word = "reaction" if "reaction" in values else values.get("do")
        kind: Any = cls._kinds.get(word) if isinstance(word, str) else None
        if kind is None:
            words = ", ".join(word for word in cls._kinds if word != "reaction")
            raise TypeError(f"a rule needs a `reaction`, or `do` with one of {words}")
        return kind.from_dict(values)  # type: ignore[no-any-return]


def argument_name(key: str) -> str:
    """The argument for a key: words of Python get a stroke."""
    return f"{key}_" if key in _WORDS else key


def _key(argument: str) -> str:
    return argument[:-1] if argument[:-1] in _WORDS and argument.endswith("_") else argument


#: Keys that are words of Python.
_WORDS = ("from",)
