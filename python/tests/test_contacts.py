"""Questions to the log of contacts: the answers of the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asking import agree, made, program, rows_of

import jostle

# Questions in both languages.
QUESTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"limit": 7}, ["--limit", "7"]),
    ({"start": "10 us", "end": 20}, ["--time", "10 us..20 us"]),
    ({"time": "..15 us"}, ["--time", "..15 us"]),
    ({"outcome": "bound"}, ["--outcome", "bound"]),
    ({"outcome": ["bound", "bounced"]}, ["--outcome", "bound,bounced"]),
    ({"species": "A"}, ["--species", "A"]),
    ({"species": ["A", "C"]}, ["--species", "A", "--species", "C"]),
    ({"between": ["A", "B"]}, ["--between", "A", "B"]),
    ({"rule": "associate"}, ["--rule", "associate"]),
    ({"id": 3}, ["--id", "3"]),
    ({"id": [3, 5]}, ["--id", "3,5"]),
    (
        {"place": ["x=0 nm..100 nm", "y=50 nm.."]},
        ["--place", "x=0 nm..100 nm", "--place", "y=50 nm.."],
    ),
    ({"count": True}, ["--count"]),
    ({"group_by": "species"}, ["--group-by", "species"]),
    (
        {"group_by": ["species", "time"], "every": 20},
        ["--group-by", "species,time", "--every", "20 us"],
    ),
    (
        {"group_by": "id", "having": "contacts=10..", "sort": "contacts"},
        ["--group-by", "id", "--having", "contacts=10..", "--sort", "contacts"],
    ),
    ({"histogram": "interval", "of": "particle"}, ["--histogram", "interval", "--of", "particle"]),
    ({"histogram": "rebinding"}, ["--histogram", "rebinding"]),
    ({"histogram": "meetings"}, ["--histogram", "meetings"]),
    ({"histogram": "pair"}, ["--histogram", "pair"]),
    (
        {"histogram": "place", "axes": "y", "bins": 10},
        ["--histogram", "place", "--axes", "y", "--bins", "10"],
    ),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> jostle.Run:
    return made("reversible_binding", tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def walled(tmp_path_factory: pytest.TempPathFactory) -> jostle.Run:
    return made("shaker_monosized", tmp_path_factory.mktemp("run"))


@pytest.mark.parametrize(("given", "words"), QUESTIONS)
def test_answers_are_those_of_the_program(
    run: jostle.Run, tmp_path: Path, given: dict[str, Any], words: list[str]
) -> None:
    out = tmp_path / "theirs.json"
    program("contacts", run.path, *words, "--out", out)
    agree(run.contacts(**given), out.read_text())


def test_the_list_is_the_same_to_the_last_digit(
    run: jostle.Run, walled: jostle.Run, tmp_path: Path
) -> None:
    for one in (run, walled):
        program("contacts", one.path, "--out", tmp_path / "theirs.csv", "--force")
        one.contacts().save(tmp_path / "mine.csv", overwrite=True)
        mine = (tmp_path / "mine.csv").read_bytes()
        assert mine == (tmp_path / "theirs.csv").read_bytes() and mine.count(b"\n") > 100


def test_walls_have_names_and_no_identity(walled: jostle.Run) -> None:
    table = walled.contacts()
    with_wall = [row for row in table if str(row["partner"]).startswith("wall ")]
    assert with_wall and all(row["b"] is None for row in with_wall)
    polars = pytest.importorskip("polars")
    frame = table.to_polars()
    assert frame["b"].null_count() == len(with_wall)
    assert frame["partner"].cast(polars.String).str.starts_with("wall ").sum() == len(with_wall)


def test_data_frames_have_the_rows_of_the_file(run: jostle.Run, tmp_path: Path) -> None:
    pytest.importorskip("polars")
    program("contacts", run.path, "--out", tmp_path / "theirs.csv")
    theirs = rows_of(tmp_path / "theirs.csv")
    frame = run.contacts().to_polars()
    assert frame.height == len(theirs) > 500
    assert frame["a"].to_list() == [int(row["a"]) for row in theirs]
    assert frame["time_us"].to_list() == [float(row["time_us"]) for row in theirs]
    assert frame["outcome"].to_list() == [row["outcome"] for row in theirs]
    assert frame["rule"].to_list() == [row["rule"] or None for row in theirs]


def test_rules_of_any_number_are_told_by_name(tmp_path: Path) -> None:
    head = """
    [space]
    dimension = 2
    edges = "60 nm"
    [run]
    timestep = "10 ns"
    steps = 200
    [output]
    log = "all"
    """
    species = [
        f'[[species]]\nname = "{name}"\nradius = "1 nm"\ndiffusion = "10 um^2/s"\ncount = {count}\n'
        for name, count in [("A", 60), ("B", 0)]
    ]
    rule = '[[rule]]\nname = "{}"\non = ["{}", "{}"]\ndo = "bind"\nmerge = "bond"\nprobability = {}\n'
    rules = [rule.format(f"r{n}", "B", "B", 1e-6) for n in range(400)]
    text = head + "".join(species + rules) + rule.format("the_last", "A", "A", 0.2)
    run = jostle.Model.from_toml(text).run(tmp_path / "many.h5md", progress=False)
    found = run.contacts()
    bound = [row["rule"] for row in found if row["outcome"] == "bound"]
    assert bound and set(bound) == {"the_last"}
    assert {row["rule"] for row in found if row["outcome"] == "bounced"} == {None}
    assert len(run.contacts(rule="the_last")) == len(bound)


def test_groups_are_drawn_and_lists_are_not(run: jostle.Run) -> None:
    groups = run.contacts(group_by="species")
    assert list(groups.figures) == ["contact_groups"] and groups.plot().svg.startswith("<svg")
    assert not run.contacts(limit=3).figures


def test_what_was_not_logged_is_said(tmp_path: Path, binding: jostle.Model) -> None:
    run = binding.replace(output={"log": "none"}).run(tmp_path / "none.h5md", progress=False)
    found = run.contacts()
    assert len(found) == 0 and found.notes == ('(log = "none": the run kept no contacts)',)


@pytest.mark.parametrize(
    "given",
    [
        {"group_by": "x"},
        {"every": "1 ms"},
        {"limit": -1},
        {"limit": "many"},
        {"pair": [1, 1]},
        {"pair": [1]},
        {"between": ["A"]},
        {"between": ["A", "--count"]},
        {"species": "nobody"},
        {"outcome": "eaten"},
        {"id": "a"},
        {"id": -1},
        {"id": 2**40},
        {"cluster": -1},
        {"place": "x"},
        {"place": ["x=0 nm..1 nm", "x=1 nm..2 nm"]},
        {"histogram": "place", "axes": ["x", "x"]},
        {"histogram": "place", "bins": 0},
        {"histogram": "rebinding", "outcome": "bound"},
        {"group_by": "species", "having": "x=1"},
        {"group_by": "species", "sort": "x"},
        {"count": True, "group_by": "species"},
        {"start": 2, "end": 1},
        {"start": 1, "time": "1 us..2 us"},
    ],
)
def test_questions_that_make_no_sense_are_refused(run: jostle.Run, given: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, jostle.ReadError)) as caught:
        run.contacts(**given)
    assert str(caught.value)
