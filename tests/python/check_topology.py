"""Opens a file together with its topologies, as MDAnalysis's users do, and holds them to what h5py reads."""

import sys
import warnings

import h5py
import MDAnalysis
import numpy

path, gro, pdb, number = sys.argv[1:5]
number = int(number)

with h5py.File(path) as file:
    group = file["particles/trajectory"]
    species = numpy.array(group["species"].attrs["names"], dtype=object)[group["species"][:]]
    there = group["id/value"][number] >= 0
    position = group["position/value"][number] * 10
    radius = group["radius"][:] * 10
    time = group["position/time"][:] * 1000
assert there.any() and not there.all(), "the test needs empty slots"

# Without a word of warning about what is missing.
warnings.filterwarnings("error", message=".*dt.*")
for topology in (gro, pdb):
    alone = MDAnalysis.Universe(topology, to_guess=())
    assert alone.atoms.n_atoms == len(species), topology
    assert (alone.atoms.names == species).all(), (topology, alone.atoms.names)
    assert (alone.atoms.resnames == species).all(), topology
    assert (alone.atoms.resids == numpy.arange(1, len(species) + 1)).all(), topology
    assert numpy.allclose(alone.atoms.positions[there], position[there], atol=6e-3), topology

    both = MDAnalysis.Universe(topology, path, to_guess=())
    assert len(both.trajectory) == len(time)
    for step in both.trajectory:
        assert numpy.isclose(step.time, time[step.frame])
        assert numpy.isclose(step.dt, time[1] - time[0]), (step.dt, time[:2])
    assert numpy.isclose(both.trajectory.totaltime, time[-1] - time[0])
    for name in set(species):
        assert both.select_atoms(f"name {name}").n_atoms == (species == name).sum()
        assert both.select_atoms(f"resname {name}").n_atoms == (species == name).sum()

particles = MDAnalysis.Universe(pdb, to_guess=()).atoms
assert (particles.occupancies == there).all()
assert numpy.allclose(particles.tempfactors[there], radius[there], atol=6e-3)
assert MDAnalysis.Universe(path).trajectory.dt == time[1] - time[0]
print("ok")
