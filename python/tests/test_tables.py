"""Tables: the same values in whatever they are handed to."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import MODELS

import jostle
from jostle import _jostle
from jostle.tables import Table

HEADS = ["name", "count", "lag (µs)"]


def column(values: object, missing: object = None, words: object = None) -> tuple[object, ...]:
    return (values, missing, words)


def example() -> Table:
    parts = [
        column(np.array([0, -1, 1], dtype=np.int32), words=["a", "b<c>"]),
        column(np.array([1, 2, 3]), missing=np.array([False, True, False])),
        column(np.array([0.5, np.nan, np.inf])),
    ]
    return Table(_jostle.Table(HEADS, parts))


def test_columns_are_arrays_and_rows_are_dictionaries() -> None:
    table = example()
    assert table.columns == ("name", "count", "lag_us")
    assert table.units == {"name": None, "count": None, "lag_us": "µs"}
    assert table["name"].tolist() == ["a", None, "b<c>"]
    np.testing.assert_array_equal(table["count"], [1.0, np.nan, 3.0])
    np.testing.assert_array_equal(table["lag_us"], [0.5, np.nan, np.inf])
    assert list(table)[1] == {"name": None, "count": None, "lag_us": None}
    assert len(table) == 3 and "count" in table and "x" not in table
    whole = table.to_numpy()
    assert whole.dtype.names == table.columns and whole["lag_us"][2] == np.inf


def test_integers_stay_integers_where_none_is_missing() -> None:
    table = Table(_jostle.Table(["n"], [column(np.array([1, 2**60]))]))
    assert table["n"].dtype == np.int64 and table["n"][1] == 2**60


def test_data_frames_have_the_same_values() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    table = example()
    frame = table.to_pandas()
    assert list(frame.columns) == list(table.columns)
    assert frame["count"].isna().tolist() == [False, True, False]
    assert frame.attrs["units"] == {"lag_us": "µs"}
    assert pd.isna(frame["name"][1])
    other = table.to_polars()
    assert other["name"].cast(pl.String).to_list() == ["a", None, "b<c>"]
    assert other["count"].to_list() == [1, None, 3]
    assert other["lag_us"].to_list() == [0.5, None, np.inf]


def test_arrow_has_types_heads_and_units() -> None:
    pa = pytest.importorskip("pyarrow")
    schema = pa.schema(example())
    assert [str(field.type) for field in schema][1:] == ["int64", "double"]
    assert schema.field("lag_us").metadata == {b"head": "lag (µs)".encode(), b"unit": "µs".encode()}
    assert pa.table(example()).to_pylist()[0] == {"name": "a", "count": 1, "lag_us": 0.5}


def test_arrow_outlives_the_table() -> None:
    pa = pytest.importorskip("pyarrow")
    numbers = np.arange(100_000.0)
    arrow = pa.table(Table(_jostle.Table(["x"], [column(numbers)])))
    assert arrow["x"].to_numpy().sum() == numbers.sum()


def test_data_sets_have_units_and_dimensions() -> None:
    pytest.importorskip("xarray")
    parts = [
        column(np.array([0, 0, 1], dtype=np.int32), words=["A", "B"]),
        column(np.array([0.0, 1.0, 0.0])),
        column(np.array([5.0, 6.0, 7.0])),
    ]
    table = Table(_jostle.Table(["species", "time (µs)", "mean (nm)"], parts))
    flat = table.to_xarray()
    assert dict(flat.sizes) == {"row": 3} and flat["mean_nm"].attrs["units"] == "nm"
    cube = table.to_xarray(index=["species", "time_us"])
    assert dict(cube.sizes) == {"species": 2, "time_us": 2}
    assert cube["mean_nm"].sel(species="A", time_us=1.0) == 6.0
    assert np.isnan(cube["mean_nm"].sel(species="B", time_us=1.0))
    assert cube["time_us"].attrs["units"] == "µs"
    with pytest.raises(ValueError, match="some rows are the same in species"):
        table.to_xarray(index="species")
    with pytest.raises(KeyError, match="no column 'x'"):
        table.to_xarray(index="x")


def test_files_are_those_of_the_program(tmp_path: Path) -> None:
    table = example()
    table.save(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "name,count,lag_us\na,1,0.5\n,,\nb<c>,3,inf\n"
    table.save(tmp_path / "t.json")
    rows = json.loads((tmp_path / "t.json").read_text())
    assert rows[0] == {"name": "a", "count": 1, "lag_us": 0.5} and rows[2]["lag_us"] is None
    table.save(tmp_path / "t.txt")
    assert (tmp_path / "t.txt").read_text().startswith("name  count  lag (µs)\n")
    with pytest.raises(FileExistsError, match="overwrite=True"):
        table.save(tmp_path / "t.csv")
    table.save(tmp_path / "t.csv", overwrite=True)
    polars = pytest.importorskip("polars")
    table.save(tmp_path / "t.parquet")
    assert polars.read_parquet(tmp_path / "t.parquet")["count"].to_list() == [1, None, 3]


def test_long_tables_are_shown_in_part() -> None:
    table = Table(_jostle.Table(["n"], [column(np.arange(1000))]))
    assert "(980 of 1000 rows are not shown)" in repr(table)
    assert "999" in repr(table) and table._repr_html_().count("<tr>") == 21


def test_html_is_escaped() -> None:
    assert "b&lt;c&gt;" in example()._repr_html_() and "b<c>" not in example()._repr_html_()


def test_tables_are_pickled() -> None:
    table = example()
    again = pickle.loads(pickle.dumps(table))
    assert list(again) == list(table) and again.heads == table.heads


def test_a_table_without_rows() -> None:
    parts = [column(np.array([], dtype=np.int32), words=[]), column(np.array([]))]
    table = Table(_jostle.Table(["name", "x"], parts))
    assert len(table) == 0 and list(table) == [] and table["name"].shape == (0,)
    assert list(pickle.loads(pickle.dumps(table))) == []
    assert pytest.importorskip("polars").DataFrame(table).shape == (0, 2)


def test_columns_are_drawn() -> None:
    parts = [
        column(np.array([0, 0, 1, 1], dtype=np.int32), words=["A", "B"]),
        column(np.array([0.0, 1.0, 0.0, 1.0])),
        column(np.array([5.0, 6.0, 7.0, 8.0])),
        column(np.array([1, 2, 3, 4])),
    ]
    table = Table(_jostle.Table(["species", "time (µs)", "mean (nm)", "n"], parts))
    svg = table.plot().svg
    assert svg.startswith("<svg") and "time [µs]" in svg and "mean [nm]" in svg and ">B<" in svg
    assert ">n<" in table.plot(y="n").svg
    with pytest.raises(ValueError, match="needs two columns of numbers"):
        table.plot(x="species")
    with pytest.raises(ValueError, match="not words"):
        table.plot(by="n")
    with pytest.raises(KeyError, match="no column 'q'"):
        table.plot("q")


@pytest.mark.parametrize(
    ("heads", "parts"),
    [
        (["a"], []),
        (["a"], [column(np.array([5], dtype=np.int32), words=["x"])]),
        (["a"], [column(np.array([-2], dtype=np.int32), words=["x"])]),
        (["a"], [column(np.array([1]), missing=np.array([True, False]))]),
        (["a"], [(np.array([1.0]),)]),
        (["a"], [column("text")]),
        (["a", "b"], [column(np.array([1.0])), column(np.array([1.0, 2.0]))]),
    ],
)
def test_parts_that_do_not_fit_are_refused(heads: list[str], parts: list[object]) -> None:
    with pytest.raises(ValueError):
        _jostle.Table(heads, parts)


def test_the_results_of_a_run_are_never_replaced(tmp_path: Path, binding: jostle.Model) -> None:
    run = binding.run(tmp_path / "run.h5md", progress=False)
    named = tmp_path / "table.h5md"
    named.write_bytes((tmp_path / "run.h5md").read_bytes())
    with pytest.raises(FileExistsError, match="results of a run"):
        run.player().save(named, overwrite=True)
    with pytest.raises(IsADirectoryError):
        (tmp_path / "folder.csv").mkdir()
        example().save(tmp_path / "folder.csv", overwrite=True)


def test_species_that_differ_by_case_only(tmp_path: Path) -> None:
    """Columns are named after species: A and a stay two columns, in every library."""
    species = [
        jostle.Species(name, radius="1 nm", diffusion="1 um^2/s", count=n)
        for name, n in [("A", 3), ("a", 5)]
    ]
    model = jostle.Model(
        space={"dimension": 2, "edges": "50 nm", "boundary": "periodic"},
        run={"timestep": "10 ns", "steps": 10},
        species=species,
    )
    table = model.run(tmp_path / "run.h5md").counts().tables["counts_over_time"]
    assert table["A"][0] == 3 and table["a"][0] == 5
    assert {"A", "a"} <= set(table.to_pandas().columns)
    polars = pytest.importorskip("polars")
    assert {"A", "a"} <= set(polars.DataFrame(table).columns)


def test_a_column_goes_by_its_head_too(tmp_path: Path) -> None:
    model = jostle.load(MODELS / "reversible_binding.toml", set={"run.until": "20 us"})
    table = model.run(tmp_path / "run.h5md").counts().tables["counts_over_time"]
    assert list(table["C"]) == list(table["c"]) and "C" in table
