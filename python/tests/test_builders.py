"""Builders: generated from the table of keys, and never changed."""

from __future__ import annotations

import copy
import inspect
import json
import math
import pickle
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jostle
from jostle import _jostle, builders
from jostle.builder import Builder, argument_name

ROOT = Path(__file__).resolve().parents[2]
KEYS = json.loads(_jostle.keys())
CLASSES: list[type[Builder]] = [
    value
    for value in vars(builders).values()
    if isinstance(value, type) and issubclass(value, Builder) and value._keys
]


def example(row: dict[str, Any]) -> Any:
    """The example of a key, which the table of keys has as TOML."""
    return tomllib.loads(f"value = {row['example']}")["value"]


def examples() -> Iterator[Builder]:
    """One of each class, with the examples of all of its keys."""
    tables = {table["name"]: table["keys"] for table in KEYS["tables"]}
    for kind in CLASSES:
        values = {row["name"]: example(row) for row in tables[kind._table]}
        yield kind.from_dict({key: values[key] for key in kind._keys if key not in kind._fixed})


EXAMPLES = list(examples())


def test_the_file_is_up_to_date() -> None:
    command = [sys.executable, ROOT / "python/tools/generate.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_there_is_a_class_for_each_table_and_each_kind_of_rule() -> None:
    tables = {table["name"] for table in KEYS["tables"]} - {"model"}
    assert {kind._table for kind in CLASSES} == tables
    words = {rule["do"] for rule in KEYS["rules"]}
    assert set(jostle.Rule._kinds) == words
    for rule in KEYS["rules"]:
        assert list(jostle.Rule._kinds[rule["do"]]._keys) == rule["keys"]


@pytest.mark.parametrize("made", EXAMPLES, ids=lambda made: type(made).__name__)
def test_all_that_is_written_reads_back(made: Builder) -> None:
    kind = type(made)
    assert kind.from_toml(made.toml) == made
    assert kind.from_dict(made.to_dict()) == made
    assert eval(repr(made), vars(builders)) == made
    assert pickle.loads(pickle.dumps(made)) == made
    assert copy.deepcopy(made) == made
    assert hash(copy.copy(made)) == hash(made)
    assert made.replace() == made
    for key in kind._keys:
        assert getattr(made, argument_name(key)) == made.to_dict()[key]
        assert argument_name(key) in dir(made)


@pytest.mark.parametrize("made", EXAMPLES, ids=lambda made: type(made).__name__)
def test_nothing_changes_one(made: Builder) -> None:
    before = made.toml
    for name in [*map(argument_name, made._keys), "_entries", "other"]:
        with pytest.raises(AttributeError, match="never changes"):
            setattr(made, name, 1)
        with pytest.raises(AttributeError, match="never changes"):
            delattr(made, name)
    made.to_dict().clear()
    for key in made._keys:
        value = getattr(made, argument_name(key))
        if isinstance(value, list | dict):
            value.clear()
    assert made.toml == before


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_each_argument_is_documented(kind: type[Builder]) -> None:
    documentation = inspect.getdoc(kind) or ""
    arguments = [name for name in inspect.signature(kind).parameters]
    assert arguments == sorted(map(argument_name, kind._keys), key=arguments.index)
    for name in arguments:
        assert f"\n{name} : " in documentation


def test_rules_find_their_class() -> None:
    bind = jostle.Bind("pair_up", on=["A", "A"], merge="bond", rate="1 um^2/s")
    assert bind.to_dict() == {
        "name": "pair_up",
        "do": "bind",
        "on": ["A", "A"],
        "merge": "bond",
        "rate": "1 um^2/s",
    }
    assert jostle.Rule.from_dict(bind.to_dict()) == bind
    assert jostle.Rule.from_toml(bind.toml) == bind
    reaction = jostle.Reaction("A + B <-> C", k_on="1e6 /M/s", k_off="1 /s")
    assert jostle.Rule.from_dict(reaction.to_dict()) == reaction
    assert repr(bind.replace(rate=None)) == "Bind('pair_up', on=['A', 'A'], merge='bond')"
    with pytest.raises(TypeError, match="`do` with one of bounce, pass"):
        jostle.Rule.from_dict({"do": "explode"})
    with pytest.raises(TypeError, match="`do` is 'bind' here"):
        jostle.Bind.from_dict({"name": "x", "do": "convert"})
    with pytest.raises(TypeError, match="Bind has no key 'minimum'"):
        bind.replace(minimum=2)


def test_texts_that_are_something_else_are_refused() -> None:
    for text in ["", "[run]\nseed = 1", "[[species]]\nname = 'A'\n[[species]]\nname = 'B'", "x ="]:
        with pytest.raises(ValueError, match=r"\[species\]|Invalid"):
            jostle.Species.from_toml(text)


HOSTILE: list[Any] = [
    None,
    math.nan,
    -math.inf,
    1e308,
    -1,
    2**62,
    2**64,
    True,
    "",
    "\0",
    "\ud800",
    "x" * 100_000,
    "1e999 nm",
    "-1 um^2/s",
    "{}",
    b"bytes",
    object(),
    print,
    int,
    [],
    {},
    [[[]]],
    [None],
    {1: 2},
    {"": ""},
    {"a.b": {"c": ["d", {"e": 1}]}},
    ["1 nm"] * 1000,
]


@pytest.mark.parametrize("made", EXAMPLES, ids=lambda made: type(made).__name__)
def test_hostile_values_are_refused_by_builder_or_model(made: Builder) -> None:
    for key in made._keys:
        for value in HOSTILE:
            try:
                changed = made.replace(**{argument_name(key): value})
                assert type(changed).from_dict(changed.to_dict()) == changed
                if made._section:
                    entry: Any = [changed] if made._is_list else changed
                    jostle.Model(**{made._section: entry})
            except (TypeError, ValueError, jostle.ModelError) as error:
                assert str(error)
