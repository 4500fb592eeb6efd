"""How far do particles get in a time?

    python displacement.py run.h5md [--plot displacement.png]

Reads the frames with MDAnalysis, which needs no topology for them. Prints a table with a row for each
species and lag: the mean squared displacement in nm², with its standard error from how much particles differ.
"""

import argparse

import h5py
import MDAnalysis
import numpy
import pandas


def paths(path):
    """The way of each slot without jumps at periodic faces, in nm [frame, slot, axis], and the time between
    frames in µs; then which particles are in each slot [frame, slot], and its species."""
    frames = MDAnalysis.Universe(path, to_guess=()).trajectory
    # MDAnalysis has Angstrom and ps. It does not read how often a particle went round the box; h5py does.
    position = numpy.array([frame.positions.astype(float) / 10 for frame in frames])
    time = [frame.time * 1e-6 for frame in frames[:2]]
    with h5py.File(path) as file:
        particles = file["particles/trajectory"]
        position += particles["image/value"][:] * particles["box/edges/value"][:][:, None]
        names = numpy.array(particles["species"].attrs["names"])
        return position, numpy.ptp(time), particles["id/value"][:], names[particles["species"][:]]


def mean_squared_displacement(path):
    """By species, for lags of 1, 2, 5, 10, 20, ... frames."""
    position, between, identity, species = paths(path)
    frames = len(position)
    # The frame from which on each slot has held the same particle.
    came = numpy.vstack([identity[:1] >= 0, identity[1:] != identity[:-1]])
    since = numpy.maximum.accumulate(numpy.arange(frames)[:, None] * came)
    lags = [n * 10**power for power in range(9) for n in (1, 2, 5) if n * 10**power < frames]
    rows = []
    for name in pandas.unique(species):
        for lag in lags:
            # A particle counts while it exists and is of its species: the same one in the same slot, in every frame.
            there = (since[lag:] <= numpy.arange(frames - lag)[:, None]) & (identity[lag:] >= 0) & (species == name)
            square = numpy.where(there, ((position[lag:] - position[:-lag]) ** 2).sum(axis=2), 0)
            sums, counts = square.sum(axis=0), there.sum(axis=0)
            particles = (counts > 0).sum()
            if particles:
                mean = sums.sum() / counts.sum()
                spread = ((sums - mean * counts) ** 2).sum() * particles / (particles - 1) if particles > 1 else numpy.nan
                rows.append((name, lag * between, mean, spread**0.5 / counts.sum(), counts.sum()))
    return pandas.DataFrame(rows, columns=["species", "lag_us", "msd_nm2", "std_error_nm2", "samples"])


def draw(table, picture):
    import matplotlib.pyplot as plt

    plt.style.use("tableau-colorblind10")
    figure, axes = plt.subplots()
    for name, of in table.groupby("species", sort=False):
        axes.errorbar(of["lag_us"], of["msd_nm2"], of["std_error_nm2"], fmt="o-", label=name)
    axes.set(xscale="log", yscale="log", xlabel="lag (µs)", ylabel="mean squared displacement (nm²)")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(picture, dpi=150, bbox_inches="tight")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="a file that jostle wrote")
    parser.add_argument("--plot", metavar="PICTURE", help="draw it, too")
    options = parser.parse_args()
    table = mean_squared_displacement(options.file)
    print(table.to_csv(index=False), end="")
    if options.plot:
        draw(table, options.plot)
