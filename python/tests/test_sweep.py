"""Sweeps from Python: what they say, what they come to, and that they continue."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sweeps import (
    ARGUMENTS,
    MODEL,
    long_sweep_in,
    model_in,
    program,
    saved,
    saved_by_program,
    sweep_in,
)

import jostle
from jostle import SweepError, measure


def test_the_same_bytes_as_the_program(tmp_path: Path) -> None:
    sweep = sweep_in(tmp_path)
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    program(theirs, "sweep", "plan", str(sweep.folder / "sweep.toml"), "--out", "sweep")
    plan = (theirs / "sweep/plan.json").read_bytes()
    assert (sweep.folder / "plan.json").read_bytes() == plan
    program(theirs, "sweep", "run", "sweep", "--quiet")
    results = sweep.run(jobs=2, progress=False)
    assert list(results)[:2] == ["sizes", "rates"]
    ours = saved(results, tmp_path)
    assert ours == saved_by_program(theirs, list(results))
    # What the program has run, Python merges, and the other way round.
    assert saved(jostle.Sweep.open(theirs / "sweep").merge(), theirs) == ours
    assert saved_by_program(tmp_path, list(results)) == ours


def test_long_tables_have_the_same_bytes(tmp_path: Path) -> None:
    axes = {"output.frame_every": [1], "run.steps": [9000], "species.A.count": [5]}
    results = sweep_in(tmp_path, axes=axes, replicas=1, measure="sizes").run(progress=False)
    assert len(results["sizes"]) == 9001
    assert saved(results, tmp_path) == saved_by_program(tmp_path, list(results))


def test_a_sweep_says_all_that_a_file_can(tmp_path: Path) -> None:
    sweep = jostle.Sweep(
        model_in(tmp_path),
        axes={
            "rule.pair.rate": {
                "from": "0.1 um^2/s",
                "to": "10 um^2/s",
                "points": 3,
                "spacing": "log",
            }
        },
        together=[{"run.timestep": ["1 us", "0.5 us"], "run.steps": np.array([40, 80])}],
        replicas=5,
        seed=20261124,
        seeds="common",
        measure=[
            measure.rates(start=20, name="late"),
            "counts",
            {"what": "contact-log", "group-by": ["species", "outcome"], "time": "5 us.."},
        ],
        precision={"of": "late_rates.events", "only": {"rule": "pair"}, "relative": 0.5, "most": 8},
        keep="first",
        task={"replicas": 3, "threads": 1},
        folder=tmp_path / "sweep",
    )
    assert sweep.toml is not None
    assert tomllib.loads(sweep.toml) == {
        "sweep": {
            "model": "model/receptors.toml",
            "seed": 20261124,
            "replicas": 5,
            "seeds": "common",
        },
        "axes": {
            "rule.pair.rate": {
                "from": "0.1 um^2/s",
                "to": "10 um^2/s",
                "points": 3,
                "spacing": "log",
            }
        },
        "together": [{"run.timestep": ["1 us", "0.5 us"], "run.steps": [40, 80]}],
        "measure": [
            {"what": "rates", "name": "late", "from": "20 us"},
            {"what": "counts"},
            {"what": "contact-log", "group-by": ["species", "outcome"], "time": "5 us.."},
        ],
        "precision": {
            "of": "late_rates.events",
            "only": {"rule": "pair"},
            "relative": 0.5,
            "most": 8,
        },
        "keep": {"files": "first"},
        "task": {"replicas": 3, "threads": 1},
    }
    assert (sweep.seed, len(sweep.points), set(sweep.replicas)) == (20261124, 6, {5})
    assert sweep.points[1] == {
        "rule.pair.rate": "0.1 um^2/s",
        "run.timestep": "0.5 us",
        "run.steps": "80",
    }
    assert "memory" in sweep.forecast()
    sweep.run(progress=False)
    assert [path.name for path in sweep.files] == [f"p0000{n}_r0000.h5md" for n in range(6)]
    assert jostle.open(sweep.files[0]).model.seed != 20261124


def test_points_are_a_file_mappings_or_a_data_frame(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    rows = [
        {"run.steps": 40, "rule.pair.rate": "1 um^2/s"},
        {"run.steps": 80, "rule.pair.rate": "2 um^2/s"},
    ]
    design = tmp_path / "design.csv"
    design.write_text("run.steps,rule.pair.rate\n40,1 um^2/s\n80,2 um^2/s\n")
    forms = [rows, design, str(design), pandas.DataFrame(rows), polars.DataFrame(rows)]
    for n, points in enumerate(forms):
        sweep = jostle.Sweep(
            model_in(tmp_path), points=points, replicas=2, folder=tmp_path / f"sweep{n}"
        )
        assert [point["run.steps"] for point in sweep.points] == ["40", "80"]
        assert sweep.points[1]["rule.pair.rate"] == "2 um^2/s"
    again = jostle.Sweep(model_in(tmp_path), points=rows, replicas=2, folder=tmp_path / "sweep0")
    assert again.points == sweep.points


def test_single_replicas_have_the_means_of_the_merged_tables(tmp_path: Path) -> None:
    pytest.importorskip("xarray")
    results = sweep_in(tmp_path, axes={**ARGUMENTS["axes"], "species.A.count": [30, 40, 50]}).run(
        progress=False
    )
    data = results.to_xarray()
    sizes = data["sizes_weight_mean"]
    assert sizes.dims == ("rule.pair.rate", "species.A.count", "replica", "time_us")
    assert sizes.shape == (2, 3, 4, 10)
    assert list(data["rule.pair.rate"].values) == [0.3, 1.0]
    assert data["rule.pair.rate"].attrs["units"] == "um^2/s"
    assert list(data["species.A.count"].values) == [30, 40, 50]
    merged = results["sizes"]
    means = sizes.mean("replica").values.reshape(-1)
    assert np.allclose(means, merged["weight_mean"])
    # A point at which nothing happened in any run has no row of its own.
    events = np.nan_to_num(data["rates_events"].mean("replica").values.reshape(-1))
    assert np.allclose(events, results["rates"]["events"])
    replicas = results.replicas()
    assert len(replicas) == 6 * 4 * 10
    assert replicas.columns[:5] == (
        "point",
        "rule_pair_rate",
        "species_a_count",
        "replica",
        "time_us",
    )


def test_the_values_of_a_replica_are_those_of_its_run(tmp_path: Path) -> None:
    pytest.importorskip("xarray")
    sweep = sweep_in(tmp_path, keep="all")
    data = sweep.run(progress=False).to_xarray()
    for file in sweep.files:
        point, replica = int(file.stem[1:6]), int(file.stem[8:])
        table = jostle.open(file).sizes(start="40 us")
        ours = data["sizes_weight_mean"].isel({"rule.pair.rate": point, "replica": replica})
        assert np.array_equal(ours.values, table["weight_mean"])
        assert np.array_equal(ours["time_us"].values, table["time_us"])


def test_keys_that_change_together_are_one_dimension(tmp_path: Path) -> None:
    pytest.importorskip("xarray")
    together = {"run.timestep": ["1 us", "500 ns"], "run.steps": [40, 80]}
    data = sweep_in(tmp_path, together=together, measure="counts").run(progress=False).to_xarray()
    assert data["counts_mean"].dims[:3] == ("rule.pair.rate", "run.timestep", "replica")
    assert list(data["run.timestep"].values) == ["1 us", "500 ns"]
    assert data["run.steps"].dims == ("run.timestep",)
    rows = [{"run.steps": n, "species.A.count": m} for n, m in ((40, 10), (80, 10), (80, 20))]
    other = tmp_path / "other"
    other.mkdir()
    data = sweep_in(other, axes=None, points=rows, measure="counts").run(progress=False).to_xarray()
    assert data["counts_mean"].dims[:2] == ("point", "replica")
    assert list(data["species.A.count"].values) == [10, 10, 20]


def test_runs_that_fail_are_recorded_and_left_out(tmp_path: Path) -> None:
    sweep = sweep_in(tmp_path, axes={"space.edges": ["200 nm", "30.5 nm"]})
    with pytest.warns(UserWarning, match="4 of 8 runs failed"):
        results = sweep.run(progress=False)
    assert [(failure.point, failure.replica) for failure in results.failures] == [
        (1, n) for n in range(4)
    ]
    assert "4 failed" in repr(results) and len(sweep.status().failures) == 4
    assert set(results["sizes"]["point"]) == {0}
    with pytest.warns(UserWarning, match="4 of 8 runs failed"):
        sweep.run(progress=False)


def test_the_same_call_continues_and_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = sweep_in(tmp_path)
    before = (sweep.folder / "plan.json").stat().st_mtime_ns
    assert sweep_in(tmp_path) == sweep
    assert (sweep.folder / "plan.json").stat().st_mtime_ns == before
    others: list[dict[str, Any]] = [{"seed": 12}, {"keep": "all"}, {"measure": []}]
    for other in others:
        with pytest.raises(SweepError, match="holds another sweep"):
            sweep_in(tmp_path, **other)
    changed = model_in(tmp_path, MODEL.replace("0.05", "0.06"))
    with pytest.raises(SweepError, match="holds another sweep"):
        jostle.Sweep(changed, **ARGUMENTS, folder=sweep.folder)
    # Without a folder, each sweep has one of its own.
    monkeypatch.chdir(tmp_path)
    folders = [jostle.Sweep(changed, replicas=n).folder for n in (2, 3, 2)]
    assert folders[0] == folders[2] != folders[1]
    assert folders[0].parent == tmp_path and folders[0].name.startswith("receptors_sweep_")


def test_a_sweep_can_be_opened_and_pickled(tmp_path: Path) -> None:
    sweep = sweep_in(tmp_path)
    opened = jostle.Sweep.open(sweep.folder)
    assert "<html" in opened.report().html
    assert opened == sweep == pickle.loads(pickle.dumps(sweep)) == eval(repr(sweep))
    assert opened.toml == sweep.toml
    assert "8 runs in 4 tasks" in opened._repr_html_()
    status = opened.status()
    assert (status.points, status.tasks, status.runs, status.done) == (2, 4, 8, 0)
    assert status.missing == (0, 1, 2, 3) and "0 of 8 done" in str(status)
    script = opened.script("slurm")
    assert "#SBATCH --array=0-3" in script and str(sweep.folder) in script
    with pytest.raises(SweepError, match=r"there is no plan\.json here"):
        jostle.Sweep.open(tmp_path)


def test_replicas_are_added_where_precision_asks(tmp_path: Path) -> None:
    precision = {"of": "rates.events", "only": {"rule": "pair"}, "relative": 0.15, "most": 16}
    sweep = sweep_in(tmp_path, replicas=5, precision=precision)
    with pytest.raises(SweepError, match="have not been done"):
        sweep.more()
    with pytest.warns(UserWarning) as told:
        results = sweep.run(more=True, progress=False)
    assert any("more replicas" in str(one.message) for one in told)
    assert all(5 < count <= 16 for count in sweep.replicas), sweep.replicas
    assert set(results["rates"]["replicas"]) == set(sweep.replicas)
    added = sweep.more(replicas=2)
    assert (added.points, added.runs) == ({0: 2, 1: 2}, 4)
    assert len(sweep.status().missing) == added.tasks
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(SweepError, match="no precision"):
        sweep_in(other).run(more=True)


def test_differences_from_a_point(tmp_path: Path) -> None:
    sweep = sweep_in(tmp_path, seeds="common")
    means = sweep.run(progress=False)["sizes"]
    differences = sweep.merge(against=0)["sizes"]
    assert set(differences["point"]) == {1}
    first, second = (means["weight_mean"][means["point"] == n] for n in (0, 1))
    assert np.allclose(differences["weight_mean"], second - first)


def test_progress_counts_runs(tmp_path: Path) -> None:
    told: list[jostle.progress.Progress] = []
    sweep_in(tmp_path).run(jobs=1, progress=told.append)
    steps = [progress.step for progress in told]
    assert steps == sorted(steps) and steps[-1] == told[-1].steps == 8


def test_an_exception_in_the_progress_stops_the_sweep(tmp_path: Path) -> None:
    sweep = long_sweep_in(tmp_path)

    def fail(progress: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sweep.run(progress=fail)
    assert sweep.status().missing


OPENS_AND_RUNS = """
import sys, jostle
sweep = jostle.Sweep.open(sys.argv[1])
print("ready", flush=True)
try:
    sweep.run(jobs=2, progress=False)
except KeyboardInterrupt:
    sys.exit(77)
"""


def started(sweep: jostle.Sweep) -> subprocess.Popen[str]:
    """Another session that runs the sweep, when its first task is done."""
    command = [sys.executable, "-c", OPENS_AND_RUNS, str(sweep.folder)]
    session = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while not any((sweep.folder / "results").glob("*/*.json")):
        assert time.monotonic() < until and session.poll() is None
        time.sleep(0.01)
    return session


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_a_sweep_that_was_stopped_or_killed_continues(tmp_path: Path, end: signal.Signals) -> None:
    apart = tmp_path / "apart"
    apart.mkdir()
    undisturbed = saved(long_sweep_in(apart).run(progress=False), apart)
    sweep = long_sweep_in(tmp_path)
    session = started(sweep)
    session.send_signal(end)
    assert session.wait(60) == (77 if end == signal.SIGINT else -signal.SIGKILL)
    assert sweep.status().missing
    if end == signal.SIGINT:
        # The runs were asked to stop, and have ended.
        assert not any(str(sweep.folder) in line for line in processes())
    assert saved(sweep.run(progress=False), tmp_path) == undisturbed


def processes() -> list[str]:
    """The command lines of all processes."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue
    return lines


def test_two_threads_may_run_the_same_sweep(tmp_path: Path) -> None:
    sweep = sweep_in(tmp_path)
    threads = [threading.Thread(target=lambda: sweep.run(progress=False)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sweep.status().missing == ()


BROWNIAN: list[Callable[[], measure.Measure]] = [
    lambda: measure.counts(start="10 us", end=390, species="A"),
    lambda: measure.contacts(start=0, species=["A"]),
    lambda: measure.sizes(end="390 us"),
    lambda: measure.displacement(species="A", max="100 us"),
    lambda: measure.jumps(bins=10, max=200, species="A"),
    lambda: measure.rdf(bins=20, max=50, species="A"),
    lambda: measure.density(bins=5, along="radius"),
    lambda: measure.polymers(species="A", name="late"),
    lambda: measure.rates(bins=4, species="A"),
    lambda: measure.lifetimes(max="1 ms"),
    lambda: measure.transitions(start=1.5),
    lambda: measure.survival(max=300, species="A"),
    lambda: measure.first_passage(distance=1.5, max="1 ms", species="A"),
    lambda: measure.first_passage(place="x=0 nm..50 nm", name="place"),
    lambda: measure.first_passage(leaves="x=0 nm..50 nm", name="leaves"),
    lambda: measure.contact_log(histogram="meetings", name="met"),
    lambda: measure.first_passage(meets="any", name="meets"),
    lambda: measure.contact_log(count=True, start=10, end="300 us", outcome=["bound", "bounced"]),
    lambda: measure.contact_log(group_by=["species", "outcome"], rule="pair", name="by_rule"),
    lambda: measure.contact_log(group_by="time", every=100, between=["A", "A"], name="by_time"),
    lambda: measure.contact_log(histogram="interval", of="any", species="A"),
    lambda: measure.contact_log(histogram="interval", id=[1, 2], name="rare"),
    lambda: measure.contact_log(histogram="rebinding", pair=[1, 2], name="rare"),
    lambda: measure.contact_log(histogram="place", axes=["x"], bins=4, place="x=0 nm..90 nm"),
]


@pytest.mark.parametrize("make", BROWNIAN)
def test_measures_are_those_of_the_program(
    tmp_path: Path, make: Callable[[], measure.Measure]
) -> None:
    made = make()
    text = MODEL.replace("[output]", '[output]\nlog = "all"').replace("0.28", "2")
    sweep = jostle.Sweep(
        model_in(tmp_path, text), replicas=2, measure=made, folder=tmp_path / "sweep"
    )
    results = sweep.run(progress=False)
    assert all(len(table) >= 1 for table in results.values())
    assert results or made.name == "rare", made.toml


OTHERS: dict[str, list[measure.Measure]] = {
    "bouncing_ball": [measure.impacts(bins=10), measure.energy(start=1)],
    "pile_polygons": [
        measure.forces(bins=10),
        measure.stress(bins=4, along="y", place="x=0 nm..1 m"),
        measure.energy(),
    ],
}


@pytest.mark.parametrize("model", OTHERS)
def test_measures_of_other_engines(tmp_path: Path, models: Path, model: str) -> None:
    file = models / f"{model}.toml"
    sweep = jostle.Sweep(file, replicas=1, measure=OTHERS[model], folder=tmp_path / "sweep")
    assert sweep.status().runs == 1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"replicas": 0}, SweepError, "replicas = 0: at least 1"),
        ({"replicas": 2**32}, SweepError, "u32"),
        ({"replicas": "ten"}, SweepError, "invalid type: string"),
        ({"replicas": None}, TypeError, "replicas"),
        ({"seed": -1}, SweepError, "-1"),
        ({"seed": 2**70}, ValueError, "64 bits"),
        ({"seeds": "same"}, SweepError, "unknown variant `same`"),
        ({"axes": {"run.seed": [1, 2]}}, SweepError, r"run\.seed cannot be an axis"),
        ({"axes": {"rule.pair.rate": []}}, SweepError, "the list is empty"),
        ({"axes": {"rule.pair.rate": "1 um^2/s"}}, SweepError, "is one value"),
        ({"axes": {"rule.pair.rate": [object()]}}, TypeError, r"axes\.rule\.pair\.rate"),
        ({"axes": {"rule.pair.rate": [float("nan")]}}, SweepError, "nan"),
        ({"axes": {"rule.no.rate": ["1 um^2/s"]}}, SweepError, "rule.no"),
        ({"axes": {"rule.pair.rate": ["1 nm"]}}, SweepError, "point 0"),
        ({"axes": {3: [1]}}, TypeError, "a key is text"),
        ({"axes": ["rule.pair.rate"]}, TypeError, "axes: a mapping"),
        ({"axes": {'a"\n]\\': [1, 2]}}, SweepError, "a"),
        ({"together": {"run.steps": [1, 2], "run.timestep": ["1 us"]}}, SweepError, "has 1 values"),
        ({"together": [3]}, TypeError, "together: a mapping"),
        ({"points": [{"run.steps": 3}]}, SweepError, "leave out"),
        ({"axes": None, "points": []}, ValueError, "there is none"),
        ({"axes": None, "points": [{"a": 1}, {"b": 1}]}, ValueError, r"points\[1\] sets b"),
        ({"axes": None, "points": 3}, TypeError, "points: the path"),
        ({"axes": None, "points": "absent.csv"}, FileNotFoundError, "absent"),
        ({"measure": "anything"}, SweepError, "anything"),
        ({"measure": [measure.sizes(), measure.sizes()]}, SweepError, "measured twice"),
        ({"measure": {"from": "2 us"}}, TypeError, "has to say what"),
        ({"measure": {"what": "counts", "a]\n": 3}}, SweepError, "there is no option"),
        ({"measure": 3}, TypeError, "measure: a sequence"),
        ({"measure": [3]}, TypeError, "a function of jostle.measure"),
        ({"measure": measure.sizes(start="2 nm")}, SweepError, "give a time"),
        ({"measure": measure.sizes(start="10 us", end="1 us")}, SweepError, "the range is empty"),
        ({"measure": measure.sizes(name="a b")}, SweepError, "letters, digits"),
        ({"measure": measure.counts(inside="nowhere")}, SweepError, "nowhere"),
        ({"measure": measure.contact_log()}, SweepError, "group-by, histogram, or count"),
        ({"precision": {"of": "sizes"}}, SweepError, "most"),
        ({"precision": 3}, TypeError, "precision: a mapping"),
        ({"keep": "some"}, SweepError, "unknown variant `some`"),
        ({"task": {"replicas": 0}}, SweepError, "at least 1"),
        ({"task": {"cores": 2}}, SweepError, "unknown field `cores`"),
        ({"nonsense": 3}, TypeError, "nonsense"),
    ],
)
def test_wrong_arguments_are_refused(
    tmp_path: Path, arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as refused:
        sweep_in(tmp_path, **arguments)
    assert "sweep.toml:" not in str(refused.value)
    assert not (tmp_path / "sweep").exists()


def test_what_no_run_can_answer_is_told_at_once(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="^energy: a run of point 0 has nothing to measure"):
        sweep = sweep_in(tmp_path, measure=[measure.energy(), "counts"])
    assert list(sweep.run(progress=False)) == ["counts", "counts_over_time"]


def test_wrong_requests_are_refused(tmp_path: Path) -> None:
    with pytest.raises(jostle.ModelError, match="timestep"):
        jostle.Sweep(model_in(tmp_path, MODEL.replace("timestep", "timestap")), replicas=1)
    sweep = sweep_in(tmp_path)
    empty = sweep.merge()
    assert list(empty) == [] and "8 of 8 runs are not done" in repr(empty)
    with pytest.raises(SweepError, match="there are no tables"):
        empty.to_pandas()
    for jobs in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            sweep.run(jobs=jobs)
    with pytest.raises(ValueError, match="there is no such point"):
        sweep.merge(against=2)
    with pytest.raises(ValueError, match="there are slurm"):
        sweep.script("lsf")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="1 to 1000000"):
        sweep.more(replicas=0)
    results = sweep.run(progress=False)
    with pytest.raises(KeyError, match="no run has a table 'size'"):
        results["size"]
    with pytest.raises(KeyError, match="no run has a table 'size'"):
        results.to_xarray("size")
    path = tmp_path / "sizes.csv"
    results.save(path)
    with pytest.raises(FileExistsError):
        results.save(path)
    # A result that was damaged is told, and made again when it is removed.
    result = sweep.folder / "results/000/000001.json"
    text = result.read_bytes()
    result.write_bytes(text[: len(text) // 2])
    with pytest.raises(SweepError, match="damaged"):
        sweep.merge()
    result.unlink()
    assert sweep.status().missing == (1,)
    sweep.run(progress=False)
    assert result.read_bytes() == text


def test_runs_are_found_wherever_the_package_is(tmp_path: Path) -> None:
    # The path is known to this process only.
    folder = os.path.dirname(os.path.dirname(jostle.__file__))
    sweep = sweep_in(tmp_path)
    script = (
        f"import sys; sys.path.insert(0, {folder!r}); import jostle\n"
        f"jostle.Sweep.open({str(sweep.folder)!r}).run(progress=False)"
    )
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    subprocess.run([sys.executable, "-c", script], check=True, cwd="/", env=environment)
    assert sweep.status().missing == ()
