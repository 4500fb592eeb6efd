"""Writes H5MD files in forms that the text of H5MD 1.1 allows, or that programs write, for tests/files/forms.rs;
and what h5py and numpy make of them."""

import json
import sys
from pathlib import Path

import h5py
import numpy as np

folder = Path(sys.argv[1])
rng = np.random.default_rng(5)
known = {}


def h5md(name, positions=None, edges=None, boundary="periodic", unit="nm", group="atoms", steps=True, time=True):
    """A file with a group of particles, which stays open."""
    f = h5py.File(folder / f"{name}.h5md", "w")
    f.create_group("h5md").attrs["version"] = [1, 1]
    creator = f.create_group("h5md/creator")
    creator.attrs["name"], creator.attrs["version"] = "a script", "1"
    if positions is not None:
        fill(f, group, positions, edges, boundary, unit, steps, time)
    return f


def fill(f, group, positions, edges=None, boundary="periodic", unit="nm", steps=True, time=True):
    positions = np.asarray(positions)
    at = f.create_group(f"particles/{group}")
    box = at.create_group("box")
    box.attrs["dimension"] = positions.shape[-1]
    box.attrs["boundary"] = np.array([boundary.encode()] * positions.shape[-1])
    value = at.create_dataset("position/value", data=positions)
    if unit:
        value.attrs["unit"] = unit
    if steps:
        at["position/step"] = np.arange(len(positions)) * 10
    if time:
        at["position/time"] = np.arange(len(positions)) * 2.0
        at["position/time"].attrs["unit"] = "ps"
    if edges is None:
        return at
    edges = np.asarray(edges)
    if len(edges) == len(positions) and edges.ndim > 1 and steps:
        box["edges/value"] = edges
        box["edges/step"] = at["position/step"]
        if time:
            box["edges/time"] = at["position/time"]
        edges = box["edges/value"]
    else:
        box["edges"] = edges
        edges = box["edges"]
    if unit:
        edges.attrs["unit"] = unit
    return at


# A hexagonal crystal of close-packed layers in a sheared box of 6 x 5 x 4 cells. [nm]
a, c = 0.3, 0.3 * np.sqrt(8 / 3)
cell = np.array([[a, 0, 0], [-a / 2, a * np.sqrt(3) / 2, 0], [0, 0, c]])
sites = np.array([[0, 0, 0], [1 / 3, 2 / 3, 0.5]])
counts = [6, 5, 4]
lattice = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), -1).reshape(-1, 1, 3)
crystal = ((lattice + sites) @ cell).reshape(-1, 3)
vectors = cell * np.array(counts)[:, None]
with h5md("sheared", [crystal, crystal + 1.7], [vectors, vectors]) as f:
    f["particles/atoms/radius"] = np.full(len(crystal), 0.15)
h5md("sheared_once", [crystal] * 4, vectors).close()
known["sheared"] = {"vectors": vectors.tolist(), "particle": crystal[7].tolist(), "count": len(crystal)}
# An ideal gas in a sheared box, with images.
skew = np.array([[8.0, 0, 0], [3, 9, 0], [-2, 1, 7]])
inside = rng.random((6, 300, 3)) @ skew
with h5md("sheared_gas", inside, skew) as f:
    turns = rng.integers(-2, 3, (6, 300, 3))
    f["particles/atoms/image/value"] = turns.astype(np.int32)
    f["particles/atoms/image/step"] = f["particles/atoms/position/step"]
    known["sheared_gas"] = (inside + turns @ skew)[3, 11].tolist()

# An ideal gas in a box that shrinks to half.
lengths = np.linspace(20, 10, 40)
h5md("changing", [rng.random((400, 3)) * length for length in lengths], [[length] * 3 for length in lengths]).close()
both = [np.array([[length, 0, 0], [length / 4, length, 0], [0, 0, length]]) for length in lengths]
h5md("changing_sheared", [rng.random((400, 3)) @ box for box in both], both).close()

# Fewer particles in some frames: filled up with NaN, species included, as ZnH5MD does ..
numbers = [15, 20, 12]
padded = np.full((3, 20, 3), np.nan)
species = np.full((3, 20), np.nan)
for frame, number in enumerate(numbers):
    padded[frame, :number] = rng.random((number, 3)) * 10
    species[frame, :number] = np.where(np.arange(number) % 5, 6, 8)
with h5md("padded", padded, [[10.0] * 3] * 3) as f:
    f["particles/atoms/species/value"] = species
    f["particles/atoms/species/step"] = f["particles/atoms/position/step"]
known["padded"] = numbers
# .. or with the fill value of `id`, as H5MD does.
filled = np.nan_to_num(padded, nan=0.0)
with h5md("filled", filled, [[10.0] * 3] * 3) as f:
    ids = np.where(np.isnan(species), 4294967295, np.arange(20) + 5).astype(np.uint32)
    f.create_dataset("particles/atoms/id/value", data=ids, fillvalue=4294967295)
    f["particles/atoms/id/step"] = f["particles/atoms/position/step"]

few = rng.random((4, 10, 3)) * 5
# Edges with a unit of their own.
with h5md("units", few * 10, [50.0] * 3, unit="Angstrom") as f:
    f["particles/atoms/box/edges"][:] = [5.0] * 3
    f["particles/atoms/box/edges"].attrs["unit"] = "nm"
    f.create_dataset("particles/atoms/velocity/value", data=few).attrs["unit"] = "Angstrom ps-1"
    f["particles/atoms/velocity/step"] = f["particles/atoms/position/step"]
    known["velocity"] = (few[1, 2] * 100).tolist()

# Species that change in time, as an enumeration.
kinds = h5py.enum_dtype({"A": -2, "B": 7}, basetype="i4")
changing = np.array([[7] * k + [-2] * (10 - k) for k in (2, 4, 6, 8)], dtype=np.int32)
with h5md("species", few, [5.0] * 3) as f:
    f["particles/atoms/radius"] = np.full(10, 2.0)
    f["particles/atoms/radius"].attrs["unit"] = "Angstrom"
    f.create_dataset("particles/atoms/species/value", data=changing, dtype=kinds)
    f["particles/atoms/species/step"] = f["particles/atoms/position/step"]
# The same numbers all the time, without names.
with h5md("numbers", few, [5.0] * 3, group="all") as f:
    f["particles/all/species"] = changing[0]
with h5md("one_number", few, [5.0] * 3, group="all") as f:
    f["particles/all/species"] = np.full(10, 3)
with h5md("named", few, [5.0] * 3, group="all") as f:
    f.create_dataset("particles/all/species", data=changing[0], dtype=kinds)
with h5md("texts", few, [5.0] * 3) as f:
    f["particles/atoms/species"] = ["B" if kind == 7 else "A" for kind in changing[0]]
with h5md("texts_changing", few, [5.0] * 3) as f:
    f["particles/atoms/species/value"] = [["B" if kind == 7 else "A" for kind in row] for row in changing]

# Two groups of particles.
with h5md("groups", few, [5.0] * 3, group="protein") as f:
    fill(f, "water", few[:, :4] * 0.5, [5.0] * 3)
known["water"] = (few[-1, 3] * 0.5).tolist()
known["protein"] = few[-1, 3].tolist()

# Positions that do not depend on time, or have no times.
with h5md("fixed") as f:
    at = f.create_group("particles/atoms")
    at.create_group("box").attrs["dimension"] = 3
    at["box"].attrs["boundary"] = b"periodic"
    at["box/edges"] = [5.0] * 3
    at.create_dataset("position", data=few[0]).attrs["unit"] = "nm"
h5md("timeless", few, [5.0] * 3, time=False).close()

# One image off, and in half precision.
h5md("wrapped", few + np.array([5.0, -5.0, 10.0]), [5.0] * 3, group="anything").close()
known["wrapped"] = few[-1].tolist()
h5md("half", few.astype(np.float16), [5.0] * 3).close()
known["half"] = few.astype(np.float16)[2, 5].astype(float).tolist()
# What is not read.
with h5md("other_steps", few, [5.0] * 3) as f:
    f["particles/atoms/image/value"] = np.zeros((2, 10, 3), np.int32)
    f["particles/atoms/image/step"] = [0, 20]
h5md("furlongs", few, [5.0] * 3, unit="furlong").close()
with h5md("letters") as f:
    fill(f, "atoms", few)
    del f["particles/atoms/position/value"]
    f["particles/atoms/position/value"] = few.astype("S8")
with h5md("lzf") as f:
    fill(f, "atoms", few)
    del f["particles/atoms/position/value"]
    f.create_dataset("particles/atoms/position/value", data=np.ones((4, 100, 3)), compression="lzf", chunks=(1, 100, 3))

(folder / "known.json").write_text(json.dumps(known))
