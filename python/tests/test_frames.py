"""Frames as arrays: what h5py finds in the file."""

from __future__ import annotations

import csv
import pickle
from pathlib import Path

import numpy as np
import pytest
from asking import RUNS, made

import jostle


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, jostle.Run]:
    folder = tmp_path_factory.mktemp("runs")
    return {name: made(name, folder) for name in RUNS}


def test_frames_are_what_the_file_says(runs: dict[str, jostle.Run]) -> None:
    h5py = pytest.importorskip("h5py")
    some_are_empty = False
    for run in runs.values():
        frames = run.frames
        with h5py.File(run.path) as file:
            group = file["particles/trajectory"]
            names = np.array(group["species"].attrs["names"], dtype=object)
            assert len(frames) == len(group["position/value"])
            np.testing.assert_allclose(frames.times_us, group["position/time"][:] * 1e-3)
            assert frames.steps.tolist() == group["position/step"][:].tolist()
            for number in (0, -1):
                frame = frames[number]
                there = group["id/value"][number] >= 0
                some_are_empty |= not there.all()
                d = len(frame.box)
                assert frame.positions.shape == (there.sum(), d) and len(frame) == there.sum()
                expected = group["position/value"][number][there]
                np.testing.assert_array_equal(frame.positions, expected[:, :d])
                np.testing.assert_array_equal(frame.ids, group["id/value"][number][there])
                np.testing.assert_array_equal(frame.clusters, group["cluster/value"][number][there])
                np.testing.assert_array_equal(frame.radii, group["radius"][: len(there)][there])
                np.testing.assert_array_equal(
                    frame.species, names[group["species"][: len(there)][there]]
                )
                edges = group["box/edges/value"][number][:d]
                image = group["image/value"][number][there][:, :d]
                np.testing.assert_allclose(frame.unwrapped, expected[:, :d] + image * edges)
                np.testing.assert_array_equal(frame.box, edges)
                assert len(frame.periodic) == d
                slots = np.flatnonzero(there)
                bonds = file["connectivity/bonds/value"][number]
                bonds = bonds[bonds[:, 0] >= 0] if bonds.size else np.empty((0, 2), dtype=int)
                np.testing.assert_array_equal(slots[frame.bonds], bonds)
                if "velocity" in group:
                    expected = group["velocity/value"][number][there][:, :d]
                    np.testing.assert_array_equal(frame.velocities, expected)
                else:
                    assert frame.velocities is None
                if "orientation" in group:
                    expected = group["orientation/value"][number][there]
                    np.testing.assert_array_equal(frame.orientations, expected)
                else:
                    assert frame.orientations is None
    assert some_are_empty, "a run with empty slots is needed"


def test_frames_are_a_sequence(runs: dict[str, jostle.Run]) -> None:
    frames = runs["reversible_binding"].frames
    assert frames[-1].number == len(frames) - 1
    assert [frame.number for frame in frames[1:6:2]] == [1, 3, 5]
    assert frames[::-1][0].time_us == frames[-1].time_us
    assert [frame.step for frame in frames] == frames.steps.tolist()
    assert frames[2:4].times_us is not None and len(frames[2:4].times_us) == 2
    for wrong in (len(frames), -len(frames) - 1, 2**70):
        with pytest.raises(IndexError, match="there are"):
            frames[wrong]
    with pytest.raises(TypeError):
        frames["0"]  # type: ignore[call-overload]


def test_arrays_are_read_once_and_belong_to_the_caller(runs: dict[str, jostle.Run]) -> None:
    frame = runs["reversible_binding"].frames[0]
    assert frame.positions is frame.positions
    assert frame.positions.flags.owndata or frame.positions.base is not None
    frame.positions[0] = 0.0
    assert frame.positions.flags.writeable


def test_frames_are_pickled(runs: dict[str, jostle.Run]) -> None:
    frames = runs["egfr_clustering"].frames
    again = pickle.loads(pickle.dumps(frames[2]))
    np.testing.assert_array_equal(again.positions, frames[2].positions)
    assert len(pickle.loads(pickle.dumps(frames[:2]))) == 2


def test_a_file_that_has_become_another_one_is_noticed(
    tmp_path: Path, binding: jostle.Model
) -> None:
    run = binding.run(tmp_path / "run.h5md", progress=False)
    frame = run.frames[-1]
    shorter = binding.replace(run={"until": "10 us"})
    shorter.run(tmp_path / "run.h5md", progress=False, overwrite=True)
    with pytest.raises(jostle.ReadError, match="open the frame again"):
        _ = frame.positions


def test_mdanalysis_reads_the_same(runs: dict[str, jostle.Run]) -> None:
    pytest.importorskip("MDAnalysis")
    run = runs["egfr_clustering"]
    universe = run.universe()
    frame = run.frames[-1]
    universe.trajectory[-1]
    there = universe.atoms[np.isfinite(universe.atoms.positions[:, 0])]
    np.testing.assert_allclose(
        there.positions[:, : frame.positions.shape[1]], 10 * frame.positions, rtol=1e-6
    )
    assert there.names.tolist() == frame.species.tolist()
    name = frame.species[0]
    assert universe.select_atoms(f"resname {name.split('{')[0]}").n_atoms > 0
    assert universe.trajectory.time == pytest.approx(frame.time_us * 1e6)


SITES = """
[space]
dimension = 2
edges = "60 nm"
[run]
timestep = "1 ns"
steps = 2000
seed = 3
[[species]]
name = "R"
radius = "2 nm"
diffusion = "10 um^2/s"
sites = [{ name = "l" }, { name = "y", states = ["u", "p"] }, { name = "d" }]
count = { "R(y~u)" = 12, "R(y~p)" = 6 }
[[species]]
name = "C"
radius = "1 nm"
diffusion = "40 um^2/s"
count = 5
[[rule]]
name = "dimer"
reaction = "R(d) + R(d) <-> R(d!1).R(d!1)"
probability = 0.8
unbind = "0.3 /us"
[[rule]]
name = "decay"
reaction = "R(d) -> 0"
rate = "0.1 /us"
[output]
frame_every = 500
"""


def test_molecules_are_written_as_by_the_program(tmp_path: Path) -> None:
    run = jostle.Model.from_toml(SITES).run(tmp_path / "m.h5md", progress=False)
    run.export(tmp_path / "m.csv")
    with open(tmp_path / "m.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    pairs = 0
    for frame in run.frames:
        own = [row for row in rows if int(row["frame"]) == frame.number]
        theirs = {int(row["id"]): row["molecule"] for row in own}
        assert dict(zip(frame.ids.tolist(), frame.molecules, strict=True)) == theirs
        for a, b in frame.bonds:
            assert "d!1" in frame.molecules[a] and "d!1" in frame.molecules[b]
            pairs += 1
    assert pairs > 0 and len(run.frames[-1]) < len(run.frames[0])
    fits = run.sites(pattern=["R(d!+)", "R(y~p,d)"])
    counts = [row["molecules"] for row in fits.tables["patterns_over_time"]]
    frame = run.frames[-1]
    assert counts[-2] == 2 * len(frame.bonds)
    assert counts[-1] == sum(text == "R(l,y~p,d)" for text in frame.molecules)
    with pytest.raises(jostle.ReadError, match="has no site"):
        run.sites(pattern="R(z)")


def test_bonds_of_views_are_those_of_frames(tmp_path: Path) -> None:
    model, out = jostle.Model.from_toml(SITES), tmp_path / "m.h5md"
    with jostle.Simulation(model, out) as simulation:
        simulation.step(model.steps)
        view = simulation.view()
    frame = jostle.open(out).frames[-1]
    theirs = {frozenset(pair) for pair in frame.ids[frame.bonds].tolist()}
    assert {frozenset(pair) for pair in view.ids[view.bonds].tolist()} == theirs and theirs
    # Some have vanished, so that places are not identities.
    assert not np.array_equal(view.ids[view.bonds], view.bonds)


def test_particles_with_directed_sites_have_quaternions(tmp_path: Path) -> None:
    models = Path(__file__).resolve().parents[2] / "models"
    model = jostle.load(models / "ring_hexamer_2d.toml", set={"run.until": "40 us"})
    frame = model.run(tmp_path / "rings.h5md", progress=False).frames[-1]
    quaternions = frame.quaternions
    assert quaternions is not None and quaternions.shape == (len(frame), 4)
    assert np.allclose((quaternions**2).sum(axis=1), 1, atol=1e-6)
    # In a plane, particles turn about the third axis.
    assert np.all(quaternions[:, 1:3] == 0)
    w, z = quaternions[:, 0], quaternions[:, 3]
    heads = np.stack([w * w - z * z, 2 * w * z], axis=1)
    assert len(frame.bonds) > 5
    for a, b in frame.bonds:
        apart = frame.positions[b] - frame.positions[a]
        apart -= 400 * np.round(apart / 400)
        line = apart / np.linalg.norm(apart)
        # The head of the one points to the other.
        assert max(heads[a] @ line, -heads[b] @ line) == pytest.approx(1, abs=1e-5)
    plain = jostle.load(models / "reversible_binding.toml", set={"run.until": "1 us"})
    assert plain.run(tmp_path / "plain.h5md", progress=False).frames[-1].quaternions is None
