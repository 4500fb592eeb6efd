"""How many clusters of each size are there over time?

    python cluster_sizes.py run.h5md [--plot cluster_sizes.png]

Prints a table with a row for each frame and size: the time in µs, the number of particles in a cluster, the
number of such clusters. A particle alone is a cluster of one; particles that have coalesced count one by one.
"""

import argparse

import h5py
import numpy
import pandas


def cluster_sizes(path):
    """The number of clusters by time in µs and size, one frame in memory at a time."""
    rows = []
    with h5py.File(path, swmr=True) as file:
        particles = file["particles/trajectory"]
        for frame, time in enumerate(particles["position/time"][:] / 1000):
            alive = particles["id/value"][frame] >= 0
            cluster = particles["cluster/value"][frame][alive]
            members = numpy.maximum(particles["coalesced/value"][frame][alive], 1)
            sizes = pandas.Series(members).groupby(cluster).sum()
            rows += [(time, size, count) for size, count in sizes.value_counts().sort_index().items()]
    return pandas.DataFrame(rows, columns=["time_us", "size", "clusters"])


def draw(table, picture):
    """The share of particles in clusters of each size, in classes that double."""
    import matplotlib.pyplot as plt

    particles = (table["size"] * table["clusters"]).groupby([table["time_us"], numpy.log2(table["size"]).astype(int)])
    share = particles.sum().unstack(fill_value=0)
    share = share.div(share.sum(axis=1), axis=0)
    names = [f"{2**k}" if k == 0 else f"{2**k} to {2**(k + 1) - 1}" for k in share.columns]
    colours = plt.cm.viridis_r(numpy.linspace(0.05, 0.95, len(names)))
    figure, axes = plt.subplots()
    axes.stackplot(share.index, share.T, labels=names, colors=colours, step="post")
    axes.set(xlabel="time (µs)", ylabel="share of particles", ylim=(0, 1), xlim=(share.index[0], share.index[-1]))
    axes.legend(title="cluster size", frameon=False, loc="center left", bbox_to_anchor=(1, 0.5), reverse=True)
    figure.savefig(picture, dpi=150, bbox_inches="tight")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="a file that jostle wrote, or is writing")
    parser.add_argument("--plot", metavar="PICTURE", help="draw it, too")
    options = parser.parse_args()
    table = cluster_sizes(options.file)
    print(table.to_csv(index=False), end="")
    if options.plot:
        draw(table, options.plot)
