"""How many particles of each species are near those of another?

    python neighbours.py run.h5md [--within 20] [--plot neighbours.png]

Reads the frames with MDAnalysis, and tells it what the particles are called. Prints a table with a row for each frame
and pair of species: the number of pairs whose centres are within so many nm.
"""

import argparse
import itertools

import h5py
import MDAnalysis
import numpy
import pandas
from MDAnalysis.lib.distances import capped_distance, self_capped_distance


def named(path):
    """The frames, with an atom for each slot: its name is its species, its type that without the states."""
    universe = MDAnalysis.Universe(path, to_guess=())
    with h5py.File(path) as file:
        species = file["particles/trajectory/species"]
        names = numpy.array(species.attrs["names"], dtype=object)[species[:]]
        walls = file["particles/trajectory/box"].attrs["boundary"] == "none"
    universe.add_TopologyAttr("names", names)
    universe.add_TopologyAttr("types", [name.split("{")[0] for name in names])
    return universe, numpy.asarray(walls)


def pairs_within(path, distance):
    """By frame and pair of species; `distance` in nm."""
    universe, walls = named(path)
    rows = []
    for frame in universe.trajectory:
        # Slots without a particle have no position. MDAnalysis has Angstrom and ps, and takes every box for periodic.
        there = universe.atoms[numpy.isfinite(frame.positions[:, 0])]
        box = frame.dimensions * numpy.append(numpy.where(walls, 2, 1), (1, 1, 1))
        near = {"max_cutoff": 10 * distance, "box": box, "method": "bruteforce", "return_distances": False}
        for one, other in itertools.combinations_with_replacement(pandas.unique(universe.atoms.names), 2):
            a, b = (there[there.names == name].positions for name in (one, other))
            pairs = self_capped_distance(a, **near) if one == other else capped_distance(a, b, **near)
            rows.append((frame.time * 1e-6, one, other, len(pairs)))
    return pandas.DataFrame(rows, columns=["time_us", "species", "partner", "pairs"])


def draw(table, picture):
    import matplotlib.pyplot as plt

    plt.style.use("tableau-colorblind10")
    figure, axes = plt.subplots()
    for (one, other), of in table.groupby(["species", "partner"], sort=False):
        axes.plot(of["time_us"], of["pairs"], label=f"{one} – {other}")
    axes.set(xlabel="time (µs)", ylabel="pairs", ylim=(0, None))
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(picture, dpi=150, bbox_inches="tight")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="a file that jostle wrote")
    parser.add_argument("--within", type=float, default=20, metavar="NM", help="how near, in nm [20]")
    parser.add_argument("--plot", metavar="PICTURE", help="draw it, too")
    options = parser.parse_args()
    table = pairs_within(options.file, options.within)
    print(table.to_csv(index=False), end="")
    if options.plot:
        draw(table, options.plot)
