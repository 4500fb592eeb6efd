"""Values from Python, as the model file gets them."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jostle
from jostle.quantities import plain


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2.5 nm", "2.5 nm"),
        (np.str_("2.5 nm"), "2.5 nm"),
        (3, 3),
        (np.int32(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (Decimal("0.25"), 0.25),
        (Fraction(1, 4), 0.25),
        (np.arange(6).reshape(2, 3), [[0, 1, 2], [3, 4, 5]]),
        (np.array(2.5), 2.5),
        ((1, ("a", 2.0)), [1, ["a", 2.0]]),
        (range(3), [0, 1, 2]),
        ({"a": (1,)}, {"a": [1]}),
        (Path("data/a.csv"), "data/a.csv"),
    ],
)
def test_values_become_what_a_model_file_consists_of(given: object, expected: object) -> None:
    made = plain(given, "key")
    assert made == expected
    assert type(made) is type(expected)


def test_quantities_of_pint_become_text_that_the_model_reader_knows() -> None:
    pint = pytest.importorskip("pint")
    ureg = pint.UnitRegistry()
    expected = {
        "2.5 nm": 2.5 * ureg.nm,
        "0.05 um^2/s": 0.05 * ureg.um**2 / ureg.s,
        "1000000 1/M/s": 1e6 / ureg.molar / ureg.s,
        "20 nM": 20 * ureg.nanomolar,
        "298.15 K": ureg.Quantity(25, ureg.degC),
        "86400 s": 1 * ureg.day,
        "3 kg/m^3": 3 * ureg.kg / ureg.m**3,
        "30 deg": 30 * ureg.degree,
    }
    assert {plain(quantity, "key") for quantity in expected.values()} == set(expected)
    assert plain([1, 2] * ureg.nm, "key") == ["1 nm", "2 nm"]
    assert plain(5 * ureg.dimensionless, "key") == 5
    with pytest.raises(TypeError, match="species.count: the unit count is not one"):
        jostle.Species("A", count=10 * ureg.count)


def test_quantities_of_unyt_become_text_that_the_model_reader_knows() -> None:
    unyt = pytest.importorskip("unyt")
    assert plain(2.5 * unyt.nm, "key") == "2.5 nm"
    assert plain(0.05 * unyt.um**2 / unyt.s, "key") == "0.05 um^2/s"
    assert plain(1 / unyt.s, "key") == "1 1/s"
    assert plain(1 * unyt.mile, "key") == "1609.344 m"
    assert plain(unyt.unyt_array([[1, 2], [3, 4]], "um"), "key") == [
        ["1 um", "2 um"],
        ["3 um", "4 um"],
    ]


def test_a_model_is_the_same_with_quantities_of_any_kind() -> None:
    pint, unyt = pytest.importorskip("pint"), pytest.importorskip("unyt")
    ureg = pint.UnitRegistry()

    def model(radius: Any, diffusion: Any, edges: Any) -> jostle.Model:
        return jostle.Model(
            space=dict(dimension=2, edges=edges),
            run=dict(timestep="1 us", steps=10),
            species=[jostle.Species("A", radius=radius, diffusion=diffusion, count=np.int64(4))],
        )

    by_text = model("2.5 nm", "0.05 um^2/s", ["100 nm", "200 nm"])
    assert model(2.5, 0.05, np.array([100.0, 200.0])) == by_text
    assert model(2.5 * ureg.nm, 0.05 * ureg.um**2 / ureg.s, [100, 200] * ureg.nm) == by_text
    assert model(25 * unyt.angstrom, 0.05 * unyt.um**2 / unyt.s, [100, 200] * unyt.nm) == by_text
    with pytest.raises(jostle.ModelError, match="species.A.radius.*a time; a length is needed"):
        model(2.5 * ureg.s, 1, 100)


class WithUnits:
    """Has units, but nothing to go with them."""

    units = "nm"


class Loop(list[object]):
    """A list that contains itself."""

    def __init__(self) -> None:
        super().__init__()
        self.append(self)


def deep(depth: int) -> object:
    """Lists within lists."""
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "hostile",
    [
        None,
        [None],
        b"2.5 nm",
        bytearray(b"x"),
        memoryview(b"x"),
        object(),
        object,
        float,
        jostle.Species,
        len,
        {1, 2},
        {1: 2},
        1j,
        iter([1]),
        WithUnits(),
        np.datetime64("2026-01-01"),
        np.array([object()]),
        np.ma.masked_array([1, 2], [True, False]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_place_is_refused_by_its_key(hostile: object) -> None:
    with pytest.raises(TypeError, match="^key"):
        plain(hostile, "key")


@pytest.mark.parametrize("hostile", [2**64, -(2**63) - 1, 10**400, Loop(), deep(100)])
def test_what_is_too_large_is_refused_by_its_key(hostile: object) -> None:
    with pytest.raises(ValueError, match="^key"):
        plain(hostile, "key")


def test_numbers_that_are_none_get_as_far_as_the_model_reader() -> None:
    assert math.isnan(float(str(plain(math.nan, "key"))))
    with pytest.raises(jostle.ModelError, match="space.edges"):
        jostle.Model(space=dict(dimension=2, edges=math.nan))
