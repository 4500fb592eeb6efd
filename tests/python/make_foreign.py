"""Writes H5MD files as other programs do, for tests/foreign.rs."""

import sys
import warnings
from pathlib import Path

import h5py
import numpy as np

folder = Path(sys.argv[1])
rng = np.random.default_rng(7)
frames, particles = 12, 30
walk = np.cumsum(rng.normal(0, 3, (frames, particles, 3)), axis=0) + 50


def h5md(name, creator):
    f = h5py.File(folder / name, "w")
    f.create_group("h5md").attrs["version"] = [1, 1]
    at = f.create_group("h5md/creator")
    at.attrs["name"], at.attrs["version"] = creator
    return f


# As LAMMPS writes it: the group `all`, lengths in Angstrom, images, species that change, no identities.
with h5md("lammps.h5md", ("LAMMPS", "2Aug2023")) as f:
    edges = np.array([1000.0, 1000.0, 1000.0])
    group = f.create_group("particles/all")
    box = group.create_group("box")
    box.attrs["dimension"] = 3
    box.attrs["boundary"] = np.array([b"periodic"] * 3)
    box.create_dataset("edges/value", data=np.tile(edges, (frames, 1)))
    position = 10 * walk
    group["position/value"] = (position % edges).astype(np.float32)
    group["position/value"].attrs["unit"] = np.bytes_("Angstrom")
    group["position/step"] = np.arange(frames) * 100
    group["position/time"] = np.arange(frames) * 200.0
    group["position/time"].attrs["unit"] = np.bytes_("fs")
    group["image/value"] = np.floor(position / edges).astype(np.int32)
    group["species/value"] = np.tile(1 + (np.arange(particles) % 2) * 2, (frames, 1)).astype(np.int32)

# The shortest that H5MD allows: a plane, a fixed box, steps and times that grow evenly, no units.
with h5md("even.h5md", ("espresso", "4.2")) as f:
    group = f.create_group("particles/atoms")
    box = group.create_group("box")
    box.attrs["dimension"] = 2
    box.attrs["boundary"] = ["none", "none"]
    box["edges"] = [100.0, 100.0]
    group["position/value"] = walk[:, :, :2]
    group["position/step"] = 5
    group["position/time"] = 0.25
    group["position/time"].attrs["offset"] = 1.0

# Positions and nothing else.
with h5md("bare.h5md", ("none", "0")) as f:
    f["particles/atoms/position/value"] = walk

# HDF5, but no trajectory.
with h5py.File(folder / "table.h5md", "w") as f:
    f["numbers"] = np.arange(10)

# As MDAnalysis writes it.
warnings.simplefilter("ignore")
import MDAnalysis as mda  # noqa: E402

universe = mda.Universe.empty(particles, trajectory=True)
with mda.Writer(str(folder / "mdanalysis.h5md"), particles, n_frames=frames, positions=True, velocities=False,
                forces=False, convert_units=False, lengthunit="nm", timeunit="ps") as writer:
    for k in range(frames):
        universe.atoms.positions = walk[k]
        universe.trajectory.ts.dimensions = [100, 100, 100, 90, 90, 90]
        universe.trajectory.ts.time = 2.0 * k
        universe.trajectory.ts.data["step"] = k
        writer.write(universe)

np.save(folder / "walk.npy", walk)
