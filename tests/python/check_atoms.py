"""Opens NAME.xyz with ASE and NAME.gro with mdtraj, which jostle exported from NAME.h5md, and holds them to what
h5py reads from that: identities, positions, names, times and the box."""

import sys

import ase.io
import h5py
import mdtraj
import numpy as np

name = sys.argv[1]
with h5py.File(f"{name}.h5md") as f:
    group = f["particles/trajectory"]
    names = f["parameters/species/name"].asstr()[:]
    species = group["species"][:]
    ids, positions = group["id/value"][:], group["position/value"][:]
    edges, times = group["box/edges/value"][0], group["position/time"][:]
    boundary = [word == b"periodic" or word == "periodic" for word in group["box"].attrs["boundary"]]

frames = ase.io.read(f"{name}.xyz", index=":")
assert len(frames) == len(ids), len(frames)
for frame, atoms in enumerate(frames):
    slots = np.flatnonzero(ids[frame] >= 0)
    slots = slots[np.argsort(ids[frame, slots])]
    assert (atoms.arrays["id"] == ids[frame, slots]).all()
    np.testing.assert_allclose(atoms.positions, positions[frame, slots], rtol=1e-6, atol=1e-6)
    tagged = [text.replace("{", "#").replace(",", "_").rstrip("}") for text in names[species[slots]]]
    assert (atoms.arrays["type"] == tagged).all(), (atoms.arrays["type"], tagged)
    np.testing.assert_allclose(atoms.cell.lengths(), edges)
    assert list(atoms.pbc) == boundary, atoms.pbc
    np.testing.assert_allclose(atoms.info["Time"], times[frame] * 1e-3, rtol=1e-9)

found = mdtraj.load(f"{name}.gro")
assert found.n_frames == 1 and found.n_atoms == ids.shape[1]
there = ids[0] >= 0
np.testing.assert_allclose(found.xyz[0][there], positions[0][there], atol=6e-4)
np.testing.assert_allclose(found.unitcell_lengths[0], edges, atol=1e-4)
np.testing.assert_allclose(found.time, times[:1] * 1e3)
