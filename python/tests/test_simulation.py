"""Simulations that are advanced by hand."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jostle
from jostle import _jostle


@pytest.mark.parametrize(
    ("name", "until"),
    [
        ("reversible_binding", "20 us"),
        ("egfr_clustering", "1 ms"),
        ("shaker_monosized", "10 ms"),
        ("pile_polygons", "10 ms"),
        ("disk_gas", "50 ms"),
    ],
)
def test_portions_do_not_matter(name: str, until: str, models: Path, tmp_path: Path) -> None:
    """Advanced in random portions, the file is that of a run."""
    model = jostle.load(models / f"{name}.toml", set={"run.until": until})
    whole = model.run(tmp_path / "whole.h5md")
    portions = random.Random(1)
    with jostle.Simulation(model, tmp_path / "parts.h5md") as simulation:
        while simulation.steps_done < model.steps:
            left = model.steps - simulation.steps_done
            simulation.step(min(left, portions.randrange(1, 2 + model.steps // 5)))
            simulation.view()
    hashes = [_jostle.state_hashes(str(path)) for path in [whole.path, tmp_path / "parts.h5md"]]
    assert hashes[0] == hashes[1]


def test_a_view_belongs_to_its_owner(binding: jostle.Model) -> None:
    simulation = jostle.Simulation(binding)
    first = simulation.view()
    before = first.positions.copy()
    simulation.step(50)
    later = simulation.view()
    assert np.array_equal(first.positions, before) and not np.array_equal(before, later.positions)
    assert first.time_us == 0 and later.step == 50
    assert np.array_equal(simulation.positions, later.positions)
    simulation.finish()
    del simulation
    assert later.positions.shape == (len(later), 2) and later.positions.flags.writeable
    assert sum(later.counts.values()) == len(later) == len(later.species) == len(later.radii)
    assert repr(later).startswith("<View at ")


def test_a_view_is_the_frame_of_the_file(models: Path, tmp_path: Path) -> None:
    settings = {"run.until": "200 us", "output.frame_every": 100, "output.precision": "double"}
    try:
        model = jostle.load(models / "egfr_clustering.toml", set=settings)
    except jostle.ModelError:
        settings.pop("output.precision")
        model = jostle.load(models / "egfr_clustering.toml", set=settings)
    with jostle.Simulation(model, tmp_path / "run.h5md") as simulation:
        simulation.step(100)
        view = simulation.view()
        simulation.run("200 us")
    frame = jostle.open(tmp_path / "run.h5md").frames[1]
    assert frame.step == 100
    order = np.argsort(frame.ids)
    assert np.array_equal(frame.ids[order], view.ids)
    assert np.allclose(frame.positions[order], view.positions, atol=1e-3)
    assert list(frame.species[order]) == list(view.species)
    assert np.array_equal(frame.clusters[order], view.clusters)


def test_what_has_happened_is_what_the_file_says(models: Path, tmp_path: Path) -> None:
    settings = {"run.until": "300 us", "output.log": "all"}
    model = jostle.load(models / "reversible_binding.toml", set=settings)
    rows: list[dict[str, Any]] = []
    changes = 0
    with jostle.Simulation(
        model, tmp_path / "run.h5md", contacts="all", changes=True
    ) as simulation:
        for _ in range(30):
            simulation.run(simulation.time_us + 10)
            collected = simulation.collected()
            rows.extend(collected.contacts)
            changes += len(collected.changes)
        assert len(simulation.collected().contacts) == 0
        done = sum(done for done, _ in simulation.rule_counts.values())
    run = jostle.open(tmp_path / "run.h5md")
    logged = list(run.contacts())
    assert len(rows) == len(logged) > 10 and changes == done > 0
    for mine, theirs in zip(rows, logged, strict=True):
        assert mine.keys() == theirs.keys()
        for key in ["step", "a", "b", "species", "partner", "outcome", "rule"]:
            assert mine[key] == theirs[key], key
        for key in ["time_us", "x_nm", "y_nm", "approach_nm_per_ns"]:
            assert mine[key] == pytest.approx(theirs[key], rel=1e-5, abs=1e-3), key


def test_particles_come_and_go(models: Path, tmp_path: Path) -> None:
    settings = {"run.until": "100 us"}
    model = jostle.load(models / "reversible_binding.toml", set=settings)
    out = tmp_path / "run.h5md"
    with jostle.Simulation(model, out, self_check=True) as simulation:
        simulation.run("20 us")
        view = simulation.view()
        simulation.remove(view.ids[view.species == "A"][:10])
        freed = view.positions[view.species == "A"][:10]
        ids = simulation.add("B", freed)
        assert len(ids) == 10 and ids.min() > view.ids.max()
        assert set(ids) <= set(simulation.view().ids)
        simulation.set_rate("associate", "20 um^2/s")
        with pytest.raises(jostle.RunError, match="overlap"):
            simulation.add("B", freed[:1])
        with pytest.raises(jostle.RunError, match="no species"):
            simulation.add("X", freed[:1])
        with pytest.raises(ValueError, match="coordinates"):
            simulation.add("B", [1.0, 2.0, 3.0])
        with pytest.raises(jostle.RunError):
            simulation.remove([10**9])
        with pytest.raises((jostle.RunError, ValueError)):
            simulation.remove([-1])
        with pytest.raises(jostle.RunError):
            simulation.set_rate("no such rule", "1 /s")
        with pytest.raises(jostle.RunError):
            simulation.set_rate("associate", "1 kg")
        simulation.run("100 us")
    with pytest.raises(jostle.JostleError, match="changed by hand"):
        jostle.rerun(out)
    assert jostle.rerun(out, until="20 us").equal


def test_other_engines_are_not_changed_by_hand(models: Path) -> None:
    model = jostle.load(models / "shaker_monosized.toml", set={"run.until": "10 ms"})
    with jostle.Simulation(model) as simulation, pytest.raises(jostle.RunError, match="Brownian"):
        simulation.remove([0])


def test_control_c_between_steps(models: Path) -> None:
    # What a shell starts in the background inherits that SIGINT is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    model = jostle.load(models / "reversible_binding.toml")
    simulation = jostle.Simulation(model)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            simulation.run("100 s")
    finally:
        signal.signal(signal.SIGINT, before)
    done = simulation.steps_done
    assert done > 0
    simulation.step(1)
    assert simulation.steps_done == done + 1


def test_other_threads_run_while_steps_are_done(models: Path) -> None:
    simulation = jostle.Simulation(jostle.load(models / "reversible_binding.toml"))
    ticks = 0
    worker = threading.Thread(target=simulation.run, args=("1 ms",))
    worker.start()
    while worker.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 20
    assert simulation.time_us == pytest.approx(1000)


def test_an_exception_leaves_a_file_that_can_be_resumed(models: Path, tmp_path: Path) -> None:
    model = jostle.load(models / "reversible_binding.toml", set={"run.until": "50 us"})
    whole = model.run(tmp_path / "whole.h5md")
    out = tmp_path / "run.h5md"

    def fail(view: jostle.View) -> None:
        if view.time_us > 20:
            raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError):
        model.run(out, every=("5 us", fail))
    jostle.resume(out)
    assert _jostle.state_hashes(str(out)) == _jostle.state_hashes(str(whole.path))


def test_callbacks_come_at_multiples(binding: jostle.Model, tmp_path: Path) -> None:
    seen: list[float] = []
    run = binding.run(
        tmp_path / "run.h5md", every=("4 us", lambda view: seen.append(view.time_us))
    )
    assert seen == pytest.approx([4, 8, 12, 16, 20])
    plain = binding.run(tmp_path / "plain.h5md")
    hashes = [_jostle.state_hashes(str(one.path)) for one in [run, plain]]
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("wrong", [3, "5 ms", ("5 ms",), ("5 kg", print), (0, print), ("1 us", 3)])
def test_wrong_callbacks(wrong: Any, binding: jostle.Model, tmp_path: Path) -> None:
    with pytest.raises((TypeError, ValueError)):
        binding.run(tmp_path / "run.h5md", every=wrong)


@pytest.mark.parametrize("wrong", ["5 kg", "soon", None, b"5 ms", float("nan"), float("inf"), object()])
def test_wrong_times(wrong: Any, binding: jostle.Model) -> None:
    with jostle.Simulation(binding) as simulation:
        with pytest.raises((TypeError, ValueError, jostle.RunError)):
            simulation.run(wrong)


@pytest.mark.parametrize("wrong", [-1, 1.5, "3", None, 2**70])
def test_wrong_steps(wrong: Any, binding: jostle.Model) -> None:
    with jostle.Simulation(binding) as simulation:
        with pytest.raises((TypeError, ValueError), match="steps"):
            simulation.step(wrong)


def test_a_finished_simulation_is_over(binding: jostle.Model) -> None:
    simulation = jostle.Simulation(binding)
    simulation.step(3)
    reached = simulation.time_us
    simulation.finish()
    assert (simulation.steps_done, simulation.time_us) == (3, reached) and reached > 0.0
    for use in [simulation.step, simulation.view, simulation.finish, lambda: simulation.positions]:
        with pytest.raises(jostle.RunError, match="finished"):
            use()
    assert "finished" in repr(simulation)


def test_simulations_are_not_pickled(binding: jostle.Model) -> None:
    with jostle.Simulation(binding) as simulation, pytest.raises(TypeError, match="resume"):
        pickle.dumps(simulation)


def test_forked_children_have_their_own(binding: jostle.Model) -> None:
    """Whatever the parent has done with simulations on this thread."""
    simulation = jostle.Simulation(binding, threads=2)
    simulation.step(10)

    def child(results: Any) -> None:
        try:
            simulation.step(1)
            results.put("used the parent's")
        except jostle.RunError:
            own = jostle.Simulation(binding, threads=2)
            own.step(10)
            results.put(own.state_hash)

    context = multiprocessing.get_context("fork")
    results = context.Queue()
    process = context.Process(target=child, args=(results,))
    process.start()
    assert results.get(timeout=60) == simulation.state_hash
    process.join(60)


def test_a_process_of_a_bigraph(models: Path) -> None:
    process_bigraph = pytest.importorskip("process_bigraph")
    from jostle.bigraph import JostleProcess

    core = process_bigraph.allocate_core()
    core.register_link("jostle", JostleProcess)
    process = {
        "_type": "process",
        "address": "local:jostle",
        "config": {"model": str(models / "reversible_binding.toml"), "unit_us": 1e3},
        "interval": 0.01,
        "inputs": {"rates": ["rates"]},
        "outputs": {"counts": ["counts"], "time_us": ["time_us"]},
    }
    composite = process_bigraph.Composite({"state": {"cell": process}}, core=core)
    composite.run(0.05)
    assert composite.state["time_us"] == pytest.approx(50)
    counts = composite.state["counts"]
    assert counts["A"] + counts["C"] == 100 and counts["C"] > 0


def test_one_thread_at_a_time(models: Path) -> None:
    simulation = jostle.Simulation(jostle.load(models / "reversible_binding.toml"))
    worker = threading.Thread(target=simulation.run, args=("3 ms",))
    worker.start()
    time.sleep(0.05)
    with pytest.raises(jostle.RunError, match="another thread"):
        simulation.step(1)
    worker.join()
    simulation.step(1)


@pytest.mark.parametrize("wrong", [None, "models/reversible_binding.toml", 3])
def test_a_simulation_needs_a_model(wrong: Any) -> None:
    with pytest.raises(TypeError, match="Model"):
        jostle.Simulation(wrong)
