"""Opens a file as users would, with h5py and with MDAnalysis without a topology, and holds it to
what the writer says is in it (a JSON object, the second argument)."""

import json
import sys

import h5py
import MDAnalysis
import numpy

path, expected = sys.argv[1], json.loads(sys.argv[2])
slots, box, times = expected["slots"], expected["box"], expected["times"]

with h5py.File(path, "r") as file:
    assert list(file["h5md"].attrs["version"]) == [1, 1]
    assert isinstance(file["h5md/creator"].attrs["name"], str)
    group = file["particles/trajectory"]
    assert group["position/value"].shape == (len(times), slots, 3)
    assert group["position/value"].attrs["unit"] == "nm"
    assert group["position/time"].attrs["unit"] == "ns"
    assert list(group["box"].attrs["boundary"]) == expected["boundary"]
    # Hard links: one dataset under many names.
    for other in ["box/edges", "image", "id", "cluster"]:
        assert group[other]["step"] == group["position/step"]
        assert group[other]["time"] == group["position/time"]
    species = group["species"]
    assert [species.attrs["names"][k] for k in species[:]] == expected["species"]
    assert file["connectivity/bonds"].attrs["particles_group"]
    assert file[file["connectivity/bonds"].attrs["particles_group"]] == group
    ids = group["id/value"][:]
    positions = group["position/value"][:]
    assert (numpy.isnan(positions).all(axis=2) == (ids == -1)).all()
    if expected["dimension"] < 3:
        assert (positions[ids >= 0][:, expected["dimension"]:] == 0).all()
    counts = file["observables/count/value"][:]
    assert (counts.sum(axis=1) == (ids >= 0).sum(axis=1)).all()
    for name in file["observables"]:
        assert len(file["observables"][name]["value"]) == len(times), name
    assert file["parameters/model"].asstr()[()] == expected["model"]
    assert file["events/contacts"].dtype.itemsize == 41
    codes = file["runs/codes"].asstr()[:]
    assert [codes[row["code"]] for row in file["runs/log"]] == expected["runs"]
    # The particle with identity 0, in every frame in which it exists.
    for frame, place in enumerate(expected["places"]):
        at = numpy.flatnonzero(ids[frame] == 0)
        assert len(at) == (0 if place is None else 1), (frame, at)
        if place is not None:
            assert numpy.allclose(positions[frame, at[0]], place, atol=1e-4)

universe = MDAnalysis.Universe(path)
assert universe.atoms.n_atoms == slots
assert len(universe.trajectory) == len(times)
for frame, step in enumerate(universe.trajectory):
    # MDAnalysis has Angstrom and ps.
    assert numpy.allclose(step.positions, positions[frame] * 10, equal_nan=True)
    assert numpy.isclose(step.time, times[frame] * 1000), (step.time, times[frame])
    assert numpy.allclose(step.dimensions[:3], [10 * edge for edge in box])
    assert numpy.allclose(step.dimensions[3:], 90)
    assert "state_hash" in step.data
print("ok")
