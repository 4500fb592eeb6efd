"""Analyses: the numbers of the program, in every engine, with errors that Python users understand."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking import RUNS, agree, made, program

import jostle

# Analyses as methods, as the program calls them, and options in both languages.
ANALYSES: list[tuple[str, str, dict[str, Any], list[str]]] = [
    ("counts", "counts", {}, []),
    ("counts", "counts", {"start": "10 us"}, ["--from", "10 us"]),
    ("contacts_by_species", "contacts", {}, []),
    ("sizes", "sizes", {}, []),
    ("displacement", "displacement", {}, []),
    ("jumps", "jumps", {"bins": 20}, ["--bins", "20"]),
    ("rdf", "rdf", {"bins": 30}, ["--bins", "30"]),
    ("density", "density", {"along": "y"}, ["--along", "y"]),
    ("polymers", "polymers", {"species": "EGFR"}, ["--species", "EGFR"]),
    ("rates", "rates", {}, []),
    ("rates", "rates", {"end": 90}, ["--to", "90 us"]),
    ("lifetimes", "lifetimes", {}, []),
    ("transitions", "transitions", {}, []),
    ("survival", "survival", {}, []),
    ("first_passage", "first-passage", {}, []),
    ("first_passage", "first-passage", {"distance": 2}, ["--distance", "2 nm"]),
    ("first_passage", "first-passage", {"leaves": "x=0 nm..20 nm"}, ["--leaves", "x=0 nm..20 nm"]),
    ("impacts", "impacts", {}, []),
    ("energy", "energy", {}, []),
    ("pressure", "pressure", {}, []),
    ("pressure", "pressure", {"start": "10 us"}, ["--from", "10 us"]),
    ("forces", "forces", {}, []),
    ("stress", "stress", {"along": "y"}, ["--along", "y"]),
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, jostle.Run]:
    folder = tmp_path_factory.mktemp("runs")
    return {name: made(name, folder) for name in RUNS}


@pytest.mark.parametrize(("method", "what", "given", "words"), ANALYSES)
def test_numbers_are_those_of_the_program(
    runs: dict[str, jostle.Run], method: str, what: str, given: dict[str, Any], words: list[str]
) -> None:
    rows = 0
    for run in runs.values():
        line = ["analyse", run.path, what, *words, "--format", "json"]
        try:
            said = program(*line)
        except RuntimeError as why:
            # What a run cannot answer is an exception with the same words.
            with pytest.raises((jostle.ReadError, ValueError)) as caught:
                getattr(run, method)(**given)
            assert " ".join(str(caught.value).split()) in " ".join(str(why).split())
            continue
        rows += agree(getattr(run, method)(**given), said)
    assert rows > 0


def test_all_tables_of_an_analysis_are_there(runs: dict[str, jostle.Run], tmp_path: Path) -> None:
    run = runs["reversible_binding"]
    for method, what in (("rates", "rates"), ("survival", "survival"), ("sizes", "sizes")):
        found = getattr(run, method)()
        program("analyse", run.path, what, "--csv", tmp_path)
        for name, table in found.tables.items():
            table.save(tmp_path / "mine.csv", overwrite=True)
            mine = (tmp_path / "mine.csv").read_text(encoding="utf-8")
            assert mine == (tmp_path / f"{name}.csv").read_text(encoding="utf-8"), name


def test_an_analysis_is_a_table_with_figures_and_notes(runs: dict[str, jostle.Run]) -> None:
    rates = runs["reversible_binding"].rates()
    assert isinstance(rates, jostle.Table)
    assert {"rule", "k", "k_low", "k_high", "unit"} <= set(rates.columns)
    assert list(rates.tables) == ["rates", "rates_over_time", "rate_exposures"]
    assert any("apparent rate constants" in note for note in rates.notes)
    assert not any("--" in note for note in rates.notes)
    assert rates.plot().svg == rates.figures["rates"].svg
    assert "associate" in repr(rates) and "apparent" in rates._repr_html_()
    with pytest.raises(KeyError, match="no figure 'x'"):
        rates.plot(figure="x")


def test_an_analysis_is_pickled_with_its_figures(runs: dict[str, jostle.Run]) -> None:
    sizes = runs["reversible_binding"].sizes()
    again = pickle.loads(pickle.dumps(sizes))
    assert list(again) == list(sizes) and again.notes == sizes.notes
    assert again.plot().svg == sizes.plot().svg
    with pytest.raises(ValueError, match="as SVG only"):
        _ = again.plot().png


def test_info_is_that_of_the_program(runs: dict[str, jostle.Run]) -> None:
    for run in runs.values():
        info = run.info()
        assert info == json.loads(program("info", "--json", run.path))
        assert info.text == program("info", run.path)
        assert "frames" in info._repr_html_()


def test_genealogies(runs: dict[str, jostle.Run], tmp_path: Path) -> None:
    run = runs["reversible_binding"]
    tree = run.genealogy()
    program("genealogy", run.path, "--out", tmp_path / "theirs.csv")
    tree.save(tmp_path / "mine.csv")
    assert (tmp_path / "mine.csv").read_text() == (tmp_path / "theirs.csv").read_text()
    first = next(iter(tree.descents))
    rows = list(tree)
    assert rows[first["parent"]]["born_us"] <= first["time_us"]
    assert rows[first["child"]]["born_us"] == first["time_us"]
    tree.save(tmp_path / "tree.graphml")
    assert "<graphml" in (tmp_path / "tree.graphml").read_text()
    merged = next(row["cluster"] for row in rows if row["parents"] == 2)
    assert 0 < len(run.genealogy(cluster=merged)) < len(tree)
    assert all(row["largest"] >= 2 for row in run.genealogy(size=2))


def refusals(run: jostle.Run) -> list[Callable[[], object]]:
    return [
        lambda: run.counts(start="x"),
        lambda: run.counts(start="5 nm"),
        lambda: run.counts(start=20, end=10),
        lambda: run.counts(start=float("nan")),
        lambda: run.counts(start=[1]),  # type: ignore[arg-type]
        lambda: run.counts(start=object()),  # type: ignore[arg-type]
        lambda: run.counts(species=5),  # type: ignore[arg-type]
        lambda: run.counts(species=""),
        lambda: run.counts(inside="nothing"),
        lambda: run.rdf(bins=0),
        lambda: run.rdf(bins=-5),
        lambda: run.rdf(bins=2**70),
        lambda: run.rdf(max="3 us"),
        lambda: run.density(along="q"),  # type: ignore[arg-type]
        lambda: run.first_passage(distance="1 nm", place="x=1 nm.."),
        lambda: run.first_passage(place="\0"),
        lambda: run.stress(place="x"),
        lambda: run.genealogy(cluster=10**9),
        lambda: run.genealogy(cluster=-1),
        lambda: run.genealogy(cluster=2**70),
        lambda: run.genealogy(size="2"),  # type: ignore[arg-type]
        lambda: run.counts(species="Q"),
        lambda: run.rates(species="--help"),
    ]


def test_what_makes_no_sense_is_refused(runs: dict[str, jostle.Run]) -> None:
    for refused in refusals(runs["reversible_binding"]):
        with pytest.raises((ValueError, TypeError, jostle.ReadError)):
            refused()


def test_messages_name_the_arguments_of_python(runs: dict[str, jostle.Run]) -> None:
    run = runs["reversible_binding"]
    with pytest.raises(ValueError, match=r"^invalid value 'x' for 'start': .*\"1 us\"$"):
        run.counts(start="x")
    with pytest.raises(ValueError, match=r"^start, end: the range is empty"):
        run.counts(start=20, end=10)
    with pytest.raises(jostle.ReadError, match='no species "Q"; it has A, B, C'):
        run.counts(species="Q")


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(jostle.ReadError, match="cannot open"):
        jostle.open(tmp_path / "no.h5md").counts()
    (tmp_path / "text.h5md").write_text("text")
    with pytest.raises(jostle.ReadError, match="not an HDF5 file"):
        jostle.open(tmp_path / "text.h5md").counts()
